// A WebSocket for Node 20, which has none of its own: as much of one as the client needs. It also shows what a refused
// handshake says about when to come back, which others hide.
import { createHash } from 'node:crypto';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { ConnectionEnd } from './connection.ts';
import { BadFrame, closeFrame, type Frame, FrameReader, frameOf, OPCODES } from './node-frames.ts';
import type { SocketLike } from './socket.ts';

/** Of RFC 6455: what the other side must add to the key. */
const PROOF = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const MOST_HEADER_BYTES = 16 * 1024;
/** How long the other side has to answer a close. */
const CLOSE_WITHIN_MS = 1_000;

export class NodeSocket implements SocketLike {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  readonly #socket: Socket;
  readonly #frames = new FrameReader();
  readonly #key = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** Of the handshake's answer; null once it is read. */
  #header: Buffer | null = Buffer.alloc(0);
  #end: ConnectionEnd = { code: 1006, reason: 'the connection was lost' };

  constructor(url: string) {
    const { protocol, hostname, host, port, pathname, search } = new URL(url);
    const secure = protocol === 'wss:';
    const name = hostname.replace(/^\[|\]$/g, '');
    const to = { host: name, port: Number(port || (secure ? 443 : 80)) };
    this.#socket = secure ? connectSecurely({ ...to, ...(isIP(name) ? {} : { servername: name }) }) : connect(to);
    this.#socket.setNoDelay(true);
    this.#socket.on(secure ? 'secureConnect' : 'connect', () => this.#greet(host, pathname + search));
    this.#socket.on('data', (bytes: Buffer) => this.#hear(bytes));
    this.#socket.on('error', ({ message }) => {
      this.#end = { code: 1006, reason: message };
    });
    this.#socket.on('close', () => this.onclose?.(this.#end as never));
  }

  send(text: string): void {
    this.#socket.write(frameOf(OPCODES.text, Buffer.from(text)));
  }

  close(code = 1000, reason = ''): void {
    if (this.#header) {
      this.#socket.destroy();
      return;
    }
    this.#socket.end(closeFrame(code, reason));
    setTimeout(() => this.#socket.destroy(), CLOSE_WITHIN_MS).unref();
  }

  #greet(host: string, path: string): void {
    const lines = [
      `GET ${path} HTTP/1.1`,
      `Host: ${host}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Key: ${this.#key}`,
      'Sec-WebSocket-Version: 13',
    ];
    this.#socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  }

  #hear(bytes: Buffer): void {
    const frames = this.#header ? this.#readHeader(Buffer.concat([this.#header, bytes])) : bytes;
    if (frames === null) return;
    try {
      for (const frame of this.#frames.read(frames)) this.#take(frame);
    } catch (error) {
      this.#end = { code: 1006, reason: `the service sent ${error instanceof BadFrame ? error.message : 'bad text'}` };
      this.close(error instanceof BadFrame ? error.code : 1007);
      this.#socket.destroy();
    }
  }

  /** What comes after the header, once all of it is there. */
  #readHeader(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0 && bytes.length <= MOST_HEADER_BYTES) {
      this.#header = bytes;
      return null;
    }
    const [status = '', ...fields] = bytes.toString('latin1', 0, Math.max(0, end)).split('\r\n');
    const fieldOf = (name: string): string | undefined =>
      fields
        .find((field) => field.toLowerCase().startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim();
    const proof = createHash('sha1')
      .update(this.#key + PROOF)
      .digest('base64');
    if (!/^HTTP\/1\.1 101/.test(status) || fieldOf('sec-websocket-accept') !== proof) {
      const wait = Number(fieldOf('retry-after'));
      const reason = `the handshake was refused: ${status.slice(9)}`;
      this.#end = { code: 1006, reason, ...(wait > 0 && { retryAfterSeconds: wait }) };
      this.#socket.destroy();
      return null;
    }
    this.#header = null;
    this.onopen?.({} as never);
    return bytes.subarray(end + 4);
  }

  #take({ opcode, payload }: Frame): void {
    if (opcode === OPCODES.text) this.#tell(this.#decoder.decode(payload));
    else if (opcode === OPCODES.ping) this.#socket.write(frameOf(OPCODES.pong, payload));
    else if (opcode === OPCODES.close) {
      const code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
      this.#end = { code, reason: payload.toString('utf8', 2) };
      this.#socket.end(closeFrame(code === 1005 ? 1000 : code, ''));
    } else if (opcode !== OPCODES.pong) throw new BadFrame(1003, 'something that is not text');
  }

  /** A listener that throws is its owner's trouble, as with any WebSocket: the messages after this one come all the same. */
  #tell(data: string): void {
    try {
      this.onmessage?.({ data } as never);
    } catch (error) {
      process.nextTick(() => {
        throw error;
      });
    }
  }
}
