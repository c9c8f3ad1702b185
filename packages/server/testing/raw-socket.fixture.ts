// A TCP connection for tests that send or leave unread what no correct client would.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const TIMEOUT_MS = 60_000;

export class RawSocket {
  readonly closed: Promise<void>;
  isClosed = false;
  /** The server has closed its direction; with `allowHalfOpen` ours may still be open. */
  isEnded = false;
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #wake: (() => void)[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wakeAll();
    });
    socket.on('end', () => {
      this.isEnded = true;
      this.#wakeAll();
    });
    // A reset by the server also closes it.
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isClosed = true;
        resolve();
        this.#wakeAll();
      });
    });
  }

  /** `allowHalfOpen`: our direction stays open when the server has closed its own. */
  static async connect(url: string, allowHalfOpen = false): Promise<RawSocket> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen, noDelay: true });
    const raw = new RawSocket(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('error', reject);
    });
    return raw;
  }

  get received(): Buffer {
    return this.#received;
  }

  get text(): string {
    return this.#received.toString('latin1');
  }

  write(data: string | Uint8Array): void {
    if (!this.isClosed) this.#socket.write(data);
  }

  /** Writes piece by piece, each in a separate packet as far as the kernel allows. */
  async drip(data: string | Uint8Array, pieceBytes = 1): Promise<void> {
    const bytes = Buffer.from(data as Uint8Array);
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      this.write(bytes.subarray(at, at + pieceBytes));
      await new Promise(setImmediate);
    }
  }

  /** Closes our direction (FIN) and continues reading. */
  end(): void {
    this.#socket.end();
  }

  /** Stops reading: data accumulates at the server. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Waits until `enough` returns true. Resolves to false if the connection closes or the time is up first. */
  async until(enough: (socket: this) => boolean, timeoutMs = TIMEOUT_MS): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (!enough(this)) {
      const left = deadline - performance.now();
      if (this.isClosed || left <= 0) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return true;
  }

  /** Drops received bytes up to `offset`. */
  consume(offset: number): void {
    this.#received = this.#received.subarray(offset);
  }

  #wakeAll(): void {
    const wake = this.#wake;
    this.#wake = [];
    for (const resolve of wake) resolve();
  }
}

/** Sends bytes and returns what was received until that many responses are complete or the connection closes. */
export async function rawExchange(url: string, data: string | Uint8Array, responses = 1): Promise<string> {
  const socket = await RawSocket.connect(url);
  socket.write(data);
  await socket.until(({ text }) => countResponses(text) >= responses);
  socket.destroy();
  return socket.text;
}

/** Complete responses, by their Content-Length. */
export function countResponses(text: string): number {
  let count = 0;
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0 || !rest.startsWith('HTTP/1.1 ')) return count;
    const length = Number(/content-length: (\d+)/i.exec(rest.slice(0, end))?.[1] ?? 0);
    if (rest.length < end + 4 + length) return count;
    rest = rest.slice(end + 4 + length);
    count++;
  }
}

export interface Frame {
  readonly fin: boolean;
  /** RSV1 to RSV3 as one number: 4, 2, 1. */
  readonly reserved: number;
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A client frame, which is masked. */
export function clientFrame(opcode: number, payload: string | Uint8Array): Buffer {
  const body = Buffer.from(payload as Uint8Array);
  const mask = randomBytes(4);
  const header =
    body.length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | body.length])
      : body.length < 65_536
        ? Buffer.from([0x80 | opcode, 0xfe, body.length >> 8, body.length & 255])
        : Buffer.from([0x80 | opcode, 0xff, 0, 0, 0, 0, ...[24, 16, 8, 0].map((bits) => (body.length >> bits) & 255)]);
  return Buffer.concat([header, mask, body.map((byte, at) => byte ^ mask[at & 3]!)]);
}

/** Complete server frames at the start of the bytes, and their total length. */
export function serverFrames(bytes: Buffer): { frames: Frame[]; length: number } {
  const frames: Frame[] = [];
  let at = 0;
  while (bytes.length >= at + 2) {
    const [first, short] = [bytes[at]!, bytes[at + 1]!];
    if (short & 128) throw new Error('a server must not mask frames');
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < at + head) break;
    const size =
      short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short;
    if (bytes.length < at + head + size) break;
    const payload = bytes.subarray(at + head, at + head + size);
    frames.push({ fin: first >= 128, reserved: (first >> 4) & 7, opcode: first & 15, payload });
    at += head + size;
  }
  return { frames, length: at };
}

/** A WebSocket connection on a raw socket after its handshake. It answers no pings. */
export async function rawStream(url: string, path: string, key?: string): Promise<RawSocket> {
  const socket = await RawSocket.connect(url);
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Version: 13',
    ...(key === undefined ? [] : [`X-API-Key: ${key}`]),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const opened = await socket.until(({ text }) => text.includes('\r\n\r\n'));
  if (!opened || !socket.text.startsWith('HTTP/1.1 101')) throw new Error(`not upgraded: ${socket.text.slice(0, 200)}`);
  socket.consume(socket.text.indexOf('\r\n\r\n') + 4);
  return socket;
}
