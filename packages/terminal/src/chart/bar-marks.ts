// What is marked on bars: news by the bar they fall in, absorption as the order flow tells it.
import type { ChartCandle } from './bar-series.ts';

/** A headline for the chart; a news item of the service is one. */
export interface ChartNews {
  readonly title: string;
  readonly sentiment: 'bullish' | 'neutral' | 'bearish';
  /** ISO 8601. */
  readonly timestamp: string;
}

/** A signal for the chart; an active one of the service is one. */
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
 * Index of the bar that a moment belongs to: the one it falls in; between bars, as over a weekend, the next one, where the
 * market could first answer; the last one after all of them. -1 before the first.
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

/** News by the index of their bar, oldest bar first. */
export function newsByBar(
  news: readonly ChartNews[],
  candles: readonly ChartCandle[],
  intervalMs: number,
): ReadonlyMap<number, readonly ChartNews[]> {
  const byBar = new Map<number, ChartNews[]>();
  for (const item of news) {
    const at = barAt(candles, Date.parse(item.timestamp), intervalMs);
    if (at < 0) continue;
    const others = byBar.get(at);
    if (others) others.push(item);
    else byBar.set(at, [item]);
  }
  return new Map([...byBar].sort(([one], [other]) => one - other));
}

/** The mood of several headlines at once: that of more of them, and neither where they hold the balance. */
export function moodOf(news: readonly ChartNews[]): ChartNews['sentiment'] {
  const balance = news.reduce(
    (sum, { sentiment }) => sum + (sentiment === 'bullish' ? 1 : sentiment === 'bearish' ? -1 : 0),
    0,
  );
  return balance > 0 ? 'bullish' : balance < 0 ? 'bearish' : 'neutral';
}

export interface Absorption {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The passive side that held the price. */
  readonly side: 'buy' | 'sell';
}

const MOST_ABSORPTIONS = 200;
const MOST_SYMBOLS = 50;

/** Absorption is told live only: what was seen of each instrument is kept as long as the page is open. */
export class Absorptions {
  readonly #bySymbol = new Map<string, Absorption[]>();

  of(symbol: string): readonly Absorption[] {
    return this.#bySymbol.get(symbol) ?? [];
  }

  add(symbol: string, absorption: Absorption): void {
    const seen = this.#bySymbol.get(symbol) ?? [];
    this.#bySymbol.delete(symbol);
    this.#bySymbol.set(symbol, seen);
    seen.push(absorption);
    if (seen.length > MOST_ABSORPTIONS) seen.shift();
    const [longestUnseen] = this.#bySymbol.keys();
    if (this.#bySymbol.size > MOST_SYMBOLS && longestUnseen !== undefined) this.#bySymbol.delete(longestUnseen);
  }
}
