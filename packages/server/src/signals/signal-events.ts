// Publications and closings of signals as stream events, by the number of their log record: live from the journal,
// older ones from the store.
import type { ClosedRecord, PublishedRecord } from '@tickwire/contract';
import { asEpochMs, asSymbol, type EpochMs, type MarketSymbol } from '@tickwire/engine';
import type { Batch, SignalClosedEvent, SignalEvent } from '../journal/journal.ts';
import type { LastEventNumbers, SignalStore, StoredSignalEvent } from '../store/signal-store.ts';
import type { Ledger } from './ledger.ts';
import { closedSignal, parseRecord, signalMessage, type UnchainedRecord } from './log-records.ts';

/** Events per query. */
const PAGE = 1_000;
const NONE: LastEventNumbers = { published: 0, any: 0 };

export interface SignalEventsOptions {
  readonly store: SignalStore;
  readonly ledger: Pick<Ledger, 'name' | 'length'>;
  readonly symbols: readonly MarketSymbol[];
  /** Current display name of a publisher. */
  readonly nameOf: (publisher: string) => string;
}

export class SignalEvents {
  /** Name of the log: record numbers are stable as long as it stays the same. */
  readonly epoch: string;
  readonly #options: SignalEventsOptions;
  readonly #last: Map<string, LastEventNumbers>;
  #newest: number;

  private constructor(options: SignalEventsOptions, newest: number, last: ReadonlyMap<string, LastEventNumbers>) {
    this.epoch = options.ledger.name;
    this.#options = options;
    this.#newest = newest;
    this.#last = new Map(last);
  }

  /** Records already in the log count as delivered, even if an earlier run died before it published them. */
  static async open(options: SignalEventsOptions): Promise<SignalEvents> {
    const newest = options.ledger.length - 1;
    return new SignalEvents(options, newest, await options.store.lastEventNumbers(options.symbols, newest));
  }

  /** A subscriber that has received everything up to this record number has missed nothing. */
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

  /** Numbers of the last records about an instrument. */
  lastOf(symbol: MarketSymbol): LastEventNumbers {
    return this.#last.get(symbol) ?? NONE;
  }

  /** The same as of record `n`. */
  async lastAt(symbols: readonly MarketSymbol[], n: number): Promise<ReadonlyMap<string, LastEventNumbers>> {
    return this.#options.store.lastEventNumbers(symbols, n);
  }

  /** The first events after record `n`, in order. Leaves out events that are stored but not in the journal yet. */
  async after(n: number, limit: number): Promise<readonly (SignalEvent | SignalClosedEvent)[]> {
    const newest = this.#newest;
    const stored = await this.#options.store.events(n, limit);
    return stored.map((each) => this.#event(each)).filter((event) => event.n <= newest);
  }

  /** Events up to record `n` that were not delivered here, in order. They count as delivered from now on. */
  async catchUp(n: number): Promise<readonly (SignalEvent | SignalClosedEvent)[]> {
    const missed: (SignalEvent | SignalClosedEvent)[] = [];
    for (let last = this.#newest; last < n; ) {
      const stored = await this.#options.store.events(last, PAGE);
      const events = stored.map((each) => this.#event(each)).filter((event) => event.n <= n);
      missed.push(...events);
      last = events.length < PAGE ? n : events.at(-1)!.n;
    }
    this.read({ firstSeq: 0, source: '', events: missed });
    this.#newest = Math.max(this.#newest, n);
    return missed;
  }

  #event({ published, closed, filledAt }: StoredSignalEvent): SignalEvent | SignalClosedEvent {
    const { nameOf } = this.#options;
    const publication = parseRecord<PublishedRecord>(published);
    const user = nameOf(publication.publisher);
    if (!closed) return toSignalEvent(publication, published.n, user);
    const closing = parseRecord<ClosedRecord>(closed);
    return toSignalClosedEvent(
      publication,
      { closing, n: closed.n, filledAt: filledAt === null ? null : asEpochMs(filledAt) },
      user,
    );
  }
}

export const toSignalEvent = (
  record: PublishedRecord | UnchainedRecord<PublishedRecord>,
  n: number,
  user: string,
): SignalEvent => ({
  kind: 'signal',
  n,
  symbol: asSymbol(record.symbol),
  publisher: record.publisher,
  signal: signalMessage(record, user),
});

export interface ClosingDetails {
  readonly closing: ClosedRecord | UnchainedRecord<ClosedRecord>;
  readonly n: number;
  /** When the entry filled; `null` if it never did. */
  readonly filledAt: EpochMs | null;
}

export const toSignalClosedEvent = (
  published: PublishedRecord | UnchainedRecord<PublishedRecord>,
  { closing, n, filledAt }: ClosingDetails,
  user: string,
): SignalClosedEvent => ({
  kind: 'signal_closed',
  n,
  symbol: asSymbol(closing.symbol),
  publisher: closing.publisher,
  filledAt,
  signal: closedSignal(published, closing, user),
});
