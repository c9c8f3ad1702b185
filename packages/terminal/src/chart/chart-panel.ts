// The chart of the selected instrument. Ticks only record changes; the frame scheduler draws them, however many arrive. The figures
// of the bar under the pointer are shown in the next animation frame.
import type {
  Allowance,
  CoreClient,
  Instrument,
  MarketTick,
  OrderFlowTick,
  TickwireError,
  Timeframe,
} from '@tickwire/client';
import type { Candle } from '../services/candle.ts';
import { decimalsOf } from '../ui/format.ts';
import { coalesced } from '../ui/frame-scheduler.ts';
import { preferences } from '../ui/preferences.ts';
import { onThemeChange } from '../ui/theme.ts';
import { BarFeed, type OpenBars } from './bar-feed.ts';
import { Absorptions, barAt, type ChartNews, type ChartSignal } from './bar-marks.ts';
import { BarReader } from './bar-reader.ts';
import type { ChartBars } from './chart-bars.ts';
import { ChartFrame } from './chart-frame.ts';
import { listenToChartKeys } from './chart-keys.ts';
import { ChartToolbar } from './chart-toolbar.ts';
import { type DayFigure, hasTrades, type Opening, steadyOpening } from './cumulative-delta.ts';
import { Legend, type Reading, summaryOf } from './legend.ts';
import { AVERAGES, PricePlot } from './price-plot.ts';

export interface ChartPanelOptions {
  readonly client: CoreClient;
  /** Opens a stream of live bars; `null` if the caller may have too few streams, as an API key does. */
  readonly openBars: OpenBars | null;
  readonly allowance: () => Allowance | null;
  readonly signal: AbortSignal;
  readonly onError: (error: TickwireError) => void;
  readonly onCandles?: (symbol: string, candles: readonly Candle[]) => void;
  /** A timeframe was chosen, by button or by `setTimeframe`. The panel already shows it. */
  readonly onTimeframe: (timeframe: Timeframe) => void;
}

/** The last trade determines the forming bar for this long; after that, quotes do. */
const TRADE_FRESH_MS = 60_000;
/** Interval of the summary for screen readers. */
const SUMMARY_EVERY_MS = 5_000;
/** A lower chart has room for the candles only. Pixels. */
const MIN_HEIGHT_FOR_FLOW = 360;

export class ChartPanel {
  readonly element: HTMLElement;
  readonly #options: ChartPanelOptions;
  readonly #feed: BarFeed;
  readonly #bar: ChartToolbar;
  readonly #plot: PricePlot;
  readonly #legend = new Legend(AVERAGES);
  readonly #frame: ChartFrame;
  readonly #reader: BarReader;
  readonly #absorptions = new Absorptions();
  readonly #resized: ResizeObserver;
  readonly #redraw = coalesced(() => this.#drawNow());
  readonly #readOnNextFrame = coalesced(() => this.#drawNow(), requestAnimationFrame);
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
  #closed = false;
  #marksChanged = true;
  #traded = false;
  #summaryAt = 0;

