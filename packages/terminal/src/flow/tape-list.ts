// The tape on the screen: the newest on top. Rows are made once and go round: the lowest are written anew and put on top.
import { box, make } from '../elements.ts';
import { price, volume } from '../format.ts';
import { preferences } from '../preferences.ts';
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
  return { element: box('span', className, text), text };
};

function makeRow(): Row {
  const [time, value, size] = [cell('tape-time'), cell('tape-price'), cell('tape-size')];
  const element = box('li', 'tape-row', time.element, value.element, size.element);
  return { element, time: time.text, price: value.text, size: size.text, print: null };
}

export class TapeList {
  readonly element = make('ol', 'tape');
  /** The newest last. */
  #rows: Row[] = [];
  #digits = 0;
  #clock = clockOf('');
  #zone = '';
  #second = { time: -1, text: '' };

  constructor() {
    this.element.setAttribute('aria-label', 'Tape: the last trades, newest first');
    // It scrolls, so that it must be reached by keyboard.
    this.element.tabIndex = 0;
  }

  clear(): void {
    this.#rows = [];
    this.element.replaceChildren();
  }

  /** Oldest first. */
  put(prints: readonly Print[], digits: number): void {
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

  /** With more decimals, or as it is set otherwise by now. */
  rewrite(digits = this.#digits): void {
    this.#digits = digits;
    for (const row of this.#rows) if (row.print) this.#write(row, row.print);
  }

  #write(row: Row, print: Print): void {
    row.print = print;
    row.time.data = this.#timeOf(print.time);
    row.price.data = price(print.price, this.#digits);
    row.size.data = volume(print.size);
    row.element.dataset.side = print.side;
  }

  /** A second has many prints. */
  #timeOf(time: number): string {
    const { timeZone } = preferences.choices;
    if (timeZone !== this.#zone) {
      this.#zone = timeZone;
      this.#clock = clockOf(timeZone);
      this.#second = { time: -1, text: '' };
    }
    if (this.#second.time !== time) this.#second = { time, text: this.#clock.format(time * 1_000) };
    return this.#second.text;
  }
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', ...(timeZone !== '' && { timeZone }) });
}
