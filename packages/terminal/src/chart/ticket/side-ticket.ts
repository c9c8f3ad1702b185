// A form beside the chart, with the live price: for an alert, or for a signal to publish. The chart makes room for it; one that is
// too narrow for that keeps its size, and the form lies over its lower edge. A chart has one at a time.
import { make, makeButton, write } from '../../ui/dom/elements.ts';
import { moveUnit, price, setNumber } from '../../ui/format.ts';
import type { ChartHost } from '../frame/chart-part.ts';

/** A narrower chart would have no room for bars beside the form. Pixels. */
const ROOMY = 700;

const open = new WeakMap<HTMLElement, SideTicket>();

export interface SideTicketOptions {
  /** Such as `Alert on EURUSD`. */
  readonly title: string;
  readonly symbol: string;
  /** A new quote, or the first one. */
  readonly onQuote: () => void;
  /** Escape was pressed: whether there was something smaller to end than the ticket. */
  readonly onEscape: () => boolean;
  readonly onClose: () => void;
}

export class SideTicket {
  readonly body = make('div', 'ticket-body');
  readonly #element: HTMLElement;
  readonly #host: ChartHost;
  readonly #options: SideTicketOptions;
  readonly #end = new AbortController();
  readonly #quote = make('span', 'ticket-quote mono');

  constructor(host: ChartHost, options: SideTicketOptions) {
    const { stage, surface, services } = host;
    const { title, symbol, onQuote } = options;
    open.get(stage)?.close();
    open.set(stage, this);
    this.#host = host;
    this.#options = options;
    const close = makeButton('×', { class: 'quiet ticket-close', 'aria-label': 'Close' }, () => this.close());
    const head = make('header', 'ticket-head', make('h3', 'clip', title), close, this.#quote);
    this.#element = make('section', { class: 'ticket', 'aria-label': title }, head, this.body);
    const { signal } = this.#end;
    for (const each of [this.#element, surface])
      each.addEventListener('keydown', (event) => this.#onKey(event), { signal, capture: each === surface });
    services.quotes.onChange((changed) => {
      if (!changed.has(symbol)) return;
      this.#showQuote();
      onQuote();
    }, signal);
    const resized = new ResizeObserver(() => this.#place());
    resized.observe(stage.parentElement!);
    signal.addEventListener('abort', () => resized.disconnect());
    host.signal.addEventListener('abort', () => this.close(), { signal });
    this.#place();
    this.#showQuote();
    stage.append(this.#element);
  }

  /** Whether the chart made room for it. */
  get isBeside(): boolean {
    return this.#element.dataset.place === 'beside';
  }

  close(): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    const { stage, surface } = this.#host;
    if (open.get(stage) === this) open.delete(stage);
    const hadFocus = this.#element.contains(document.activeElement);
    this.#options.onClose();
    this.#element.remove();
    if (hadFocus) surface.focus({ preventScroll: true });
  }

  #place(): void {
    this.#element.dataset.place = this.#host.stage.parentElement!.clientWidth < ROOMY ? 'over' : 'beside';
  }

  #showQuote(): void {
    const row = this.#host.services.quotes.row(this.#options.symbol);
    if (!row || row.bid === null || row.ask === null) {
      write(this.#quote, 'No price yet');
      return;
    }
    const { bid, ask, digits, instrument } = row;
    const spread = `${setNumber(((ask - bid) / instrument.pip_size).toFixed(1))} ${moveUnit(instrument)}`;
    write(this.#quote, `${price(bid, digits)} / ${price(ask, digits)} · ${spread}`);
  }

  #onKey(event: KeyboardEvent): void {
    // A choice or a dialog inside handled it.
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (!this.#options.onEscape()) this.close();
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
