// Alerts on the chart: their lines, which can be dragged to another price, and the items of the menu.
import { makeButton } from '../ui/dom/elements.ts';
import { price as priceText } from '../ui/format.ts';
import type { ChartHost, ChartPart, ChartPoint, MenuItem } from './frame/chart-part.ts';
import type { Overlays } from './frame/overlays.ts';
import { listenToMoves } from './frame/pointer-moves.ts';
import { AlertLines, type ChartAlert } from './layers/alert-lines.ts';

/** What the user wants with alerts. Prices are rounded to the digits of the instrument. */
export interface AlertActions {
  readonly create: (price: number) => void;
  /** Any other condition, starting with this price. */
  readonly createOther: (price: number) => void;
  readonly move: (id: string, price: number) => void;
  readonly edit: (id: string) => void;
  readonly remove: (id: string) => void;
}

interface Drag {
  readonly id: string;
  readonly from: number | null;
  price: number | null;
}

export class ChartAlerts implements ChartPart {
  readonly #host: ChartHost;
  readonly #actions: AlertActions;
  readonly #lines: AlertLines;
  #alerts: readonly ChartAlert[] = [];
  #drag: Drag | null = null;

  constructor(host: ChartHost, actions: AlertActions) {
    this.#host = host;
    this.#actions = actions;
    this.#lines = new AlertLines(host.prices, host.labels);
    const { surface, signal } = host;
    const attributes = { class: 'timeframe chart-choice', title: 'New alert at the last price' };
    host.addTool(makeButton('Alert', attributes, () => this.#createAtLast()));
    listenToMoves(surface, signal, {
      move: ({ x, y }, over) => this.#moveTo(x, y, over),
      release: (keep) => this.#end(keep),
    });
    surface.addEventListener('keydown', (event) => event.key === 'Escape' && this.#end(false), {
      signal,
      capture: true,
    });
  }

  show({ alerts }: Overlays): void {
    this.#alerts = alerts;
    this.#lines.show(alerts);
  }

  applyTheme(): void {
    this.#lines.show(this.#alerts);
  }

  open(): void {
    this.#end(false);
  }

  menu({ y, price }: ChartPoint): readonly MenuItem[] {
    const { instrument, digits } = this.#host.market()!;
    const id = this.#lines.at(y);
    const level = id === null ? null : this.#lines.priceOf(id);
    const written = (value: number): string => priceText(value, digits);
    const ofLine: readonly MenuItem[] =
      id === null || level === null
        ? []
        : [
            { text: `Edit the alert at ${written(level)}`, run: () => this.#actions.edit(id) },
            { text: `Remove the alert at ${written(level)}`, run: () => this.#actions.remove(id) },
          ];
    return [
      ...ofLine,
      {
        text: `Alert when ${instrument.symbol} crosses ${written(price)}`,
        run: () => this.#actions.create(price),
      },
      { text: `Other alert at ${written(price)}…`, run: () => this.#actions.createOther(price) },
    ];
  }

  press({ y }: ChartPoint, event: MouseEvent | TouchEvent): boolean {
    const id = this.#lines.at(y, 'touches' in event);
    if (id === null) return false;
    this.#drag = { id, from: this.#lines.priceOf(id), price: null };
    return true;
  }

  #createAtLast(): void {
    const last = this.#host.bars()?.candles.at(-1);
    const digits = this.#host.market()?.digits ?? 2;
    if (last) this.#actions.createOther(Number(last.close.toFixed(digits)));
  }

  #moveTo(x: number, y: number, over: EventTarget | null): void {
    const { surface } = this.#host;
    if (!this.#drag) {
      const isOver = over instanceof Node && surface.contains(over) && this.#lines.at(y) !== null;
      if ((surface.dataset.line === 'true') !== isOver) surface.dataset.line = String(isOver);
      return;
    }
    const point = this.#host.pointAt(x, y);
    if (!point) return;
    this.#drag.price = point.price;
    this.#lines.move(this.#drag.id, point.price);
  }

  #end(keep: boolean): void {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag) return;
    if (!keep && drag.from !== null) this.#lines.move(drag.id, drag.from);
    this.#lines.release();
    if (keep && drag.price !== null && drag.price !== drag.from) this.#actions.move(drag.id, drag.price);
  }
}
