// Many readers that only count messages: opened a hundred at a time, all on one poller.
import { TEXT } from './frames.ts';
import type { SocketPoller } from './socket-poller.ts';
import { type WsListener, WsSocket, type WsSocketOptions } from './ws-socket.ts';

const AT_ONCE = 100;
const OPEN_MS = 20_000;
const LETTER_E = 0x65;

/** Receives the ticks of a priority reader. */
export type OnTick = (bytes: Buffer, start: number, end: number) => void;

export interface ReaderPoolOptions extends WsSocketOptions {
  readonly poller: SocketPoller;
  /** The subscribe message; `null`: readers do not subscribe. */
  readonly subscribe: string | null;
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

  /** `onTick` is called for `probes` readers, spread evenly over all. */
  constructor(options: ReaderPoolOptions, size: number, probes = 0, onTick: OnTick | null = null) {
    this.options = options;
    this.size = size;
    const every = Math.max(1, Math.floor(size / Math.max(1, probes)));
    for (let first = 0; first < size; first += AT_ONCE) {
      const last = Math.min(size, first + AT_ONCE);
      for (let index = first; index < last; index++)
        this.#readers.push(new Reader(this, probes > 0 && index % every === 0 ? onTick : null));
      options.poller.runUntil(() => this.ready + this.lost >= last, OPEN_MS, `opening ${last} readers`);
      if (this.lost > 0) throw new Error(`a reader was not let in: ${this.reason}`);
    }
  }

  /** Reason why the first lost reader was lost. */
  reason = '';

  get bytes(): number {
    return this.#readers.reduce((sum, { socket }) => sum + socket.received, 0);
  }

  /** Sends a message to every reader and waits until each has received a notice in reply. */
  request(text: string): void {
    const responses = this.notices + this.size;
    for (const { socket } of this.#readers) socket.send(text);
    this.options.poller.runUntil(() => this.notices >= responses, OPEN_MS, `responses to ${text.slice(0, 40)}`);
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
  readonly #onTick: OnTick | null;
  #ready = false;

  constructor(pool: ReaderPool, onTick: OnTick | null) {
    this.#crowd = pool;
    this.#onTick = onTick;
    this.socket = new WsSocket(pool.options, this);
    pool.options.poller.add(this.socket, onTick !== null);
  }

  opened(): void {
    const { subscribe } = this.#crowd.options;
    if (subscribe === null) this.#isReady();
    else this.socket.send(subscribe);
  }

  frame(opcode: number, bytes: Buffer, start: number, end: number): void {
    if (opcode !== TEXT) return;
    // The third byte distinguishes a notice ({"event"…) from a tick ({"symbol"…).
    if (bytes[start + 2] === LETTER_E) {
      this.#crowd.notices++;
      this.#isReady();
    } else {
      this.#crowd.ticks++;
      if (this.#onTick) this.#onTick(bytes, start, end);
    }
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
