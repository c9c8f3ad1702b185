// A network between a client and a service that a test can cut, stall, choke and close. Real sockets: what is cut is really gone.
import type { Socket, TCPSocketListener } from 'bun';

interface Link {
  readonly client: Socket<Link>;
  upstream: Socket<undefined> | null;
  /** Bytes that wait for the other side to have room, or are never sent because the link is stalled. */
  readonly toClient: Uint8Array[];
  readonly toService: Uint8Array[];
  stalled: boolean;
}

export class TcpProxy {
  /** Connections that were made through it, over its whole life. */
  connections = 0;
  readonly #target: { hostname: string; port: number };
  readonly #listener: TCPSocketListener<Link>;
  readonly #links = new Set<Link>();
  #refusing = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#target = { hostname, port: Number(port) };
    this.#listener = Bun.listen<Link>({
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
          this.#links.delete(client.data);
          client.data.upstream?.end();
        },
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.port}`;
  }

  /** All connections are gone, without a word. */
  cut(): void {
    for (const { client, upstream } of [...this.#links]) {
      client.terminate();
      upstream?.terminate();
    }
  }

  /** Nothing gets through the connections there are any more, but nobody is told. */
  stall(): void {
    for (const link of this.#links) link.stalled = true;
  }

  /** Nothing is read from the service any more: it finds its reader slow. */
  choke(): void {
    for (const { upstream } of this.#links) upstream?.pause();
  }

  unchoke(): void {
    for (const { upstream } of this.#links) upstream?.resume();
  }

  /** New connections are cut at once. */
  refuse(): void {
    this.#refusing = true;
  }

  mend(): void {
    this.#refusing = false;
  }

  /** Another service is behind it now. */
  retarget(url: string): void {
    const { hostname, port } = new URL(url);
    Object.assign(this.#target, { hostname, port: Number(port) });
  }

  stop(): void {
    this.cut();
    this.#listener.stop(true);
  }

  #open(client: Socket<Link>): void {
    const link: Link = { client, upstream: null, toClient: [], toService: [], stalled: false };
    client.data = link;
    if (this.#refusing) {
      client.terminate();
      return;
    }
    this.connections++;
    this.#links.add(link);
    Bun.connect<undefined>({
      ...this.#target,
      data: undefined,
      socket: {
        open: (upstream) => {
          link.upstream = upstream;
          this.#flush(link);
        },
        data: (_upstream, bytes) => {
          link.toClient.push(bytes.slice());
          this.#flush(link);
        },
        drain: () => this.#flush(link),
        close: () => void client.end(),
      },
    }).catch(() => client.terminate());
  }

  #flush({ client, upstream, toClient, toService, stalled }: Link): void {
    if (stalled) return;
    drain(toClient, client);
    if (upstream) drain(toService, upstream);
  }
}

/** Writes as much as the socket takes. */
function drain(queue: Uint8Array[], socket: Socket<Link> | Socket<undefined>): void {
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
