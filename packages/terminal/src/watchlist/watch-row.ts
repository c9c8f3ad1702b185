// A row of the watchlist: name, sparkline, bid, ask, spread, change of the day.
import type { TrailPoint } from '../services/price-trail.ts';
import { dayChange, type Row } from '../services/quote-board.ts';
import { make } from '../ui/dom/elements.ts';
import { percent, pips, price, signOf } from '../ui/format.ts';
import { Cell } from './cell.ts';
import { paintSpark, SPARK_HEIGHT, SPARK_WIDTH } from './sparkline.ts';

export class WatchRow {
  readonly element = make('div', 'row');
  readonly symbol: string;
  /** Symbol and name in lower case. */
  readonly searchText: string;
  readonly #bid = new Cell('number');
  readonly #ask = new Cell('number');
  readonly #spread = new Cell('number spread');
  readonly #change = new Cell('number change');
  readonly #trend = make('canvas', '');
  #last: Row;
  /** Invisible rows are neither written nor drawn. */
  visible = false;
  /** The price has moved since the sparkline was drawn. */
  sparkOutdated = true;

  constructor(row: Row) {
    const { symbol, name } = row.instrument;
    this.symbol = symbol;
    this.searchText = `${symbol} ${name}`.toLowerCase();
    this.#last = row;
    this.element.id = `watch-${symbol}`;
    this.element.dataset.symbol = symbol;
    this.element.title = name;
    this.element.draggable = true;
    this.element.setAttribute('role', 'row');
    this.element.setAttribute('aria-level', '2');
    this.element.setAttribute('aria-selected', 'false');
    const label = make('div', 'label', symbol);
    label.setAttribute('role', 'rowheader');
    label.append(make('small', 'name', name));
    const trend = make('div', 'trend');
    trend.setAttribute('role', 'gridcell');
    // The change of the day says the same in numbers.
    this.#trend.setAttribute('aria-hidden', 'true');
    this.#trend.width = SPARK_WIDTH;
    this.#trend.height = SPARK_HEIGHT;
    trend.append(this.#trend);
    const cells = [this.#bid, this.#ask, this.#spread, this.#change].map(({ element }) => element);
    this.element.append(label, trend, ...cells);
    this.show(row, 0);
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
