// A publisher on loopback: real sockets, answers written by hand, so that it can misbehave in ways no proper server does.
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly at: number;
}

/** Writes an answer, or something else. */
export type Behaviour = (socket: Socket, asked: Asked) => void;

export interface FakeItem {
  readonly title: string;
  readonly guid?: string;
  readonly date?: Date | null;
}

export class FakePublisher implements AsyncDisposable {
  readonly asked: Asked[] = [];
  /** Bytes that left towards readers. */
  sent = 0;
  /** The most requests that were open at once. */
  most = 0;
  readonly #pages = new Map<string, Behaviour>();
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

  on(path: string, behaviour: Behaviour): this {
    this.#pages.set(path, behaviour);
    return this;
  }

  times(path: string): number[] {
    return this.asked.filter((asked) => asked.path === path).map(({ at }) => at);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    this.most = Math.max(this.most, this.#sockets.size);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.sent += socket.bytesWritten;
      this.#sockets.delete(socket);
    });
    let head = '';
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      const [request = '', ...lines] = head.split('\r\n');
      head = '';
      const pairs = lines.filter(Boolean).map((line) => line.split(/:\s*(.*)/s) as [string, string]);
      const headers = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
      const asked = { path: request.split(' ')[1] ?? '', headers, at: performance.now() };
      this.asked.push(asked);
      (this.#pages.get(asked.path) ?? status(404))(socket, asked);
    });
  }
}

export const answer =
  (code: number, headers: Readonly<Record<string, string | number>>, body: string | Uint8Array = ''): Behaviour =>
  (socket) => {
    const bytes = Buffer.from(body as Uint8Array);
    const all = { 'Content-Length': bytes.length, Connection: 'close', ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${code} Whatever\r\n${lines.join('')}\r\n`);
    socket.end(bytes);
  };

export const status = (code: number, headers: Readonly<Record<string, string | number>> = {}): Behaviour =>
  answer(code, headers, code === 304 ? '' : `<html>${code}</html>`);

export const redirect = (to: string, code = 302): Behaviour => answer(code, { Location: to });

/** An RSS document; without `date` an item was published now, with null at no stated time. */
export function rss(items: readonly FakeItem[]): string {
  const entries = items.map(({ title, guid, date = new Date() }) => {
    const published = date ? `<pubDate>${date.toUTCString()}</pubDate>` : '';
    return `<item><title>${title}</title><guid isPermaLink="false">${guid ?? title}</guid>${published}</item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Fake</title>${entries.join('')}</channel></rss>`;
}

export const feed = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  answer(200, { 'Content-Type': 'application/rss+xml', ...headers }, body);

/** Answers 304 to who has the version of now. */
export const versioned =
  (body: () => string): Behaviour =>
  (socket, asked) => {
    const etag = `"${Bun.hash(body())}"`;
    const known = asked.headers['if-none-match'] === etag;
    return (known ? status(304, { ETag: etag }) : feed(body(), { ETag: etag }))(socket, asked);
  };

export const packed = (body: string | Uint8Array): Behaviour => feed(gzipSync(body), { 'Content-Encoding': 'gzip' });

export const silent: Behaviour = () => {};

/** A byte now and then, for ever. */
export const drip =
  (everyMs: number, head = 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<rss>'): Behaviour =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(' '), everyMs);
    socket.on('close', () => clearInterval(timer));
  };

/** As fast as the reader takes it, for ever. */
export const endless =
  (head = 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<rss>'): Behaviour =>
  (socket) => {
    const chunk = Buffer.alloc(65_536, '<item><title>more</title></item>');
    const pour = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', pour);
    socket.write(head);
    pour();
  };

export const bomb = (megabytes: number): Behaviour => packed(Buffer.alloc(megabytes * 2 ** 20, ' '));

export const truncatedGzip: Behaviour = (socket, asked) => {
  const whole = gzipSync(rss(Array.from({ length: 100 }, (_, index) => ({ title: `item ${index}` }))));
  feed(whole.subarray(0, whole.length / 2), { 'Content-Encoding': 'gzip' })(socket, asked);
};

/** Promises more than it sends. */
export const shortBody: Behaviour = (socket, asked) =>
  answer(200, { 'Content-Length': 10_000 }, rss([{ title: 'half' }]))(socket, asked);

export const reset: Behaviour = (socket) => {
  socket.resetAndDestroy();
};

export const resetMidway: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n<rss version="2.0">');
  setTimeout(() => socket.resetAndDestroy(), 20);
};
