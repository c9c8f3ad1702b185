// The events of one symbol, and the state of its market after each event.
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
  /** Side of the taker. */
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
  /** The minute was not over when the bar was fetched. */
  readonly partial?: boolean;
}

export type NaiveEvent =
  | NaiveQuote
  | NaiveTrade
  | NaiveBar
  | { readonly kind: 'disconnect' | 'backfilled' | 'failover' | 'clock'; readonly seq: number; readonly time: number }
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
  /** The standing price. */
  bid: number;
  ask: number;
  seq: number;
  /** The latest time covered by a quote, by a missed trade or by a bar. */
  time: number;
  /** Disconnected: trades judge until the source is back. */
  cut: boolean;
  /** Time of the newest quote. */
  quoteTime: number;
  /** Whether a bar or a missed trade has judged since the newest quote. */
  bridged: boolean;
  /** First start and last end of the gaps declared since the newest quote. */
  gap: { readonly from: number; readonly to: number } | null;
}

/** Whether signals can be published and closed. */
export const livesNaively = ({ cut, bridged }: NaiveMarket): boolean => !cut && !bridged;

/** The market after `events[index]`: its newest quote, and what came after it. */
export function naiveMarketAt(events: readonly NaiveEvent[], index: number): NaiveMarket {
  let at = index;
  while (events[at]!.kind !== 'quote') at--;
  const { bid, ask, seq, time } = events[at] as NaiveQuote;
  const market: NaiveMarket = { bid, ask, seq, time, cut: false, quoteTime: time, bridged: false, gap: null };
  for (at++; at <= index; at++) followNaively(market, events[at]!);
  return market;
}

export function followNaively(market: NaiveMarket, event: NaiveEvent): void {
  if (event.kind === 'quote') {
    market.bid = event.bid;
    market.ask = event.ask;
    market.seq = event.seq;
    market.time = event.time;
    market.quoteTime = event.time;
    market.cut = false;
    market.bridged = false;
    market.gap = null;
  } else if (event.kind === 'trade') {
    if (!market.cut) return;
    const spread = market.ask - market.bid;
    market.bid = event.side === 'sell' ? event.price : event.price - spread;
    market.ask = event.side === 'sell' ? event.price + spread : event.price;
    market.seq = event.seq;
    market.time = event.time;
    market.bridged = true;
  } else if (event.kind === 'bar') {
    market.bridged = true;
    // A bar covers its minute up to the last millisecond.
    const last = event.time + 59_999;
    if (last <= market.time) return;
    market.time = last;
    const spread = market.ask - market.bid;
    market.bid = event.close;
    market.ask = event.close + spread;
    market.seq = event.seq;
  } else if (event.kind === 'disconnect') market.cut = true;
  else if (event.kind !== 'clock') {
    const missing = naiveGap(market, event);
    if (missing) market.gap = naiveUnion(market.gap, missing);
    market.cut = false;
  }
}

/** The gap an event declares. A fail-over declares one for the time the first source was disconnected. */
export function naiveGap(market: NaiveMarket, event: NaiveEvent): { from: number; to: number } | null {
  if (event.kind === 'gap') return { from: event.from, to: event.to };
  if (event.kind !== 'failover' || !market.cut) return null;
  return { from: Math.min(market.quoteTime, event.time), to: event.time };
}

export const naiveUnion = (
  a: { readonly from: number; readonly to: number } | null,
  b: { readonly from: number; readonly to: number },
): { from: number; to: number } => ({ from: Math.min(a?.from ?? b.from, b.from), to: Math.max(a?.to ?? b.to, b.to) });
