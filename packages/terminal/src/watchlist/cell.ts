// A cell whose text is written only where it differs, into the same text node: a busy market costs no new nodes. It flashes
// in the direction of a move, with one animation at most. A price that moves all the time flashes now and then only: where
// everything blinks nothing is seen.
import { make } from '../elements.ts';

const FLASH_MS = 600;
/** A price that stood for this long flashes when it moves. */
const RESTED_MS = 500;
/** One that did not rest flashes this often. */
const FLASH_EVERY_MS = 2_000;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class Cell {
  readonly element: HTMLElement;
  readonly #node = document.createTextNode('');
  #flash: Animation | null = null;
  #flashedAt = Number.NEGATIVE_INFINITY;
  #movedAt = Number.NEGATIVE_INFINITY;

  constructor(className: string) {
    this.element = make('div', className);
    this.element.setAttribute('role', 'gridcell');
    this.element.append(this.#node);
  }

  write(text: string): void {
    if (this.#node.data !== text) this.#node.data = text;
  }

  /** Up lights the upper edge and down the lower one: colour is not all that tells them apart. */
  flash(before: number | null, after: number | null, now: number): void {
    if (before === null || after === null || before === after || calm.matches) return;
    const rested = now - this.#movedAt >= RESTED_MS;
    this.#movedAt = now;
    if (!rested && now - this.#flashedAt < FLASH_EVERY_MS) return;
    this.#flashedAt = now;
    this.#flash?.cancel();
    const up = after > before;
    const colour = `var(--${up ? 'up' : 'down'}-flash)`;
    const edge = `inset 0 ${up ? '2px' : '-2px'} var(--${up ? 'up' : 'down'})`;
    this.#flash = this.element.animate(
      [
        { backgroundColor: colour, boxShadow: edge },
        { backgroundColor: 'transparent', boxShadow: 'inset 0 0 transparent' },
      ],
      { duration: FLASH_MS, easing: 'steps(6, end)' },
    );
  }
}
