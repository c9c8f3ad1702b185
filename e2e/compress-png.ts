// Compresses a screenshot losslessly. A browser encodes each line as the difference to its neighbours, which is good for
// photographs; text and flat colours repeat and compress better unfiltered.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Bytes of length, name and checksum of a chunk. */
const AROUND_BYTES = 12;
/** Bytes per pixel by colour type: RGB and RGBA with eight bits per channel. */
const BYTES_OF: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** A picture whose lines are not filtered. */
export interface Pixels {
  readonly header: Buffer;
  readonly width: number;
  readonly height: number;
  readonly pixelBytes: number;
  /** Each line starts with a zero. */
  readonly lines: Buffer;
}

/** `png` as written by Chromium: eight bits per channel, in colour, not interlaced. */
export function compressPng(png: Buffer): Buffer {
  const { header, lines } = pixelsOf(png);
  return pngOf([chunk('IHDR', header), chunk('IDAT', deflated(lines))]);
}

export function pixelsOf(png: Buffer): Pixels {
  const chunks = chunksOf(png);
  const header = chunks.find(({ name }) => name === 'IHDR')?.content;
  const pixelBytes = BYTES_OF[header?.readUInt8(9) ?? -1];
  if (!header || !pixelBytes || header.readUInt8(8) !== 8 || header.readUInt8(12) !== 0)
    throw new Error('Not a picture as Chromium writes it');
  const lines = inflateSync(Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map(({ content }) => content)));
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  unfilter(lines, width * pixelBytes, height, pixelBytes);
  return { header, width, height, pixelBytes, lines };
}

/** A file of these chunks. */
export const pngOf = (chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', Buffer.alloc(0))]);

export const deflated = (lines: Buffer): Buffer => deflateSync(lines, { level: 9, memLevel: 9 });

function chunksOf(png: Buffer): { readonly name: string; readonly content: Buffer }[] {
  const chunks = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ name: png.toString('latin1', at + 4, at + 8), content: png.subarray(at + 8, at + 8 + length) });
    at += AROUND_BYTES + length;
  }
  return chunks;
}

export function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Undoes the filters in place. Each line starts with its filter type: none (0), left, above… */
function unfilter(lines: Buffer, width: number, height: number, pixelBytes: number): void {
  const stride = width + 1;
  for (let y = 0; y < height; y++) {
    const start = y * stride + 1;
    const kind = lines[start - 1]!;
    lines[start - 1] = 0;
    for (let at = start; at < start + width; at++) {
      const isFirst = at - start < pixelBytes;
      const left = isFirst ? 0 : lines[at - pixelBytes]!;
      const above = y === 0 ? 0 : lines[at - stride]!;
      const corner = isFirst || y === 0 ? 0 : lines[at - stride - pixelBytes]!;
      lines[at] = lines[at]! + guess(kind, left, above, corner);
    }
  }
}

function guess(kind: number, left: number, above: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return above;
  if (kind === 3) return (left + above) >> 1;
  if (kind === 0) return 0;
  const slope = left + above - corner;
  const [byLeft, byAbove, byCorner] = [Math.abs(slope - left), Math.abs(slope - above), Math.abs(slope - corner)];
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}
