// A canvas that fills its box at the screen's resolution and draws at most once per frame.
import { coalesced } from './frame-scheduler.ts';

export type Draw = (context: CanvasRenderingContext2D, width: number, height: number) => void;

export class CanvasSurface {
  readonly #canvas: HTMLCanvasElement;
  readonly #draw: Draw;
  readonly redraw = coalesced(() => this.#paint(), requestAnimationFrame);

  constructor(canvas: HTMLCanvasElement, signal: AbortSignal, draw: Draw) {
    this.#canvas = canvas;
    this.#draw = draw;
    const observer = new ResizeObserver(this.redraw);
    observer.observe(canvas);
    signal.addEventListener('abort', () => observer.disconnect());
  }

  #paint(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const context = this.#canvas.getContext('2d');
    if (!context || width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const [pixelsWide, pixelsHigh] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.#canvas.width !== pixelsWide) this.#canvas.width = pixelsWide;
    if (this.#canvas.height !== pixelsHigh) this.#canvas.height = pixelsHigh;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.#draw(context, width, height);
  }
}
