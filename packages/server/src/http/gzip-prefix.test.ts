import { describe, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { gzipPrefix, gzipWithPrefix } from './gzip-prefix.ts';

describe('gzip with a prefix', () => {
  test('decompresses to prefix and tail for any text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 2_000 });
    fc.assert(
      fc.property(text, text, (head, tail) => {
        const packed = gzipWithPrefix(gzipPrefix(head), tail);
        expect(gunzipSync(packed).toString()).toBe(head + tail);
        expect(Buffer.from(Bun.gunzipSync(packed)).toString()).toBe(head + tail);
      }),
      { numRuns: 50 },
    );
  });

  test('a prefix can be combined with many tails', () => {
    const head = gzipPrefix('the same words again and again, '.repeat(500));
    for (const tail of ['', 'x', 'y'.repeat(65_535)])
      expect(gunzipSync(gzipWithPrefix(head, tail)).toString().endsWith(`again, ${tail}`)).toBe(true);
    expect(() => gzipWithPrefix(head, 'z'.repeat(65_536))).toThrow('too long');
  });
});
