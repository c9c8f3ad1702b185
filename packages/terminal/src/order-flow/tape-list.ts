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
  const element = make('li', 'tape-row', time.element, value.element, size.element);
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

  clear(): void {
    this.#rows = [];
    this.element.replaceChildren();
  }

  /** `prints`: oldest first. */
  add(prints: readonly Print[], digits: number): void {
    if (prints.length === 0) return;
    const wanted = Math.min(TAPE_LENGTH, this.#rows.length + prints.length);
    const made = Array.from({ length: wanted - this.#rows.length }, makeRow);
    const reused = this.#rows.splice(0, prints.length - made.length);
    const rows = [...reused, ...made];
    this.#digits = digits;
    for (const [index, print] of prints.entries()) this.#write(rows[index]!, print);
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

  #write(row: Row, print: Print): void {
    row.print = print;
    row.time.data = clockOf(print.time * 1_000);
    row.price.data = price(print.price, this.#digits);
    row.size.data = volume(print.size);
    row.element.dataset.side = print.side;
  }
}
