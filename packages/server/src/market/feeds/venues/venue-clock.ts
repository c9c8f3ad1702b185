// Estimates the venue's clock, for venues whose quotes carry no time. A trade's time minus our time of receipt is the
// difference of the two clocks minus the network delay, so the largest recent difference comes from the fastest message.
// A quote gets our time of receipt plus that difference. Quotes and trades of a symbol are thus on one clock even if ours
// is off by seconds (by 1.27 s in the recording of 2024-08-08), and a quote never precedes an earlier event of its symbol.
import { type EpochMs, HOUR_MS, type MarketSymbol } from '@tickwire/engine';

/** The estimate covers the current window and the one before, so it follows soon when our clock is corrected. */
const WINDOW_MS = 30_000;
/** A trade further than this from our clock is history or an error, and no evidence about clocks. */
const MAX_DIFFERENCE_MS = HOUR_MS;
/** A symbol further ahead than this was dated by a clock that has been set back since: ignore it. */
const MAX_AHEAD_MS = 10_000;

export class VenueClock {
  #windowEnds = 0;
  #largest = Number.NEGATIVE_INFINITY;
  #largestBefore = Number.NEGATIVE_INFINITY;
  readonly #latest = new Map<MarketSymbol, EpochMs>();

  /** A message of the symbol with the venue's own time. */
  observe(symbol: MarketSymbol, time: EpochMs, receivedAt: number): void {
    if (Math.abs(time - receivedAt) > MAX_DIFFERENCE_MS) return;
    if (receivedAt >= this.#windowEnds || receivedAt < this.#windowEnds - WINDOW_MS) {
      this.#largestBefore = this.#largest;
      this.#largest = Number.NEGATIVE_INFINITY;
      this.#windowEnds = receivedAt + WINDOW_MS;
    }
    this.#largest = Math.max(this.#largest, time - receivedAt);
    if (time > (this.#latest.get(symbol) ?? 0)) this.#latest.set(symbol, time);
  }

  /** The venue's time for a message without one. Our own time before the first trade. */
  timeOf(symbol: MarketSymbol, receivedAt: number): EpochMs {
    const difference = Math.max(this.#largest, this.#largestBefore);
    const estimate = Math.floor(Number.isFinite(difference) ? receivedAt + difference : receivedAt) as EpochMs;
    const latest = this.#latest.get(symbol);
    const time = latest !== undefined && latest > estimate && latest - estimate <= MAX_AHEAD_MS ? latest : estimate;
    this.#latest.set(symbol, time);
    return time;
  }
}
