// Joins pictures into an animated PNG. Each frame contains only the rectangle that changed, with everything that did not
// change left transparent, so that a recording of a page is small.
import { chunk, deflated, type Pixels, pngOf } from './compress-png.ts';

const RGBA = 6;

export interface Frame {
  readonly pixels: Pixels;
  readonly ms: number;
}

export function animatedPng(frames: readonly Frame[]): Buffer {
  const [first] = frames as readonly [Frame, ...Frame[]];
  const { width, height } = first.pixels;
  const header = Buffer.from(first.pixels.header);
  header.writeUInt8(RGBA, 9);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames.length, 0);
  const chunks = [chunk('IHDR', header), chunk('acTL', control)];
  let sequence = 0;
  for (const [index, { pixels, ms }] of frames.entries()) {
    if (pixels.width !== width || pixels.height !== height) throw new Error('the frames have different sizes');
    const area = changedArea(pixels, frames[index - 1]?.pixels);
    const data = deflated(cut(pixels, frames[index - 1]?.pixels, area));
    chunks.push(chunk('fcTL', frameControl(sequence++, area, ms, index > 0)));
    if (index === 0) chunks.push(chunk('IDAT', data));
    else {
      const number = Buffer.alloc(4);
      number.writeUInt32BE(sequence++);
      chunks.push(chunk('fdAT', Buffer.concat([number, data])));
    }
  }
  return pngOf(chunks);
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const colourAt = ({ lines, width, pixelBytes }: Pixels, x: number, y: number): number => {
  const at = y * (width * pixelBytes + 1) + 1 + x * pixelBytes;
  return (lines[at]! << 16) | (lines[at + 1]! << 8) | lines[at + 2]!;
};

function changedArea(pixels: Pixels, before: Pixels | undefined): Area {
  const { width, height } = pixels;
  if (!before) return { x: 0, y: 0, width, height };
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (colourAt(pixels, x, y) === colourAt(before, x, y)) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  // A frame has at least one pixel.
  return right < 0
    ? { x: 0, y: 0, width: 1, height: 1 }
    : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function cut(pixels: Pixels, before: Pixels | undefined, { x: left, y: top, width, height }: Area): Buffer {
  const lines = Buffer.alloc(height * (width * 4 + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const colour = colourAt(pixels, left + x, top + y);
      if (before && colour === colourAt(before, left + x, top + y)) continue;
      lines.writeUInt32BE(((colour << 8) | 0xff) >>> 0, y * (width * 4 + 1) + 1 + x * 4);
    }
  return lines;
}

function frameControl(sequence: number, { x, y, width, height }: Area, ms: number, over: boolean): Buffer {
  const control = Buffer.alloc(26);
  for (const [at, value] of [sequence, width, height, x, y].entries()) control.writeUInt32BE(value, at * 4);
  control.writeUInt16BE(ms, 20);
  control.writeUInt16BE(1000, 22);
  // Keep the frame, and draw over the one before.
  control.writeUInt8(0, 24);
  control.writeUInt8(over ? 1 : 0, 25);
  return control;
}
