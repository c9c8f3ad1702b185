// A WebSocket client on a raw socket: upgrades, delivers frames, answers pings.
import { PING, pongFrame, textFrame, walkFrames } from './frames.ts';
import { StreamSocket } from './stream-socket.ts';

const HEAD_END = '\r\n\r\n';
const MOST_HEAD_BYTES = 4_096;

export interface WsSocketOptions {
  readonly port: number;
  readonly path: string;
  readonly key: string;
}

export interface WsListener {
  /** The server has accepted the upgrade. */
  opened(): void;
  /** Called for every frame except pings, which are answered here. The payload is valid until the call returns. */
  frame(opcode: number, bytes: Buffer, start: number, end: number): void;
  /** The server has closed the connection; the descriptor is still open. */
  lost(reason: string): void;
}

export class WsSocket extends StreamSocket {
  readonly #listener: WsListener;
  readonly #onFrame = this.#frame.bind(this);
  #upgraded = false;

  constructor({ port, path, key }: WsSocketOptions, listener: WsListener) {
    super(port);
    this.#listener = listener;
    const request =
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa('benchmark-reader')}\r\n\r\n`;
    this.sendBytes(Buffer.from(request));
  }

  send(text: string): void {
    this.sendBytes(textFrame(text));
  }

  protected parse(bytes: Buffer, from: number, to: number): number {
    const start = this.#upgraded ? from : this.#upgrade(bytes, from, to);
    return start < 0 ? from : walkFrames(bytes, start, to, this.#onFrame);
  }

  protected closed(reason: string): void {
    this.#listener.lost(reason);
  }

  /** Start of the first frame; −1 if the upgrade response is incomplete. */
  #upgrade(bytes: Buffer, from: number, to: number): number {
    const head = bytes.toString('latin1', from, Math.min(to, from + MOST_HEAD_BYTES));
    const end = head.indexOf(HEAD_END);
    if (end < 0) return -1;
    this.#upgraded = true;
    if (!head.startsWith('HTTP/1.1 101 ')) {
      this.#listener.lost(`the upgrade was answered ${head.slice(9, head.indexOf('\r\n'))}`);
      return to;
    }
    this.#listener.opened();
    return from + end + HEAD_END.length;
  }

  #frame(opcode: number, bytes: Buffer, start: number, end: number): void {
    if (opcode === PING) this.sendBytes(pongFrame(bytes.subarray(start, end)));
    else this.#listener.frame(opcode, bytes, start, end);
  }
}
