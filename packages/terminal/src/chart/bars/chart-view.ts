// Which part of the bars is visible. The number of visible bars stays when another interval or instrument is opened; zooming out ends
// where the loaded bars end, and older ones are loaded as soon as the view comes near the first. A view can also be fitted to a range.
import type { IChartApi, IRange } from 'lightweight-charts';

export interface ViewEvents {
  /** The view has changed. `nearBeginning`: it is close to the oldest bar. `live`: the newest bar is visible. */
  readonly onView: (view: { readonly nearBeginning: boolean; readonly live: boolean }) => void;
}

/** Older bars are loaded when fewer bars than this are left of the visible range. */
const NEAR_BEGINNING = 60;
/** Free space right of the newest bar, in bars. */
export const RIGHT_OFFSET = 6;
export const BAR_SPACING = 8;
const MIN_BAR_SPACING = 0.5;
/** A handful of bars does not fill the pane: they would look like walls. Pixels. */
const WIDEST_BAR = 48;
const FEWEST_BARS = 10;

/** Bars must be at least this wide to fill the pane with the loaded ones and the free space right of them. Pixels. */
export function narrowestBar(width: number, bars: number, room = RIGHT_OFFSET): number {
  if (bars === 0) return MIN_BAR_SPACING;
  return Math.max(MIN_BAR_SPACING, Math.min(WIDEST_BAR, width / (bars + room)));
}

/** Positions of bars; they may lie after the newest. */
type Range = IRange<number>;

export class ChartView {
  /** Number of visible bars to return to, as soon as as many are loaded. `null`: the view is as wanted. */
  wanted: number | null = null;
  readonly #chart: IChartApi;
  readonly #events: ViewEvents;
  #bars = 0;
  #isNew = true;
  #narrowest = 0;
  /** The range that stays visible with other bars and other widths, until the user moves the view. */
  #fitted: Range | null = null;
  #room = RIGHT_OFFSET;

  constructor(chart: IChartApi, surface: HTMLElement, events: ViewEvents) {
    this.#chart = chart;
    this.#events = events;
    const scale = chart.timeScale();
    scale.subscribeVisibleLogicalRangeChange((range) => range && this.#onRange(range));
    scale.subscribeSizeChange(() => {
      this.#limitZoom();
      if (this.#fitted) scale.setVisibleLogicalRange(this.#fitted);
    });
    // The user decides from now on. The listeners go with the surface.
    for (const type of ['wheel', 'pointerdown'])
      surface.addEventListener(type, () => this.#forgetWanted(), { passive: true });
  }

  /** Remembers how many bars are visible, so that others return to as many. */
  keep(): number | null {
    const seen = this.#chart.timeScale().getVisibleLogicalRange();
    if (!this.#isNew && seen && this.#bars > 0) this.wanted ??= seen.to - seen.from;
    return this.wanted;
  }

  /** Another instrument or interval is about to be loaded. */
  reset(): void {
    this.keep();
    this.#isNew = true;
    this.#bars = 0;
    this.#fitted = null;
    this.#room = RIGHT_OFFSET;
    this.#limitZoom();
  }

  /** Called after bars were drawn. */
  setBars(bars: number): void {
    if (bars === this.#bars && !this.#isNew) return;
    this.#bars = bars;
    if (bars === 0) return;
    this.#limitZoom();
    if (this.#isNew) this.#showNewest();
    else if (this.wanted !== null) this.#zoomTo(this.wanted);
  }

  /** Shows a range of bars, and keeps it until the user moves the view. */
  fit(range: Range): void {
    this.#fitted = range;
    this.#room = Math.max(RIGHT_OFFSET, range.to - this.#bars + 1);
    this.#limitZoom();
    this.#chart.timeScale().setVisibleLogicalRange(range);
  }

  /** Whether the user has not moved the view since it was fitted. */
  get isFitted(): boolean {
    return this.#fitted !== null;
  }

  /** Factors above 1 show fewer bars. The newest visible bar stays in place. */
  zoom(factor: number): void {
    const seen = this.#chart.timeScale().getVisibleLogicalRange();
    if (!seen) return;
    this.#forgetWanted();
    const most = this.#chart.timeScale().width() / this.#narrowest;
    const width = Math.min(most, Math.max(FEWEST_BARS, (seen.to - seen.from) / factor));
    this.#chart.timeScale().setVisibleLogicalRange({ from: seen.to - width, to: seen.to });
  }

  toLatest(): void {
    // Not animated: bars that are loaded meanwhile would end the animation.
    this.#chart.timeScale().scrollToPosition(RIGHT_OFFSET, false);
  }

  /** Puts a bar into the middle of the view. */
  centre(index: number): void {
    const scale = this.#chart.timeScale();
    const seen = scale.getVisibleLogicalRange();
    if (!seen) return;
    const half = (seen.to - seen.from) / 2;
    const from = Math.max(0, Math.min(index - half, this.#bars - 1 + RIGHT_OFFSET - 2 * half));
    scale.setVisibleLogicalRange({ from, to: from + 2 * half });
  }

  /** Scrolls as little as possible, so that a bar is visible. */
  reveal(index: number): void {
    const scale = this.#chart.timeScale();
    const seen = scale.getVisibleLogicalRange();
    if (!seen || (index >= seen.from + 1 && index <= seen.to - 1)) return;
    const by = index < seen.from + 1 ? index - 1 - seen.from : index + 1 - seen.to;
    scale.setVisibleLogicalRange({ from: seen.from + by, to: seen.to + by });
  }

  #showNewest(): void {
    this.#isNew = false;
    if (this.wanted === null) this.#chart.timeScale().resetTimeScale();
    else this.#zoomTo(this.wanted);
    this.#chart.timeScale().scrollToPosition(RIGHT_OFFSET, false);
  }

  /** Shows this many bars, or as many as are loaded until there are more. */
  #zoomTo(wanted: number): void {
    const scale = this.#chart.timeScale();
    const to = this.#isAtEnd ? this.#bars - 1 + RIGHT_OFFSET : (scale.getVisibleLogicalRange()?.to ?? this.#bars);
    const room = this.#bars + RIGHT_OFFSET;
    if (wanted <= room) this.wanted = null;
    const width = Math.min(wanted, room);
    scale.setVisibleLogicalRange({ from: to - width, to });
  }

  get #isAtEnd(): boolean {
    const seen = this.#chart.timeScale().getVisibleLogicalRange();
    return !seen || seen.to >= this.#bars - 1;
  }

  #forgetWanted(): void {
    this.wanted = null;
    this.#fitted = null;
  }

  #limitZoom(): void {
    const narrowest = narrowestBar(this.#chart.timeScale().width(), this.#bars, this.#room);
    if (narrowest === this.#narrowest) return;
    this.#narrowest = narrowest;
    this.#chart.timeScale().applyOptions({ minBarSpacing: narrowest });
  }

  #onRange({ from, to }: Range): void {
    if (this.#bars > 0) this.#events.onView({ nearBeginning: from < NEAR_BEGINNING, live: to >= this.#bars - 1 });
  }
}
