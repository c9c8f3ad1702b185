// Bars of an interval whose content is known as a whole, as in history: a minute from its ticks, a longer bar from shorter
// ones. The same rules as in the running series.
import { addFlow, addPrice, barOf, blank, type Draft, fold } from './bar-draft.ts';
import type { Bar, Side } from './events.ts';

/** One minute at a time: begun, filled with its ticks in the order they came, read. */
export class WholeMinute {
  #draft: Draft = blank(0);
  #byTrades = false;

  /** `byTrades`: the instrument has traded in an earlier minute, so trades make the prices, and quotes none. */
  begin(start: number, byTrades: boolean): void {
    this.#draft = blank(start);
    this.#byTrades = byTrades;
  }

  quote(time: number, bid: number, size: number): void {
    if (!this.#byTrades) addPrice(this.#draft, time, bid, size || 1, 'bid');
  }

  trade(time: number, price: number, size: number, side: Side): void {
    if (this.#byTrades) addPrice(this.#draft, time, price, size, 'trade');
    addFlow(this.#draft, size, side);
  }

  /** Null where nothing in it makes a price. */
  bar(): Bar | null {
    return this.#draft.priced ? barOf(this.#draft) : null;
  }
}

/** The longer bar that starts at `start` and is made of these shorter ones, ascending; null where there are none. */
export function longerBar(start: number, shorter: readonly Bar[]): Bar | null {
  const draft = blank(start);
  for (const bar of shorter) fold(draft, bar, bar.time, bar.time);
  return draft.priced ? barOf(draft) : null;
}