  constructor(options: ChartPanelOptions) {
    const { client, openBars, allowance, signal } = options;
    this.#options = options;
    this.#bar = new ChartToolbar({
      onTimeframe: (timeframe) => this.setTimeframe(timeframe),
      onChoices: () => this.#choose(),
    });
    this.#frame = new ChartFrame(this.#bar.element, this.#legend.element);
    this.element = this.#frame.element;
    this.#plot = new PricePlot(this.#frame.surface, {
      onPoint: (index) => this.#reader.point(index),
      onView: (nearBeginning) => this.#onView(nearBeginning),
    });
    this.#feed = new BarFeed({
      client,
      openBars,
      allowance,
      onSeries: () => this.#onSeries(),
      onChange: this.#redraw,
      onHistory: () => this.#showHistory(),
      onError: (error) => this.#onError(error),
    });
    this.#reader = new BarReader({
      series: () => this.#feed.series,
      read: (series, at) => this.#readingAt(series, at),
      mark: (at) => this.#plot.point(at),
      announce: (words) => this.#frame.announce(words),
      onChange: this.#readOnNextFrame,
    });
    this.#choose();
    listenToChartKeys(this.#frame.surface, signal, this.#reader, this.#plot);
    this.#frame.surface.addEventListener('dblclick', () => this.#plot.toNewest(), { signal });
    this.#resized = new ResizeObserver(() => this.#redrawMarks());
    this.#resized.observe(this.#frame.surface);
    onThemeChange(signal, () => this.#applyTheme());
    preferences.onChange(signal, () => this.#applyTheme());
    signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /** Shows another instrument or timeframe. Pending responses for the previous one are ignored. */
  open(instrument: Instrument, digits: number, timeframe: Timeframe): void {
    const another = this.#instrument?.symbol !== instrument.symbol;
    // `onTimeframe` leads back here.
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
    this.#reader.reset();
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

  setTimeframe(timeframe: Timeframe): void {
    if (timeframe === this.#timeframe || !this.#instrument) return;
    this.open(this.#instrument, this.#digits, timeframe);
    this.#options.onTimeframe(timeframe);
  }

  tick({ symbol, bid, time, volume }: MarketTick): void {
    if (symbol !== this.#instrument?.symbol) return;
    // Bars are built from trades if there are any, otherwise from the bid.
    if (this.#traded || time * 1_000 - this.#lastTradeMs <= TRADE_FRESH_MS) return;
    this.#feed.applyPrice(bid, time * 1_000, volume);
  }

  addOrderFlow(tick: OrderFlowTick): void {
    const { symbol, price: traded, bid_volume, ask_volume, absorption } = tick;
    // Messages for the previous instrument may still arrive.
    if (symbol !== this.#instrument?.symbol) return;
    const time = tick.time * 1_000;
    this.#today = { time, value: tick.cumulative_delta };
    if (this.#opening === null) this.#redraw();
    if (bid_volume + ask_volume > 0) {
      this.#lastTradeMs = time;
      this.#feed.applyPrice(traded, time, bid_volume + ask_volume);
      this.#feed.applyTakerVolume(bid_volume, ask_volume, time);
    }
    if (absorption === null) return;
    this.#absorptions.add(symbol, { time, side: absorption });
    this.#redrawMarks();
  }

  /** Active signals of the instrument, newest first. */
  showSignals(signals: readonly ChartSignal[]): void {
    this.#signals = signals;
    this.#redrawMarks();
  }

  /** News about the instrument. */
  showNews(items: readonly ChartNews[]): void {
    this.#news = items;
    this.#redrawMarks();
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

  #onSeries(): void {
    const series = this.#feed.series!;
    const finest = series.candles
      .slice(-50)
      .reduce((most, { close }) => Math.max(most, decimalsOf(close)), this.#digits);
    if (finest !== this.#digits) {
      this.#digits = finest;
      this.#plot.setDigits(finest);
    }
    this.#redrawMarks();
  }

  #redrawMarks(): void {
    this.#marksChanged = true;
    this.#redraw();
  }

  #drawNow(): void {
    const { series } = this.#feed;
    if (series && !this.#closed) this.#draw(series);
  }

  #draw(series: ChartBars): void {
    const { candles } = series;
    this.#opening = steadyOpening(this.#opening, candles, this.#today, this.#feed.history === 'complete');
    this.#plot.draw(series, this.#opening?.value ?? null);
    const traded = this.#traded || hasTrades(candles);
    if (traded !== this.#traded) this.#marksChanged = true;
    this.#traded = traded;
    if (this.#drawnBars !== candles.length) {
      this.#drawnBars = candles.length;
      const none = `${this.#instrument!.symbol} has no bars yet. They appear with the first price.`;
      this.#frame.showOverlay(candles.length > 0 ? '' : none);
      this.#marksChanged = true;
      this.#options.onCandles?.(this.#instrument!.symbol, candles);
    }
    if (this.#marksChanged && candles.length > 0) this.#drawMarks();
    const reading = this.#reader.reading(series);
    if (reading) this.#legend.show(reading);
    else this.#legend.clear();
    if (performance.now() < this.#summaryAt) return;
    this.#summaryAt = performance.now() + SUMMARY_EVERY_MS;
    this.#frame.setSummary(summaryOf(this.#name, candles, this.#digits));
  }

  #drawMarks(): void {
    this.#marksChanged = false;
    const high = this.#frame.surface.clientHeight >= MIN_HEIGHT_FOR_FLOW;
    this.#plot.showFlow(this.#traded && this.#bar.choices.flow && high);
    this.#frame.showMissing(
      this.#traded || !this.#bar.choices.flow
        ? ''
        : 'No delta: the source of this instrument has no trades, only quotes.',
    );
    this.#plot.showAbsorptions(this.#absorptions.of(this.#instrument!.symbol));
    this.#plot.showLevels(this.#signals);
    this.#plot.showNews(this.#news);
  }

  #readingAt({ candles, intervalMs }: ChartBars, at: number): Reading | null {
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
    this.#redrawMarks();
  }

  #applyTheme(): void {
    this.#plot.applyTheme();
    this.#redrawMarks();
  }

  #onView(nearBeginning: boolean): void {
    this.#nearBeginning = nearBeginning;
    this.#showHistory();
    if (nearBeginning) void this.#feed.loadOlder();
  }

  /** Shown only if the user has scrolled back that far. */
  #showHistory(): void {
    this.#frame.showHistory(this.#nearBeginning ? this.#feed.history : 'more');
  }

  #onError(error: TickwireError): void {
    this.#options.onError(error);
    if (!this.#feed.series) this.#frame.showError(error);
  }
}
