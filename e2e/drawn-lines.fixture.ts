// The lines that a page draws on its canvases, so that tests can tell where a chart has them.
import type { Page } from 'playwright-core';

export interface DrawnLine {
  readonly color: string;
  readonly width: number;
  /** Pixels from the upper left corner of the canvas, on a screen with one device pixel for each. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

declare global {
  interface Window {
    drawnLines: Map<string, DrawnLine>;
  }
}

/** Call it before the page is opened. Of lines with the same colour and width, the newest with several points is kept. */
export async function recordDrawnLines(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawn = new Map<string, DrawnLine>();
    window.drawnLines = drawn;
    const { beginPath, moveTo, lineTo, stroke } = CanvasRenderingContext2D.prototype;
    const paths = new WeakMap<CanvasRenderingContext2D, [number, number][]>();
    CanvasRenderingContext2D.prototype.beginPath = function () {
      paths.set(this, []);
      return beginPath.call(this);
    };
    CanvasRenderingContext2D.prototype.moveTo = function (x, y) {
      paths.get(this)?.push([x, y]);
      return moveTo.call(this, x, y);
    };
    CanvasRenderingContext2D.prototype.lineTo = function (x, y) {
      paths.get(this)?.push([x, y]);
      return lineTo.call(this, x, y);
    };
    CanvasRenderingContext2D.prototype.stroke = function (...path: unknown[]) {
      const points = paths.get(this) ?? [];
      const color = String(this.strokeStyle);
      if (points.length > 5) drawn.set(`${color} ${this.lineWidth}`, { color, width: this.lineWidth, points });
      return stroke.apply(this, path as [Path2D]);
    };
  });
}

export const drawnLines = (page: Page): Promise<readonly DrawnLine[]> =>
  page.evaluate(() => [...window.drawnLines.values()]);
