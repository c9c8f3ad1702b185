// The figures of one bar: the one under the pointer, otherwise the newest. Screen readers do not announce its changes; bars chosen
// by keyboard are announced in words.
import { make, write, writeSigned } from '../ui/dom/elements.ts';
import { NO_VALUE, percent, price, type Sign, signedVolume, volume } from '../ui/format.ts';
import type { Absorption, ChartNews } from './bar-marks.ts';
import type { ChartCandle } from './chart-bars.ts';
import { deltaOf } from './cumulative-delta.ts';
import { fullTimeLabel } from './time-labels.ts';

export interface Reading {
  readonly candle: ChartCandle;
  /** Close of the previous bar; `null` for the first. */
  readonly before: number | null;
  readonly intervalMs: number;
  readonly digits: number;
  /** Visible moving averages, by length. */
  readonly averages: ReadonlyMap<number, number | null>;
  /** `null` if the instrument has no trades. */
  readonly flow: { readonly cumulative: number | null } | null;
  readonly news: readonly ChartNews[];
  readonly absorbed: Absorption['side'] | null;
}

const change = ({ candle, before }: Reading): string =>
  percent(before === null || before === 0 ? null : candle.close / before - 1);

export function inWords(reading: Reading): string {
  const { candle, digits, intervalMs, news, flow } = reading;
  const figure = (value: number): string => price(value, digits);
  const parts = [
    fullTimeLabel(candle.time, intervalMs),
    `open ${figure(candle.open)}, high ${figure(candle.high)}, low ${figure(candle.low)}, close ${figure(candle.close)}`,
    `change ${change(reading)}`,
    `volume ${volume(candle.volume)}`,
    ...(flow ? [`delta ${signedVolume(deltaOf(candle))}`] : []),
    ...news.map(({ title, sentiment }) => `news, ${sentiment}: ${title}`),
  ];
  return `${parts.join('; ')}.`;
}

/** The chart as a whole, for screen readers. */
export function summaryOf(name: string, candles: readonly ChartCandle[], digits: number): string {
  const [last, before] = [candles.at(-1), candles.at(-2)];
  if (!last) return `${name}: no bars yet.`;
  const moved = percent(before && before.close !== 0 ? last.close / before.close - 1 : null);
  const figures = `last price ${price(last.close, digits)}, ${moved} in the newest bar, ${candles.length} bars loaded`;
  return `${name}: ${figures}. Left and right arrows read single bars, plus and minus zoom.`;
}

export class Legend {
  readonly element: HTMLElement;
  readonly #time = make('span', 'chart-legend-time');
  readonly #figures = new Map<string, { readonly whole: HTMLElement; readonly value: HTMLElement }>();
  readonly #news = make('p', 'chart-legend-news');

  constructor(averages: readonly number[]) {
    const row = make('p', 'chart-legend-row', this.#time);
    const lengths = averages.map((length) => `MA ${length}`);
    for (const name of ['O', 'H', 'L', 'C', 'change', 'V', ...lengths, 'Δ', 'Σ Δ', 'absorption']) {
      const value = make('span', 'chart-legend-value');
      const label = name === 'change' ? [] : [make('span', 'chart-legend-label', name)];
      const whole = make('span', { class: 'chart-legend-figure', 'data-of': name }, ...label, value);
      row.append(whole);
      this.#figures.set(name, { whole, value });
    }
    this.element = make('div', 'chart-legend', row, this.#news);
    this.clear();
  }

  clear(): void {
    this.element.hidden = true;
  }

  show(reading: Reading): void {
    const { candle, digits, intervalMs, averages, flow, absorbed } = reading;
    const figure = (value: number | null): string => price(value, digits);
    this.element.hidden = false;
    write(this.#time, fullTimeLabel(candle.time, intervalMs));
    const sign = candle.close >= candle.open ? 'up' : 'down';
    for (const [name, value] of Object.entries({ O: candle.open, H: candle.high, L: candle.low, C: candle.close }))
      this.#put(name, figure(value), sign);
    this.#put('change', change(reading));
    this.#put('V', volume(candle.volume), 'none');
    for (const [length, value] of averages)
      this.#put(`MA ${length}`, value === null ? NO_VALUE : figure(value), 'none');
    for (const name of this.#figures.keys())
      if (name.startsWith('MA ') && !averages.has(Number(name.slice(3)))) this.#put(name, null, 'none');
    this.#put('Δ', flow && signedVolume(deltaOf(candle)));
    this.#put('Σ Δ', flow && (flow.cumulative === null ? NO_VALUE : signedVolume(flow.cumulative)));
    this.#put('absorption', absorbed === null ? null : `${absorbed}ers hold`, absorbed === 'buy' ? 'up' : 'down');
    this.#showNews(reading.news);
  }

  /** `null` hides the figure. */
  #put(name: string, text: string | null, sign?: Sign): void {
    const { whole, value } = this.#figures.get(name)!;
    if (whole.hidden !== (text === null)) whole.hidden = text === null;
    if (text !== null) writeSigned(value, text, sign);
  }

  #showNews(news: readonly ChartNews[]): void {
    const [first] = news;
    this.#news.hidden = !first;
    if (!first) return;
    const more = news.length > 1 ? ` (and ${news.length - 1} more)` : '';
    const signs = { bullish: 'up', bearish: 'down', neutral: 'none' } as const;
    writeSigned(this.#news, `${first.title}${more}`, signs[first.sentiment]);
  }
}
