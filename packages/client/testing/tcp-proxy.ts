// A TCP proxy between client and service that a test can cut, stall and throttle.
import type { Socket, TCPSocketListener } from 'bun';

interface Tunnel {
  readonly client: Socket<Tunnel>;
  upstream: Socket<undefined> | null;
  /** Bytes that wait until the other side can take them; never sent while the tunnel is stalled. */
  readonly toClient: Uint8Array[];
  readonly toService: Uint8Array[];
  stalled: boolean;
}

export class TcpProxy {
  /** Connections opened so far. */
  connections = 0;
  readonly #target: { hostname: string; port: number };
  readonly #listener: TCPSocketListener<Tunnel>;
  readonly #tunnels = new Set<Tunnel>();
  #refusing = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#target = { hostname, port: Number(port) };
    this.#listener = Bun.listen<Tunnel>({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open: (client) => this.#open(client),
        data: (client, bytes) => {
          client.data.toService.push(bytes.slice());
          this.#flush(client.data);
        },
        drain: (client) => this.#flush(client.data),
        close: (client) => {
          this.#tunnels.delete(client.data);
          client.data.upstream?.end();
        },
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.port}`;
  }

  /** Terminates all connections without a close frame. */
  cut(): void {
    for (const { client, upstream } of [...this.#tunnels]) {
      client.terminate();
      upstream?.terminate();
    }
  }

  /** Stops forwarding on the open connections, which stay open. */
  stall(): void {
    for (const tunnel of this.#tunnels) tunnel.stalled = true;
  }

  /** Stops reading from the service, which then sees a slow consumer. */
  throttle(): void {
    for (const { upstream } of this.#tunnels) upstream?.pause();
  }

  unthrottle(): void {
    for (const { upstream } of this.#tunnels) upstream?.resume();
  }

  /** Terminates new connections immediately. */
  refuse(): void {
    this.#refusing = true;
  }

  accept(): void {
    this.#refusing = false;
  }

  /** Forwards new connections to another service. */
  retarget(url: string): void {
    const { hostname, port } = new URL(url);
    Object.assign(this.#target, { hostname, port: Number(port) });
  }

  stop(): void {
    this.cut();
    this.#listener.stop(true);
  }

  #open(client: Socket<Tunnel>): void {
    const tunnel: Tunnel = { client, upstream: null, toClient: [], toService: [], stalled: false };
    client.data = tunnel;
    if (this.#refusing) {
      client.terminate();
      return;
    }
    this.connections++;
    this.#tunnels.add(tunnel);
    Bun.connect<undefined>({
      ...this.#target,
      data: undefined,
      socket: {
        open: (upstream) => {
          tunnel.upstream = upstream;
          this.#flush(tunnel);
        },
        data: (_upstream, bytes) => {
          tunnel.toClient.push(bytes.slice());
          this.#flush(tunnel);
        },
        drain: () => this.#flush(tunnel),
        close: () => void client.end(),
      },
    }).catch(() => client.terminate());
  }

  #flush({ client, upstream, toClient, toService, stalled }: Tunnel): void {
    if (stalled) return;
    drain(toClient, client);
    if (upstream) drain(toService, upstream);
  }
}

/** Writes as much as the socket accepts. */
function drain(queue: Uint8Array[], socket: Socket<Tunnel> | Socket<undefined>): void {
  while (queue.length > 0) {
    const bytes = queue[0]!;
    const written = socket.write(bytes);
    if (written < bytes.length) {
      if (written > 0) queue[0] = bytes.subarray(written);
      return;
    }
    queue.shift();
  }
}
