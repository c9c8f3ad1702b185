// A row of the watchlist: name, sparkline, bid, ask, spread, change of the day.
import type { TrailPoint } from '../services/price-trail.ts';
import { dayChange, type Row } from '../services/quote-board.ts';
import { make } from '../ui/dom/elements.ts';
import { percent, pips, price, signOf } from '../ui/format.ts';
import { Cell } from './cell.ts';
import { paintSpark, SPARK_HEIGHT, SPARK_WIDTH } from './sparkline.ts';

export class WatchRow {
  readonly element: HTMLElement;
  readonly symbol: string;
  /** Symbol and name in lower case. */
  readonly searchText: string;
  readonly #bid = new Cell('number');
  readonly #ask = new Cell('number');
  readonly #spread = new Cell('number spread');
  readonly #change = new Cell('number change');
  // The change of the day says the same in numbers.
  readonly #trend = make('canvas', { width: SPARK_WIDTH, height: SPARK_HEIGHT, 'aria-hidden': 'true' });
  #last: Row;
  /** Invisible rows are neither written nor drawn. */
  visible = false;
  /** The price has moved since the sparkline was drawn. */
  sparkOutdated = true;

  constructor(initial: Row) {
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
    const label = make('div', { class: 'label', role: 'rowheader' }, symbol, make('small', 'name', name));
    const trend = make('div', { class: 'trend', role: 'gridcell' }, this.#trend);
    const cells = [this.#bid, this.#ask, this.#spread, this.#change].map(({ element }) => element);
    this.element = make('div', row, label, trend, ...cells);
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
    const sign = signOf(change);
    if (this.#change.element.dataset.sign !== sign) this.#change.element.dataset.sign = sign;
    this.#bid.flash(bid, row.bid, now);
    this.#ask.flash(ask, row.ask, now);
  }

  draw(trail: readonly TrailPoint[]): void {
    this.sparkOutdated = false;
    paintSpark(this.#trend, trail);
  }

  select(selected: boolean): void {
    this.element.setAttribute('aria-selected', String(selected));
  }
}
