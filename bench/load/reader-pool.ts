// Many readers that only count messages: opened a hundred at a time, all on one poller.
import { TEXT } from './frames.ts';
import type { SocketPoller } from './socket-poller.ts';
import { type WsListener, WsSocket, type WsSocketOptions } from './ws-socket.ts';

const AT_ONCE = 100;
const OPEN_MS = 20_000;
const LETTER_E = 0x65;

export interface ReaderPoolOptions extends WsSocketOptions {
  readonly poller: SocketPoller;
  /** The subscribe message of the n-th reader; `null`: readers do not subscribe. */
  readonly subscribe: ((reader: number) => string) | null;
}

export class ReaderPool {
  readonly size: number;
  ticks = 0;
  /** Of these, replies. */
  notices = 0;
  lost = 0;
  /** Readers that are subscribed. */
  ready = 0;
  readonly options: ReaderPoolOptions;
  readonly #readers: Reader[] = [];

  constructor(options: ReaderPoolOptions, size: number) {
    this.options = options;
    this.size = size;
    for (let first = 0; first < size; first += AT_ONCE) {
      const last = Math.min(size, first + AT_ONCE);
      for (let index = first; index < last; index++) this.#readers.push(new Reader(this, index));
      options.poller.runUntil(() => this.ready + this.lost >= last, OPEN_MS, `opening ${last} readers`);
      if (this.lost > 0) throw new Error(`a reader was not let in: ${this.reason}`);
    }
  }

  /** Reason why the first lost reader was lost. */
  reason = '';

  /** Sends a message to every reader and waits until each has received a notice in reply. */
  request(text: (reader: number) => string): void {
    const responses = this.notices + this.size;
    for (const [index, { socket }] of this.#readers.entries()) socket.send(text(index));
    this.options.poller.runUntil(() => this.notices >= responses, OPEN_MS, `responses to ${text(0).slice(0, 40)}`);
  }

  close(): void {
    for (const { socket } of this.#readers) {
      this.options.poller.remove(socket);
      socket.close();
    }
  }
}

class Reader implements WsListener {
  readonly socket: WsSocket;
  readonly #crowd: ReaderPool;
  readonly #nth: number;
  #ready = false;

  constructor(pool: ReaderPool, nth: number) {
    this.#crowd = pool;
    this.#nth = nth;
    this.socket = new WsSocket(pool.options, this);
    pool.options.poller.add(this.socket);
  }

  opened(): void {
    const { subscribe } = this.#crowd.options;
    if (subscribe === null) this.#isReady();
    else this.socket.send(subscribe(this.#nth));
  }

  frame(opcode: number, bytes: Buffer, start: number): void {
    if (opcode !== TEXT) return;
    // The third byte distinguishes a notice ({"event"…) from a tick ({"symbol"…).
    if (bytes[start + 2] === LETTER_E) {
      this.#crowd.notices++;
      this.#isReady();
    } else this.#crowd.ticks++;
  }

  lost(reason: string): void {
    this.#crowd.options.poller.remove(this.socket);
    this.#crowd.lost++;
    this.#crowd.reason ||= reason;
  }

  #isReady(): void {
    if (this.#ready) return;
    this.#ready = true;
    this.#crowd.ready++;
  }
}
