// Serves Prometheus metrics on a separate port, so that it need not be public. A bearer token and a check of the Host header
// are optional.
import { timingSafeEqual } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { Port, Ports } from '../http/ports.ts';
import { securityHeaders } from '../http/response-headers.ts';
import type { Log } from '../ops/log.ts';
import { sha256 } from '../ops/sha256.ts';

export const METRICS_PORT = 9464;
type MetricsSettings = Pick<Config, 'metrics_port' | 'metrics_token' | 'metrics_hosts' | 'host'>;

/** `null` if metrics are off. */
export function serveMetrics(config: MetricsSettings, ports: Ports, render: () => string, log: Log): Port | null {
  const { metrics_port, host } = config;
  if (metrics_port === 'off') return null;
  const serve = (port: number): Port =>
    ports.open('metrics_port', port, { hostname: host, fetch: metricsHandler(config, ports, render) });
  if (metrics_port !== null) return serve(metrics_port);
  try {
    return serve(METRICS_PORT);
  } catch {
    // The default port was not requested explicitly: serve without metrics rather than not at all.
    log.warn('metrics are off: the default port is in use; set TICKWIRE_METRICS_PORT to another one', {
      port: METRICS_PORT,
    });
    return null;
  }
}

function metricsHandler({ metrics_token, metrics_hosts }: MetricsSettings, ports: Ports, render: () => string) {
  const answer = (text: string, status: number, headers: Record<string, string> = {}): Response =>
    new Response(text, { status, headers: { 'Content-Type': 'text/plain', ...securityHeaders(false), ...headers } });
  const hosts = metrics_hosts && new Set(metrics_hosts.map((name) => name.toLowerCase()));
  const expected = metrics_token === null ? null : sha256(`Bearer ${metrics_token}`);
  return async (request: Request): Promise<Response> => {
    // A page of another site could otherwise read the metrics through a name that resolves to this address.
    if (hosts && !hosts.has(hostOf(request))) return answer('This host name is not allowed.\n', 421);
    if (expected && !timingSafeEqual(sha256(request.headers.get('authorization') ?? ''), expected))
      return answer('Send the token in the Authorization header.\n', 401, { 'WWW-Authenticate': 'Bearer' });
    if (URL.parse(request.url)?.pathname !== '/metrics') return answer('See /metrics\n', 404);
    await ports.countIdle();
    return answer(render(), 200, { 'Content-Type': 'text/plain; version=0.0.4' });
  };
}

/** The host of a request without its port and without the brackets of IPv6. */
const hostOf = (request: Request): string =>
  (request.headers.get('host') ?? '')
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1');

/** Equal lengths for the comparison in constant time. */
