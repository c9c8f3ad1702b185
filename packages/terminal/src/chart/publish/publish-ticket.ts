// A signal on the chart before it is published: lines to drag, and a form with the same levels, R presets and the position size.
import { LineStyle } from 'lightweight-charts';
import { make, makeButton, write } from '../../ui/dom/elements.ts';
import { setNumber } from '../../ui/format.ts';
import { currentPalette } from '../../ui/theme.ts';
import type { ChartHost, ChartPoint } from '../frame/chart-part.ts';
import { listenToMoves } from '../frame/pointer-moves.ts';
import { type Level, LevelLines } from '../layers/level-lines.ts';
import {
  flip,
  hasPreset,
  type LevelName,
  moveLevel,
  newLevels,
  PRESETS,
  type PublishLevels,
  ratioOf,
  removeTarget,
  togglePreset,
} from './publish-levels.ts';
import { numberOf, PublishSize } from './publish-size.ts';

/** With less room, the form hides the chart: it starts with the buttons only. Pixels. */
const ROOMY = 700;

export class PublishTicket {
  readonly #host: ChartHost;
  readonly #lines: LevelLines<LevelName>;
  readonly #onClose: () => void;
  #levels: PublishLevels | null = null;
  /** The entry with which it started at the market: until that is moved, it is a market order. */
  #marketEntry: number | null = null;
  #drag: { readonly name: LevelName; readonly before: PublishLevels } | null = null;
  #form: TicketForm | null = null;

  constructor(host: ChartHost, onClose: () => void) {
    this.#host = host;
    this.#onClose = onClose;
    this.#lines = new LevelLines(host.prices, 2);
    const { surface, signal } = host;
    listenToMoves(surface, signal, {
      move: ({ x, y }, over) => this.#move(x, y, over),
      release: (keep) => this.#release(keep),
    });
    surface.addEventListener('keydown', (event) => event.key === 'Escape' && this.#onEscape(event), {
      signal,
      capture: true,
    });
    signal.addEventListener('abort', () => this.#form?.close());
  }

  get isOpen(): boolean {
    return this.#levels !== null;
  }

