// What a page writes on its canvases. Charts are pixels; this records every text with its place, so that tests can tell what a
// person would read.
import type { Page } from 'playwright-core';

export interface DrawnText {
  readonly text: string;
  /** Pixels from the upper left corner of the page. */
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

declare global {
  interface Window {
    drawnTexts: Map<HTMLCanvasElement, DrawnText[]>;
  }
}

/** Call it before the page is opened. */
export async function recordDrawnText(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawn = new Map<HTMLCanvasElement, DrawnText[]>();
    window.drawnTexts = drawn;
    const { fillText, fillRect, clearRect } = CanvasRenderingContext2D.prototype;
    // A canvas is cleared before it is drawn again.
    CanvasRenderingContext2D.prototype.clearRect = function (...place) {
      drawn.set(this.canvas, []);
      return clearRect.apply(this, place);
    };
    CanvasRenderingContext2D.prototype.fillRect = function (...place) {
      if (this.globalCompositeOperation === 'copy') drawn.set(this.canvas, []);
      return fillRect.apply(this, place);
    };
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
      const { a, d, e, f } = this.getTransform();
      const ratio = devicePixelRatio;
      const width = (this.measureText(text).width * a) / ratio;
      const at = (x * a + e) / ratio;
      const left = this.textAlign === 'center' ? at - width / 2 : this.textAlign === 'right' ? at - width : at;
      const seen = drawn.get(this.canvas) ?? [];
      drawn.set(this.canvas, seen);
      seen.push({ text, left, right: left + width, y: (y * d + f) / ratio });
      if (seen.length > 1_000) seen.shift();
      return fillText.call(this, text, x, y, ...more);
    };
  });
}

/** The texts that are on the canvases of the page now. */
export const drawnText = (page: Page): Promise<DrawnText[]> =>
  page.evaluate(() =>
    [...window.drawnTexts].flatMap(([canvas, texts]) => {
      if (!canvas.isConnected) return [];
      const { left, top } = canvas.getBoundingClientRect();
      return texts.map((each) => ({
        text: each.text,
        left: each.left + left,
        right: each.right + left,
        y: each.y + top,
      }));
    }),
  );
