// A chart consists of parts: indicators, order flow, drawings and so on. A part draws one thing and knows the chart only
// through `ChartHost`; parts do not know each other. `chart-parts.ts` lists them.
import type { Instrument, OrderFlowTick } from '@tickwire/client';
import type { IChartApi, ISeriesApi } from 'lightweight-charts';
import type { TerminalServices } from '../../services/terminal-services.ts';
import type { Sign } from '../../ui/format.ts';
import type { UndoHistory } from '../../ui/undo-history.ts';
import type { Changes, ChartBars } from '../bars/chart-bars.ts';
import type { LevelLabels } from '../layers/level-labels.ts';
import type { CandleStyle } from '../layers/plot-options.ts';
import type { AlertOnChart } from './alert-on-chart.ts';
import type { Overlays } from './overlays.ts';
import type { PublishLevels } from './publish-levels.ts';

/** What the chart shows. */
export interface ChartMarket {
  readonly instrument: Instrument;
  /** Decimals of its prices. */
  readonly digits: number;
  /** Length of a bar, as in the address: `5m`. */
  readonly interval: string;
}

/** A place in the chart. `x` and `y` are pixels from the upper left corner of its surface. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  /** Rounded to the decimals of the instrument. */
  readonly price: number;
  /** Milliseconds since the epoch; between and after bars, it is as far as the bars around suggest. */
  readonly time: number;
}

/** A figure of the legend. */
export interface LegendFigure {
  /** Unique within the chart; shown before the text. */
  readonly name: string;
  readonly text: string;
  readonly sign?: Sign;
  /** For screen readers, if the figure belongs to the bar: `delta +12`. */
  readonly words?: string;
  /** Only for screen readers: the part shows the figure elsewhere. */
  readonly wordsOnly?: boolean;
}

export interface MenuItem {
  readonly text: string;
  readonly run: () => void;
}

/** What became of the wish to see a date. `full`: there is no room for so many bars. */
export type GoneTo = 'shown' | 'no history' | 'full';

/** What parts use of the terminal. */
export type ChartServices = Pick<
  TerminalServices,
  | 'client'
  | 'documents'
  | 'forms'
  | 'instruments'
  | 'isReplay'
  | 'navigator'
  | 'notifier'
  | 'quotes'
  | 'replay'
  | 'session'
  | 'status'
  | 'streams'
>;

/** What the price scale fits itself to, besides the bars. */
export interface ScaleFit {
  overlays: boolean;
}

export interface ChartHost {
  readonly services: ChartServices;
  /** Aborted when the chart is closed. */
  readonly signal: AbortSignal;
  readonly chart: IChartApi;
  /** The series that owns the price scale. It exists as long as the chart, whatever the chart type is. */
  readonly prices: ISeriesApi<'Candlestick'>;
  readonly fit: ScaleFit;
  /** The library draws here. It takes the focus and the pointer. */
  readonly surface: HTMLElement;
  /** Of the surface, in pixels. Reading it from the element would compute the layout of the page. */
  readonly height: number;
  /** Around the surface: place for elements above the drawing. */
  readonly stage: HTMLElement;
  readonly undo: UndoHistory;
  /** Whether the user may publish signals. */
  readonly mayPublish: boolean;
  /** Opens the form of an alert beside the chart. */
  alertHere(on: AlertOnChart): void;
  /** Opens the ticket on the chart with these levels. */
  publishHere(levels: PublishLevels): void;
  /** `null` until an instrument is opened. */
  market(): ChartMarket | null;
  /** `null` until they are loaded. */
  bars(): ChartBars | null;
  /** Whether the bars were built from trades: there is taker volume. */
  readonly traded: boolean;
  /** Whether there are no older bars than those loaded. */
  readonly wholeHistory: boolean;
  /** `null` outside the pane of the prices. */
  pointAt(x: number, y: number): ChartPoint | null;
  /** Pixels from the left; also for times between and after bars. `null` before the first bar is loaded. */
  xOf(timeMs: number): number | null;
  yOf(price: number): number | null;
  /** What is drawn beside the prices: indicators and compared instruments. */
  titles(): readonly string[];
  /** Colours of these lines, as `#rrggbb`. */
  colors(): readonly string[];
  /** Adds a control to the end of the toolbar, or to its menu of tools that are used less. */
  addTool(control: HTMLElement, place?: 'row' | 'menu'): void;
  /** Lines of indicators and compared instruments, below the figures of the legend. */
  readonly legendLines: HTMLElement;
  /** Adds a line below the figures of the legend. Pointer events pass through it, except for buttons and links. */
  addLegendLine(line: HTMLElement): void;
  /** Names of horizontal levels, at the left edge. */
  readonly labels: LevelLabels;
  /** Hides the candles for a part that draws the prices in another way. */
  setCandleStyle(style: CandleStyle): void;
  /** Shows the bar of a time, and loads bars back to it. */
  goTo(timeMs: number): Promise<GoneTo>;
  /** Draws everything again in the next frame, for a part whose data has changed. */
  redraw(): void;
  /** Tells screen readers. */
  announce(words: string): void;
  /** A short text over the lower edge of the chart, such as why something cannot be drawn; '' removes it. */
  note(text: string): void;
}

/** All methods are optional: a part has those that it needs. */
export interface ChartPart {
  /** Another instrument or interval was opened. Its bars are not loaded yet. */
  open?(market: ChartMarket): void;
  /** Bars have changed, or `redraw` was called; then `changes.from` is the number of bars. */
  draw?(series: ChartBars, changes: Changes): void;
  orderFlow?(tick: OrderFlowTick): void;
  /** Signals, news, events or alerts have changed. */
  show?(overlays: Overlays): void;
  /** Figures of a bar for the legend. */
  figures?(series: ChartBars, at: number): readonly LegendFigure[];
  /** Items of the menu that a right click, a long press or a key opens. */
  menu?(point: ChartPoint): readonly MenuItem[];
  /** Whether its lines lie above those of other parts: it is asked first about a press. Default: false. */
  readonly onTop?: boolean;
  /** The pointer went down here. True if the part takes it: the chart then neither scrolls nor opens a menu. */
  press?(point: ChartPoint, event: MouseEvent | TouchEvent): boolean;
  /** What the part has drawn over or below the prices, for the heading of a saved image. */
  titles?(): readonly string[];
  /** Colours of its lines, so that no other part takes them. */
  colors?(): readonly string[];
  /** Another part wants an alert. */
  alert?(on: AlertOnChart): void;
  /** Another part has planned a signal. */
  publish?(levels: PublishLevels): void;
  /** The theme or the preferences have changed. */
  applyTheme?(): void;
}

/** Creates a part. */
export type NewChartPart = (host: ChartHost) => ChartPart;
