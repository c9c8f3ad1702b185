// Replays signals: from the store what is older, from memory what is newest, as far back as the log goes. The numbers are
// those of the log, so that it makes no difference whether the service was restarted meanwhile.
import type { MarketSymbol } from '@tickwire/engine';
import type { SignalClosedEvent, SignalEvent } from '../journal/journal.ts';
import type { Announcements } from '../signals/announcements.ts';
import type { Connection } from './connection.ts';
import { plain, sequenced, signalBody } from './encode.ts';
import { type Progress, type Replay, TURN_BYTES } from './replays.ts';
import type { EventRing } from './ring.ts';

const PAGE = 500;

type Announced = SignalEvent | SignalClosedEvent;

export interface SignalReplayOptions {
  readonly connection: Connection;
  readonly symbols: readonly MarketSymbol[];
  /** Closings too. */
  readonly closings: boolean;
  readonly ring: EventRing<Announced>;
  readonly announcements: Pick<Announcements, 'epoch' | 'after' | 'lastAt'>;
  readonly after: number;
  /** Called when it can go on. */
  readonly wake: () => void;
  readonly onFault: (error: unknown) => void;
}

export class SignalReplay implements Replay {
  readonly connection: Connection;
  readonly keys: readonly string[];
  readonly #options: SignalReplayOptions;
  /** Number of the last message of each symbol that the reader has got; null until it is known. */
  #prevs: Map<string, number> | null = null;
  #page: readonly Announced[] = [];
  #at = 0;
  #last: number;
  #fetching = false;

  constructor(options: SignalReplayOptions) {
    this.connection = options.connection;
    this.keys = options.symbols;
    this.#options = options;
    this.#last = options.after;
  }

  step(): Progress {
    const { ring } = this.#options;
    if (this.#fetching) return 'wait';
    if (!this.#prevs) return this.#fetch(() => this.#fetchPrevs());
    let bytes = 0;
    while (bytes < TURN_BYTES && this.#at < this.#page.length) bytes += this.#send(this.#page[this.#at++]!);
    if (this.#at < this.#page.length) return 'more';
    if (this.#last < ring.lostUntil) return this.#fetch(() => this.#fetchPage());
    for (let at = ring.firstAfter(this.#last); at < ring.end; at++) {
      if (bytes >= TURN_BYTES) return 'more';
      bytes += this.#send(ring.itemAt(at));
    }
    return 'done';
  }

  /** Bytes that were sent. */
  #send(event: Announced): number {
    const { connection, closings, announcements } = this.#options;
    const { symbol, n } = event;
    this.#last = n;
    if (event.kind === 'signal_closed' && !closings) return 0;
    const prev = this.#prevs!.get(symbol) ?? 0;
    this.#prevs!.set(symbol, n);
    if (connection.held?.get(symbol) !== this) return 0;
    const body = signalBody(event);
    const numbered = connection.subscriptions.get(symbol)!.sequenced;
    const text = numbered ? sequenced(body, n, prev, announcements.epoch) : plain(body);
    connection.socket.send(text);
    return text.length;
  }

  #fetch(work: () => Promise<void>): Progress {
    this.#fetching = true;
    work()
      .then(() => {
        this.#fetching = false;
        this.#options.wake();
      })
      .catch(this.#options.onFault);
    return 'wait';
  }

  async #fetchPrevs(): Promise<void> {
    const { announcements, symbols, closings, after } = this.#options;
    const last = await announcements.lastAt(symbols, after);
    this.#prevs = new Map([...last].map(([symbol, { published, any }]) => [symbol, closings ? any : published]));
  }

  async #fetchPage(): Promise<void> {
    const { announcements, ring } = this.#options;
    // What the ring has by now, it keeps until the next look: the page may end anywhere behind that.
    const { lostUntil } = ring;
    this.#page = await announcements.after(this.#last, PAGE);
    this.#at = 0;
    if (this.#page.length === 0) this.#last = Math.max(this.#last, lostUntil);
  }
}
