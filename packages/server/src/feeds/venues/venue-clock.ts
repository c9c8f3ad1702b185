// The time at a venue whose quotes carry none. Its trades tell the venue's clock: their time minus ours is the
// difference of the two clocks less the way here, so the largest difference of late comes from the message that
// travelled fastest. A quote is then given our time of receipt moved by it. So quotes and trades of a symbol lie on one
// clock even where ours is wrong by seconds (in the recording of 2024-08-08 it is 1.27 s behind), and a quote is not
// dated before what the symbol showed earlier.
import type { EpochMs, MarketSymbol } from '@tickwire/engine';

/** The estimate rests on this window and the one before it, so that a clock that is set right is believed again soon. */
const WINDOW_MS = 30_000;
/** A trade that is further from our clock than this is history or nonsense, and tells nothing about clocks. */
const FARTHEST_MS = 3_600_000;
/** A symbol that is further ahead than this was dated by a clock that has been set back since: it is not waited for. */
const LONGEST_HOLD_MS = 10_000;

export class VenueClock {
  #windowEnds = 0;
  #largest = Number.NEGATIVE_INFINITY;
  #largestBefore = Number.NEGATIVE_INFINITY;
  readonly #latest = new Map<MarketSymbol, EpochMs>();

  /** A message of the symbol with the venue's own time on it. */
  saw(symbol: MarketSymbol, time: EpochMs, receivedAt: number): void {
    if (Math.abs(time - receivedAt) > FARTHEST_MS) return;
    if (receivedAt >= this.#windowEnds || receivedAt < this.#windowEnds - WINDOW_MS) {
      this.#largestBefore = this.#largest;
      this.#largest = Number.NEGATIVE_INFINITY;
      this.#windowEnds = receivedAt + WINDOW_MS;
    }
    this.#largest = Math.max(this.#largest, time - receivedAt);
    if (time > (this.#latest.get(symbol) ?? 0)) this.#latest.set(symbol, time);
  }

  /** The venue's time for a message of the symbol that has none. Before the first trade it is our own. */
  at(symbol: MarketSymbol, receivedAt: number): EpochMs {
    const difference = Math.max(this.#largest, this.#largestBefore);
    const guess = Math.floor(Number.isFinite(difference) ? receivedAt + difference : receivedAt) as EpochMs;
    const latest = this.#latest.get(symbol);
    const time = latest !== undefined && latest > guess && latest - guess <= LONGEST_HOLD_MS ? latest : guess;
    this.#latest.set(symbol, time);
    return time;
  }
}
