// Compares a screenshot with the stored one. Letters may be drawn a little differently from machine to machine, so single pixels
// may differ; something that moved, vanished or lies over something else changes most of a small square, and is reported.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { compressPng } from './compress-png.ts';

const FOLDER = join(import.meta.dir, 'pictures');
const REPORTS = join(tmpdir(), 'tickwire-e2e-failures');
/** `npm run e2e -- --update-pictures` stores what it sees. */
const UPDATE = process.env.TICKWIRE_TEST_UPDATE_PICTURES === '1';

export interface Difference {
  /** `null` if the pictures have different sizes. */
  readonly squares: readonly string[] | null;
}

/** Squares that differ, as `x,y` in pixels. The comparison runs in a page of the same browser. */
export async function differenceOf(page: Page, one: Uint8Array, other: Uint8Array): Promise<Difference> {
  const urls = [one, other].map((png) => `data:image/png;base64,${Buffer.from(png).toString('base64')}`);
  return page.evaluate(async (sources) => {
    const SQUARE = 16;
    /** A channel that differs by less looks the same. */
    const CHANNEL = 40;
    /** Fraction of a square that must differ. */
    const SHARE = 0.2;
    const [a, b] = await Promise.all(
      sources.map(async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d')!;
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
      }),
    );
    if (a!.width !== b!.width || a!.height !== b!.height) return { squares: null };
    const { width, height } = a!;
    /** Whether a pixel of one picture has no similar one at the same place or beside it in the other. */
    const differs = (from: ImageData, to: ImageData, x: number, y: number): boolean => {
      const at = (y * width + x) * 4;
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          const [nx, ny] = [x + dx, y + dy];
          if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
          const near = (ny * width + nx) * 4;
          const distance = Math.max(
            Math.abs(from.data[at]! - to.data[near]!),
            Math.abs(from.data[at + 1]! - to.data[near + 1]!),
            Math.abs(from.data[at + 2]! - to.data[near + 2]!),
          );
          if (distance <= CHANNEL) return false;
        }
      return true;
    };
    const squares: string[] = [];
    for (let top = 0; top < height; top += SQUARE)
      for (let left = 0; left < width; left += SQUARE) {
        let count = 0;
        for (let y = top; y < Math.min(height, top + SQUARE); y++)
          for (let x = left; x < Math.min(width, left + SQUARE); x++)
            if (differs(a!, b!, x, y) || differs(b!, a!, x, y)) count++;
        if (count > SQUARE * SQUARE * SHARE) squares.push(`${left},${top}`);
      }
    return { squares };
  }, urls);
}

/** What differs from the stored picture; empty if nothing does. Without a stored picture, or to update it, it is stored. */
export async function compareWithPicture(page: Page, blank: Page, name: string): Promise<readonly string[]> {
  const seen = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const file = join(FOLDER, `${name}.png`);
  if (UPDATE) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, compressPng(seen));
    return [];
  }
  if (!existsSync(file)) return [`there is no picture ${name}.png: npm run e2e -- --update-pictures visual`];
  const { squares } = await differenceOf(blank, readFileSync(file), seen);
  if (squares?.length === 0) return [];
  mkdirSync(REPORTS, { recursive: true });
  const report = join(REPORTS, `${name}.png`);
  writeFileSync(report, seen);
  return [squares === null ? 'another size' : `squares at ${squares.slice(0, 12).join(' ')}`, `seen: ${report}`];
}
