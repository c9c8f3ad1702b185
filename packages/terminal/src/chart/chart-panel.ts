// The chart of the selected instrument with all that belongs to it. Ticks only mark that something is to be drawn: that is
// done once per beat, whatever comes in; what a person points at is read off in the next frame.

import type {
  Allowance,
  Instrument,
  MarketTick,
  OrderFlowTick,
  TickwireClient,
  TickwireError,
  Timeframe,
} from '@tickwire/client';
import { beat } from '../beat.ts';
import { decimalsOf, figure } from '../format.ts';
import { preferences } from '../preferences.ts';
import { onThemeChange } from '../theme.ts';
import { BarFeed, type ListenToBars, type Reach } from './bar-feed.ts';
import { Absorptions, barAt, type ChartNews, type ChartSignal } from './bar-marks.ts';
import { BarReader } from './bar-reader.ts';
import { type BarSeries, type Candle, MOST_CANDLES, TIMEFRAMES } from './bar-series.ts';
import { ChartBar } from './chart-bar.ts';
import { ChartFrame } from './chart-frame.ts';
import { listenForKeys } from './chart-keys.ts';
import { type DayFigure, hasTrades, type Opening, steadyOpening } from './cumulative-delta.ts';
import { Legend, type Reading, summaryOf } from './legend.ts';
import { AVERAGES, PricePlot } from './price-plot.ts';

export interface ChartPanelOptions {
  readonly client: TickwireClient;
  /** A stream of the service's own bars: who signed in has one to spare, a key may not. */
  readonly listen: ListenToBars | null;
  readonly allowance: () => Allowance | null;
  readonly signal: AbortSignal;
  readonly onFailure: (error: TickwireError) => void;
  readonly onCandles?: (symbol: string, candles: readonly Candle[]) => void;
  /** A timeframe was chosen in the panel, by button or by `setTimeframe`; the panel shows it already. */
  readonly onTimeframe: (timeframe: Timeframe) => void;
}

/** Of an instrument whose bars are of quotes, a trade that is older than this no longer says where the forming bar stands. */
const TRADE_FRESH_MS = 60_000;
/** The words for who cannot see the chart follow it at a calm pace. */
const SUMMARY_EVERY_MS = 5_000;
/** Lower than this there is no room for more than the candles. */
const LEAST_HEIGHT_FOR_FLOW = 360;

const REACHED: Readonly<Record<Reach, () => string>> = {
  more: () => '',
  loading: () => 'Loading older bars…',
  beginning: () => 'The beginning of what is recorded',
  full: () => `${figure(MOST_CANDLES)} bars: the chart goes back no further. A longer timeframe does.`,
};

export class ChartPanel {
  readonly element: HTMLElement;
  readonly #options: ChartPanelOptions;
  readonly #feed: BarFeed;
  readonly #bar: ChartBar;
  readonly #plot: PricePlot;
  readonly #legend = new Legend(AVERAGES);
  readonly #frame: ChartFrame;
  readonly #reader: BarReader;
  readonly #absorptions = new Absorptions();
  readonly #resized: ResizeObserver;
  #instrument: Instrument | null = null;
  #timeframe: Timeframe = '5m';
  #digits = 2;
  #signals: readonly ChartSignal[] = [];
  #news: readonly ChartNews[] = [];
  #drawnBars = -1;
  #today: DayFigure | null = null;
  #opening: Opening | null = null;
  #nearBeginning = false;
  #lastTradeMs = 0;
  #asked = false;
  #reading = false;
  #closed = false;
  #marksChanged = true;
  #traded = false;
  #summaryAt = 0;

