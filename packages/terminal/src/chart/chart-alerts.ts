// Alerts on the chart: their lines, which can be dragged to another price, and the items of the menu.
import { LineStyle } from 'lightweight-charts';
import { makeButton } from '../ui/dom/elements.ts';
import { price as priceText } from '../ui/format.ts';
import { currentPalette } from '../ui/theme.ts';
import type { ChartHost, ChartPart, ChartPoint, MenuItem } from './frame/chart-part.ts';
import type { ChartAlert, Overlays } from './frame/overlays.ts';
import { listenToMoves } from './frame/pointer-moves.ts';
import { LevelLines } from './layers/level-lines.ts';

/** What the user wants with alerts. Prices are rounded to the digits of the instrument. */
export interface AlertActions {
  readonly create: (price: number) => void;
  /** Any other condition, starting with this price. */
  readonly createOther: (price: number) => void;
  readonly move: (id: string, price: number) => void;
  readonly edit: (id: string) => void;
  readonly remove: (id: string) => void;
}

/** Lines of more alerts would hide the market. */
const MAX_LINES = 20;
const OWNER = 'alerts';

export class ChartAlerts implements ChartPart {
  readonly #host: ChartHost;
  readonly #actions: AlertActions;
  readonly #lines: LevelLines<string>;
  #alerts: readonly ChartAlert[] = [];
  /** An alert whose line is being moved, and where it is. */
  #drag: ChartAlert | null = null;

  constructor(host: ChartHost, actions: AlertActions) {
    this.#host = host;
    this.#actions = actions;
    this.#lines = new LevelLines(host.prices);
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
    this.#alerts = alerts.slice(0, MAX_LINES);
    this.applyTheme();
  }

  applyTheme(): void {
    const { notice: color } = currentPalette();
    const drag = this.#drag;
    // The one that is being dragged stays under the pointer.
    const levels = this.#alerts.map((alert) => {
      const { id, price, title: text } = alert.id === drag?.id ? drag : alert;
      return { id, price, text, color, style: LineStyle.LargeDashed };
    });
    this.#lines.show(levels);
    this.#host.labels.set(OWNER, levels);
  }

  open(): void {
    this.#end(false);
  }

  menu({ y, price }: ChartPoint): readonly MenuItem[] {
    const { instrument, digits } = this.#host.market()!;
    const alert = this.#alertAt(y);
    const written = (value: number): string => priceText(value, digits);
    const ofLine: readonly MenuItem[] = alert
      ? [
          { text: `Edit the alert at ${written(alert.price)}`, run: () => this.#actions.edit(alert.id) },
          { text: `Remove the alert at ${written(alert.price)}`, run: () => this.#actions.remove(alert.id) },
        ]
      : [];
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
    this.#drag = this.#alertAt(y, 'touches' in event) ?? null;
    return this.#drag !== null;
  }

  #alertAt(y: number, byFinger = false): ChartAlert | undefined {
    const id = this.#lines.at(y, byFinger);
    return this.#alerts.find((alert) => alert.id === id);
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
    this.#drag = { ...this.#drag, price: point.price };
    this.applyTheme();
  }

  #end(keep: boolean): void {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag) return;
    const moved = this.#alerts.some(({ id, price }) => id === drag.id && price !== drag.price);
    // Until the service has answered, the line stays where it was let go.
    if (keep) this.#alerts = this.#alerts.map((alert) => (alert.id === drag.id ? drag : alert));
    this.applyTheme();
    if (keep && moved) this.#actions.move(drag.id, drag.price);
  }
}
