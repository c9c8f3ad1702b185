// Failover between sources of the same symbol. One source owns a symbol at a time: at first the one listed first in the
// configuration. If the owner is down for a while, or refuses the symbol, the next source that is up takes over, which is published
// as a `failover` event, and keeps the symbol until it goes down itself. Events of sources that do not own their symbol are dropped
// and counted.
import { asEpochMs, type FeedEvent, type MarketSymbol } from '@tickwire/engine';
import type { Log } from '../../ops/log.ts';

/** How long an owner may be down before another source takes over. */
export const FAILOVER_AFTER_MS = 10_000;

interface SourceState {
  readonly source: string;
  /** `null` while the source is up. */
  downSince: number | null;
}

export interface FailoverOptions {
  readonly accept: (events: readonly FeedEvent[], source: string) => void;
  /** Whether a source that is up does not deliver a symbol that it should. Default: none does. */
  readonly refuses?: (source: string, symbol: MarketSymbol) => boolean;
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

  /** A source may be added again, with further symbols. */
  add(source: string, symbols: readonly MarketSymbol[]): void {
    // Counts as down until its first event.
    if (!this.#sources.has(source)) this.#sources.set(source, { source, downSince: this.#options.now() });
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

  /** `lasting`: the source will not be back soon, so others take over without waiting for it. */
  markDown(source: string, lasting = false): void {
    const state = this.#sources.get(source);
    if (state) state.downSince = lasting ? Number.NEGATIVE_INFINITY : (state.downSince ?? this.#options.now());
  }

  /** The sources of a symbol, in the order of the configuration. */
  candidates(symbol: MarketSymbol): readonly string[] {
    return this.#candidates.get(symbol) ?? [];
  }

  /** Replaces owners that have been down for too long, or that refuse a symbol. */
  check(): void {
    const { now, log, accept } = this.#options;
    const time = now();
    const lost = [...this.#owners].filter(([symbol, owner]) => this.#isLost(owner, symbol, time));
    for (const [change, pairs] of Map.groupBy(lost, ([symbol, owner]) => `${owner} ${this.#successor(symbol)}`)) {
      const symbols = pairs.map(([symbol]) => symbol);
      const source = this.#successor(symbols[0]!);
      if (source === undefined) continue;
      for (const symbol of symbols) this.#owners.set(symbol, source);
      log.warn('failover to another source', { from: change.split(' ')[0], to: source, symbols });
      accept([{ kind: 'failover', symbols, source, time: asEpochMs(time) }], source);
    }
  }

  #isLost(owner: string, symbol: MarketSymbol, time: number): boolean {
    const { downSince } = this.#sources.get(owner)!;
    if (downSince !== null) return time - downSince >= FAILOVER_AFTER_MS;
    return this.#options.refuses?.(owner, symbol) === true;
  }

  #successor(symbol: MarketSymbol): string | undefined {
    const { refuses } = this.#options;
    return this.candidates(symbol).find(
      (source) => this.#sources.get(source)!.downSince === null && !refuses?.(source, symbol),
    );
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
