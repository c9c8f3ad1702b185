import { describe, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { packHead, packWith } from './gzip-parts.ts';

describe('gzip of two parts', () => {
  test('unpacks to the one behind the other, whatever they hold', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 2_000 });
    fc.assert(
      fc.property(text, text, (head, tail) => {
        const packed = packWith(packHead(head), tail);
        expect(gunzipSync(packed).toString()).toBe(head + tail);
        expect(Buffer.from(Bun.gunzipSync(packed)).toString()).toBe(head + tail);
      }),
      { numRuns: 50 },
    );
  });

  test('one beginning serves many ends', () => {
    const head = packHead('the same words again and again, '.repeat(500));
    for (const tail of ['', 'x', 'y'.repeat(65_535)])
      expect(gunzipSync(packWith(head, tail)).toString().endsWith(`again, ${tail}`)).toBe(true);
    expect(() => packWith(head, 'z'.repeat(65_536))).toThrow('too long');
  });
});
