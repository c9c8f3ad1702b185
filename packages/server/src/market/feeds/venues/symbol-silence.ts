// Notices a symbol without messages on a connection that otherwise works: streams can stall one by one, without an error.
import { HOUR_MS, type MarketSymbol } from '@tickwire/engine';

export class SymbolSilence {
  /** Milliseconds of allowed silence. */
  readonly #limits: Map<MarketSymbol, number>;
  readonly #heardAt = new Map<MarketSymbol, number>();

  constructor(symbols: readonly MarketSymbol[], limitMs: number) {
    this.#limits = new Map(symbols.map((symbol) => [symbol, limitMs]));
  }

  /** A new connection. Times are in milliseconds on a clock that never goes back. */
  restart(now: number): void {
    for (const symbol of this.#limits.keys()) this.#heardAt.set(symbol, now);
  }

  heard(symbol: MarketSymbol, now: number): void {
    this.#heardAt.set(symbol, now);
  }

  /**
   * Why to reconnect, or `null`. The limit of a silent symbol doubles, up to an hour: a market that is merely quiet does not
   * end connections again and again.
   */
  check(now: number): string | null {
    for (const [symbol, limitMs] of this.#limits) {
      const silentMs = now - (this.#heardAt.get(symbol) ?? now);
      if (silentMs <= limitMs) continue;
      this.#limits.set(symbol, Math.min(2 * limitMs, HOUR_MS));
      return `${symbol} silent for ${Math.round(silentMs / 1_000)} s`;
    }
    return null;
  }
}
