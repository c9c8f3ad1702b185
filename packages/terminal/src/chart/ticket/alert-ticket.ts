// An alert beside the chart: its form, and its level as a line to drag, with the distance from the price and presets.
import { LineStyle } from 'lightweight-charts';
import { make, makeButton, write } from '../../ui/dom/elements.ts';
import { plainNumber, setNumber, signed } from '../../ui/format.ts';
import { readNumber, readPositive } from '../../ui/read-number.ts';
import { currentPalette } from '../../ui/theme.ts';
import type { AlertOnChart, ValuePane } from '../frame/alert-on-chart.ts';
import type { ChartHost, ChartPoint } from '../frame/chart-part.ts';
import { distanceText } from './distance.ts';
import { DraggedLevels } from './dragged-levels.ts';
import { SideTicket } from './side-ticket.ts';

/** Percent from the price. */
const PRESETS = [-1, -0.5, -0.25, 0.25, 0.5, 1] as const;
/** The first field of the form with the level, or with the value of an indicator, whatever the kind of its condition. */
const LEVEL = 'input[name$="-level"]';
const VALUE = 'input[name$="-value"]';

export class AlertTicket {
  readonly #host: ChartHost;
  readonly #symbol: string;
  readonly #ticket: SideTicket;
  readonly #lines: DraggedLevels<'level'>;
  readonly #distance = make('p', 'hint');
  readonly #values: ValuePane | null;
  readonly #level = make('div', 'ticket-level');
  readonly #form = make('div', 'ticket-form');

  /** `onClose`: also if it was closed without saving. */
  constructor(host: ChartHost, { id, fields, levels = [], values }: AlertOnChart, onClose: () => void) {
    const { symbol } = host.market()!.instrument;
    this.#host = host;
    this.#symbol = symbol;
    this.#values = values ?? null;
    const grab = () => {
      const before = this.#value;
      return { to: (level: number) => this.#set(level), cancel: () => before !== null && this.#set(before) };
    };
    this.#lines = new DraggedLevels(host, grab, this.#values);
    const end = new AbortController();
    this.#ticket = new SideTicket(host, {
      title: `Alert on ${symbol}`,
      symbol,
      onQuote: () => this.#showDistance(),
      onEscape: () => this.#lines.cancel(),
      onClose: () => {
        end.abort();
        this.#lines.close();
        onClose();
      },
    });
    this.#level.append(this.#distance, this.#presets(), ...(levels.length > 1 ? [this.#choice(levels)] : []));
    this.#level.hidden = true;
    this.#ticket.body.append(this.#level, this.#form);
    // The form is rendered when it is loaded, and its fields depend on the kind of the condition.
    const changes = new MutationObserver(() => this.#read());
    changes.observe(this.#form, { childList: true, subtree: true });
    this.#form.addEventListener('input', () => this.#read());
    end.signal.addEventListener('abort', () => changes.disconnect());
    void this.#load({ ...(id !== undefined && { id }), ...(fields && { fields }) }, end.signal);
  }

  press(point: ChartPoint, event: MouseEvent | TouchEvent): boolean {
    return this.#lines.press(point, event);
  }

  close(): void {
    this.#ticket.close();
  }

  applyTheme(): void {
    this.#read();
  }

  async #load(
    start: { readonly id?: string; readonly fields?: Readonly<Record<string, string>> },
    end: AbortSignal,
  ): Promise<void> {
    const { forms, notifier } = this.#host.services;
    const { id } = start;
    try {
      const remove = await forms.alert(this.#form, { symbol: this.#symbol, ...start }, (saved) => {
        if (saved) notifier.show(id === undefined ? 'Alert set.' : 'Alert changed.');
        this.close();
      });
      if (end.aborted) {
        remove();
        return;
      }
      end.addEventListener('abort', remove);
      this.#ticket.body.querySelector<HTMLElement>('form :is(select, input)')?.focus({ preventScroll: true });
      const level = this.#input ? 'Drag the line on the chart, or enter a level. ' : '';
      this.#host.announce(`${level}Then save the alert.`);
    } catch {
      notifier.show('The form could not be loaded. Try again.');
      this.close();
    }
  }

  get #input(): HTMLInputElement | null {
    return this.#form.querySelector<HTMLInputElement>(this.#values ? VALUE : LEVEL);
  }

  /** `null` if the condition has no level, or none is typed. */
  get #value(): number | null {
    const read = this.#values ? readNumber : readPositive;
    return read(this.#input?.value ?? '');
  }

  #set(level: number): void {
    const input = this.#input;
    if (!input) return;
    input.value = this.#values ? plainNumber(level) : level.toFixed(this.#host.market()?.digits ?? 2);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #read(): void {
    const level = this.#value;
    const { notice: color } = currentPalette();
    this.#lines.show(
      level === null ? [] : [{ id: 'level', price: level, title: 'Alert', color, style: LineStyle.Solid }],
    );
    this.#level.hidden = this.#values !== null || this.#input === null;
    this.#showDistance();
  }

  #showDistance(): void {
    const row = this.#host.services.quotes.row(this.#symbol);
    const level = this.#value;
    const text = row && row.bid !== null && level !== null ? distanceText(row.bid, level, row.instrument) : '';
    write(this.#distance, text === '' ? 'Type a level, or choose one:' : `${text} from the bid`);
  }

  #presets(): HTMLElement {
    const { quotes } = this.#host.services;
    const preset = (text: string, title: string, levelOf: () => number | null | undefined): HTMLElement =>
      makeButton(text, { class: 'timeframe ticket-choice', title }, () => {
        const level = levelOf();
        if (level !== null && level !== undefined) this.#set(level);
      });
    const row = () => quotes.row(this.#symbol);
    return make(
      'div',
      { class: 'timeframes ticket-presets', role: 'group', 'aria-label': 'Presets' },
      ...PRESETS.map((by) => {
        const text = `${signed(by, setNumber(String(Math.abs(by))))}%`;
        return preset(text, `${text} from the bid`, () => {
          const bid = row()?.bid;
          return typeof bid === 'number' ? bid * (1 + by / 100) : null;
        });
      }),
      preset('High', 'High of the day', () => row()?.day?.high),
      preset('Low', 'Low of the day', () => row()?.day?.low),
    );
  }

  /** The levels of a drawing. */
  #choice(levels: NonNullable<AlertOnChart['levels']>): HTMLElement {
    const select = make('select', {}, ...levels.map(({ name, price }) => make('option', { value: price }, name)));
    select.addEventListener('change', () => this.#set(Number(select.value)));
    return make('label', 'ticket-field', make('span', {}, 'Level of the drawing'), select);
  }
}
