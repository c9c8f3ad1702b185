// Placing a drawing: point by point with clicks or taps, or from the first to the second by dragging.
import { type Anchor, clicksOf } from './drawing.ts';
import type { DrawingView } from './drawing-view.ts';
import type { Pixel } from './geometry.ts';
import type { Tool } from './tool-buttons.ts';

/** A pointer that moved further was dragged. Pixels. */
const DRAGGED = 8;
/** Where the keyboard places points, as shares of the pane. */
const PLACES = [
  [0.35, 0.6],
  [0.65, 0.4],
  [0.5, 0.3],
] as const;

export class Placement {
  readonly tool: Tool;
  readonly #placed: Anchor[] = [];
  /** The point under a pressed pointer. */
  #held: { readonly from: Pixel; anchor: Anchor } | null = null;
  /** The point under a pointer that is not pressed. */
  #hover: Anchor | null = null;

  constructor(tool: Tool) {
    this.tool = tool;
  }

  get clicks(): number {
    return clicksOf(this.tool);
  }

  /** Clicks so far. */
  get placed(): number {
    return this.#placed.length;
  }

  get complete(): boolean {
    return this.#placed.length === this.clicks;
  }

  /** Placed points, and the one under the pointer. */
  get points(): readonly Anchor[] {
    const next = this.#held?.anchor ?? this.#hover;
    return next && !this.complete ? [...this.#placed, next] : this.#placed;
  }

  press(from: Pixel, anchor: Anchor): void {
    this.#held = { from, anchor };
    this.#hover = null;
  }

  move(at: Pixel, anchor: Anchor): void {
    const held = this.#held;
    if (!held) {
      this.#hover = anchor;
      return;
    }
    if (this.#placed.length === 0 && this.clicks > 1) {
      if (Math.hypot(at.x - held.from.x, at.y - held.from.y) < DRAGGED) return;
      this.#placed.push(held.anchor);
    }
    held.anchor = anchor;
  }

  release(): void {
    if (this.#held) this.#placed.push(this.#held.anchor);
    this.#held = null;
  }

  /** Places the points that are missing around the middle of the pane. False if the chart has no bars. */
  placeInMiddle(view: Pick<DrawingView, 'width' | 'height' | 'anchorAt'>, magnet: boolean): boolean {
    for (const [left, top] of PLACES.slice(this.placed, this.clicks)) {
      const at = { x: left * view.width, y: top * view.height };
      const anchor = view.anchorAt(at, magnet);
      if (!anchor) return false;
      this.press(at, anchor);
      this.release();
    }
    return true;
  }

  /** The system took the finger away. */
  letGo(): void {
    this.#held = null;
  }
}
