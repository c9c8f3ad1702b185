// The selected instrument in large figures.
import { element, make, write } from './elements.ts';
import { NOTHING, percent, pipParts, pips, signOf } from './format.ts';
import { dayChange, type Row } from './quote-board.ts';

export class InstrumentHead {
  readonly #bid = element('head-bid', HTMLElement);
  readonly #ask = element('head-ask', HTMLElement);
  readonly #day = element('head-day', HTMLElement);
  readonly #spread = element('head-spread', HTMLElement);
  #last: Row | null = null;

  show(row: Row): void {
    const { instrument, digits } = row;
    const before = this.#last?.instrument === instrument ? this.#last : null;
    this.#last = row;
    write(element('head-symbol', HTMLElement), instrument.symbol);
    write(element('head-name', HTMLElement), instrument.name);
    putPrice(this.#bid, row.bid, before?.bid ?? null, digits, instrument.pip_size);
    putPrice(this.#ask, row.ask, before?.ask ?? null, digits, instrument.pip_size);
    write(this.#spread, row.spread === null ? NOTHING : `${pips(row.spread, instrument.pip_size)} pips`);
    const change = percent(dayChange(row));
    write(this.#day, change);
    this.#day.dataset.sign = signOf(change);
    document.title = row.bid === null ? 'Tickwire' : `${instrument.symbol} ${row.bid.toFixed(digits)} · Tickwire`;
  }
}

/** Coloured by the last move, with the two figures that move set larger. */
function putPrice(target: HTMLElement, value: number | null, before: number | null, digits: number, pipSize: number) {
  if (before === null) target.dataset.sign = 'none';
  if (value === null) {
    write(target, NOTHING);
    return;
  }
  if (before !== null && value !== before) target.dataset.sign = value > before ? 'up' : 'down';
  const [head, moving, tail] = pipParts(value, digits, pipSize);
  if (target.textContent === head + moving + tail) return;
  if (moving === '') target.replaceChildren(head);
  else target.replaceChildren(head, make('b', '', moving), make('small', '', tail));
}
