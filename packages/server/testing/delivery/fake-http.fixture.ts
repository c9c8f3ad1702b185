// An HTTP/1.1 server on a real loopback socket that writes its bytes itself, so that it can misbehave on request: errors,
// silence, late answers, garbage, and connections that end before or after the request was handled.
import { createServer, type Server, type Socket } from 'node:net';

export interface FakeRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly at: number;
}

export interface FakeReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Misbehaviour =
  /** Answers so, without handling the request. */
  | FakeReply
  /** Closes the connection without handling the request. */
  | 'drop'
  /** Handles the request and closes the connection without an answer. */
  | 'lose'
  /** Answers with bytes that are not HTTP. */
  | 'garbage'
  /** Never answers. */
  | 'hang'
  /** Sends the status and never the end of the body. */
  | 'endless'
  /** Handles the request and answers so many milliseconds later. */
  | { readonly lateMs: number };

export class FakeHttp implements AsyncDisposable {
  readonly requests: FakeRequest[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #misbehaviours: Misbehaviour[] = [];
  readonly #handle: (request: FakeRequest, closed: AbortSignal) => FakeReply | Promise<FakeReply>;

  constructor(handle: (request: FakeRequest, closed: AbortSignal) => FakeReply | Promise<FakeReply>) {
    this.#handle = handle;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return this;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  url(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  /** What happens to the next requests, one each. */
  misbehave(...next: readonly Misbehaviour[]): this {
    this.#misbehaviours.push(...next);
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    const closed = new AbortController();
    socket.on('close', () => {
      this.#sockets.delete(socket);
      closed.abort();
    });
    socket.on('error', () => {});
    let read: Buffer = Buffer.alloc(0);
    let answered = Promise.resolve();
    socket.on('data', (chunk: Buffer) => {
      read = Buffer.concat([read, chunk]);
      for (let taken = takeRequest(read); taken; taken = takeRequest(read)) {
        const { request, rest } = taken;
        read = rest;
        answered = answered.then(() => this.#answer(socket, request, closed.signal));
      }
    });
  }

  async #answer(socket: Socket, request: FakeRequest, closed: AbortSignal): Promise<void> {
    this.requests.push(request);
    const misbehaviour = this.#misbehaviours.shift();
    if (misbehaviour === 'drop') return void socket.destroy();
    if (misbehaviour === 'hang') return;
    if (misbehaviour === 'garbage') return void socket.end('\u0000\u0001 this is not HTTP\r\n\r\n');
    if (misbehaviour === 'endless') return void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx');
    if (typeof misbehaviour === 'object' && 'status' in misbehaviour) return writeReply(socket, misbehaviour);
    const reply = await this.#handle(request, closed);
    if (misbehaviour === 'lose') return void socket.destroy();
    if (misbehaviour) await Bun.sleep(misbehaviour.lateMs);
    writeReply(socket, reply);
  }
}

function writeReply(socket: Socket, { status, headers = {}, body = '' }: FakeReply): void {
  if (socket.destroyed) return;
  const lines = Object.entries({ 'Content-Length': String(Buffer.byteLength(body)), ...headers });
  socket.write(
    `HTTP/1.1 ${status} Status\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}

/** The first request in the bytes, if it is complete. */
function takeRequest(bytes: Buffer): { readonly request: FakeRequest; readonly rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = end + 4;
  const length = Number(headers['content-length'] ?? 0);
  if (bytes.length < start + length) return null;
  const body = Buffer.from(bytes.subarray(start, start + length));
  return { request: { method, path, headers, body, at: Date.now() }, rest: bytes.subarray(start + length) };
}

export const json = (value: unknown, status = 200): FakeReply => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

/** The JSON object of a request; `null` if it is none. */
export function jsonBody({ body }: FakeRequest): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
