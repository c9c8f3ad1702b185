// A service for the tests: real HTTP and real sockets on a free port, answers scripted by each test.
import type { Server, ServerWebSocket } from 'bun';

export type Socket = ServerWebSocket<{ readonly path: string }>;

export interface Script {
  readonly rest?: (request: Request) => Response | Promise<Response>;
  readonly onMessage?: (socket: Socket, message: Record<string, unknown>) => void;
}

export interface FakeService extends AsyncDisposable {
  readonly url: string;
  /** Everything said to the service over any socket, in order. */
  readonly heard: Record<string, unknown>[];
  readonly paths: string[];
}

export function fakeService(script: Script): FakeService {
  const heard: Record<string, unknown>[] = [];
  const paths: string[] = [];
  const server: Server<{ path: string }> = Bun.serve<{ path: string }>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      const path = new URL(request.url).pathname;
      if (request.headers.get('Upgrade') === 'websocket' && self.upgrade(request, { data: { path } })) return undefined;
      return script.rest?.(request) ?? new Response(null, { status: 404 });
    },
    websocket: {
      open: (socket) => {
        paths.push(socket.data.path);
      },
      message(socket, text) {
        const message = JSON.parse(String(text)) as Record<string, unknown>;
        heard.push(message);
        script.onMessage?.(socket, message);
      },
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    heard,
    paths,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Accepts a subscription the way the service does, and says where it stands. */
export function acknowledge(socket: Socket, symbols: unknown = []): void {
  socket.send(JSON.stringify({ event: 'subscribed', symbols, rejected: [], epoch: 'fake', seq: 0 }));
}

/** Waits for real I/O to bring about a condition. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 3_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}`);
    await Bun.sleep(2);
  }
}
