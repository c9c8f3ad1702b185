// The displayed tape, newest trade on top. Rows are reused: the lowest ones get the new trades and move to the top.
import { make } from '../ui/dom/elements.ts';
import { price, volume } from '../ui/format.ts';
import { clockOf } from '../ui/relative-time.ts';
import { type Print, TAPE_LENGTH } from './tape.ts';

interface Row {
  readonly element: HTMLElement;
  readonly time: Text;
  readonly price: Text;
  readonly size: Text;
  print: Print | null;
}

const cell = (className: string): { readonly element: HTMLElement; readonly text: Text } => {
  const text = document.createTextNode('');
  return { element: make('span', className, text), text };
};

function makeRow(): Row {
  const [time, value, size] = [cell('tape-time'), cell('tape-price'), cell('tape-size')];
  const element = make('li', 'tape-row small', time.element, value.element, size.element);
  return { element, time: time.text, price: value.text, size: size.text, print: null };
}

export class TapeList {
  readonly element = make('ol', {
    class: 'tape',
    'aria-label': 'Tape: latest trades, newest first',
    // A scrollable element has to be reachable by keyboard.
    tabindex: 0,
  });
  /** Newest last. */
  #rows: Row[] = [];
  #digits = 0;
  #largeFrom = Number.POSITIVE_INFINITY;

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** Someone reads it, so it does not move and can be scrolled to its end. */
  set read(read: boolean) {
    if ('read' in this.element.dataset !== read) this.element.toggleAttribute('data-read', read);
  }

  clear(): void {
    this.#rows = [];
    this.element.replaceChildren();
  }

  /** Replaces everything. `prints`: oldest first. */
  set(prints: readonly Print[], digits: number): void {
    for (const { element } of this.#rows.splice(prints.length)) element.remove();
    const known = this.#rows.length;
    this.#digits = digits;
    for (let at = 0; at < known; at++) this.#write(this.#rows[at]!, prints[at]!);
    this.add(prints.slice(known), digits);
  }

  /** `prints`: oldest first. */
  add(prints: readonly Print[], digits: number): void {
    if (prints.length === 0) return;
    const shown = prints.slice(-TAPE_LENGTH);
    const wanted = Math.min(TAPE_LENGTH, this.#rows.length + shown.length);
    const made = Array.from({ length: wanted - this.#rows.length }, makeRow);
    const reused = this.#rows.splice(0, shown.length - made.length);
    const rows = [...reused, ...made];
    this.#digits = digits;
    for (const [index, print] of shown.entries()) this.#write(rows[index]!, print);
    this.#rows.push(...rows);
    const onTop = document.createDocumentFragment();
    for (const { element } of rows.toReversed()) onTop.append(element);
    this.element.prepend(onTop);
  }

  /** Called for more decimals, or after the preferences have changed. */
  rewrite(digits = this.#digits): void {
    this.#digits = digits;
    for (const row of this.#rows) if (row.print) this.#write(row, row.print);
  }

  /** Highlights trades from this size on; `null`: none. */
  highlightFrom(size: number | null): void {
    const from = size ?? Number.POSITIVE_INFINITY;
    if (from === this.#largeFrom) return;
    this.#largeFrom = from;
    for (const row of this.#rows) if (row.print) this.#mark(row, row.print);
  }

  #write(row: Row, print: Print): void {
    row.print = print;
    row.time.data = clockOf(print.time);
    row.price.data = price(print.price, this.#digits);
    row.size.data = volume(print.size);
    if (row.element.dataset.side !== print.side) row.element.dataset.side = print.side;
    this.#mark(row, print);
  }

  #mark({ element }: Row, { size }: Print): void {
    const large = size >= this.#largeFrom;
    if ('large' in element.dataset === large) return;
    if (large) element.dataset.large = '';
    else delete element.dataset.large;
  }
}
