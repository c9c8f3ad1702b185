// Fast path: the quote cannot reach a level. Holds the plain prices between which no level of the instrument lies; a quote between
// them is only noted. Bounds are up to a tick too narrow; a quote outside is compared exactly.
//
// Its fields are public because `note` runs for every quote: access to private fields makes it too long to be inlined.
import type { TickEvent } from '../market/events.ts';
import type { PriceMoves } from './price-moves.ts';
import type { ValueStream } from './value-stream.ts';

/** Part of a tick by which a bound is nearer than its level: more than rounding to ticks moves a price. */
export const MARGIN = 0.6;

interface BoundStreams {
  readonly bid: ValueStream;
  readonly ask: ValueStream;
  readonly spread: ValueStream;
  readonly moves: { readonly bid: PriceMoves | null; readonly ask: PriceMoves | null };
}

export class QuoteBounds {
  /** The newest quote, if the streams do not have it yet. */
  noted: TickEvent | null = null;
  /** Time of the newest quote. */
  time = Number.NEGATIVE_INFINITY;
  until = Number.NEGATIVE_INFINITY;
  bidAbove = 0;
  bidBelow = 0;
  askAbove = 0;
  askBelow = 0;
  spreadAbove = 0;
  spreadBelow = 0;
  /** They get every price. */
  hasMoves = false;
  bidMoves: PriceMoves | null = null;
  askMoves: PriceMoves | null = null;
  /** Ticks per unit of the price. */
  readonly #scale: number;

  constructor(scale: number) {
    this.#scale = scale;
  }

  /** Notes a quote that reaches no level. Returns `false` if it may reach one. */
  note(event: TickEvent): boolean {
    const { time, bid, ask } = event;
    const spread = ask - bid;
    if (
      time < this.time ||
      time >= this.until ||
      bid >= this.bidAbove ||
      bid <= this.bidBelow ||
      ask >= this.askAbove ||
      ask <= this.askBelow ||
      spread >= this.spreadAbove ||
      spread <= this.spreadBelow
    )
      return false;
    this.time = time;
    this.noted = event;
    if (this.hasMoves) this.noteMoves(event);
    return true;
  }

  noteMoves({ time, bid, ask }: TickEvent): void {
    this.bidMoves?.note(time, bid);
    this.askMoves?.note(time, ask);
  }

  /** The next quote is compared exactly: levels have changed. */
  readonly forget = (): void => {
    this.until = Number.NEGATIVE_INFINITY;
  };

  /** `until`: quotes from this time on are compared exactly. */
  aim({ bid, ask, spread, moves }: BoundStreams, until: number): void {
    const scale = this.#scale;
    const roused = Math.min(bid.rouseAt, ask.rouseAt, spread.rouseAt);
    this.until = Math.min(until, roused, moves.bid?.until ?? until, moves.ask?.until ?? until);
    this.bidAbove = (Math.min(bid.above, moves.bid?.above ?? Infinity) - MARGIN) / scale;
    this.bidBelow = (Math.max(bid.below, moves.bid?.below ?? -Infinity) + MARGIN) / scale;
    this.askAbove = (Math.min(ask.above, moves.ask?.above ?? Infinity) - MARGIN) / scale;
    this.askBelow = (Math.max(ask.below, moves.ask?.below ?? -Infinity) + MARGIN) / scale;
    this.spreadAbove = (spread.above - MARGIN) / scale;
    this.spreadBelow = (spread.below + MARGIN) / scale;
    this.bidMoves = moves.bid;
    this.askMoves = moves.ask;
    this.hasMoves = moves.bid !== null || moves.ask !== null;
  }
}
