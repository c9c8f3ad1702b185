// The chart of the selected instrument. Ticks only record changes; the frame scheduler draws them, however many arrive. The figures
// of the bar under the pointer are shown in the next animation frame.
import type { Instrument, MarketTick, OrderFlowTick, TickwireError } from '@tickwire/client';
import { SECOND_MS } from '@tickwire/contract/durations.ts';
import type { Candle } from '../services/candle.ts';
import { coalesced } from '../ui/frame-scheduler.ts';
import type { Offer } from '../ui/keyboard.ts';
import { preferences } from '../ui/preferences.ts';
import { onThemeChange } from '../ui/theme.ts';
import { UndoHistory } from '../ui/undo-history.ts';
import { BarMarksPart } from './bar-marks-part.ts';
import { BarFeed, type OpenBars } from './bars/bar-feed.ts';
import { barAt } from './bars/bar-marks.ts';
import type { ChartBars } from './bars/chart-bars.ts';
import type { ChartView } from './bars/chart-view.ts';
import { FormingPrices } from './bars/forming-prices.ts';
import { type AlertActions, ChartAlerts, noAlerts } from './chart-alerts.ts';
import { listenToChartKeys } from './chart-keys.ts';
import { CHART_PARTS, FIRST_PARTS, VIEW_PARTS } from './chart-parts.ts';
import { untilClose } from './frame/bar-countdown.ts';
import { readChoices } from './frame/chart-choices.ts';
import { ChartFrame } from './frame/chart-frame.ts';
import type { ChartHost, ChartMarket, ChartPart, ChartServices, GoneTo } from './frame/chart-part.ts';
import { ChartPointer } from './frame/chart-pointer.ts';
import { ChartReading } from './frame/chart-reading.ts';
import { ChartToolbar } from './frame/chart-toolbar.ts';
import { Legend } from './frame/legend.ts';
import { NO_OVERLAYS, type Overlays } from './frame/overlays.ts';
import { toggleMaximised } from './layers/maximised-pane.ts';
import { lazyPanel } from './lazy-panel.ts';
import { PricePlot } from './price-plot.ts';
import { newPublishing } from './publish/publish-part.ts';

export interface ChartPanelOptions {
  readonly services: ChartServices;
  /** Opens a stream of live bars; `null` if the caller may have too few streams, as an API key does. */
  readonly openBars: OpenBars | null;
  readonly signal: AbortSignal;
  readonly onError: (error: TickwireError) => void;
  readonly onCandles?: (symbol: string, candles: readonly Candle[]) => void;
  /** Another interval, such as `45m`, was chosen by button or by `setTimeframe`. The panel already shows it. */
  readonly onTimeframe: (interval: string) => void;
  /** The time of the bar under the pointer, in milliseconds since the epoch; `null` if there is none. */
  readonly onCrosshair?: (timeMs: number | null) => void;
  /** `null` if there are no alerts, as in a replay. */
  readonly alerts: AlertActions | null;
  /** Whether the user may publish signals. */
  readonly mayPublish: boolean;
}

/** In a lower chart, hardly anything would be left for the prices. */
const MAX_LEGEND_SHARE = 0.3;

