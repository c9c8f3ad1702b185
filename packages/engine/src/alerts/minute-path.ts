// A minute known only as a bar: its prices are those of the usual path through open, high, low and close.
import type { Bar } from '../market/events.ts';
import { toTicks } from '../market/price.ts';
import type { FormingBars } from './forming-bars.ts';
import type { JudgingContext } from './judging-context.ts';
import type { MovesBySide } from './price-moves.ts';
import type { QuoteBounds } from './quote-bounds.ts';
import type { TradeBounds } from './trade-bounds.ts';
import type { ValueStream } from './value-stream.ts';

/** The part of a market that a minute changes. */
interface MinuteMarket {
  readonly instrument: { readonly digits: number };
  readonly bid: ValueStream;
  readonly trade: ValueStream;
  readonly moves: MovesBySide;
  readonly forming: FormingBars;
  readonly quotes: QuoteBounds;
  readonly trades: TradeBounds;
  settle(): void;
  advance(seq: number | null, time: Bar['time']): void;
}

/** Judges the alerts of an instrument by a minute. */
export function readMinute(market: MinuteMarket, context: JudgingContext, seq: number | null, bar: Bar): void {
  market.settle();
  const side = bar.basis;
  const stream = market[side];
  const moves = market.moves[side];
  const newest = side === 'trade' ? market.trades : market.quotes;
  const isLate = bar.time < newest.time;
  if (!isLate) {
    market.advance(seq, bar.time);
    stream.rouse(bar.time);
  }
  context.begin(seq, bar.time);
  market.forming.addMinute(bar);
  for (const price of pathOf(bar)) {
    const ticks = toTicks(price, market.instrument.digits);
    stream.beginChange(stream.value);
    if (isLate) stream.wakeLate(ticks);
    else {
      stream.value = ticks;
      const moved = moves?.add(bar.time, ticks, price) ?? false;
      if (moved) moves!.measure(bar.time, ticks);
      stream.wake();
      if (moved) moves!.wake();
    }
    market.forming.wake();
    stream.endChange();
  }
  if (!isLate) newest.time = bar.time;
  // The windows of moves have changed.
  newest.forget();
}

/** A rising minute went to its low first, a falling one to its high. */
const pathOf = ({ open, high, low, close }: Bar): readonly number[] =>
  close >= open ? [open, low, high, close] : [open, high, low, close];
