// Indicators of the chart: computed by the service, drawn over the prices or in separate panes. The panel that adds and edits
// them is loaded when it is opened.
import type { IndicatorList, TickwireError } from '@tickwire/client';
import { make, makeButton } from '../../ui/dom/elements.ts';
import { togglePopover } from '../../ui/dom/popover.ts';
import { setNumber } from '../../ui/format.ts';
import type { OpenBars } from '../bars/bar-feed.ts';
import type { Changes, ChartBars } from '../bars/chart-bars.ts';
import { ChartMenu } from '../frame/chart-menu.ts';
import type { ChartHost, ChartMarket, ChartPart, ChartPoint, LegendFigure, MenuItem } from '../frame/chart-part.ts';
import { DrawnIndicators, type TitleActions } from './drawn-indicators.ts';
import { type AlertOn, alertFields, CLOSE, conditionLine, titleOfLine } from './indicator-alert.ts';
import {
  type IndicatorChoice,
  readIndicators,
  shortTitle,
  USUAL_INDICATORS,
  writeIndicators,
} from './indicator-choice.ts';
import type { IndicatorsControl } from './indicator-control.ts';
import { IndicatorFeed } from './indicator-feed.ts';
import { lineColor, roundLevel } from './indicator-style.ts';

export class IndicatorsPart implements ChartPart {
  readonly #host: ChartHost;
  readonly #feed: IndicatorFeed;
  readonly #drawn: DrawnIndicators;
  readonly #menu: ChartMenu;
  readonly #listeners = new Set<() => void>();
  readonly #button: HTMLButtonElement;
  #choices: readonly IndicatorChoice[] = [];
  #catalogue: Promise<IndicatorList> | null = null;

