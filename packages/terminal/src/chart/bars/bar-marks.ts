// Marks on bars: news and economic events.
import type { ChartCandle } from './chart-bars.ts';

/** A headline as the chart needs it. */
export interface ChartNews {
  readonly title: string;
  readonly sentiment: 'bullish' | 'neutral' | 'bearish';
  /** ISO 8601. */
  readonly timestamp: string;
}

/** An economic event as the chart needs it. */
export interface ChartEvent {
  /** With its values, as far as they are known. */
  readonly title: string;
  readonly country: string;
  readonly impact: 'low' | 'medium' | 'high';
  /** ISO 8601. */
  readonly timestamp: string;
}

/** A signal as the chart needs it. */
export interface ChartSignal {
  readonly id: string;
  /** The publisher's display name. */
  readonly user: string;
  readonly direction: 'buy' | 'sell';
  readonly entry: number;
  readonly stop_loss: number;
  readonly take_profit: number;
}

/**
 * Index of the bar that contains a time. Between bars, such as on a weekend, it is the next one, in which the market could
 * first react; after all bars it is the last one; before the first bar it is -1.
 */
export function barAt(candles: readonly ChartCandle[], timeMs: number, intervalMs: number): number {
  let [low, high] = [0, candles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (candles[middle]!.time <= timeMs) low = middle + 1;
    else high = middle;
  }
  const at = low - 1;
  if (at < 0) return -1;
  const isOver = timeMs >= candles[at]!.time + intervalMs;
  return isOver && at + 1 < candles.length ? at + 1 : at;
}

/** News or events by bar index, oldest bar first. */
export function newsByBar<T extends { readonly timestamp: string }>(
  news: readonly T[],
  candles: readonly ChartCandle[],
  intervalMs: number,
): ReadonlyMap<number, readonly T[]> {
  const byBar = new Map<number, T[]>();
  for (const item of news) {
    const at = barAt(candles, Date.parse(item.timestamp), intervalMs);
    if (at < 0) continue;
    const others = byBar.get(at);
    if (others) others.push(item);
    else byBar.set(at, [item]);
  }
  return new Map([...byBar].sort(([one], [other]) => one - other));
}

/** Sentiment of the majority of several headlines; neutral if there is none. */
export function sentimentOf(news: readonly ChartNews[]): ChartNews['sentiment'] {
  const balance = news.reduce(
    (sum, { sentiment }) => sum + (sentiment === 'bullish' ? 1 : sentiment === 'bearish' ? -1 : 0),
    0,
  );
  return balance > 0 ? 'bullish' : balance < 0 ? 'bearish' : 'neutral';
}
