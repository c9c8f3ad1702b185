// A cell that writes only changed text, into the same text node. It flashes in the direction of a move; a price that moves all the
// time flashes only now and then. A flash fades in steps run by the frame scheduler, because an animation would cost extra frames.
import { make } from '../ui/dom/elements.ts';
import { frameScheduler } from '../ui/frame-scheduler.ts';

/** Brightest first; each lasts `STEP_MS`. */
const FLASH_STEPS = ['bright', 'dim', 'faint'];
const STEP_MS = 200;
/** A price that has not moved for this long flashes when it moves. */
const RESTED_MS = 500;
/** Other prices flash at most this often. */
const FLASH_EVERY_MS = 2_000;
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

export class Cell {
  readonly element: HTMLElement;
  readonly #node = document.createTextNode('');
  #lit = false;
  #flashedAt = Number.NEGATIVE_INFINITY;
  #movedAt = Number.NEGATIVE_INFINITY;

  constructor(className: string) {
    this.element = make('div', { class: className, role: 'gridcell' }, this.#node);
  }

  write(text: string): void {
    if (this.#node.data !== text) this.#node.data = text;
  }

  flash(before: number | null, after: number | null, now: number): void {
    if (before === null || after === null || before === after || reducedMotion.matches) return;
    const rested = now - this.#movedAt >= RESTED_MS;
    this.#movedAt = now;
    if (!rested && now - this.#flashedAt < FLASH_EVERY_MS) return;
    this.#flashedAt = now;
    // Up also marks the upper edge and down the lower one, so colour is not the only difference.
    this.element.dataset.flash = after > before ? 'up' : 'down';
    this.element.dataset.light = FLASH_STEPS[0];
    if (this.#lit) return;
    this.#lit = true;
    frameScheduler.next(() => this.#fade());
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
    frameScheduler.next(() => this.#fade());
  }
}
