// Whether the service should get requests, part by part.

export type Checks = Readonly<Record<string, string>>;

/** Carries the body of a readiness report that is not a problem but a 503 all the same. */
export class NotReady extends Error {}

/**
 * What all gateways of a cluster have in common. Whoever balances over them must not take all of them out because one of these
 * is away: they go on showing what they know, count by themselves, and say so.
 */
const SHARED: ReadonlySet<string> = new Set(['redis', 'journal', 'ingest', 'limits', 'database']);

/** One source of several may be down without keeping callers away; the store, or all of them, may not. */
export function readiness(checks: Checks, stopping: boolean): string {
  const wrong = Object.keys(checks).filter((part) => checks[part] !== 'ok');
  const feeds = Object.keys(checks).filter((part) => part.startsWith('feed'));
  const own = wrong.filter((part) => !feeds.includes(part) && !SHARED.has(part));
  const unfit = own.length > 0 || (feeds.length > 0 && feeds.every((part) => wrong.includes(part)));
  const status = stopping ? 'stopping' : wrong.length > 0 ? 'degraded' : 'ok';
  const body = JSON.stringify({ status, checks });
  if (status === 'stopping' || unfit) throw new NotReady(body);
  return body;
}
