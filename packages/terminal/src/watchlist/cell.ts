// A cell whose text is written only where it differs, into the same text node: a busy market costs no new nodes. It flashes
// in the direction of a move. A price that moves all the time flashes now and then only: where everything blinks nothing is
// seen. A flash fades in steps on the beat of the page: an animation would have the browser make frames of its own for it.
import { beat } from '../beat.ts';
import { make } from '../elements.ts';

/** How long each step of a flash lasts, the brightest first. */
const FLASH_STEPS = ['bright', 'dim', 'faint'];
const STEP_MS = 200;
/** A price that stood for this long flashes when it moves. */
const RESTED_MS = 500;
/** One that did not rest flashes this often. */
const FLASH_EVERY_MS = 2_000;
const calm = matchMedia('(prefers-reduced-motion: reduce)');

export class Cell {
  readonly element: HTMLElement;
  readonly #node = document.createTextNode('');
  #lit = false;
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

  flash(before: number | null, after: number | null, now: number): void {
    if (before === null || after === null || before === after || calm.matches) return;
    const rested = now - this.#movedAt >= RESTED_MS;
    this.#movedAt = now;
    if (!rested && now - this.#flashedAt < FLASH_EVERY_MS) return;
    this.#flashedAt = now;
    // Up lights the upper edge and down the lower one: colour is not all that tells them apart.
    this.element.dataset.flash = after > before ? 'up' : 'down';
    this.element.dataset.light = FLASH_STEPS[0];
    if (this.#lit) return;
    this.#lit = true;
    beat.next(() => this.#fade());
  }

  #fade(): void {
    const step = FLASH_STEPS[Math.floor((performance.now() - this.#flashedAt) / STEP_MS)];
    if (step === undefined) {
      this.#lit = false;
      delete this.element.dataset.flash;
      delete this.element.dataset.light;
      return;
    }
    if (this.element.dataset.light !== step) this.element.dataset.light = step;
    beat.next(() => this.#fade());
  }
}
