// Alerts on the chart: their lines, which can be dragged to another price, and the items of the menu.
import { LineStyle } from 'lightweight-charts';
import { makeButton } from '../ui/dom/elements.ts';
import { price as priceText } from '../ui/format.ts';
import { currentPalette } from '../ui/theme.ts';
import type { AlertOnChart } from './frame/alert-on-chart.ts';
import type { ChartHost, ChartMarket, ChartPart, ChartPoint, MenuItem } from './frame/chart-part.ts';
import type { ChartAlert, Overlays } from './frame/overlays.ts';
import { listenToMoves } from './frame/pointer-moves.ts';
import { LevelLines } from './layers/level-lines.ts';
import type { AlertTicket } from './ticket/alert-ticket.ts';

/** What the user wants with alerts. Prices are rounded to the digits of the instrument. */
export interface AlertActions {
  readonly create: (price: number) => void;
  readonly move: (id: string, price: number) => void;
  readonly remove: (id: string) => void;
}

/** What other parts get instead of a form. */
export const noAlerts = ({ services }: ChartHost): ChartPart => ({
  alert: () => services.notifier.show('A replay has no alerts.'),
});

/** Lines of more alerts would hide the market. */
const MAX_LINES = 20;
const OWNER = 'alerts';

export class ChartAlerts implements ChartPart {
  readonly #host: ChartHost;
  readonly #actions: AlertActions;
  readonly #button: HTMLButtonElement;
  readonly #lines: LevelLines<string>;
  #alerts: readonly ChartAlert[] = [];
  #symbol = '';
  /** An alert whose line is being moved, and where it is. */
  #drag: ChartAlert | null = null;
  #ticket: AlertTicket | null = null;
  /** The alert that the ticket changes: its line is that of the ticket. */
  #edited: string | undefined;

  constructor(host: ChartHost, actions: AlertActions) {
    this.#host = host;
    this.#actions = actions;
    this.#lines = new LevelLines(host.prices);
    const { surface, signal } = host;
    const attributes = {
      class: 'timeframe chart-choice',
      title: 'New alert at the last price',
      'aria-pressed': 'false',
    };
    this.#button = makeButton('Alert', attributes, () => (this.#ticket ? this.#ticket.close() : this.#createAtLast()));
    host.addTool(this.#button);
    listenToMoves(surface, signal, {
      move: ({ x, y }, over) => this.#moveTo(x, y, over),
      release: (keep) => this.#end(keep),
    });
    surface.addEventListener('keydown', (event) => event.key === 'Escape' && this.#end(false), {
      signal,
      capture: true,
    });
  }

  /** The line of the ticket may lie on a drawing, such as the one that the alert is on. */
  get onTop(): boolean {
    return this.#ticket !== null;
  }

  show({ alerts }: Overlays): void {
    this.#alerts = alerts.slice(0, MAX_LINES);
    this.applyTheme();
  }

  applyTheme(): void {
    const { notice: color } = currentPalette();
    const drag = this.#drag;
    // The one that is being dragged stays under the pointer.
    const levels = this.#shown.map((alert) => {
      const { id, price, title: text } = alert.id === drag?.id ? drag : alert;
      return { id, price, text, color, style: LineStyle.LargeDashed };
    });
    this.#lines.show(levels);
    this.#host.labels.set(OWNER, levels);
    this.#ticket?.applyTheme();
    this.#button.ariaPressed = String(this.#ticket !== null);
  }

  open({ instrument: { symbol } }: ChartMarket): void {
    this.#end(false);
    if (symbol !== this.#symbol) this.#ticket?.close();
    this.#symbol = symbol;
  }

  alert(on: AlertOnChart): void {
    void this.#openTicket(on);
  }

  menu({ y, price }: ChartPoint): readonly MenuItem[] {
    const { instrument, digits } = this.#host.market()!;
    const alert = this.#alertAt(y);
    const written = (value: number): string => priceText(value, digits);
    const ofLine: readonly MenuItem[] = alert
      ? [
          { text: `Edit the alert at ${written(alert.price)}`, run: () => this.alert({ id: alert.id }) },
          { text: `Remove the alert at ${written(alert.price)}`, run: () => this.#actions.remove(alert.id) },
        ]
      : [];
    return [
      ...ofLine,
      {
        text: `Alert when ${instrument.symbol} crosses ${written(price)}`,
        run: () => this.#actions.create(price),
      },
      { text: `New alert at ${written(price)}…`, run: () => this.#openAt(price) },
    ];
  }

  press(point: ChartPoint, event: MouseEvent | TouchEvent): boolean {
    const { y } = point;
    if (this.#ticket?.press(point, event)) return true;
    this.#drag = this.#alertAt(y, 'touches' in event) ?? null;
    return this.#drag !== null;
  }

  #alertAt(y: number, byFinger = false): ChartAlert | undefined {
    const id = this.#lines.at(y, byFinger);
    return this.#alerts.find((alert) => alert.id === id);
  }

  get #shown(): readonly ChartAlert[] {
    return this.#alerts.filter(({ id }) => id !== this.#edited);
  }

  async #openTicket(on: AlertOnChart): Promise<void> {
    const symbol = this.#symbol;
    try {
      const { AlertTicket } = await import('./lazy-parts.ts');
      if (this.#host.signal.aborted || symbol !== this.#symbol) return;
      this.#ticket?.close();
      this.#edited = on.id;
      this.#ticket = new AlertTicket(this.#host, on, () => {
        this.#ticket = null;
        this.#edited = undefined;
        this.applyTheme();
      });
      this.applyTheme();
    } catch {
      this.#host.services.notifier.show('The form could not be loaded. Try again.');
    }
  }

  #openAt(price: number): void {
    this.alert({ fields: { level: price.toFixed(this.#host.market()?.digits ?? 2) } });
  }

  #createAtLast(): void {
    const last = this.#host.bars()?.candles.at(-1);
    if (last) this.#openAt(last.close);
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
