// The visible indicators of a chart: their lines, and the titles of their panes.
import type { Changes, ChartBars } from '../bars/chart-bars.ts';
import type { ChartHost, LegendFigure } from '../frame/chart-part.ts';
import { type IndicatorChoice, shortTitle } from './indicator-choice.ts';
import type { IndicatorFeed } from './indicator-feed.ts';
import { legendFigures, readIndicator, spokenFigure } from './indicator-figures.ts';
import type { IndicatorLines } from './indicator-lines.ts';
import { OverlayLines } from './overlay-lines.ts';
import { PaneLines } from './pane-lines.ts';
import { PaneTitle, type PaneTitleActions } from './pane-title.ts';

interface Drawn {
  readonly choice: IndicatorChoice;
  readonly lines: IndicatorLines;
  readonly title: PaneTitle | null;
}

/** Where the pane of an indicator was before its inputs changed. */
interface PanePlace {
  readonly at: number;
  readonly height: number;
}

/** Distance to a line that counts as on it. Pixels. */
const REACH = 6;

export class DrawnIndicators {
  readonly #host: ChartHost;
  readonly #feed: Pick<IndicatorFeed, 'valuesOf' | 'problemOf'>;
  readonly #actionsOf: (choice: IndicatorChoice) => PaneTitleActions;
  #drawn: readonly Drawn[] = [];
  #series: ChartBars | null = null;

  constructor(
    host: ChartHost,
    feed: Pick<IndicatorFeed, 'valuesOf' | 'problemOf'>,
    actionsOf: (choice: IndicatorChoice) => PaneTitleActions,
  ) {
    this.#host = host;
    this.#feed = feed;
    this.#actionsOf = actionsOf;
  }

  /** Replaces the indicators. Series of unchanged ones stay. */
  show(choices: readonly IndicatorChoice[]): void {
    const kept = this.#drawn.filter(({ choice }) => choices.includes(choice));
    const places = new Map<string, PanePlace>();
    for (const { choice, lines, title } of this.#drawn) {
      if (choices.includes(choice)) continue;
      if (lines.pane) places.set(choice.id, { at: lines.pane.paneIndex(), height: lines.pane.getStretchFactor() });
      title?.remove();
      lines.remove();
    }
    this.#drawn = choices.map((choice) => {
      const known = kept.find((each) => each.choice === choice);
      return known ?? this.#newDrawn(choice, places.get(choice.id));
    });
    this.#series = null;
  }

  /** Called for another instrument: its values are not loaded yet. */
  clear(): void {
    this.#series = null;
    for (const { lines } of this.#drawn) lines.clear();
  }

  draw(series: ChartBars, changes: Changes): void {
    const { candles } = series;
    const all = changes.all || series !== this.#series;
    this.#series = series;
    // By indicator: two of the same have the same values.
    const changedFrom = new Map<string, number>();
    for (const { choice, lines } of this.#drawn) {
      const values = this.#feed.valuesOf(choice.indicator);
      if (!values) continue;
      const since = changedFrom.get(choice.indicator) ?? values.takeChanges();
      changedFrom.set(choice.indicator, since);
      let from = all ? 0 : Math.min(changes.from, candles.length);
      while (!all && from > 0 && candles[from - 1]!.time >= since) from--;
      if (from < candles.length || all) lines.draw(candles, values, from);
    }
    this.#placeTitles();
  }

  /** Shows the values of a bar in the titles, and returns those for the legend. */
  figures({ candles }: ChartBars, at: number): readonly LegendFigure[] {
    const digits = this.#host.market()?.digits ?? 2;
    return this.#drawn.flatMap(({ choice, title }): readonly LegendFigure[] => {
      const values = this.#feed.valuesOf(choice.indicator);
      const problem = this.#feed.problemOf(choice.indicator);
      const reading = readIndicator(choice, values, problem, candles, at, digits);
      title?.show(reading.figures, reading.note);
      return title ? [spokenFigure(choice, reading)] : legendFigures(choice, reading);
    });
  }

  /** The line over the prices at a place of the chart; `null` if there is none. */
  lineAt(x: number, y: number): { readonly choice: IndicatorChoice; readonly line: string } | null {
    for (const { choice, lines } of this.#drawn) {
      const line = lines.lineAt(x, y, REACH);
      if (line !== null) return { choice, line };
    }
    return null;
  }

  /** The indicator in whose own pane a height of the window is, and its value there; `null` if there is none. */
  paneAt(clientY: number): { readonly choice: IndicatorChoice; readonly value: number | null } | null {
    for (const { choice, lines } of this.#drawn) {
      const rect = lines.pane?.getHTMLElement()?.getBoundingClientRect();
      if (rect && clientY >= rect.top && clientY <= rect.bottom)
        return { choice, value: lines.valueAt(clientY - rect.top) };
    }
    return null;
  }

  #newDrawn(choice: IndicatorChoice, place?: PanePlace): Drawn {
    if (choice.pane === 'price') return { choice, lines: new OverlayLines(this.#host, choice), title: null };
    const lines = new PaneLines(this.#host, choice);
    if (place) {
      lines.pane.setStretchFactor(place.height);
      lines.pane.moveTo(Math.min(place.at, this.#host.chart.panes().length - 1));
    }
    return { choice, lines, title: new PaneTitle(shortTitle(choice), this.#actionsOf(choice)) };
  }

  /** The library makes the element of a pane when it draws next. */
  #placeTitles(): void {
    const placed = this.#drawn.map(({ lines, title }) => !title || !lines.pane || title.place(lines.pane));
    if (placed.includes(false)) requestAnimationFrame(() => !this.#host.signal.aborted && this.#host.redraw());
  }
}
