// A link to a service that can go bad: it passes bytes on, holds them back as a stalled network does (both ways, nothing is
// lost, new connections included), or cuts.
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface StallingProxy {
  /** The service's address, by way of the proxy. */
  readonly url: string;
  /** Connections that were made through it so far. */
  readonly made: number;
  stall(): void;
  /** Passes on what was held back. */
  resume(): void;
  /** Ends every connection at once; new ones are taken. */
  cut(): void;
  /** The next bytes to the service that have this text in them still arrive there; their connection ends before an answer. */
  cutBehind(text: string): void;
  /** Takes no new connections, or takes them again. */
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
      // An end waits behind what is held back, as it would on the wire.
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
