// The public signal feed as the endpoint shows it: newest first. Every active signal and the newest of all are in memory;
// what is older comes from the store.
import type { ActiveSignal, Signal, SignalQuery } from '@tickwire/contract';
import type { Batch } from '../journal/journal.ts';
import type { SignalStore } from '../store/signal-store.ts';
import { signalOf } from './records.ts';

/** Newest signals kept, active or not: the most one answer holds, and some more. */
const KEPT = 1_000;

interface Entry {
  readonly publisher: string;
  readonly signal: Signal;
}

export interface SignalFeedOptions {
  readonly store: SignalStore;
  /** Display name of a publisher as it is now; undefined where the account has gone. */
  readonly nameOf: (publisher: string) => string | undefined;
  /** Public id of a publisher by its name or id. */
  readonly publisherOf: (name: string) => string | undefined;
}

export class SignalFeed {
  readonly #options: SignalFeedOptions;
  /** In the order of publication. */
  readonly #active = new Map<string, Entry>();
  readonly #newest = new Map<string, Entry>();
  /** There are signals that are not in memory. */
  #older = false;

  constructor(options: SignalFeedOptions) {
    this.#options = options;
  }

  get active(): number {
    return this.#active.size;
  }

  /** Takes up what an earlier run published. */
  async restore(): Promise<void> {
    const { store } = this.#options;
    const newest = await store.list({ status: 'all', limit: KEPT });
    const active = await store.active();
    this.#active.clear();
    this.#newest.clear();
    for (const stored of active) this.#active.set(stored.id, entryOf(stored));
    for (const stored of newest.reverse()) this.#newest.set(stored.id, entryOf(stored));
    this.#older = newest.length === KEPT;
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events) {
      if (event.kind === 'signal') {
        const { publisher, signal: published } = event;
        const { timestamp, ...message } = published;
        // The documented order of fields: status before timestamp.
        const entry: Entry = { publisher, signal: { ...message, status: 'active', timestamp } };
        this.#active.set(published.id, entry);
        this.#keep(published.id, entry);
      } else if (event.kind === 'signal_closed') {
        const { publisher, signal } = event;
        this.#active.delete(signal.id);
        if (this.#newest.has(signal.id)) this.#newest.set(signal.id, { publisher, signal });
      }
    }
  };

  /** Active ones on an instrument, newest first. */
  activeOf(symbol: string): ActiveSignal[] {
    return [...this.#active.values()]
      .filter(({ signal }) => signal.symbol === symbol)
      .map((entry) => this.#named(entry) as ActiveSignal)
      .reverse();
  }

  /** From memory where that holds all there is to say. */
  list(query: SignalQuery): Signal[] | Promise<Signal[]> {
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

  async #stored({ status, limit, symbol, before }: SignalQuery, publisher: string | undefined): Promise<Signal[]> {
    const { store } = this.#options;
    const last = before === undefined ? undefined : await store.signal(before);
    if (before !== undefined && !last) return [];
    const signals = await store.list({
      status,
      limit,
      ...(symbol !== undefined && { symbol: symbol.toUpperCase() }),
      ...(publisher !== undefined && { publisher }),
      ...(last && { beforeN: last.published.n }),
    });
    return signals.map((stored) => this.#named(entryOf(stored)));
  }

  #named({ publisher, signal }: Entry): Signal {
    const user = this.#options.nameOf(publisher);
    return user === undefined || user === signal.user ? signal : { ...signal, user };
  }

  #keep(id: string, entry: Entry): void {
    this.#newest.set(id, entry);
    if (this.#newest.size <= KEPT) return;
    this.#newest.delete(this.#newest.keys().next().value!);
    this.#older = true;
  }
}

function entryOf(stored: Parameters<typeof signalOf>[0]): Entry {
  const { publisher } = JSON.parse(stored.published.text) as { publisher: string };
  return { publisher, signal: signalOf(stored, publisher) };
}
