// A feed publisher on loopback that writes raw responses, so that it can misbehave in ways a regular HTTP server cannot.
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface PublisherRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly at: number;
}

/** Writes a response, valid or not. */
export type PublisherBehaviour = (socket: Socket, request: PublisherRequest) => void;

export interface FakeItem {
  readonly title: string;
  readonly guid?: string;
  readonly date?: Date | null;
}

export class FakePublisher implements AsyncDisposable {
  readonly requests: PublisherRequest[] = [];
  /** Bytes sent to clients. */
  sent = 0;
  /** Highest number of open connections. */
  maxOpen = 0;
  readonly #pages = new Map<string, PublisherBehaviour>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async open(): Promise<FakePublisher> {
    const publisher = new FakePublisher();
    await new Promise<void>((resolve) => publisher.#server.listen(0, '127.0.0.1', resolve));
    return publisher;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  url(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  on(path: string, behaviour: PublisherBehaviour): this {
    this.#pages.set(path, behaviour);
    return this;
  }

  times(path: string): number[] {
    return this.requests.filter((each) => each.path === path).map(({ at }) => at);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    this.maxOpen = Math.max(this.maxOpen, this.#sockets.size);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.sent += socket.bytesWritten;
      this.#sockets.delete(socket);
    });
    let head = '';
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      const [requestLine = '', ...lines] = head.split('\r\n');
      head = '';
      const pairs = lines.filter(Boolean).map((line) => line.split(/:\s*(.*)/s) as [string, string]);
      const headers = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
      const received = { path: requestLine.split(' ')[1] ?? '', headers, at: performance.now() };
      this.requests.push(received);
      (this.#pages.get(received.path) ?? status(404))(socket, received);
    });
  }
}

export const answer =
  (
    code: number,
    headers: Readonly<Record<string, string | number>>,
    body: string | Uint8Array = '',
  ): PublisherBehaviour =>
  (socket) => {
    const bytes = Buffer.from(body as Uint8Array);
    const all = { 'Content-Length': bytes.length, Connection: 'close', ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${code} Whatever\r\n${lines.join('')}\r\n`);
    socket.end(bytes);
  };

export const status = (code: number, headers: Readonly<Record<string, string | number>> = {}): PublisherBehaviour =>
  answer(code, headers, code === 304 ? '' : `<html>${code}</html>`);

export const redirect = (to: string, code = 302): PublisherBehaviour => answer(code, { Location: to });

/** An RSS document. Items without `date` are published now; `null` omits the date. */
export function rss(items: readonly FakeItem[]): string {
  const entries = items.map(({ title, guid, date = new Date() }) => {
    const published = date ? `<pubDate>${date.toUTCString()}</pubDate>` : '';
    return `<item><title>${title}</title><guid isPermaLink="false">${guid ?? title}</guid>${published}</item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Fake</title>${entries.join('')}</channel></rss>`;
}

export const feed = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): PublisherBehaviour =>
  answer(200, { 'Content-Type': 'application/rss+xml', ...headers }, body);

/** Responds with 304 if the client has the current version. */
export const versioned =
  (body: () => string): PublisherBehaviour =>
  (socket, request) => {
    const etag = `"${Bun.hash(body())}"`;
    const known = request.headers['if-none-match'] === etag;
    return (known ? status(304, { ETag: etag }) : feed(body(), { ETag: etag }))(socket, request);
  };

export const packed = (body: string | Uint8Array): PublisherBehaviour =>
  feed(gzipSync(body), { 'Content-Encoding': 'gzip' });

export const silent: PublisherBehaviour = () => {};

/** Sends a byte from time to time, forever. */
export const drip =
  (everyMs: number, head = 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<rss>'): PublisherBehaviour =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(' '), everyMs);
    socket.on('close', () => clearInterval(timer));
  };

/** Sends data as fast as the client reads it, forever. */
export const endless =
  (head = 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<rss>'): PublisherBehaviour =>
  (socket) => {
    const chunk = Buffer.alloc(65_536, '<item><title>more</title></item>');
    const pour = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', pour);
    socket.write(head);
    pour();
  };

export const bomb = (megabytes: number): PublisherBehaviour => packed(Buffer.alloc(megabytes * 2 ** 20, ' '));

export const truncatedGzip: PublisherBehaviour = (socket, request) => {
  const whole = gzipSync(rss(Array.from({ length: 100 }, (_, index) => ({ title: `item ${index}` }))));
  feed(whole.subarray(0, whole.length / 2), { 'Content-Encoding': 'gzip' })(socket, request);
};

/** Declares more than it sends. */
export const shortBody: PublisherBehaviour = (socket, request) =>
  answer(200, { 'Content-Length': 10_000 }, rss([{ title: 'half' }]))(socket, request);

export const reset: PublisherBehaviour = (socket) => {
  socket.resetAndDestroy();
};

export const resetMidway: PublisherBehaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n<rss version="2.0">');
  setTimeout(() => socket.resetAndDestroy(), 20);
};
