// Notices a symbol without messages on a connection that otherwise works: streams can stall one by one, without an error.
import { HOUR_MS, type MarketSymbol } from '@tickwire/engine';

export class SymbolSilence {
  readonly #limitMs: number;
  /** Milliseconds of allowed silence, where they are not the usual ones. They last longer than a connection. */
  readonly #limits = new Map<MarketSymbol, number>();
  /** The symbols that are watched. Times are in milliseconds on a clock that never goes back. */
  readonly #heardAt = new Map<MarketSymbol, number>();

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** From now on the symbol is watched, if it was not before. */
  add(symbol: MarketSymbol, now: number): void {
    if (!this.#heardAt.has(symbol)) this.#heardAt.set(symbol, now);
  }

  /** A symbol that the venue does not deliver is silent for good. */
  remove(symbol: MarketSymbol): void {
    this.#heardAt.delete(symbol);
  }

  /** A new connection: nothing is subscribed to yet. */
  clear(): void {
    this.#heardAt.clear();
  }

  heard(symbol: MarketSymbol, now: number): void {
    if (this.#heardAt.has(symbol)) this.#heardAt.set(symbol, now);
  }

  /**
   * Why to reconnect, or `null`. The limit of a silent symbol doubles, up to an hour: a market that is merely quiet does not
   * end connections again and again.
   */
  check(now: number): string | null {
    for (const [symbol, heardAt] of this.#heardAt) {
      const limitMs = this.#limits.get(symbol) ?? this.#limitMs;
      const silentMs = now - heardAt;
      if (silentMs <= limitMs) continue;
      this.#limits.set(symbol, Math.min(2 * limitMs, HOUR_MS));
      return `${symbol} silent for ${Math.round(silentMs / 1_000)} s`;
    }
    return null;
  }
}