export class ChartPanel {
  readonly element: HTMLElement;
  readonly undo = new UndoHistory();
  readonly #options: ChartPanelOptions;
  readonly #feed: BarFeed;
  readonly #forming: FormingPrices;
  readonly #bar = new ChartToolbar((interval) => this.setTimeframe(interval));
  readonly #plot: PricePlot;
  readonly #legend = new Legend();
  readonly #frame = new ChartFrame({
    legend: this.#legend.element,
    toolbar: this.#bar.element,
    reset: { text: 'Go to latest', run: () => this.#plot.view.toLatest() },
  });
  readonly #reading: ChartReading;
  readonly #marks: BarMarksPart;
  readonly #parts: readonly ChartPart[];
  readonly #pointer: ChartPointer;
  readonly #resized = new ResizeObserver((resized) => {
    const plot = this.#plot;
    const { surface } = this.#frame;
    this.#height = surface.clientHeight;
    plot.labels.top = this.#legend.bottom;
    // The figures of another bar may need fewer lines; bars that moved with the pointer would be hard to read.
    const before = resized.some(({ target }) => target === surface) ? 0 : plot.room;
    plot.room = Math.max(before, Math.min(this.#legend.figuresBottom, this.#height * MAX_LEGEND_SHARE));
    this.#redraw();
  });
  readonly #redraw = coalesced(() => this.#drawNow());
  readonly #readOnNextFrame = coalesced(() => this.#drawNow(), requestAnimationFrame);
  #instrument: Instrument | null = null;
  #interval = '5m';
  #digits = 2;
  #overlays = NO_OVERLAYS;
  #drawnSeries: ChartBars | null = null;
  #drawnBars = -1;
  #nearBeginning = false;
  #height = 0;
  #closed = false;

  constructor(options: ChartPanelOptions) {
    const { services, openBars, signal } = options;
    const { surface } = this.#frame;
    this.#options = options;
    this.element = this.#frame.element;
    const { more } = this.#bar;
    lazyPanel(more, options, 'dialog', ({ openIntervalMenu }) =>
      openIntervalMenu(more, (close) => this.#bar.intervals(close)),
    );
    this.#plot = new PricePlot(surface, {
      onPoint: (index) => {
        this.#reading.reader.point(index);
        options.onCrosshair?.(index === null ? null : (this.#feed.series?.candles[index]?.time ?? null));
      },
      onView: (view) => this.#onView(view),
    });
    this.#feed = new BarFeed({
      client: services.client,
      openBars,
      allowance: services.status.peekAllowance,
      now: () => services.quotes.serviceNow,
      onSeries: () => this.#onSeries(),
      onChange: this.#redraw,
      onHistory: () => this.#showHistory(),
      onError: (error) => this.#onError(error),
    });
    this.#forming = new FormingPrices(this.#feed);
    this.#reading = new ChartReading({
      legend: this.#legend,
      frame: this.#frame,
      series: () => this.#feed.series,
      digits: () => this.#digits,
      parts: () => this.#parts,
      marks: () => this.#marks,
      mark: (at) => this.#plot.point(at),
      onChange: this.#readOnNextFrame,
    });
    const host = this.#newHost(signal);
    const first = FIRST_PARTS.map((newPart) => newPart(host));
    const alerts = options.alerts ? new ChartAlerts(host, options.alerts) : noAlerts(host);
    const publishing = newPublishing(host);
    const others = CHART_PARTS.map((newPart) => newPart(host));
    this.#marks = new BarMarksPart(host);
    const view = VIEW_PARTS.map((newPart) => newPart(host));
    // In the menu of the chart, the last ones come first.
    this.#parts = [...first, ...others, publishing, this.#marks, alerts, ...view];
    this.#pointer = new ChartPointer({ surface, signal, pointAt: host.pointAt, parts: () => this.#parts });
    listenToChartKeys(surface, signal, {
      reader: this.#reading.reader,
      plot: this.#plot,
      openMenu: () => this.#openMenuAtClose(),
    });
    surface.addEventListener('dblclick', (event) => this.#onDoubleClick(event), { signal });
    for (const each of [surface, this.#legend.element]) this.#resized.observe(each);
    onThemeChange(signal, () => this.#applyTheme());
    preferences.onChange(signal, () => this.#applyTheme());
    const clock = setInterval(() => document.hidden || this.#countDown(), SECOND_MS);
    signal.addEventListener(
      'abort',
      () => {
        clearInterval(clock);
        this.close();
      },
      { once: true },
    );
  }

  /** Shows another instrument or interval. Pending responses for the previous one are ignored. */
  open(instrument: Instrument, digits: number, interval: string): void {
    const another = this.#instrument?.symbol !== instrument.symbol;
    // `onTimeframe` leads back here.
    if (!another && interval === this.#interval) return;
    this.#instrument = instrument;
    this.#interval = interval;
    this.#digits = digits;
    if (another) this.show(NO_OVERLAYS);
    this.#forming.open(another);
    this.#pointer.closeMenu();
    this.#reading.reset();
    this.#drawnSeries = null;
    this.#drawnBars = -1;
    this.#nearBeginning = false;
    this.#bar.show(interval);
    this.#legend.name(instrument.symbol, interval);
    this.#plot.clear(digits);
    this.#frame.name(this.#name);
    this.#frame.showReset(false, 0);
    for (const part of this.#parts) part.open?.(this.#market!);
    this.#feed.open(instrument.symbol, interval);
  }

  setTimeframe(interval: string): void {
    if (interval === this.#interval || !this.#instrument) return;
    this.open(this.#instrument, this.#digits, interval);
    this.#options.onTimeframe(interval);
  }

  get interval(): string {
    return this.#interval;
  }

  /** Shows the crosshair at a time, without scrolling to it; `null` hides it. */
  pointAtTime(timeMs: number | null): void {
    this.#reading.reader.point(this.#plot.pointAtTime(timeMs));
  }

  tick(tick: MarketTick): void {
    if (tick.symbol === this.#instrument?.symbol) this.#forming.quote(tick);
  }

  addOrderFlow(tick: OrderFlowTick): void {
    // Messages for the previous instrument may still arrive.
    if (tick.symbol !== this.#instrument?.symbol) return;
    this.#forming.trade(tick);
    for (const part of this.#parts) part.orderFlow?.(tick);
  }

  get view(): ChartView {
    return this.#plot.view;
  }

  show(changes: Partial<Overlays>): void {
    this.#overlays = { ...this.#overlays, ...changes };
    for (const part of this.#parts) part.show?.(this.#overlays);
  }

  /** Its tools, for the search. */
  get offers(): readonly Offer[] {
    const drawing = this.element.querySelectorAll<HTMLButtonElement>('.draw-rail button');
    return [...drawing, ...this.#bar.buttons]
      .filter((button) => !button.isConnected || button.checkVisibility())
      .map((button) => ({
        title: button.title || button.textContent,
        group: 'Chart',
        also: button.textContent,
        run: () => this.#bar.press(button),
      }));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#feed.close();
    this.#resized.disconnect();
    this.#plot.remove();
  }

  /** On the prices it leads to the newest bar, on a pane below it maximises that pane. */
  #onDoubleClick({ target }: MouseEvent): void {
    const { chart, view } = this.#plot;
    const [, ...below] = chart.panes();
    const pane = below.find((each) => each.getHTMLElement()?.contains(target as Node));
    if (pane) toggleMaximised(chart, pane);
    else view.toLatest();
  }

  get #market(): ChartMarket | null {
    const instrument = this.#instrument;
    return instrument && { instrument, digits: this.#digits, interval: this.#interval };
  }

  get #name(): string {
    return `${this.#instrument?.symbol}, ${this.#interval} bars`;
  }

  #onSeries(): void {
    const finest = this.#feed.series!.digits;
    if (finest > this.#digits) {
      this.#digits = finest;
      this.#plot.setDigits(finest);
    }
    // At once: the user waits for them.
    this.#drawNow();
    this.#countDown();
  }

  #countDown(): void {
    this.#legend.showUntilClose(untilClose(this.#feed.series, this.#options.services.quotes.serviceNow));
  }

  #drawNow(): void {
    if (this.#feed.series && !this.#closed) this.#draw(this.#feed.series);
  }

  #draw(series: ChartBars): void {
    const { candles } = series;
    const taken = series.takeChanges();
    const changes = series === this.#drawnSeries ? taken : { all: true, from: 0 };
    this.#drawnSeries = series;
    this.#forming.see(candles);
    this.#plot.draw(series, changes);
    for (const part of this.#parts) part.draw?.(series, changes);
    if (this.#drawnBars !== candles.length) {
      this.#drawnBars = candles.length;
      const none = `${this.#instrument!.symbol} has no bars yet. They appear with the first price.`;
      this.#frame.showOverlay(candles.length > 0 ? '' : none);
      this.#options.onCandles?.(this.#instrument!.symbol, candles);
    }
    this.#reading.show(series, this.#name);
  }

  /** Opens the menu at the close of the bar that is read, by keyboard. */
  #openMenuAtClose(): void {
    const { close } = this.#reading.reader;
    const y = close === null ? null : this.#plot.yOf(close);
    const point = y === null ? null : this.#plot.pointAt(this.#frame.surface.clientWidth / 2, y, this.#digits);
    if (point && close !== null) this.#pointer.openMenu({ ...point, price: close });
  }

  #newHost(signal: AbortSignal): ChartHost {
    const panel = this;
    return {
      services: this.#options.services,
      signal,
      chart: this.#plot.chart,
      prices: this.#plot.prices,
      fit: { overlays: readChoices(localStorage).fitOverlays },
      surface: this.#frame.surface,
      get height() {
        return panel.#height;
      },
      stage: this.#frame.stage,
      undo: this.undo,
      mayPublish: this.#options.mayPublish,
      alertHere: (on) => {
        for (const part of this.#parts) part.alert?.(on);
      },
      publishHere: (levels) => {
        for (const part of this.#parts) part.publish?.(levels);
      },
      market: () => this.#market,
      bars: () => this.#feed.series,
      get traded() {
        return panel.#forming.traded;
      },
      get wholeHistory() {
        return panel.#feed.history === 'complete';
      },
      pointAt: (x, y) => this.#plot.pointAt(x, y, this.#digits),
      xOf: (timeMs) => this.#plot.xOf(timeMs),
      yOf: (price) => this.#plot.yOf(price),
      titles: () => this.#parts.flatMap((part) => part.titles?.() ?? []),
      colors: () => this.#parts.flatMap((part) => part.colors?.() ?? []),
      addTool: (control, place) => this.#bar.add(control, place),
      legendLines: this.#legend.lines,
      addLegendLine: (line) => this.#legend.add(line),
      labels: this.#plot.labels,
      setCandleStyle: (style) => this.#plot.setCandleStyle(style),
      goTo: (timeMs) => this.#goTo(timeMs),
      redraw: this.#redraw,
      announce: (words) => this.#frame.announce(words),
      note: (text) => this.#frame.showMissing(text),
    };
  }

  #applyTheme(): void {
    this.#plot.applyTheme();
    for (const part of this.#parts) part.applyTheme?.();
    this.#redraw();
  }

  async #goTo(timeMs: number): Promise<GoneTo> {
    const reached = await this.#feed.loadUntil(timeMs);
    this.#drawNow();
    const { series, history } = this.#feed;
    if (series) this.#plot.view.centre(Math.max(0, barAt(series.candles, timeMs, series.intervalMs)));
    return reached ? 'shown' : history === 'full' ? 'full' : 'no history';
  }

  #onView({ nearBeginning, live }: { readonly nearBeginning: boolean; readonly live: boolean }): void {
    this.#nearBeginning = nearBeginning;
    this.#frame.showReset(!live, this.#plot.chart.priceScale('right').width());
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
