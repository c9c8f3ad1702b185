// What a process answers before it has anything to serve: an ingest that stands by, a gateway whose cluster has not begun yet.
import type { Server } from 'bun';
import type { Config } from '../config.ts';
import type { Connection } from '../gateway/connection.ts';
import { listen, type readTls } from '../ops/listen.ts';

export interface StandByOptions {
  readonly config: Config;
  readonly tls: ReturnType<typeof readTls>;
  /** What `/readyz` says it waits for. */
  readonly checks: Readonly<Record<string, string>>;
  /** Whether it is well as it is: an ingest that stands by does what it should, a gateway that waits should get nobody. */
  readonly ready: boolean;
  readonly stopping: () => boolean;
}

export function standBy({ config, tls, checks, ready, stopping }: StandByOptions): Server<Connection> {
  const json = (body: object, status = 200): Response => Response.json(body, { status });
  const status = (well: string): string => (stopping() ? 'stopping' : well);
  return listen(config.port, config.host, 'port', (port) =>
    Bun.serve<Connection, string>({
      port,
      hostname: config.host,
      ...(tls && { tls }),
      idleTimeout: 60,
      routes: {
        '/healthz': () => json({ status: status('ok') }),
        '/readyz': () => json({ status: status(ready ? 'ok' : 'degraded'), checks }, !ready || stopping() ? 503 : 200),
      },
      fetch: () => json({ status: 'standing by' }, 503),
      websocket: { message: () => {} },
    }),
  );
}
