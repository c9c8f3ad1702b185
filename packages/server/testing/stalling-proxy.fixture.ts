// A TCP proxy with faults: it forwards bytes, holds them back like a stalled network (in both directions, without loss, for
// new connections too), or cuts connections.
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface StallingProxy {
  /** The address of the service through the proxy. */
  readonly url: string;
  /** Number of connections through it so far. */
  readonly made: number;
  stall(): void;
  /** Forwards everything that was held back. */
  resume(): void;
  /** Closes all connections; new ones are accepted. */
  cut(): void;
  /** Forwards the next bytes that contain this text, then closes their connection before the response. */
  cutBehind(text: string): void;
  /** Rejects new connections, or accepts them again. */
  refuse(refusing: boolean): void;
  stop(): Promise<void>;
}

export async function stallingProxy(target: string, usualPort: number): Promise<StallingProxy> {
  const to = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  let stalled = false;
  let refusing = false;
  let made = 0;
  let last: string | null = null;
  const server: Server = createServer((near) => {
    if (refusing) {
      near.destroy();
      return;
    }
    made++;
    const far = connect(Number(to.port) || usualPort, to.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    const pass = (from: Socket, into: Socket): void => {
      from.on('data', (bytes) => into.write(bytes));
      // The end of a connection waits behind held-back bytes, as on a real network.
      from.on('end', () => into.end());
      from.on('error', () => into.destroy());
      from.on('close', () => pairs.delete(pair));
      if (stalled) from.pause();
    };
    pass(near, far);
    pass(far, near);
    near.on('data', (bytes) => {
      if (last === null || !bytes.includes(last)) return;
      last = null;
      far.removeAllListeners('data');
      far.end();
      near.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const each = (act: (socket: Socket) => void): void => {
    for (const pair of [...pairs]) for (const socket of pair) act(socket);
  };
  return {
    url: url.href,
    get made() {
      return made;
    },
    stall() {
      stalled = true;
      each((socket) => socket.pause());
    },
    resume() {
      stalled = false;
      each((socket) => socket.resume());
    },
    cut: () => each((socket) => socket.destroy()),
    cutBehind(text) {
      last = text;
    },
    refuse(value) {
      refusing = value;
    },
    async stop() {
      each((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