  constructor(options: ChartPanelOptions) {
    const { client, listen, allowance, signal } = options;
    this.#options = options;
    this.#bar = new ChartBar({
      onTimeframe: (timeframe) => this.setTimeframe(timeframe),
      onChoices: () => {
        this.#choose();
        this.#redraw();
      },
    });
    this.#frame = new ChartFrame(this.#bar.element, this.#legend.element);
    this.element = this.#frame.element;
    this.#plot = new PricePlot(this.#frame.surface, {
      onPoint: (index) => this.#reader.point(index),
      onView: (nearBeginning) => this.#viewed(nearBeginning),
    });
    this.#feed = new BarFeed({
      client,
      listen,
      allowance,
      onSeries: () => this.#arrived(),
      onChange: () => this.#redraw(),
      onReach: () => this.#showReach(),
      onFailure: (error) => this.#failed(error),
    });
    this.#reader = new BarReader({
      series: () => this.#feed.series,
      read: (series, at) => this.#readingAt(series, at),
      mark: (at) => this.#plot.point(at),
      speak: (words) => this.#frame.speak(words),
      onChange: () => this.#readSoon(),
    });
    this.#choose();
    listenForKeys(this.#frame.surface, signal, {
      step: (by) => this.#reader.step(by),
      toFirst: () => this.#reader.toFirst(),
      toLast: () => this.#reader.toLast(),
      leave: () => this.#reader.leave(),
      zoom: (factor) => this.#plot.zoom(factor),
    });
    this.#frame.surface.addEventListener('dblclick', () => this.#plot.toNewest(), { signal });
    this.#resized = new ResizeObserver(() => {
      this.#marksChanged = true;
      this.#redraw();
    });
    this.#resized.observe(this.#frame.surface);
    onThemeChange(signal, () => this.#recolour());
    preferences.onChange(signal, () => this.#recolour());
    signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /** Another instrument or timeframe. Nothing of the one before stays, and nothing of it that is under way gets in. */
  open(instrument: Instrument, digits: number, timeframe: Timeframe): void {
    const another = this.#instrument?.symbol !== instrument.symbol;
    // Who is told of a timeframe that was chosen here opens it again.
    if (!another && timeframe === this.#timeframe) return;
    this.#instrument = instrument;
    this.#timeframe = timeframe;
    this.#digits = digits;
    if (another) {
      this.#signals = [];
      this.#news = [];
      this.#today = null;
      this.#lastTradeMs = 0;
    }
    this.#reader.forget();
    this.#drawnBars = -1;
    this.#nearBeginning = false;
    this.#opening = null;
    this.#traded = false;
    this.#marksChanged = true;
    this.#summaryAt = 0;
    this.#bar.show(timeframe);
    this.#plot.clear(digits);
    this.#legend.clear();
    this.#frame.name(this.#name);
    this.#feed.open(instrument.symbol, timeframe);
  }

  /** As by the panel's own buttons. */
  setTimeframe(timeframe: Timeframe): void {
    if (timeframe === this.#timeframe || !this.#instrument) return;
    this.open(this.#instrument, this.#digits, timeframe);
    this.#options.onTimeframe(timeframe);
  }

  /** For keys: the next longer (1) or shorter (-1) timeframe. */
  stepTimeframe(by: 1 | -1): void {
    const next = TIMEFRAMES[TIMEFRAMES.indexOf(this.#timeframe) + by];
    if (next) this.setTimeframe(next);
  }

  tick({ symbol, bid, time, volume }: MarketTick): void {
    if (symbol !== this.#instrument?.symbol) return;
    // Bars are made of trades where there are any; only without them does the bid move the chart.
    if (this.#traded || time * 1_000 - this.#lastTradeMs <= TRADE_FRESH_MS) return;
    this.#feed.move(bid, time * 1_000, volume);
  }

  flow(tick: OrderFlowTick): void {
    const { symbol, price: traded, bid_volume, ask_volume, absorption } = tick;
    // The last messages of the instrument before may still be under way.
    if (symbol !== this.#instrument?.symbol) return;
    const time = tick.time * 1_000;
    this.#today = { time, value: tick.cumulative_delta };
    if (this.#opening === null) this.#redraw();
    if (bid_volume + ask_volume > 0) {
      this.#lastTradeMs = time;
      this.#feed.move(traded, time, bid_volume + ask_volume);
      this.#feed.take(bid_volume, ask_volume, time);
    }
    if (absorption === null) return;
    this.#absorptions.add(symbol, { time, side: absorption });
    this.#marksChanged = true;
    this.#redraw();
  }

  /** Active signals of the instrument, newest first. */
  levels(signals: readonly ChartSignal[]): void {
    this.#signals = signals;
    this.#marksChanged = true;
    this.#redraw();
  }

  /** News that mention the instrument. */
  news(items: readonly ChartNews[]): void {
    this.#news = items;
    this.#marksChanged = true;
    this.#redraw();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#feed.close();
    this.#resized.disconnect();
    this.#plot.remove();
  }

  get #name(): string {
    return `${this.#instrument?.symbol}, ${this.#timeframe} bars`;
  }

  #arrived(): void {
    const series = this.#feed.series!;
    const finest = series.candles
      .slice(-50)
      .reduce((most, { close }) => Math.max(most, decimalsOf(close)), this.#digits);
    if (finest !== this.#digits) {
      this.#digits = finest;
      this.#plot.setDigits(finest);
    }
    this.#marksChanged = true;
    this.#redraw();
  }

  #redraw(): void {
    if (this.#asked || this.#closed) return;
    this.#asked = true;
    beat.next(() => {
      this.#asked = false;
      this.#drawNow();
    });
  }

  #readSoon(): void {
    if (this.#reading) return;
    this.#reading = true;
    requestAnimationFrame(() => {
      this.#reading = false;
      this.#drawNow();
    });
  }

  #drawNow(): void {
    const { series } = this.#feed;
    if (series && !this.#closed) this.#draw(series);
  }

  #draw(series: BarSeries): void {
    const { candles } = series;
    this.#opening = steadyOpening(this.#opening, candles, this.#today, this.#feed.reach === 'beginning');
    this.#plot.draw(series, this.#opening?.value ?? null);
    const traded = this.#traded || hasTrades(candles);
    if (traded !== this.#traded) this.#marksChanged = true;
    this.#traded = traded;
    if (this.#drawnBars !== candles.length) {
      this.#drawnBars = candles.length;
      const none = `${this.#instrument!.symbol} has no bars yet. They appear with the first price.`;
      this.#frame.veil(candles.length > 0 ? '' : none);
      this.#marksChanged = true;
      this.#options.onCandles?.(this.#instrument!.symbol, candles);
    }
    if (this.#marksChanged && candles.length > 0) this.#drawMarks();
    const reading = this.#reader.reading(series);
    if (reading) this.#legend.show(reading);
    else this.#legend.clear();
    if (performance.now() < this.#summaryAt) return;
    this.#summaryAt = performance.now() + SUMMARY_EVERY_MS;
    this.#frame.summarise(summaryOf(this.#name, candles, this.#digits));
  }

  #drawMarks(): void {
    this.#marksChanged = false;
    const high = this.#frame.surface.clientHeight >= LEAST_HEIGHT_FOR_FLOW;
    this.#plot.showFlow(this.#traded && this.#bar.choices.flow && high);
    this.#frame.sayMissing(
      this.#traded || !this.#bar.choices.flow
        ? ''
        : 'No delta: the source of this instrument has quotes only, no trades.',
    );
    this.#plot.showAbsorptions(this.#absorptions.of(this.#instrument!.symbol));
    this.#plot.showLevels(this.#signals);
    this.#plot.showNews(this.#news);
  }

  #readingAt({ candles, intervalMs }: BarSeries, at: number): Reading | null {
    const candle = candles[at];
    if (!candle) return null;
    const shown = this.#plot.averages.filter(({ length }) => this.#bar.choices.averages.includes(length));
    const absorbed = this.#absorptions
      .of(this.#instrument!.symbol)
      .findLast(({ time }) => barAt(candles, time, intervalMs) === at);
    return {
      candle,
      before: candles[at - 1]?.close ?? null,
      intervalMs,
      digits: this.#digits,
      averages: new Map(shown.map(({ length, values }) => [length, values[at] ?? null])),
      flow: this.#traded ? { cumulative: this.#plot.cumulative.values[at] ?? null } : null,
      news: this.#plot.newsOf(at),
      absorbed: absorbed?.side ?? null,
    };
  }

  #choose(): void {
    for (const length of AVERAGES) this.#plot.showAverage(length, this.#bar.choices.averages.includes(length));
    this.#marksChanged = true;
  }

  #recolour(): void {
    if (this.#closed) return;
    this.#plot.recolour();
    this.#marksChanged = true;
    this.#redraw();
  }

  #viewed(nearBeginning: boolean): void {
    this.#nearBeginning = nearBeginning;
    this.#showReach();
    if (nearBeginning) void this.#feed.older();
  }

  /** It is said to who looks there. */
  #showReach(): void {
    this.#frame.sayReach(this.#nearBeginning ? REACHED[this.#feed.reach]() : '');
  }

  #failed(error: TickwireError): void {
    this.#options.onFailure(error);
    if (this.#feed.series) return;
    const again = error.retryAfterSeconds === null ? 'It is tried again.' : `Again in ${error.retryAfterSeconds} s.`;
    this.#frame.veil(`The bars could not be loaded. ${error.detail} ${again}`);
  }
}
