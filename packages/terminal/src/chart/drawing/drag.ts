// A drawing, or one of its handles, while the pointer holds it.
import { type Drawing, withPoint } from './drawing.ts';
import type { DrawingView } from './drawing-view.ts';
import type { Pixel } from './geometry.ts';

/** Less is a click. Pixels. */
const DRAGGED = 3;

type View = Pick<DrawingView, 'anchorAt' | 'shifted'>;

export class Drag {
  readonly before: Drawing;
  /** -1 for the whole. */
  readonly #handle: number;
  readonly #from: Pixel;
  #now: Drawing;

  constructor(before: Drawing, handle: number, from: Pixel) {
    this.before = before;
    this.#handle = handle;
    this.#from = from;
    this.#now = before;
  }

  /** The drawing as it is dragged. */
  get now(): Drawing {
    return this.#now;
  }

  get moved(): boolean {
    return this.#now !== this.before;
  }

  move(at: Pixel, view: View, magnet: boolean): void {
    const by = { x: at.x - this.#from.x, y: at.y - this.#from.y };
    if (!this.moved && Math.hypot(by.x, by.y) < DRAGGED) return;
    const anchor = this.#handle < 0 ? null : view.anchorAt(at, magnet);
    this.#now = anchor ? withPoint(this.before, this.#handle, anchor) : view.shifted(this.before, by);
  }
}
