// Turns quotes, missed trades and minutes into the events that judge signals.
import type { Bar, FlowEvent, TickEvent } from '../market/events.ts';
import { fromTicks } from '../market/price.ts';
import { type BarEvidence, barEnd, type TradeEvidence } from './evidence.ts';
import { type ExitBar, judgeBar, judgeSides, marketSides } from './judge.ts';
import type { JudgedEvent } from './judged-event.ts';
import type { LevelBook } from './level-book.ts';

export function quoteEvent(
  book: LevelBook,
  { time, bid, ask }: Pick<TickEvent, 'time' | 'bid' | 'ask'>,
  seq: number,
  source: string,
): JudgedEvent {
  const [bidTicks, askTicks] = [book.ticks(bid), book.ticks(ask)];
  return {
    evidence: { kind: 'quote', seq, time, bid, ask, source },
    seq,
    time,
    end: time,
    range: { bidLow: bidTicks, bidHigh: bidTicks, askLow: askTicks, askHigh: askTicks },
    judge: (signal, event) => judgeSides(signal, marketSides(signal.sign, bidTicks, askTicks), event),
  };
}

export const tradeEvidence = (
  { price }: LevelBook,
  trade: Pick<FlowEvent, 'time' | 'price' | 'side'>,
  seq: number,
  source: string,
): TradeEvidence => ({
  kind: 'trade',
  seq,
  time: trade.time,
  price: trade.price,
  side: trade.side,
  spread: fromTicks(price.spread, price.digits),
  source,
});

/** A missed trade gives the price of the side it took; the other side is unknown. */
export function tradeEvent(book: LevelBook, evidence: TradeEvidence): JudgedEvent {
  const { seq, time, price, side } = evidence;
  const ticks = book.ticks(price);
  const [bid, ask] = side === 'sell' ? [ticks, Number.NaN] : [Number.NaN, ticks];
  return {
    evidence,
    seq,
    time,
    end: time,
    range: { bidLow: bid, bidHigh: bid, askLow: ask, askHigh: ask },
    judge: (signal, event) => judgeSides(signal, marketSides(signal.sign, bid, ask), event),
  };
}

export const barEvidence = ({ price }: LevelBook, bar: Bar, seq: number, source: string): BarEvidence => ({
  kind: 'bar',
  seq,
  time: bar.time,
  open: bar.open,
  high: bar.high,
  low: bar.low,
  close: bar.close,
  spread: fromTicks(price.spread, price.digits),
  source,
});

/** `partial`: the minute was not over when the source came back. */
export function barEvent(book: LevelBook, evidence: BarEvidence, partial: boolean): JudgedEvent {
  const { seq, time } = evidence;
  const { spread, until } = book.price;
  const [open, high, low, close] = [evidence.open, evidence.high, evidence.low, evidence.close].map(book.ticks) as [
    number,
    number,
    number,
    number,
  ];
  const overlaps = partial || until >= time;
  // The exit side is the bid for a buy and the ask for a sell. Negated, highs become lows.
  const buys: ExitBar = { open, high, low, close, spread, overlaps };
  const sells: ExitBar = {
    open: -(open + spread),
    high: -(low + spread),
    low: -(high + spread),
    close: -(close + spread),
    spread,
    overlaps,
  };
  return {
    evidence,
    seq,
    time,
    end: barEnd(time),
    range: { bidLow: low, bidHigh: high, askLow: low + spread, askHigh: high + spread },
    judge: (signal, event) => judgeBar(signal, signal.sign === 1 ? buys : sells, event),
  };
}
