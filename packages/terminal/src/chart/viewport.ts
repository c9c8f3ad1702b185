// Which bars are in view: how wide one is, and how far the right edge stands back from the newest.

const MIN_PIXELS = 2.5;
const MAX_PIXELS = 28;
/** Bars of free space right of the newest one. */
const MARGIN = 3;

export class Viewport {
  pixelsPerBar = 8;
  /** Bars between the newest one and the right edge; 0 follows the market. */
  #back = 0;

  get following(): boolean {
    return this.#back === 0;
  }

  follow(): void {
    this.#back = 0;
  }

  zoom(factor: number): void {
    this.pixelsPerBar = Math.min(MAX_PIXELS, Math.max(MIN_PIXELS, this.pixelsPerBar * factor));
  }

  pan(pixels: number, count: number): void {
    const furthest = Math.max(0, count - 10);
    this.#back = Math.min(furthest, Math.max(0, this.#back + pixels / this.pixelsPerBar));
  }

  /** Centre of a bar, in pixels from the left edge of a plot of this width. */
  x(index: number, count: number, width: number): number {
    return width - (count - 1 - index - this.#back + MARGIN) * this.pixelsPerBar;
  }

  /** First and last index in view. */
  range(count: number, width: number): readonly [number, number] {
    const last = Math.min(count - 1, Math.ceil(count - 1 - this.#back + MARGIN));
    const first = Math.max(0, Math.floor(count - 1 - this.#back + MARGIN - width / this.pixelsPerBar));
    return [first, last];
  }

  indexAt(x: number, count: number, width: number): number {
    const index = Math.round(count - 1 - this.#back + MARGIN - (width - x) / this.pixelsPerBar);
    return Math.min(count - 1, Math.max(0, index));
  }
}
