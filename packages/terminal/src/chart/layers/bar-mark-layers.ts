// The marks at the bars: headlines above, economic events below.
import type { ISeriesApi } from 'lightweight-charts';
import { currentPalette } from '../../ui/theme.ts';
import { type ChartEvent, type ChartNews, newsByBar, sentimentOf } from '../bars/bar-marks.ts';
import type { ChartBars } from '../bars/chart-bars.ts';
import { CLEAR_BARS } from './level-labels.ts';
import { MarkLayer } from './mark-layer.ts';
import { timestampOf } from './plot-options.ts';

const BY_IMPACT = ['high', 'medium', 'low'] as const;

/**
 * Current high or low of a bar and of those around it. `null` if loading older bars has moved it; then the marks are about to be
 * created again.
 */
function endAt(series: ChartBars, at: number, end: 'high' | 'low'): (around?: number) => number | null {
  const { time } = series.candles[at]!;
  return (around = 0) => {
    const { candles } = series;
    if (candles[at]?.time !== time) return null;
    const ends = candles.slice(Math.max(0, at - around), at + around + 1).map((candle) => candle[end]);
    return end === 'high' ? Math.max(...ends) : Math.min(...ends);
  };
}

/** Bars that half of a short text covers. */
const HALF_TEXT_BARS = 2;

/** The newest bars have no text beside them; the legend has it. */
const isOld = ({ candles }: ChartBars, at: number): boolean => at < candles.length - CLEAR_BARS - HALF_TEXT_BARS;

export class BarMarkLayers {
  readonly #news: MarkLayer;
  readonly #events: MarkLayer;
  #newsByBar: ReadonlyMap<number, readonly ChartNews[]> = new Map();
  #eventsByBar: ReadonlyMap<number, readonly ChartEvent[]> = new Map();

  constructor(candles: ISeriesApi<'Candlestick'>) {
    this.#news = new MarkLayer(candles, currentPalette);
    this.#events = new MarkLayer(candles, currentPalette);
  }

  clear(): void {
    this.#newsByBar = new Map();
    this.#eventsByBar = new Map();
    this.#news.show([]);
    this.#events.show([]);
  }

  showNews(series: ChartBars, news: readonly ChartNews[]): void {
    const { up, down, muted } = currentPalette();
    const colors = { bullish: up, bearish: down, neutral: muted } as const;
    this.#newsByBar = newsByBar(news, series.candles, series.intervalMs);
    this.#news.show(
      [...this.#newsByBar].map(([at, items]) => ({
        time: timestampOf(series.candles[at]!),
        price: endAt(series, at, 'high'),
        side: 'above',
        shape: 'circle',
        color: colors[sentimentOf(items)],
        ...(items.length > 1 && isOld(series, at) && { text: String(items.length) }),
      })),
    );
  }

  /** Events that are still ahead have no bar yet. */
  showEvents(series: ChartBars, events: readonly ChartEvent[]): void {
    const last = series.candles.at(-1);
    if (!last) return;
    const { notice, accent, muted } = currentPalette();
    const colors = { high: notice, medium: accent, low: muted } as const;
    const past = events.filter(({ timestamp }) => Date.parse(timestamp) < last.time + series.intervalMs);
    this.#eventsByBar = newsByBar(past, series.candles, series.intervalMs);
    this.#events.show(
      [...this.#eventsByBar].map(([at, items]) => ({
        time: timestampOf(series.candles[at]!),
        price: endAt(series, at, 'low'),
        side: 'below',
        shape: 'triangle',
        color: colors[BY_IMPACT.find((each) => items.some(({ impact }) => impact === each))!],
        ...(isOld(series, at) && { text: [...new Set(items.map(({ country }) => country))].join(' ') }),
      })),
    );
  }

  newsOf(index: number): readonly ChartNews[] {
    return this.#newsByBar.get(index) ?? [];
  }

  eventsOf(index: number): readonly ChartEvent[] {
    return this.#eventsByBar.get(index) ?? [];
  }
}
