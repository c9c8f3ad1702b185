// A scripted service for tests: real HTTP and real WebSockets on a free port. Like a service behind a strict proxy, it has a
// connection for each channel, and none for all of them.
import type { Server, ServerWebSocket } from 'bun';

export type Socket = ServerWebSocket<{ readonly path: string }>;

export interface Script {
  /** Status of a request for a connection for all channels. Default 404. */
  readonly sharedStatus?: number;
  readonly rest?: (request: Request) => Response | Promise<Response>;
  readonly onMessage?: (socket: Socket, message: Record<string, unknown>) => void;
}

export interface FakeService extends AsyncDisposable {
  readonly url: string;
  /** Every message received over any socket, in order. */
  readonly received: Record<string, unknown>[];
  /** Path of every socket that was opened. */
  readonly paths: string[];
}

export function fakeService(script: Script): FakeService {
  const received: Record<string, unknown>[] = [];
  const paths: string[] = [];
  const server: Server<{ path: string }> = Bun.serve<{ path: string }>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      const path = new URL(request.url).pathname;
      const isUpgrade = request.headers.get('Upgrade') === 'websocket' && path !== '/ws';
      if (isUpgrade && self.upgrade(request, { data: { path } })) return undefined;
      if (path === '/ws' && script.sharedStatus) return new Response(null, { status: script.sharedStatus });
      return script.rest?.(request) ?? new Response(null, { status: 404 });
    },
    websocket: {
      open: (socket) => {
        paths.push(socket.data.path);
      },
      message(socket, text) {
        const message = JSON.parse(String(text)) as Record<string, unknown>;
        received.push(message);
        script.onMessage?.(socket, message);
      },
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    received,
    paths,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Confirms a subscription the way the service does, at position 0. */
export function confirm(socket: Socket, symbols: unknown = []): void {
  socket.send(JSON.stringify({ event: 'subscribed', symbols, rejected: [], epoch: 'fake', seq: 0 }));
}

/** Waits until real I/O has made the condition true. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting for ${what}`);
    await Bun.sleep(2);
  }
}
