// The indicators of a chart: the lines of the visible ones, the titles of their panes, and a line of the legend for those over the
// prices and for hidden ones.
import type { Changes, ChartBars } from '../bars/chart-bars.ts';
import type { ValuePane } from '../frame/alert-on-chart.ts';
import type { ChartHost, LegendFigure } from '../frame/chart-part.ts';
import { restorePanes, toggleMaximised } from '../layers/maximised-pane.ts';
import { type IndicatorChoice, shortTitle } from './indicator-choice.ts';
import type { IndicatorFeed } from './indicator-feed.ts';
import { readIndicator, spokenFigure, whyEmpty } from './indicator-figures.ts';
import type { IndicatorLines } from './indicator-lines.ts';
import { roundLevel } from './indicator-style.ts';
import { OverlayLines } from './overlay-lines.ts';
import { PaneLines } from './pane-lines.ts';
import { PaneTitle, type PaneTitleActions } from './pane-title.ts';

export type TitleActions = Required<Omit<PaneTitleActions, 'maximise'>>;

interface Drawn {
  readonly choice: IndicatorChoice;
  /** `null` if it is hidden. */
  readonly lines: IndicatorLines | null;
  /** Of its pane, or in the legend. */
  readonly title: PaneTitle;
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
  readonly #actionsOf: (choice: IndicatorChoice) => TitleActions;
  #drawn: readonly Drawn[] = [];
  #series: ChartBars | null = null;

  constructor(
    host: ChartHost,
    feed: Pick<IndicatorFeed, 'valuesOf' | 'problemOf'>,
    actionsOf: (choice: IndicatorChoice) => TitleActions,
  ) {
    this.#host = host;
    this.#feed = feed;
    this.#actionsOf = actionsOf;
  }

  /** Replaces the indicators. Series of unchanged ones stay. */
  show(choices: readonly IndicatorChoice[]): void {
    const focused = document.activeElement as HTMLElement | null;
    const used = this.#drawn.find(({ title }) => title.element.contains(focused));
    const kept = this.#drawn.filter(({ choice }) => choices.includes(choice));
    if (kept.length < Math.max(choices.length, this.#drawn.length)) restorePanes(this.#host.chart);
    const places = new Map<string, PanePlace>();
    for (const { choice, lines, title } of this.#drawn) {
      if (choices.includes(choice)) continue;
      if (lines?.pane) places.set(choice.id, { at: lines.pane.paneIndex(), height: lines.pane.getStretchFactor() });
      title.remove();
      lines?.remove();
    }
    this.#drawn = choices.map((choice) => {
      const known = kept.find((each) => each.choice === choice);
      return known ?? this.#newDrawn(choice, places.get(choice.id));
    });
    this.#host.legendLines.prepend(...this.#drawn.flatMap(({ lines, title }) => (lines?.pane ? [] : [title.element])));
    this.#series = null;
    if (!used || !focused) return;
    // Its button was moved or replaced. Of a hidden indicator, the focus goes to the button that shows it again, and the reverse.
    const now = this.#drawn.find(({ choice }) => choice.id === used.choice.id)?.title.element;
    const next = focused.isConnected
      ? focused
      : now?.querySelector<HTMLElement>('[aria-label^="Show"], [aria-label^="Hide"]');
    (next?.isConnected ? next : this.#host.surface).focus({ preventScroll: true });
  }

  /** Called for another instrument: its values are not loaded yet. */
  clear(): void {
    this.#series = null;
    for (const { lines } of this.#drawn) lines?.clear();
  }

  draw(series: ChartBars, changes: Changes): void {
    const { candles } = series;
    const all = changes.all || series !== this.#series;
    this.#series = series;
    // By indicator: two of the same have the same values.
    const changedFrom = new Map<string, number>();
    for (const { choice, lines } of this.#drawn) {
      const values = this.#feed.valuesOf(choice.indicator);
      if (!values || !lines) continue;
      const since = changedFrom.get(choice.indicator) ?? values.takeChanges();
      changedFrom.set(choice.indicator, since);
      let from = all ? 0 : Math.min(changes.from, candles.length);
      while (!all && from > 0 && candles[from - 1]!.time >= since) from--;
      if (from < candles.length || all) lines.draw(candles, values, from);
    }
    this.#placeTitles();
  }

  /** Shows the values of a bar in the titles, and returns them for screen readers. */
  figures({ candles }: ChartBars, at: number): readonly LegendFigure[] {
    const digits = this.#host.market()?.digits ?? 2;
    return this.#drawn.flatMap(({ choice, lines, title }): readonly LegendFigure[] => {
      if (!lines) return [];
      const values = this.#feed.valuesOf(choice.indicator);
      const problem = this.#feed.problemOf(choice.indicator);
      const reading = readIndicator(choice, values, problem, candles, at, digits);
      title.show(reading.figures, problem || whyEmpty(values, candles[at]) || reading.note);
      return [spokenFigure(choice, reading)];
    });
  }

  /** The line over the prices at a place of the chart; `null` if there is none. */
  lineAt(x: number, y: number): { readonly choice: IndicatorChoice; readonly line: string } | null {
    for (const { choice, lines } of this.#drawn) {
      const line = lines?.lineAt(x, y, REACH) ?? null;
      if (line !== null) return { choice, line };
    }
    return null;
  }

  /** The indicator in whose own pane a height of the window is, and its value there; `null` if there is none. */
  paneAt(clientY: number): { readonly choice: IndicatorChoice; readonly value: number | null } | null {
    for (const { choice, lines } of this.#drawn) {
      const rect = lines?.pane?.getHTMLElement()?.getBoundingClientRect();
      if (lines && rect && clientY >= rect.top && clientY <= rect.bottom)
        return { choice, value: lines.valueAt(clientY - rect.top) };
    }
    return null;
  }

  /** Where a value of an indicator is a level; `null` over the prices. */
  valuePaneOf(choice: IndicatorChoice): ValuePane | null {
    const lines = this.#drawn.find((drawn) => drawn.choice === choice)?.lines;
    if (!lines?.pane || !lines.levelSeries) return null;
    return {
      pane: lines.pane,
      series: lines.levelSeries,
      round: (value) => roundLevel(choice, value, this.#host.market()?.digits ?? 2),
      isShown: () => this.#drawn.some((drawn) => drawn.lines === lines),
    };
  }

  #newDrawn(choice: IndicatorChoice, place?: PanePlace): Drawn {
    const { edit, hide, show, remove, alert } = this.#actionsOf(choice);
    const name = shortTitle(choice);
    if (choice.hidden) {
      const title = new PaneTitle(name, { edit, show, remove });
      title.element.dataset.hidden = '';
      return { choice, lines: null, title };
    }
    if (choice.pane === 'price')
      return {
        choice,
        lines: new OverlayLines(this.#host, choice),
        title: new PaneTitle(name, { edit, hide, remove }),
      };
    const lines = new PaneLines(this.#host, choice);
    if (place) {
      lines.pane.setStretchFactor(place.height);
      lines.pane.moveTo(Math.min(place.at, this.#host.chart.panes().length - 1));
    }
    const maximise = (): void => toggleMaximised(this.#host.chart, lines.pane);
    return { choice, lines, title: new PaneTitle(name, { alert, edit, maximise, hide, remove }) };
  }

  /** The library makes the element of a pane when it draws next. */
  #placeTitles(): void {
    const placed = this.#drawn.map(({ lines, title }) => !lines?.pane || title.place(lines.pane));
    if (placed.includes(false)) requestAnimationFrame(() => !this.#host.signal.aborted && this.#host.redraw());
  }
}
