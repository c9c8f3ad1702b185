// The public signal feed, newest first. All active signals and the newest of all signals are in memory; older ones are
// read from the store.
import type { ActiveSignal, PublishedRecord, Signal, SignalDetail, SignalQuery } from '@tickwire/contract';
import type { Batch } from '../journal/journal.ts';
import { pauses } from '../ops/pauses.ts';
import type { SignalStore, StoredSignal } from '../store/signal-store.ts';
import { parseRecord } from './log-records.ts';
import { signalDetail } from './signal-history.ts';
import { toSignal } from './wire-signals.ts';

/** Newest signals kept in memory, active or not: more than one response holds. */
const KEPT = 1_000;

/** Which signals to list, without the form of the answer. */
type FeedQuery = Omit<SignalQuery, 'detail' | 'format'>;

interface FeedEntry {
  readonly publisher: string;
  readonly signal: Signal;
}

export interface SignalFeedOptions {
  readonly store: Pick<SignalStore, 'snapshot' | 'signal' | 'list' | 'records'>;
  /** Current display name of a publisher; undefined if the account was deleted. */
  readonly nameOf: (publisher: string) => string | undefined;
  /** Public id of a publisher by name or id. */
  readonly publisherOf: (name: string) => string | undefined;
}

export class SignalFeed {
  readonly #options: SignalFeedOptions;
  /** In order of publication. */
  readonly #active = new Map<string, FeedEntry>();
  readonly #newest = new Map<string, FeedEntry>();
  /** Whether there are signals that are not in memory. */
  #older = false;

  constructor(options: SignalFeedOptions) {
    this.#options = options;
  }

  get active(): number {
    return this.#active.size;
  }

  /** Loads the signals of the store. Returns the number of the newest record that they include. */
  async restore(): Promise<number> {
    const { n, active, newest } = await this.#options.store.snapshot(KEPT);
    const [activeEntries, newestEntries] = [await entriesOf(active), await entriesOf(newest.toReversed())];
    this.#active.clear();
    this.#newest.clear();
    for (const [id, entry] of activeEntries) this.#active.set(id, entry);
    for (const [id, entry] of newestEntries) this.#newest.set(id, entry);
    this.#older = newest.length === KEPT;
    return n;
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events) {
      if (event.kind === 'signal') {
        const { publisher, signal: published } = event;
        const { timestamp, ...message } = published;
        // The documented field order: status before timestamp.
        const entry: FeedEntry = { publisher, signal: { ...message, status: 'active', timestamp } };
        this.#active.set(published.id, entry);
        this.#keep(published.id, entry);
      } else if (event.kind === 'signal_closed') {
        const { publisher, signal } = event;
        this.#active.delete(signal.id);
        if (this.#newest.has(signal.id)) this.#newest.set(signal.id, { publisher, signal });
      }
    }
  };

  /** Active signals on an instrument, newest first. */
  activeOf(symbol: string): ActiveSignal[] {
    return [...this.#active.values()]
      .filter(({ signal }) => signal.symbol === symbol)
      .map((entry) => this.#named(entry) as ActiveSignal)
      .reverse();
  }

  /** Answers from memory if memory holds the whole answer. */
  list(query: FeedQuery): Signal[] | Promise<Signal[]> {
    const { status, limit, user, before } = query;
    const publisher = user === undefined ? undefined : (this.#options.publisherOf(user) ?? null);
    if (publisher === null) return [];
    if (before !== undefined) return this.#stored(query, publisher);
    const symbol = query.symbol?.toUpperCase();
    const found: Signal[] = [];
    const entries = [...(status === 'active' ? this.#active : this.#newest).values()];
    for (let at = entries.length - 1; at >= 0 && found.length < limit; at--) {
      const entry = entries[at]!;
      if (status !== 'all' && entry.signal.status !== status) continue;
      if (symbol !== undefined && entry.signal.symbol !== symbol) continue;
      if (publisher === undefined || entry.publisher === publisher) found.push(this.#named(entry));
    }
    if (found.length < limit && status !== 'active' && this.#older) return this.#stored(query, publisher);
    return found;
  }

  /** The same list in detail, from the store. */
  async listInDetail(query: FeedQuery): Promise<SignalDetail[]> {
    const { store, nameOf, publisherOf } = this.#options;
    const publisher = query.user === undefined ? undefined : (publisherOf(query.user) ?? null);
    if (publisher === null) return [];
    const signals = await this.#list(query, publisher);
    const records = await store.records(signals.map(({ id }) => id));
    return signals.map((signal) => {
      const { publisher: by } = parseRecord<PublishedRecord>(signal.published);
      return signalDetail(signal, records.get(signal.id)!, nameOf(by) ?? by);
    });
  }

  async #stored(query: FeedQuery, publisher: string | undefined): Promise<Signal[]> {
    return (await this.#list(query, publisher)).map((stored) => this.#named(entryOf(stored)));
  }

  async #list({ status, limit, symbol, before }: FeedQuery, publisher: string | undefined): Promise<StoredSignal[]> {
    const { store } = this.#options;
    const last = before === undefined ? undefined : await store.signal(before);
    if (before !== undefined && !last) return [];
    return store.list({
      status,
      limit,
      ...(symbol !== undefined && { symbol: symbol.toUpperCase() }),
      ...(publisher !== undefined && { publisher }),
      ...(last && { beforeN: last.published.n }),
    });
  }

  #named({ publisher, signal }: FeedEntry): Signal {
    const user = this.#options.nameOf(publisher);
    return user === undefined || user === signal.user ? signal : { ...signal, user };
  }

  #keep(id: string, entry: FeedEntry): void {
    this.#newest.set(id, entry);
    if (this.#newest.size <= KEPT) return;
    this.#newest.delete(this.#newest.keys().next().value!);
    this.#older = true;
  }
}

function entryOf(stored: StoredSignal): FeedEntry {
  const signal = toSignal(stored);
  return { publisher: signal.user, signal };
}

async function entriesOf(signals: readonly StoredSignal[]): Promise<(readonly [string, FeedEntry])[]> {
  const entries: (readonly [string, FeedEntry])[] = [];
  const pause = pauses();
  for (const stored of signals) {
    entries.push([stored.id, entryOf(stored)]);
    const turn = pause();
    if (turn) await turn;
  }
  return entries;
}
