// A reader that subscribes and then reads nothing more; at the end it looks at what it was sent, if anything.
import { CLOSE, TEXT } from './frames.ts';
import type { Poller } from './poller.ts';
import { type WsListener, WsSocket, type WsSocketOptions } from './ws-socket.ts';

/** Small, so that what it does not read is the server's to keep, not the kernel's. */
const RECEIVE_BYTES = 8 * 1024;
const OPEN_MS = 10_000;
const DRAIN_MS = 5_000;

export class StalledReader implements WsListener {
  /** What it was told: `slow`, a close code, or that the connection was cut; null: nothing yet. */
  told: string | null = null;
  readonly #socket: WsSocket;
  readonly #poller: Poller;
  readonly #subscribe: string;
  #subscribed = false;

  constructor(poller: Poller, options: WsSocketOptions, subscribe: string) {
    this.#poller = poller;
    this.#subscribe = subscribe;
    this.#socket = new WsSocket({ ...options, receiveBytes: RECEIVE_BYTES }, this);
    poller.add(this.#socket);
    poller.runUntil(() => this.#subscribed, OPEN_MS, 'the subscription of the stalled reader');
    poller.remove(this.#socket);
  }

  /** Reads again, until it is told something. */
  drain(): string {
    this.#poller.add(this.#socket);
    for (const until = performance.now() + DRAIN_MS; this.told === null && performance.now() < until; )
      this.#poller.turn(20);
    this.#poller.remove(this.#socket);
    this.#socket.close();
    return this.told ?? 'nothing';
  }

  opened(): void {
    this.#socket.send(this.#subscribe);
  }

  frame(opcode: number, bytes: Buffer, start: number, end: number): void {
    if (opcode === CLOSE) this.told ??= `closed with ${bytes.readUInt16BE(start)}`;
    if (opcode !== TEXT) return;
    const text = bytes.toString('latin1', start, Math.min(end, start + 40));
    if (text.startsWith('{"event":"slow"')) this.told ??= 'slow';
    if (text.startsWith('{"event":"subscribed"')) this.#subscribed = true;
  }

  lost(): void {
    this.told ??= 'cut';
    this.#poller.remove(this.#socket);
  }
}
