// `/readyz`: whether the service should receive requests, with the state of each part.

export type Checks = Readonly<Record<string, string>>;

/** The service is not ready. The message is the response body: a readiness report with status 503, not a problem. */
export class NotReadyError extends Error {}

/**
 * Parts that all gateways of a cluster share. If one of them fails, a load balancer must not take every gateway out of
 * service: they keep serving the data they have, count limits locally, and report the degraded state.
 */
const SHARED: ReadonlySet<string> = new Set(['redis', 'journal', 'ingest', 'limits', 'database']);

/** Without it, some endpoints answer 503 and all others work. */
const OPTIONAL = 'model';

/** A progress, not a problem. */
const PROGRESS = 'history';

/** The service stays ready while some feeds are down. It is not ready if all feeds or one of its own parts are. */
export function readiness(checks: Checks, stopping: boolean): string {
  const failing = Object.keys(checks).filter((part) => checks[part] !== 'ok' && part !== PROGRESS);
  const feeds = Object.keys(checks).filter((part) => part.startsWith('feed'));
  const own = failing.filter((part) => !feeds.includes(part) && !SHARED.has(part) && part !== OPTIONAL);
  const unfit = own.length > 0 || (feeds.length > 0 && feeds.every((part) => failing.includes(part)));
  const status = stopping ? 'stopping' : failing.length > 0 ? 'degraded' : 'ok';
  const body = JSON.stringify({ status, checks });
  if (status === 'stopping' || unfit) throw new NotReadyError(body);
  return body;
}
