// One line of the watchlist. Cells are written only where their text differs, and flash in the direction of the move.
import { make, write } from '../elements.ts';
import { percent, pips, price, signOf } from '../format.ts';
import { dayChange, type Row } from '../quote-board.ts';

const FLASH_MS = 700;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class WatchRow {
  readonly element = make('div', 'row');
  readonly symbol: string;
  /** What the search looks at. */
  readonly haystack: string;
  readonly #bid = make('span', 'number');
  readonly #ask = make('span', 'number');
  readonly #spread = make('span', 'number muted');
  readonly #day = make('span', 'number');
  #last: Row;

  constructor(row: Row) {
    const { symbol, name } = row.instrument;
    this.symbol = symbol;
    this.haystack = `${symbol} ${name}`.toLowerCase();
    this.#last = row;
    this.element.id = `row-${symbol}`;
    this.element.dataset.symbol = symbol;
    this.element.title = name;
    this.element.setAttribute('role', 'option');
    this.element.setAttribute('aria-selected', 'false');
    const label = make('span', 'label', symbol);
    label.append(make('small', 'name', name));
    this.element.append(label, this.#bid, this.#ask, this.#spread, this.#day);
    this.show(row);
  }

  show(row: Row): void {
    const { bid, ask } = this.#last;
    this.#last = row;
    write(this.#bid, price(row.bid, row.digits));
    write(this.#ask, price(row.ask, row.digits));
    write(this.#spread, pips(row.spread, row.instrument.pip_size));
    const text = percent(dayChange(row));
    write(this.#day, text);
    this.#day.dataset.sign = signOf(text);
    flash(this.#bid, bid, row.bid);
    flash(this.#ask, ask, row.ask);
  }

  select(selected: boolean): void {
    this.element.setAttribute('aria-selected', String(selected));
    if (selected) this.element.scrollIntoView({ block: 'nearest' });
  }
}

function flash(cell: HTMLElement, before: number | null, after: number | null): void {
  if (before === null || after === null || before === after || calm.matches) return;
  const colour = `var(--${after > before ? 'up' : 'down'}-flash)`;
  for (const running of cell.getAnimations()) running.cancel();
  cell.animate([{ backgroundColor: colour }, { backgroundColor: 'transparent' }], {
    duration: FLASH_MS,
    easing: 'ease-out',
  });
}
