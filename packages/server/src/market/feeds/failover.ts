// Failover between sources of the same symbol. One source owns a symbol at a time: at first the one listed first in the
// configuration. If the owner is down for a while, the next source that is up takes over, which is published as a
// `failover` event, and keeps the symbol until it goes down itself. Events of sources that do not own their symbol are
// dropped and counted.
import { asEpochMs, type FeedEvent, type MarketSymbol } from '@tickwire/engine';
import type { Log } from '../../ops/log.ts';

/** How long an owner may be down before another source takes over. */
const FAILOVER_AFTER_MS = 10_000;

interface SourceState {
  readonly source: string;
  /** `null` while the source is up. */
  downSince: number | null;
}

export interface FailoverOptions {
  readonly accept: (events: readonly FeedEvent[], source: string) => void;
  readonly now: () => number;
  readonly log: Log;
}

export class Failover {
  /** Events of sources that did not own their symbol. */
  dropped = 0;
  readonly #options: FailoverOptions;
  readonly #sources = new Map<string, SourceState>();
  /** Sources of each symbol, in the order of the configuration. */
  readonly #candidates = new Map<MarketSymbol, string[]>();
  readonly #owners = new Map<MarketSymbol, string>();

  constructor(options: FailoverOptions) {
    this.#options = options;
  }

  add(source: string, symbols: readonly MarketSymbol[]): void {
    // Counts as down until its first event.
    this.#sources.set(source, { source, downSince: this.#options.now() });
    for (const symbol of symbols) {
      const candidates = this.#candidates.get(symbol) ?? [];
      this.#candidates.set(symbol, [...candidates, source]);
      if (candidates.length === 0) this.#owners.set(symbol, source);
    }
  }

  owner(symbol: MarketSymbol): string | undefined {
    return this.#owners.get(symbol);
  }

  /** Passes on the events of symbols that the source owns. */
  accept(source: string, events: readonly FeedEvent[]): void {
    const state = this.#sources.get(source);
    if (state) state.downSince = null;
    const owned = events.flatMap((event) => this.#owned(source, event));
    if (owned.length > 0) this.#options.accept(owned, source);
  }

  markDown(source: string): void {
    const state = this.#sources.get(source);
    if (state) state.downSince ??= this.#options.now();
  }

  /** Replaces owners that have been down for too long. */
  check(): void {
    const now = this.#options.now();
    for (const { source, downSince } of this.#sources.values()) {
      if (downSince === null || now - downSince < FAILOVER_AFTER_MS) continue;
      const successors = Map.groupBy(
        [...this.#owners].filter(([, owner]) => owner === source).map(([symbol]) => symbol),
        (symbol) => this.#candidates.get(symbol)!.find((each) => this.#sources.get(each)!.downSince === null),
      );
      for (const [successor, symbols] of successors) {
        if (successor === undefined) continue;
        for (const symbol of symbols) this.#owners.set(symbol, successor);
        this.#options.log.warn('failover to another source', { from: source, to: successor, symbols });
        this.#options.accept([{ kind: 'failover', symbols, source: successor, time: asEpochMs(now) }], successor);
      }
    }
  }

  #owned(source: string, event: FeedEvent): FeedEvent[] {
    if ('symbol' in event) {
      if (this.#owners.get(event.symbol) === source) return [event];
      this.dropped++;
      return [];
    }
    const symbols = event.symbols.filter((symbol) => this.#owners.get(symbol) === source);
    return symbols.length > 0 ? [{ ...event, symbols }] : [];
  }
}