  constructor(host: ChartHost) {
    const { client, session, streams, status, notifier } = host.services;
    this.#host = host;
    const openBars: OpenBars = (options, handlers) => streams.open('bars', options, handlers, host.signal);
    this.#feed = new IndicatorFeed({
      client,
      openBars: session.signedIn ? openBars : null,
      allowance: status.peekAllowance,
      onChange: host.redraw,
      onProblem: () => {
        for (const listener of this.#listeners) listener();
        host.redraw();
      },
      onError: (error: TickwireError) => notifier.reportError(error, 'Indicators'),
    });
    this.#drawn = new DrawnIndicators(host, this.#feed, (choice) => this.#titleActions(choice));
    this.#menu = new ChartMenu(host.surface);
    this.#button = makeButton('Indicators', { class: 'timeframe chart-choice', 'aria-haspopup': 'dialog' }, () =>
      this.#openPanel(this.#button, null),
    );
    this.#button.setAttribute('aria-expanded', 'false');
    host.addTool(this.#button);
    host.surface.addEventListener('contextmenu', (event) => this.#onContextMenu(event), { signal: host.signal });
    host.signal.addEventListener('abort', () => {
      this.#feed.close();
      this.#menu.close();
    });
    void this.#start();
  }

  open({ instrument, interval }: ChartMarket): void {
    this.#menu.close();
    this.#drawn.clear();
    this.#feed.open(instrument.symbol, interval);
  }

  draw(series: ChartBars, changes: Changes): void {
    this.#feed.cover(series.candles);
    this.#drawn.draw(series, changes);
  }

  figures(series: ChartBars, at: number): readonly LegendFigure[] {
    return this.#drawn.figures(series, at);
  }

  titles(): readonly string[] {
    return this.#choices.filter(({ hidden }) => !hidden).map(shortTitle);
  }

  colors(): readonly string[] {
    return this.#choices.flatMap((choice) => choice.lines.map((line) => lineColor(choice, line)));
  }

  menu({ x, y }: ChartPoint): readonly MenuItem[] {
    const found = this.#drawn.lineAt(x, y);
    if (!found) return [];
    const { choice, line } = found;
    return [
      {
        text: `Alert when the close crosses ${titleOfLine(choice, line)}…`,
        run: () => this.#alertOn({ indicator: CLOSE, value: choice.indicator, otherLine: conditionLine(choice, line) }),
      },
      ...this.#menuOf(choice),
    ];
  }

  applyTheme(): void {
    this.#show();
  }

  async #start(): Promise<void> {
    let choices: readonly IndicatorChoice[] | null = null;
    try {
      choices = await readIndicators(this.#host.services.documents);
    } catch (error) {
      this.#host.services.notifier.reportError(error, 'Indicators');
    }
    if (!this.#host.signal.aborted && this.#choices.length === 0) this.#apply(choices ?? USUAL_INDICATORS);
  }

  #apply(choices: readonly IndicatorChoice[]): void {
    this.#choices = choices;
    const visible = this.#show();
    this.#feed.want(visible.map(({ indicator, lines }) => ({ indicator, lines })));
    for (const listener of this.#listeners) listener();
    this.#host.redraw();
  }

  #change(next: readonly IndicatorChoice[]): void {
    const before = this.#choices;
    const set = (choices: readonly IndicatorChoice[]): void => {
      if (this.#host.signal.aborted) return;
      this.#apply(choices);
      const { documents, notifier } = this.#host.services;
      writeIndicators(documents, choices).catch((error: unknown) => notifier.reportError(error, 'Indicators'));
    };
    this.#host.undo.run({ undo: () => set(before), redo: () => set(next) });
  }

  /** Draws them, and returns those that are not hidden. */
  #show(): readonly IndicatorChoice[] {
    this.#drawn.show(this.#choices);
    return this.#choices.filter(({ hidden }) => !hidden);
  }

  #titleActions(choice: IndicatorChoice): TitleActions {
    const hide = (hidden: boolean): void =>
      this.#change(this.#choices.map((each) => (each.id === choice.id ? { ...each, hidden } : each)));
    return {
      alert: () => this.#alert(choice),
      edit: (button) => void this.#openPanel(button, choice.id),
      hide: () => hide(true),
      show: () => hide(false),
      remove: () => this.#remove(choice),
    };
  }

  #remove(choice: IndicatorChoice): void {
    this.#change(this.#choices.filter(({ id }) => id !== choice.id));
  }

  async #openPanel(button: HTMLElement, id: string | null): Promise<void> {
    const content = make('div', 'indicator-panel');
    const end = new AbortController();
    const popover = togglePopover(button, () => content, {
      label: 'Indicators',
      className: 'indicator-popover',
      onClose: () => end.abort(),
    });
    if (!popover) return;
    content.append('Loading…');
    const { showIndicatorPanel } = await import('../lazy-parts.ts');
    if (end.signal.aborted) return;
    content.replaceChildren();
    showIndicatorPanel({ content, control: this.#control, id, signal: end.signal, close: () => popover.close() });
  }

  readonly #control: IndicatorsControl = {
    choices: () => this.#choices,
    change: (next) => this.#change(next),
    catalogue: () => {
      this.#catalogue ??= this.#host.services.client.indicatorList().catch((error: unknown) => {
        this.#catalogue = null;
        throw error;
      });
      return this.#catalogue;
    },
    problemOf: ({ indicator }) => this.#feed.problemOf(indicator),
    alert: (choice) => this.#alert(choice),
    undo: () => this.#host.undo.undo(),
    onChange: (signal, listener) => {
      this.#listeners.add(listener);
      signal.addEventListener('abort', () => this.#listeners.delete(listener));
    },
  };

  #alert(choice: IndicatorChoice): void {
    const [line = ''] = choice.lines;
    if (choice.pane === 'own')
      this.#alertOn({ indicator: choice.indicator, line: conditionLine(choice, line) }, choice);
    else this.#alertOn({ indicator: CLOSE, value: choice.indicator, otherLine: conditionLine(choice, line) });
  }

  /** `of`: the indicator in whose pane the value can be dragged. */
  #alertOn(on: Omit<AlertOn, 'interval'>, of?: IndicatorChoice): void {
    const values = of && this.#drawn.valuePaneOf(of);
    const fields = alertFields({ interval: this.#host.market()!.interval, ...on });
    this.#host.alertHere({ fields, ...(values && { values }) });
  }

  #menuOf(choice: IndicatorChoice): readonly MenuItem[] {
    const name = shortTitle(choice);
    return [
      { text: `Edit ${name}`, run: () => void this.#openPanel(this.#button, choice.id) },
      { text: `Remove ${name}`, run: () => this.#remove(choice) },
    ];
  }

  /** In the pane of an indicator. The menu of the prices is opened by the chart. */
  #onContextMenu(event: MouseEvent): void {
    const found = this.#drawn.paneAt(event.clientY);
    if (!found) return;
    event.preventDefault();
    const { choice, value } = found;
    const [line = ''] = choice.lines;
    const level = value === null ? null : roundLevel(choice, value, this.#host.market()?.digits ?? 2);
    const { left, top } = this.#host.surface.getBoundingClientRect();
    this.#menu.open(event.clientX - left, event.clientY - top, [
      {
        text: `Alert when ${titleOfLine(choice, line)} crosses ${level === null ? '' : setNumber(String(level))}…`,
        run: () =>
          this.#alertOn(
            {
              indicator: choice.indicator,
              line: conditionLine(choice, line),
              ...(level !== null && { value: String(level) }),
            },
            choice,
          ),
      },
      ...this.#menuOf(choice),
    ]);
  }
}
