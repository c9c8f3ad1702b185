// A row of the watchlist: name, the chosen columns, and a star that makes it a favourite. The star is the last cell for screen readers
// and the first on the screen.
import type { TrailPoint } from '../services/price-trail.ts';
import { dayChange, type Row } from '../services/quote-board.ts';
import { make, makeButton } from '../ui/dom/elements.ts';
import { percent, pips, price, signOf } from '../ui/format.ts';
import { COLUMNS, type Column } from './arrangement.ts';
import { Cell } from './cell.ts';
import { paintSpark, SPARK_HEIGHT, SPARK_WIDTH } from './sparkline.ts';

export class WatchRow {
  readonly element: HTMLElement;
  readonly symbol: string;
  /** Symbol and name in lower case. */
  readonly searchText: string;
  readonly #bid = new Cell('number');
  readonly #ask = new Cell('number ask');
  readonly #spread = new Cell('number spread');
  readonly #change = new Cell('number change');
  readonly #high = new Cell('number');
  readonly #low = new Cell('number');
  readonly #star: HTMLButtonElement;
  readonly #cells: Readonly<Record<Column, HTMLElement>>;
  // The change of the day shows the same in numbers.
  readonly #trend = make('canvas', { width: SPARK_WIDTH, height: SPARK_HEIGHT, 'aria-hidden': 'true' });
  #last: Row;
  /** Invisible rows are neither written nor drawn. */
  visible = false;
  /** The price has moved since the sparkline was drawn. */
  sparkOutdated = true;

  constructor(initial: Row, onStar: (symbol: string) => void) {
    const { symbol, name } = initial.instrument;
    this.symbol = symbol;
    this.searchText = `${symbol} ${name}`.toLowerCase();
    this.#last = initial;
    const row = {
      class: 'row',
      id: `watch-${symbol}`,
      'data-symbol': symbol,
      title: name,
      draggable: 'true',
      role: 'row',
      'aria-level': 2,
      'aria-selected': 'false',
    };
    const label = make('div', { class: 'label', role: 'rowheader' }, ...codeOf(symbol), make('small', 'name', name));
    if (symbol.includes('.')) {
      label.classList.add('suffixed');
      // Its parts would be read as two words.
      label.ariaLabel = `${symbol} ${name}`;
    }
    const trend = make('div', { class: 'trend', role: 'gridcell' }, this.#trend);
    this.#cells = {
      trend,
      bid: this.#bid.element,
      ask: this.#ask.element,
      spread: this.#spread.element,
      change: this.#change.element,
      high: this.#high.element,
      low: this.#low.element,
    };
    // By keyboard, the key f does the same.
    this.#star = makeButton('☆', { class: 'star', tabindex: -1, 'aria-label': `Favourite ${symbol}` }, () =>
      onStar(symbol),
    );
    const star = make('div', { class: 'star-cell', role: 'gridcell' }, this.#star);
    this.element = make('div', row, label, ...COLUMNS.map((column) => this.#cells[column]), star);
    this.show(initial, 0);
  }

  show(row: Row, now: number): void {
    const { bid, ask } = this.#last;
    this.#last = row;
    this.#bid.write(price(row.bid, row.digits));
    this.#ask.write(price(row.ask, row.digits));
    this.#spread.write(pips(row.spread, row.instrument.pip_size));
    const change = percent(dayChange(row));
    this.#change.write(change);
    this.#high.write(price(row.day?.high ?? null, row.digits));
    this.#low.write(price(row.day?.low ?? null, row.digits));
    const sign = signOf(change);
    if (this.#change.element.dataset.sign !== sign) this.#change.element.dataset.sign = sign;
    this.#bid.flash(bid, row.bid, now);
    this.#ask.flash(ask, row.ask, now);
  }

  setColumns(columns: readonly Column[]): void {
    for (const column of COLUMNS) this.#cells[column].hidden = !columns.includes(column);
  }

  setFavourite(favourite: boolean): void {
    const mark = favourite ? '★' : '☆';
    if (this.#star.textContent !== mark) this.#star.textContent = mark;
    this.#star.setAttribute('aria-pressed', String(favourite));
  }

  draw(trail: readonly TrailPoint[]): void {
    this.sparkOutdated = false;
    paintSpark(this.#trend, trail);
  }

  select(selected: boolean): void {
    this.element.setAttribute('aria-selected', String(selected));
  }
}

/** The suffix of a perpetual is apart: it stays visible where the code is too long. */
function codeOf(symbol: string): (string | HTMLElement)[] {
  const dot = symbol.lastIndexOf('.');
  if (dot < 0) return [`${symbol} `];
  return [make('span', 'stem', symbol.slice(0, dot)), make('span', 'suffix', `${symbol.slice(dot)} `)];
}
