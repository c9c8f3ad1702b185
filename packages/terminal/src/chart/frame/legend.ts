// What a chart begins with: instrument, interval and the time until its bar closes, then the figures of one bar: the one under the
// pointer, otherwise the newest; then a line for each indicator. Screen readers do not announce changes; bars chosen by keyboard are
// announced in words. In a narrow chart, the style sheet leaves one line with a button that shows the others.
import { make, makeButton, write, writeSigned } from '../../ui/dom/elements.ts';
import { percent, price, volume } from '../../ui/format.ts';
import type { ChartEvent, ChartNews } from '../bars/bar-marks.ts';
import type { ChartCandle } from '../bars/chart-bars.ts';
import { fullTimeLabel } from '../layers/time-labels.ts';
import type { LegendFigure } from './chart-part.ts';

export interface Reading {
  readonly candle: ChartCandle;
  /** Close of the previous bar; `null` for the first. */
  readonly before: number | null;
  readonly intervalMs: number;
  readonly digits: number;
  /** Of the parts of the chart. */
  readonly figures: readonly LegendFigure[];
  readonly news: readonly ChartNews[];
  readonly events: readonly ChartEvent[];
}

const change = ({ candle, before }: Reading): string =>
  percent(before === null || before === 0 ? null : candle.close / before - 1);

export function inWords(reading: Reading): string {
  const { candle, digits, intervalMs, news, events, figures } = reading;
  const figure = (value: number): string => price(value, digits);
  const parts = [
    fullTimeLabel(candle.time, intervalMs),
    `open ${figure(candle.open)}, high ${figure(candle.high)}, low ${figure(candle.low)}, close ${figure(candle.close)}`,
    `change ${change(reading)}`,
    `volume ${volume(candle.volume)}`,
    ...figures.flatMap(({ words }) => words ?? []),
    ...events.map(({ title, impact }) => `event, ${impact} impact: ${title}`),
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

interface FigureElements {
  readonly whole: HTMLElement;
  readonly value: HTMLElement;
}

/** Figures that a narrow chart shows, too. */
const FIRST = ['C', 'change'];

export class Legend {
  readonly element: HTMLElement;
  /** Lines of indicators and compared instruments. */
  readonly lines = make('div', 'chart-legend-lines');
  readonly #symbol = make('b');
  readonly #interval = make('span', 'muted');
  readonly #untilClose = make('span', { class: 'chart-legend-close muted', title: 'Until the bar closes' });
  readonly #time = make('span', 'chart-legend-time muted');
  readonly #rest = makeButton('', { class: 'chart-legend-rest bare muted', 'aria-expanded': 'false' }, () =>
    this.#toggleRest(),
  );
  readonly #bar = make('span', 'chart-legend-bar', this.#time, this.#rest);
  readonly #row = make(
    'div',
    'chart-legend-row line',
    make('span', 'chart-legend-head', this.#symbol, this.#interval, this.#untilClose),
    this.#bar,
  );
  readonly #figures = new Map<string, FigureElements>();
  /** Figures and headlines besides the first figures. */
  #restCount = 0;
  readonly #news = make('p', 'chart-legend-news clip chart-legend-more');
  readonly #events = make('p', 'chart-legend-news clip chart-legend-events chart-legend-more');

  constructor() {
    this.element = make('div', 'chart-legend small', this.#row, this.lines, this.#events, this.#news);
    this.clear();
  }

  /** Names the chart. One without a name has only figures. */
  name(symbol: string, interval: string): void {
    write(this.#symbol, symbol);
    write(this.#interval, interval);
  }

  /** '' if no bar is forming. */
  showUntilClose(text: string): void {
    write(this.#untilClose, text);
  }

  /** A line of a part, below the others. */
  add(line: HTMLElement): void {
    this.element.append(line);
  }

  /** Pixels from the upper edge of the chart. */
  get bottom(): number {
    return this.element.offsetTop + this.element.offsetHeight;
  }

  /** Height of figures and lines, from the upper edge of the chart; 0 if it was opened and lies over the bars. Pixels. */
  get figuresBottom(): number {
    if (this.element.dataset.open !== undefined) return 0;
    return this.element.offsetTop + this.#row.offsetHeight + this.lines.offsetHeight;
  }

  clear(): void {
    this.#bar.hidden = true;
    this.#events.hidden = true;
    this.#news.hidden = true;
    write(this.#untilClose, '');
  }

  show(reading: Reading): void {
    const { candle, digits, intervalMs } = reading;
    const sign = candle.close >= candle.open ? 'up' : 'down';
    const prices = { O: candle.open, H: candle.high, L: candle.low, C: candle.close };
    this.#bar.hidden = false;
    write(this.#time, fullTimeLabel(candle.time, intervalMs));
    const figures: readonly LegendFigure[] = [
      ...Object.entries(prices).map(([name, value]) => ({ name, text: price(value, digits), sign }) as const),
      { name: 'change', text: change(reading) },
      { name: 'V', text: volume(candle.volume), sign: 'none' },
      ...reading.figures.filter(({ wordsOnly }) => !wordsOnly),
    ];
    for (const figure of figures) this.#put(figure);
    const lines = Math.min(1, reading.news.length) + Math.min(1, reading.events.length);
    this.#countRest(figures.length - FIRST.length + lines + this.lines.childElementCount);
    for (const [name, { whole }] of this.#figures) {
      const absent = !figures.some((figure) => figure.name === name);
      if (whole.hidden !== absent) whole.hidden = absent;
    }
    this.#showNews(reading.news);
    this.#showEvents(reading.events);
  }

  #put({ name, text, sign }: LegendFigure): void {
    const known = this.#figures.get(name) ?? this.#add(name);
    writeSigned(known.value, text, sign);
  }

  #add(name: string): FigureElements {
    const value = make('span', 'chart-legend-value');
    const label = make('span', 'chart-legend-label muted', name === 'change' ? '' : name);
    const kind = FIRST.includes(name) ? 'chart-legend-figure' : 'chart-legend-figure chart-legend-more';
    const whole = make('span', { class: kind, 'data-of': name }, label, value);
    this.#rest.before(whole);
    const added = { whole, value };
    this.#figures.set(name, added);
    return added;
  }

  #countRest(count: number): void {
    this.#restCount = count;
    const isOpen = this.element.dataset.open !== undefined;
    write(this.#rest, isOpen ? '−' : `+${count}`);
    const label = isOpen ? 'Show fewer figures' : `Show ${count} more figures`;
    if (this.#rest.ariaLabel !== label) this.#rest.ariaLabel = label;
  }

  #toggleRest(): void {
    const isOpen = this.element.toggleAttribute('data-open');
    this.#rest.ariaExpanded = String(isOpen);
    this.#countRest(this.#restCount);
  }

  #showEvents(events: readonly ChartEvent[]): void {
    this.#events.hidden = events.length === 0;
    write(this.#events, events.map(({ title }) => title).join(' · '));
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
