// What happened to one symbol, and what is known of its market after each event, whoever has signals in it.
import { naiveTicks } from './naive-arithmetic.fixture.ts';

export interface NaiveQuote {
  readonly kind: 'quote';
  readonly seq: number;
  readonly time: number;
  readonly bid: number;
  readonly ask: number;
}

export interface NaiveTrade {
  readonly kind: 'trade';
  readonly seq: number;
  readonly time: number;
  readonly price: number;
  /** The taker's. */
  readonly side: 'buy' | 'sell';
}

export interface NaiveBar {
  readonly kind: 'bar';
  readonly seq: number;
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export type NaiveEvent =
  | NaiveQuote
  | NaiveTrade
  | NaiveBar
  | { readonly kind: 'disconnect' | 'backfilled' | 'clock'; readonly seq: number; readonly time: number }
  | { readonly kind: 'gap'; readonly seq: number; readonly from: number; readonly to: number };

/** The same events with prices in ticks. */
export function naiveInTicks(events: readonly NaiveEvent[], digits: number): NaiveEvent[] {
  const ticks = (price: number): number => naiveTicks(price, digits);
  return events.map((event) => {
    if (event.kind === 'quote') return { ...event, bid: ticks(event.bid), ask: ticks(event.ask) };
    if (event.kind === 'trade') return { ...event, price: ticks(event.price) };
    if (event.kind !== 'bar') return event;
    const { open, high, low, close } = event;
    return { ...event, open: ticks(open), high: ticks(high), low: ticks(low), close: ticks(close) };
  });
}

export interface NaiveMarket {
  /** The standing quote. */
  bid: number;
  ask: number;
  seq: number;
  /** The last moment that a quote, a trade that stood for one, or a bar has told of. */
  time: number;
  /** Between a disconnect and what ends the stretch: trades judge. */
  cut: boolean;
}

/** The market after `events[index]`: the newest quote there, and what came after it. */
export function naiveMarketAt(events: readonly NaiveEvent[], index: number): NaiveMarket {
  let at = index;
  while (events[at]!.kind !== 'quote') at--;
  const { bid, ask, seq, time } = events[at] as NaiveQuote;
  const market: NaiveMarket = { bid, ask, seq, time, cut: false };
  for (at++; at <= index; at++) followNaively(market, events[at]!);
  return market;
}

export function followNaively(market: NaiveMarket, event: NaiveEvent): void {
  if (event.kind === 'quote') {
    market.bid = event.bid;
    market.ask = event.ask;
    market.seq = event.seq;
    market.time = event.time;
    market.cut = false;
  } else if (event.kind === 'trade') {
    if (!market.cut) return;
    market.time = event.time;
  } else if (event.kind === 'bar') {
    // What a bar tells of ends with the last millisecond of its minute.
    const last = event.time + 59_999;
    if (last <= market.time) return;
    market.time = last;
    const spread = market.ask - market.bid;
    market.bid = event.close;
    market.ask = event.close + spread;
    market.seq = event.seq;
  } else if (event.kind === 'disconnect') market.cut = true;
  else if (event.kind !== 'clock') market.cut = false;
}
