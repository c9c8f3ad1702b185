// The prices between which a trade reaches no level of its instrument, as plain prices: such a trade is only noted, and not even
// rounded to ticks. Bounds are up to a tick too narrow; a trade outside is compared exactly. Volumes are compared on their own.
//
// Its fields are public for the same reason as those of `QuoteBounds`.
import type { FlowEvent, Side } from '../market/events.ts';
import type { Absorption } from './absorption.ts';
import type { FormingBars } from './forming-bars.ts';
import type { PriceMoves } from './price-moves.ts';
import { MARGIN } from './quote-bounds.ts';
import type { ValueStream } from './value-stream.ts';

interface BoundStreams {
  readonly trade: ValueStream;
  readonly absorption: Absorption;
  readonly moves: { readonly trade: PriceMoves | null };
  readonly forming: FormingBars;
}

export class TradeBounds {
  /** The newest trade, if the stream does not have it yet. */
  noted: FlowEvent | null = null;
  /** Time of the newest trade. */
  time = Number.NEGATIVE_INFINITY;
  from = Number.NEGATIVE_INFINITY;
  until = Number.NEGATIVE_INFINITY;
  above = 0;
  below = 0;
  absorption: Side | null = null;
  /** It gets every price. */
  moves: PriceMoves | null = null;
  /** Ticks per unit of the price. */
  readonly #scale: number;

  constructor(scale: number) {
    this.#scale = scale;
  }

  /** Whether the price, the time and the absorption of a trade reach no level. */
  contain(event: FlowEvent): boolean {
    const { time, price, absorption } = event;
    return (
      time >= this.from &&
      time < this.until &&
      price < this.above &&
      price > this.below &&
      (absorption === null) === (this.absorption === null) &&
      (absorption === null || absorption === this.absorption)
    );
  }

  /** Notes a trade that reaches no level. */
  note(event: FlowEvent): void {
    this.from = this.time = event.time;
    this.noted = event;
    if (this.moves !== null) this.moves.note(event.time, event.price);
  }

  /** The next trade is compared exactly: levels have changed. */
  readonly forget = (): void => {
    this.until = Number.NEGATIVE_INFINITY;
  };

  /** Call after a trade was compared exactly. */
  aim({ trade, absorption: { side }, moves, forming }: BoundStreams): void {
    this.from = Math.max(this.time, forming.start);
    this.until = Math.min(forming.rollAt, trade.rouseAt, moves.trade?.until ?? Infinity);
    this.above = (Math.min(trade.above, moves.trade?.above ?? Infinity) - MARGIN) / this.#scale;
    this.below = (Math.max(trade.below, moves.trade?.below ?? -Infinity) + MARGIN) / this.#scale;
    this.absorption = side === 'none' ? null : side;
    this.moves = moves.trade;
  }
}
