// Tests the two parsers of the load: their counts must not depend on how the bytes are split.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { walkFrames } from './frames.ts';
import { ResponseReader } from './response-reader.ts';

function frame(text: string): Buffer {
  const { length } = text;
  const header = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(header), Buffer.from(text)]);
}

/** Splits the bytes into chunks of the given sizes, repeatedly. */
function* split(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, piece = 0; at < bytes.length; at += sizes[piece++ % sizes.length]!)
    yield bytes.subarray(at, at + sizes[piece % sizes.length]!);
}

const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 10 });

describe('the load generator', () => {
  test('parses every frame, however the stream is split', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 40 });
    fc.assert(
      fc.property(lengths, sizes, (list, pieces) => {
        const texts = ['{"event":"subscribed"}', ...list.map((length) => `{"symbol":"${'x'.repeat(length)}"}`)];
        const bytes = Buffer.concat([...texts.map(frame), Buffer.from([0x89, 0x00])]);
        const seen: string[] = [];
        let held = Buffer.alloc(0);
        for (const chunk of split(bytes, pieces)) {
          const all = Buffer.concat([held, chunk]);
          const read = walkFrames(all, 0, all.length, (opcode, from, start, end) => {
            seen.push(`${opcode} ${from.toString('utf8', start, end)}`);
          });
          held = all.subarray(read);
        }
        expect(seen).toEqual([...texts.map((text) => `1 ${text}`), '9 ']);
      }),
    );
  });

  test('finds the end and the status of every response, however the stream is split', () => {
    const responses = fc.array(
      fc.record({ status: fc.constantFrom(200, 201, 429), length: fc.integer({ min: 0, max: 500 }) }),
      {
        maxLength: 20,
      },
    );
    fc.assert(
      fc.property(responses, sizes, (list, pieces) => {
        const text = list.map(
          ({ status, length }) => `HTTP/1.1 ${status} Said\r\ncontent-length: ${length}\r\n\r\n${'b'.repeat(length)}`,
        );
        const seen: number[] = [];
        const reader = new ResponseReader((status) => seen.push(status));
        for (const chunk of split(Buffer.from(text.join('')), pieces)) reader.read(chunk);
        expect(seen).toEqual(list.map(({ status }) => status));
      }),
    );
  });
});
