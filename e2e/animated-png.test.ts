import { expect, test } from 'bun:test';
import { inflateSync } from 'node:zlib';
import { animatedPng } from './animated-png.ts';
import type { Pixels } from './compress-png.ts';

/** A picture of 8 × 8 pixels in one colour, with a dot in white. */
function picture(x: number, y: number): Pixels {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(8, 0);
  header.writeUInt32BE(8, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const lines = Buffer.alloc(8 * 25, 40);
  for (let row = 0; row < 8; row++) lines[row * 25] = 0;
  lines.fill(255, y * 25 + 1 + x * 3, y * 25 + 4 + x * 3);
  return { header, width: 8, height: 8, pixelBytes: 3, lines };
}

test('a frame has only what changed since the one before', () => {
  const file = animatedPng([picture(1, 1), picture(3, 2), picture(3, 2)].map((pixels) => ({ pixels, ms: 250 })));
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    chunks.push([file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, at + 8 + file.readUInt32BE(at))]);
  expect(chunks.map(([name]) => name).join(' ')).toBe('IHDR acTL fcTL IDAT fcTL fdAT fcTL fdAT IEND');
  const [whole, changed, same] = chunks.filter(([name]) => name === 'fcTL').map(([, it]) => it);
  const areaOf = (control: Buffer): number[] => [4, 8, 12, 16].map((at) => control.readUInt32BE(at));
  expect([areaOf(whole!), areaOf(changed!), areaOf(same!)]).toEqual([
    [8, 8, 0, 0],
    [3, 2, 1, 1],
    [1, 1, 0, 0],
  ]);
  const [, frame] = chunks.find(([name]) => name === 'fdAT')!;
  const [dark, white, none] = ['282828ff', 'ffffffff', '00000000'];
  expect(inflateSync(frame.subarray(4)).toString('hex')).toBe(`00${dark}${none}${none}00${none}${none}${white}`);
});
