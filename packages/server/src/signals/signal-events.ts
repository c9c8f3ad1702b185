// Announced records of signals as stream events, by the number of their record: live from the journal, older ones from the store.
import type {
  AmendedRecord,
  ClosedRecord,
  ExitedRecord,
  FilledRecord,
  PublishedRecord,
  VoidedRecord,
} from '@tickwire/contract';
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import {
  type AnySignalEvent,
  type Batch,
  isSignalEvent,
  type SignalChangedEvent,
  type SignalClosedEvent,
  type SignalEvent,
  type SignalFilledEvent,
  STREAM_OF_EVENT,
} from '../journal/journal.ts';
import { pauses } from '../ops/pauses.ts';
import type { LastEventNumbers, SignalStore, StoredSignalEvent } from '../store/signal-store.ts';
import type { Ledger } from './ledger.ts';
import { parseRecord, type UnchainedRecord } from './log-records.ts';
import type { Published } from './signal-records.ts';
import { changedSignal, closedSignal, filledSignal, signalMessage, voidedSignal } from './wire-signals.ts';

/** Events per query. */
const PAGE = 1_000;
const NONE: LastEventNumbers = { published: 0, filled: 0, changed: 0, closed: 0 };

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
      if (!isSignalEvent(event)) continue;
      const { kind, n, symbol } = event;
      this.#newest = n;
      this.#last.set(symbol, { ...this.lastOf(symbol), [STREAM_OF_EVENT[kind]]: n });
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
  async after(n: number, limit: number): Promise<readonly AnySignalEvent[]> {
    const newest = this.#newest;
    const stored = await this.#options.store.events(n, limit);
    return stored.map((each) => this.#event(each)).filter((event) => event.n <= newest);
  }

  /** Events up to record `n` that were not delivered here, in order. They count as delivered from now on. */
  async catchUp(n: number): Promise<readonly AnySignalEvent[]> {
    const missed: AnySignalEvent[] = [];
    const pause = pauses();
    for (let last = this.#newest; last < n; ) {
      const stored = await this.#options.store.events(last, PAGE);
      const events = stored.map((each) => this.#event(each)).filter((event) => event.n <= n);
      missed.push(...events);
      last = events.length < PAGE ? n : events.at(-1)!.n;
      await pause();
    }
    this.read({ firstSeq: 0, source: '', events: missed });
    this.#newest = Math.max(this.#newest, n);
    return missed;
  }

  #event({ stream, record, published, closed }: StoredSignalEvent): AnySignalEvent {
    const publication = parseRecord<PublishedRecord>(published);
    const user = this.#options.nameOf(publication.publisher);
    if (stream === 'published') return toSignalEvent(publication, record.n, user);
    if (stream === 'filled') return toSignalFilledEvent(publication, parseRecord<FilledRecord>(record), record.n, user);
    if (stream === 'changed')
      return toSignalChangedEvent(parseRecord<ExitedRecord | AmendedRecord>(record), record.n, user);
    const ending = parseRecord<ClosedRecord | VoidedRecord>(record);
    const before = closed && closed.n !== record.n ? parseRecord<ClosedRecord>(closed) : null;
    return toSignalClosedEvent(publication, ending, record.n, user, before);
  }
}

/** What all events about a signal have. */
const about = ({ symbol, publisher }: { readonly symbol: string; readonly publisher: string }, n: number) => ({
  n,
  symbol: asSymbol(symbol),
  publisher,
});

export const toSignalEvent = (record: Published, n: number, user: string): SignalEvent => ({
  kind: 'signal',
  ...about(record, n),
  signal: signalMessage(record, user),
});

export const toSignalFilledEvent = (
  published: Published,
  filled: UnchainedRecord<FilledRecord>,
  n: number,
  user: string,
): SignalFilledEvent => ({ kind: 'signal_filled', ...about(filled, n), signal: filledSignal(published, filled, user) });

export const toSignalChangedEvent = (
  record: Parameters<typeof changedSignal>[0],
  n: number,
  user: string,
): SignalChangedEvent => ({ kind: 'signal_changed', ...about(record, n), signal: changedSignal(record, user) });

/** `before` is the closing of a signal that is voided, if it was closed before. */
export const toSignalClosedEvent = (
  published: Published,
  ending: UnchainedRecord<ClosedRecord | VoidedRecord>,
  n: number,
  user: string,
  before: ClosedRecord | null = null,
): SignalClosedEvent => ({
  kind: 'signal_closed',
  ...about(ending, n),
  signal:
    ending.type === 'voided' ? voidedSignal(published, before, ending, user) : closedSignal(published, ending, user),
});
