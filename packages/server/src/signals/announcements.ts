// What was announced of signals, by the number of its record: live as the journal tells it, and again from the store,
// after a restart too.
import type { ClosedRecord, PublishedRecord } from '@tickwire/contract';
import { asEpochMs, asSymbol, type EpochMs, type MarketSymbol } from '@tickwire/engine';
import type { Batch, SignalClosedEvent, SignalEvent } from '../journal/journal.ts';
import type { Announced, LastAnnounced, SignalStore } from '../store/signal-store.ts';
import type { Ledger } from './ledger.ts';
import { closedSignal, recordOf, signalMessage, type Unchained } from './records.ts';

/** Read from the store in one go. */
const AT_ONCE = 1_000;
const NONE: LastAnnounced = { published: 0, any: 0 };

export interface AnnouncementsOptions {
  readonly store: SignalStore;
  readonly ledger: Pick<Ledger, 'name' | 'length'>;
  readonly symbols: readonly MarketSymbol[];
  /** Display name of a publisher as it is now. */
  readonly nameOf: (publisher: string) => string;
}

export class Announcements {
  /** Name of the log: its numbers mean the same for as long as it lasts. */
  readonly epoch: string;
  readonly #options: AnnouncementsOptions;
  readonly #last: Map<string, LastAnnounced>;
  #newest: number;

  private constructor(options: AnnouncementsOptions, newest: number, last: ReadonlyMap<string, LastAnnounced>) {
    this.epoch = options.ledger.name;
    this.#options = options;
    this.#newest = newest;
    this.#last = new Map(last);
  }

  /** Whatever is in the log when it is opened counts as announced, though the run that wrote it may have died over it. */
  static async open(options: AnnouncementsOptions): Promise<Announcements> {
    const newest = options.ledger.length - 1;
    return new Announcements(options, newest, await options.store.lastAnnounced(options.symbols, newest));
  }

  /** Whoever has got everything up to this number has missed nothing so far. */
  get newest(): number {
    return this.#newest;
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events) {
      if (event.kind !== 'signal' && event.kind !== 'signal_closed') continue;
      const { kind, n, symbol } = event;
      this.#newest = n;
      this.#last.set(symbol, { published: kind === 'signal' ? n : this.lastOf(symbol).published, any: n });
    }
  };

  /** Numbers of the newest that were announced about an instrument. */
  lastOf(symbol: MarketSymbol): LastAnnounced {
    return this.#last.get(symbol) ?? NONE;
  }

  /** The same as it was when record `n` was the newest. */
  async lastAt(symbols: readonly MarketSymbol[], n: number): Promise<ReadonlyMap<string, LastAnnounced>> {
    return this.#options.store.lastAnnounced(symbols, n);
  }

  /** The first of what was announced after record `n`, in order. What is stored but not told yet will be told. */
  async after(n: number, limit: number): Promise<readonly (SignalEvent | SignalClosedEvent)[]> {
    const newest = this.#newest;
    const announced = await this.#options.store.announced(n, limit);
    return announced.map((each) => this.#event(each)).filter((event) => event.n <= newest);
  }

  /** What was announced up to record `n` and never told here, in order. From now on it counts as told. */
  async catchUp(n: number): Promise<readonly (SignalEvent | SignalClosedEvent)[]> {
    const missed: (SignalEvent | SignalClosedEvent)[] = [];
    for (let last = this.#newest; last < n; ) {
      const announced = await this.#options.store.announced(last, AT_ONCE);
      const events = announced.map((each) => this.#event(each)).filter((event) => event.n <= n);
      missed.push(...events);
      last = events.length < AT_ONCE ? n : events.at(-1)!.n;
    }
    this.read({ firstSeq: 0, source: '', events: missed });
    this.#newest = Math.max(this.#newest, n);
    return missed;
  }

  #event({ published, closed, filledAt }: Announced): SignalEvent | SignalClosedEvent {
    const { nameOf } = this.#options;
    const publication = recordOf<PublishedRecord>(published);
    const user = nameOf(publication.publisher);
    if (!closed) return publicationOf(publication, published.n, user);
    const closing = recordOf<ClosedRecord>(closed);
    return closingOf(
      publication,
      { closing, n: closed.n, filledAt: filledAt === null ? null : asEpochMs(filledAt) },
      user,
    );
  }
}

/** A publication as it is announced. */
export const publicationOf = (
  record: PublishedRecord | Unchained<PublishedRecord>,
  n: number,
  user: string,
): SignalEvent => ({
  kind: 'signal',
  n,
  symbol: asSymbol(record.symbol),
  publisher: record.publisher,
  signal: signalMessage(record, user),
});

export interface Closing {
  readonly closing: ClosedRecord | Unchained<ClosedRecord>;
  readonly n: number;
  /** When it filled; null where it never did. */
  readonly filledAt: EpochMs | null;
}

/** A closing as it is announced. */
export const closingOf = (
  published: PublishedRecord | Unchained<PublishedRecord>,
  { closing, n, filledAt }: Closing,
  user: string,
): SignalClosedEvent => ({
  kind: 'signal_closed',
  n,
  symbol: asSymbol(closing.symbol),
  publisher: closing.publisher,
  filledAt,
  signal: closedSignal(published, closing, user),
});
