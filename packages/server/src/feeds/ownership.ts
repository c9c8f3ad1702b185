// One source owns a symbol at a time. Where several offer it, the first that is configured does; when it has been away for
// a while the next one that lives takes over, which is said, and keeps it until it fails in turn. What a source sends of a
// symbol it does not own is dropped and counted.
import { asEpochMs, type FeedEvent, type MarketSymbol } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';

/** How long an owner may be away before another takes over. */
const PATIENCE_MS = 10_000;

interface Claim {
  readonly source: string;
  /** Since when it has been away; null while it lives. */
  awaySince: number | null;
}

export interface OwnershipOptions {
  readonly accept: (events: readonly FeedEvent[], source: string) => void;
  readonly now: () => number;
  readonly log: Log;
}

export class Ownership {
  /** Events of sources that did not own their symbol. */
  dropped = 0;
  readonly #options: OwnershipOptions;
  readonly #claims = new Map<string, Claim>();
  /** Sources that offer a symbol, in the order of the configuration. */
  readonly #offers = new Map<MarketSymbol, string[]>();
  readonly #owners = new Map<MarketSymbol, string>();

  constructor(options: OwnershipOptions) {
    this.#options = options;
  }

  add(source: string, symbols: readonly MarketSymbol[]): void {
    // Away until it has shown something.
    this.#claims.set(source, { source, awaySince: this.#options.now() });
    for (const symbol of symbols) {
      const offers = this.#offers.get(symbol) ?? [];
      this.#offers.set(symbol, [...offers, source]);
      if (offers.length === 0) this.#owners.set(symbol, source);
    }
  }

  owner(symbol: MarketSymbol): string | undefined {
    return this.#owners.get(symbol);
  }

  /** Passes on what the source owns. */
  accept(source: string, events: readonly FeedEvent[]): void {
    const claim = this.#claims.get(source);
    if (claim) claim.awaySince = null;
    const owned = events.flatMap((event) => this.#owned(source, event));
    if (owned.length > 0) this.#options.accept(owned, source);
  }

  /** The source is away. */
  lost(source: string): void {
    const claim = this.#claims.get(source);
    if (claim) claim.awaySince ??= this.#options.now();
  }

  /** Looks for owners that have been away too long. */
  watch(): void {
    const now = this.#options.now();
    for (const claim of this.#claims.values()) {
      if (claim.awaySince === null || now - claim.awaySince < PATIENCE_MS) continue;
      const heirs = Map.groupBy(
        [...this.#owners].filter(([, owner]) => owner === claim.source).map(([symbol]) => symbol),
        (symbol) => this.#offers.get(symbol)!.find((source) => this.#claims.get(source)!.awaySince === null),
      );
      for (const [heir, symbols] of heirs) {
        if (heir === undefined) continue;
        for (const symbol of symbols) this.#owners.set(symbol, heir);
        this.#options.log.warn('another source takes over', { from: claim.source, to: heir, symbols });
        this.#options.accept([{ kind: 'failover', symbols, source: heir, time: asEpochMs(now) }], heir);
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
