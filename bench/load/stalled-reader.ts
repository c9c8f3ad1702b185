// A reader that subscribes and then stops reading. At the end it reads what it was sent, if anything.
import { CLOSE, TEXT } from './frames.ts';
import type { SocketPoller } from './socket-poller.ts';
import { type WsListener, WsSocket, type WsSocketOptions } from './ws-socket.ts';

/** Small receive buffer, so that unread messages stay in the server and not in the kernel. */
const RECEIVE_BYTES = 8 * 1024;
const OPEN_MS = 10_000;
const DRAIN_MS = 5_000;

export class StalledReader implements WsListener {
  /** What it received: `slow`, a close code, or `cut` for a closed connection; `null`: nothing yet. */
  received: string | null = null;
  readonly #socket: WsSocket;
  readonly #poller: SocketPoller;
  readonly #subscribe: string;
  #subscribed = false;

  constructor(poller: SocketPoller, options: WsSocketOptions, subscribe: string) {
    this.#poller = poller;
    this.#subscribe = subscribe;
    this.#socket = new WsSocket({ ...options, receiveBytes: RECEIVE_BYTES }, this);
    poller.add(this.#socket);
    poller.runUntil(() => this.#subscribed, OPEN_MS, 'the subscription of the stalled reader');
    poller.remove(this.#socket);
  }

  /** Reads until it receives a notice or the connection closes. */
  drain(): string {
    this.#poller.add(this.#socket);
    for (const until = performance.now() + DRAIN_MS; this.received === null && performance.now() < until; )
      this.#poller.turn(20);
    this.#poller.remove(this.#socket);
    this.#socket.close();
    return this.received ?? 'nothing';
  }

  opened(): void {
    this.#socket.send(this.#subscribe);
  }

  frame(opcode: number, bytes: Buffer, start: number, end: number): void {
    if (opcode === CLOSE) this.received ??= `closed with ${bytes.readUInt16BE(start)}`;
    if (opcode !== TEXT) return;
    const text = bytes.toString('latin1', start, Math.min(end, start + 40));
    if (text.startsWith('{"event":"slow"')) this.received ??= 'slow';
    if (text.startsWith('{"event":"subscribed"')) this.#subscribed = true;
  }

  lost(): void {
    this.received ??= 'cut';
    this.#poller.remove(this.#socket);
  }
}
