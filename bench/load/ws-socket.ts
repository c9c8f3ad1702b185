// A WebSocket client on a raw socket: upgrades, delivers frames, answers pings. Allocates no object per chunk: all sockets of the
// process receive into one buffer, and only an incomplete frame is copied until the rest arrives.
import { type Pointer, ptr } from 'bun:ffi';
import { PING, pongFrame, textFrame, walkFrames } from './frames.ts';
import { CLOSED, closeFd, connectTo, receive, sendAll, WOULD_BLOCK } from './linux-sockets.ts';
import type { Readable } from './socket-poller.ts';

const INBOX_BYTES = 256 * 1024;
const HEAD_END = '\r\n\r\n';
const LEAST_HELD = 512;

const inbox = Buffer.allocUnsafeSlow(INBOX_BYTES);
const inboxAt = ptr(inbox);
/** Pointers are plain numbers. */
const behind = (length: number): Pointer => (inboxAt + length) as Pointer;

export interface WsSocketOptions {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  /** Offers permessage-deflate. */
  readonly deflate?: boolean;
  /** Size of the kernel's receive buffer in bytes; its default if omitted. */
  readonly receiveBytes?: number;
}

export interface WsListener {
  /** The server has accepted the upgrade. */
  opened(): void;
  /** Called for every frame except pings, which are answered here. The payload is valid until the call returns. */
  frame(opcode: number, bytes: Buffer, start: number, end: number): void;
  /** The server has closed the connection; the descriptor is still open. */
  lost(reason: string): void;
}

export class WsSocket implements Readable {
  readonly fd: number;
  /** Bytes received so far. */
  received = 0;
  /** Time at which the current frame was received, by performance.now(). */
  static chunkAt = 0;
  readonly #listener: WsListener;
  readonly #onFrame = this.#frame.bind(this);
  #held: Buffer | null = null;
  #heldBytes = 0;
  #upgraded = false;

  constructor({ port, path, key, deflate, receiveBytes }: WsSocketOptions, listener: WsListener) {
    this.#listener = listener;
    this.fd = connectTo(port, receiveBytes ?? null);
    const extension = deflate ? 'Sec-WebSocket-Extensions: permessage-deflate\r\n' : '';
    const request =
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `${extension}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${btoa('benchmark-reader')}\r\n\r\n`;
    sendAll(this.fd, Buffer.from(request));
  }

  send(text: string): void {
    sendAll(this.fd, textFrame(text));
  }

  readable(): void {
    this.read(INBOX_BYTES);
  }

  /** Reads at most this many bytes; returns the number of bytes read. */
  read(most: number): number {
    const kept = this.#heldBytes;
    if (kept > 0) this.#held!.copy(inbox, 0, 0, kept);
    const count = receive(this.fd, behind(kept), Math.min(most, INBOX_BYTES - kept));
    if (count === WOULD_BLOCK) return 0;
    if (count === CLOSED) {
      this.#listener.lost(kept === INBOX_BYTES ? 'a frame was larger than the inbox' : 'gone');
      return 0;
    }
    WsSocket.chunkAt = performance.now();
    this.received += count;
    this.#heldBytes = 0;
    const to = kept + count;
    const from = this.#upgraded ? 0 : this.#upgrade(to);
    if (from < 0) this.#hold(0, to);
    else this.#hold(walkFrames(inbox, from, to, this.#onFrame), to);
    return count;
  }

  close(): void {
    closeFd(this.fd);
  }

  /** Start of the first frame; −1 if the upgrade response is incomplete. */
  #upgrade(to: number): number {
    const head = inbox.toString('latin1', 0, Math.min(to, 4_096));
    const end = head.indexOf(HEAD_END);
    if (end < 0) return -1;
    this.#upgraded = true;
    if (!head.startsWith('HTTP/1.1 101 ')) {
      this.#listener.lost(`the upgrade was answered ${head.slice(9, head.indexOf('\r\n'))}`);
      return to;
    }
    this.#listener.opened();
    return end + HEAD_END.length;
  }

  #hold(from: number, to: number): void {
    const length = to - from;
    if (length === 0) return;
    if (!this.#held || this.#held.length < length) this.#held = Buffer.alloc(Math.max(LEAST_HELD, length * 2));
    inbox.copy(this.#held, 0, from, to);
    this.#heldBytes = length;
  }

  #frame(opcode: number, bytes: Buffer, start: number, end: number): void {
    if (opcode === PING) sendAll(this.fd, pongFrame(bytes.subarray(start, end)));
    else this.#listener.frame(opcode, bytes, start, end);
  }
}
