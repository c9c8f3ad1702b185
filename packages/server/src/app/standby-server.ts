// The server of a node that has nothing to serve yet: an ingest node on standby, or a gateway node of a cluster without data.
import { API_VERSION } from '@tickwire/contract';
import type { Config } from '../config/config.ts';
import type { readTls } from '../http/listen.ts';
import type { Port, Ports } from '../http/ports.ts';
import { securityHeaders } from '../http/response-headers.ts';
import type { Connection } from '../ws/connection.ts';

/** How `/readyz` reports an ingest node that is not active. */
export const STANDING_BY = 'standing by';

export interface StandbyServerOptions {
  readonly config: Config;
  readonly ports: Ports;
  readonly tls: ReturnType<typeof readTls>;
  /** What the node waits for, for `/readyz`. */
  readonly checks: () => Readonly<Record<string, string>>;
  /** Whether `/readyz` reports ready: an ingest node that can take over does, a gateway node that waits must get no traffic. */
  readonly ready: () => boolean;
  readonly stopping: () => boolean;
}

export function startStandbyServer(options: StandbyServerOptions): Port<Connection> {
  const { config, ports, tls, checks, ready, stopping } = options;
  // The version shows `tickwire doctor` that this is Tickwire.
  const headers = { 'API-Version': API_VERSION, ...securityHeaders(tls !== null) };
  const json = (body: object, status = 200): Response => Response.json(body, { status, headers });
  const status = (normal: string): string => (stopping() ? 'stopping' : normal);
  return ports.open<Connection>('port', config.port, {
    hostname: config.host,
    reusePort: config.reuse_port,
    ...(tls && { tls }),
    idleTimeout: 60,
    routes: {
      '/healthz': () => json({ status: status('ok') }),
      '/readyz': () => {
        const body = { status: status(ready() ? 'ok' : 'degraded'), checks: checks() };
        return json(body, !ready() || stopping() ? 503 : 200);
      },
    },
    fetch: () => json({ status: STANDING_BY }, 503),
    websocket: { message: () => {} },
  });
}