  /** Without a price, at the market. */
  open(price: number | null): void {
    const start = this.#startLevels(price);
    if (!start) {
      this.#host.services.notifier.show('There is no price yet. Try again in a moment.');
      return;
    }
    this.close();
    this.#marketEntry = price === null ? start.entry : null;
    const { instrument } = this.#host.market()!;
    this.#form = new TicketForm(this.#host, instrument.symbol, {
      change: (change) => this.#levels && this.#show(change(this.#levels)),
      review: () => this.#review(),
      cancel: () => this.close(),
    });
    this.#show(start);
    this.#form.focus();
    this.#host.announce('Drag the lines on the chart, or enter prices. Then review the signal.');
  }

  close(): void {
    if (!this.#levels) return;
    this.#levels = null;
    this.#drag = null;
    this.applyTheme();
    this.#form?.close();
    this.#form = null;
    this.#host.surface.dataset.publish = '';
    this.#host.surface.focus({ preventScroll: true });
    this.#onClose();
  }

  press({ x, y }: ChartPoint, event: MouseEvent | TouchEvent): boolean {
    const name =
      this.#levels && x <= this.#host.chart.timeScale().width() ? this.#lines.at(y, 'touches' in event) : null;
    if (name === null || !this.#levels) return false;
    this.#drag = { name, before: this.#levels };
    return true;
  }

  applyTheme(): void {
    this.#lines.show(this.#levels ? linesOf(this.#levels) : []);
  }

  get #digits(): number {
    return this.#host.market()?.digits ?? 2;
  }

  /** A stop an eighth of the pane away: a buy below the market, a sell above it. */
  #startLevels(price: number | null): PublishLevels | null {
    const market = this.#host.market();
    const row = market && this.#host.services.quotes.row(market.instrument.symbol);
    const last = row?.ask ?? this.#host.bars()?.candles.at(-1)?.close ?? null;
    const entry = price ?? last;
    const y = entry === null ? null : this.#host.yOf(entry);
    if (entry === null || y === null) return null;
    const sell = last !== null && entry > last;
    const away = (this.#host.chart.panes()[0]?.getHeight() ?? 0) / 8;
    const stop = this.#host.prices.coordinateToPrice(sell ? y - away : y + away);
    const rounded = Number((stop ?? entry).toFixed(this.#digits));
    return rounded === entry || rounded <= 0 ? null : newLevels(entry, rounded, this.#digits);
  }

  #show(levels: PublishLevels): void {
    this.#levels = levels;
    this.applyTheme();
    this.#form?.show(levels, this.#digits, levels.entry === this.#marketEntry);
  }

  #move(x: number, y: number, over: EventTarget | null): void {
    if (!this.#levels) return;
    const { surface } = this.#host;
    if (!this.#drag) {
      const on = over instanceof Node && surface.contains(over) && this.#lines.at(y) !== null;
      surface.dataset.publish = on ? 'line' : '';
      return;
    }
    const point = this.#host.pointAt(x, y);
    // A target that is moved beyond another one takes its place, so every step starts from where the drag began.
    if (point && point.price > 0) this.#show(moveLevel(this.#drag.before, this.#drag.name, point.price, this.#digits));
  }

  #release(keep: boolean): void {
    const drag = this.#drag;
    this.#drag = null;
    if (drag && !keep) this.#show(drag.before);
  }

  #onEscape(event: KeyboardEvent): void {
    if (this.#drag) this.#release(false);
    else if (this.#levels) this.close();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #review(): void {
    const { publish } = this.#host;
    const market = this.#host.market();
    if (!this.#levels || !publish || !market) return;
    const { entry, ...levels } = this.#levels;
    const isMarketOrder = entry === this.#marketEntry;
    this.close();
    publish.openForm({ symbol: market.instrument.symbol, ...levels, ...(!isMarketOrder && { entry }) });
  }
}

interface FormActions {
  readonly change: (change: (levels: PublishLevels) => PublishLevels) => void;
  readonly review: () => void;
  readonly cancel: () => void;
}

class TicketForm {
  readonly #element: HTMLElement;
  readonly #symbol: string;
  readonly #actions: FormActions;
  readonly #size: PublishSize;
  readonly #levels = make('div', 'publish-levels');
  readonly #directions: readonly HTMLButtonElement[];
  readonly #presets: readonly HTMLButtonElement[];
  #digits = 2;

  constructor(host: ChartHost, symbol: string, actions: FormActions) {
    this.#symbol = symbol;
    this.#actions = actions;
    this.#size = new PublishSize(host.services.client);
    this.#directions = ['Buy', 'Sell'].map((text, at) =>
      makeButton(text, 'timeframe publish-choice', () =>
        actions.change((levels) => ((levels.direction === 'buy') === (at === 0) ? levels : flip(levels, this.#digits))),
      ),
    );
    this.#presets = PRESETS.map((ratio) =>
      makeButton(`${ratio}R`, { class: 'timeframe publish-choice', title: `Target at ${ratio} R` }, () =>
        actions.change((levels) => togglePreset(levels, ratio, this.#digits)),
      ),
    );
    const details = make(
      'details',
      {},
      make('summary', {}, 'Prices and position size'),
      this.#levels,
      this.#size.element,
    );
    details.open = host.stage.clientWidth >= ROOMY;
    this.#element = make(
      'section',
      { class: 'publish-ticket', 'aria-label': `Publish ${symbol}` },
      make(
        'div',
        'publish-row',
        make('div', { class: 'timeframes', role: 'group', 'aria-label': 'Direction' }, ...this.#directions),
        make('div', { class: 'timeframes', role: 'group', 'aria-label': 'Targets' }, ...this.#presets),
      ),
      details,
      make(
        'div',
        'publish-row',
        makeButton('Review', 'primary publish-choice', actions.review),
        makeButton('Cancel', 'quiet publish-choice', actions.cancel),
      ),
    );
    this.#element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      actions.cancel();
    });
    host.stage.append(this.#element);
  }

  focus(): void {
    this.#directions[0]!.focus({ preventScroll: true });
  }

  show(levels: PublishLevels, digits: number, isMarketOrder: boolean): void {
    this.#digits = digits;
    const { direction, entry, stop, targets } = levels;
    for (const [at, button] of this.#directions.entries())
      button.setAttribute('aria-pressed', String((direction === 'buy') === (at === 0)));
    for (const [at, button] of this.#presets.entries())
      button.setAttribute('aria-pressed', String(hasPreset(levels, PRESETS[at]!, digits)));
    const rows: readonly (readonly [LevelName, string, number, string])[] = [
      ['entry', 'Entry', entry, isMarketOrder ? 'market' : ''],
      ['stop', 'Stop', stop, ratioText(-1)],
      ...targets.map((price, at) => [at, `Target ${at + 1}`, price, ratioText(ratioOf(levels, price))] as const),
    ];
    // Existing fields stay, and with them the focus.
    if (this.#levels.childElementCount !== rows.length)
      this.#levels.replaceChildren(...rows.map(([name, label]) => this.#row(name, label, targets.length > 1)));
    for (const [at, [, , price, ratio]] of rows.entries()) {
      const row = this.#levels.children[at]!;
      row.querySelector('input')!.value = price.toFixed(digits);
      write(row.querySelector('.publish-ratio')!, ratio);
    }
    this.#size.show(this.#symbol, entry, stop);
  }

  close(): void {
    this.#size.close();
    this.#element.remove();
  }

  #row(name: LevelName, label: string, removable: boolean): HTMLElement {
    const input = make('input', { inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false', class: 'mono' });
    input.addEventListener('change', () =>
      this.#actions.change((levels) =>
        moveLevel(levels, name, numberOf(input.value) ?? currentOf(levels, name), this.#digits),
      ),
    );
    const remove = makeButton('×', { class: 'quiet publish-remove', 'aria-label': `Remove ${label}` }, () =>
      this.#actions.change((levels) => removeTarget(levels, name as number)),
    );
    const field = make('label', {}, make('span', {}, label), input);
    return make(
      'div',
      'publish-level',
      field,
      make('span', 'publish-ratio'),
      ...(typeof name === 'number' && removable ? [remove] : []),
    );
  }
}

const currentOf = (levels: PublishLevels, name: LevelName): number =>
  typeof name === 'number' ? levels.targets[name]! : levels[name];

const ratioText = (ratio: number): string => `${setNumber(ratio.toFixed(2))} R`;

/** Entry, stop and targets, each with its R. The entry comes first: at the same height another one is moved, since it moves all. */
function linesOf(levels: PublishLevels): readonly Level<LevelName>[] {
  const { entry, stop, targets, direction } = levels;
  const { accent, down, up } = currentPalette();
  const style = LineStyle.Solid;
  return [
    { id: 'entry', price: entry, title: direction === 'buy' ? 'Buy' : 'Sell', color: accent, style },
    { id: 'stop', price: stop, title: `Stop ${ratioText(-1)}`, color: down, style },
    ...targets.map((price, at) => ({
      id: at,
      price,
      title: `Target${targets.length > 1 ? ` ${at + 1}` : ''} ${ratioText(ratioOf(levels, price))}`,
      color: up,
      style,
    })),
  ];
}
