// Many readers of a contender that only count messages, in whatever protocol. Some of them, spread evenly, record how long each tick
// took. Nothing is dropped, so the n-th message of a symbol is the n-th tick of that symbol since the feed started.
import type { FeedSchedule } from './feed-schedule.ts';
import { SYMBOLS, symbolsOf } from './reader-lists.ts';
import type { SocketPoller } from './socket-poller.ts';
import { StreamSocket } from './stream-socket.ts';
import { SymbolIndex } from './symbol-index.ts';
import type { Protocol } from './wires/wire.ts';
import { openWire, type WireConnection, type WireListener } from './wires/wire-socket.ts';

const AT_ONCE = 100;
const OPEN_MS = 30_000;
const MAX_SAMPLES = 2_000_000;

export interface WireReadersOptions {
  readonly poller: SocketPoller;
  readonly protocol: Protocol;
  readonly size: number;
  readonly probes: number;
  readonly schedule: FeedSchedule;
}

export class WireReaders {
  messages = 0;
  ready = 0;
  lost = 0;
  complaints = 0;
  firstComplaint: string | null = null;
  readonly options: WireReadersOptions;
  readonly index: SymbolIndex;
  readonly #readers: WireReader[] = [];
  readonly #latencies = new Float64Array(MAX_SAMPLES);
  #samples = 0;
  #startedAt = Number.POSITIVE_INFINITY;
  #recordFrom = Number.POSITIVE_INFINITY;

  constructor(options: WireReadersOptions) {
    const { poller, size, probes } = options;
    this.options = options;
    this.index = new SymbolIndex(SYMBOLS);
    const every = Math.max(1, Math.floor(size / Math.max(1, probes)));
    for (let first = 0; first < size; first += AT_ONCE) {
      const last = Math.min(size, first + AT_ONCE);
      for (let index = first; index < last; index++)
        this.#readers.push(new WireReader(this, index, index % every === 0));
      poller.runUntil(() => this.ready + this.lost >= last, OPEN_MS, `opening ${last} readers`);
      if (this.lost > 0) throw new Error(`a reader was not let in: ${this.firstComplaint}`);
    }
  }

  /** The latencies recorded so far, in milliseconds. */
  get latencies(): Float64Array {
    return this.#latencies.slice(0, this.#samples);
  }

  /** Counts from the start of the feed: messages before it, such as the last known prices, do not belong to it. */
  startAt(time: number): void {
    this.messages = 0;
    this.#startedAt = time;
    for (const reader of this.#readers) reader.restart();
  }

  /** Records the ticks that are due from now on. */
  startRecording(): void {
    this.#recordFrom = performance.now() - this.#startedAt;
  }

  note(symbol: number, nth: number): void {
    const due = this.options.schedule.dueOf(symbol, nth);
    if (due < this.#recordFrom || this.#samples >= MAX_SAMPLES) return;
    this.#latencies[this.#samples++] = StreamSocket.chunkAt - this.#startedAt - due;
  }

  complain(text: string): void {
    this.complaints++;
    this.firstComplaint ??= text;
  }

  close(): void {
    for (const { connection } of this.#readers) {
      this.options.poller.remove(connection);
      connection.close();
    }
  }
}

class WireReader implements WireListener {
  readonly connection: WireConnection;
  readonly #readers: WireReaders;
  /** Messages of each symbol; `null` for a reader that records nothing. */
  readonly #seen: Int32Array | null;
  #ready = false;

  constructor(readers: WireReaders, nth: number, isProbe: boolean) {
    const { poller, protocol } = readers.options;
    this.#readers = readers;
    this.#seen = isProbe ? new Int32Array(SYMBOLS.length) : null;
    this.connection = openWire(protocol.reader(symbolsOf(nth)), this);
    poller.add(this.connection, isProbe);
  }

  restart(): void {
    this.#seen?.fill(0);
  }

  ready(): void {
    if (this.#ready) return;
    this.#ready = true;
    this.#readers.ready++;
  }

  message(bytes: Buffer, start: number, end: number): void {
    this.#readers.messages++;
    if (this.#seen === null) return;
    const symbol = this.#readers.index.at(bytes, start, end);
    if (symbol >= 0) this.#readers.note(symbol, this.#seen[symbol]!++);
  }

  complaint(text: string): void {
    this.#readers.complain(text);
  }

  lost(reason: string): void {
    this.#readers.options.poller.remove(this.connection);
    this.#readers.lost++;
    this.#readers.complain(reason);
  }
}
