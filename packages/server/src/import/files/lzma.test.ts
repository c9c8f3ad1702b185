// The test data was created with `xz --format=lzma` (XZ Utils 5).
import { describe, expect, test } from 'bun:test';
import { ImportError, type ImportFault } from '../import-error.ts';
import { unlzma } from './lzma.ts';

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

const HELLO = 'XQAAgAD//////////wAkGUmYbxYCpv10/IIHArOseH///JzAAA==';
const EMPTY = 'XQAAgAD//////////wCD//v//8AAAAA=';
const RUN =
  'XQAAgAD//////////wAw7/u//qOxXuX4P7KqJlX4aHBBcBUPjf0eTBuKQrcZ9GkYca5mI4qKTS+jDdl/puOMIxFT4FkYxXWK4nf4tpR/DGrA3nRJZOLpXFOyBNax9kS1W///uaoAAA==';
/** --lzma1=lc=1,lp=2,pb=3,dict=4KiB */
const MIXED =
  'mgAQAAD//////////wAAaYLKM8JagBXw+4/uA63b+KFnsLOa+6m/Q8yhgrTNxlnvzOBOcTpbnhKLF/Ly+k8LHvL1ApIdL5OF6N55rKDDMmhxZZpumshYDt0Wc6TRidDAfwxEvRd+USEvdtgffdDBSFvIvdSibqaLDknTwMfMBEHqzjzRoyLkwFFwQtJ5GmmnyDWYfLp/4KfVcChBlVuGnVvKvGMAmc/CiJdI9Nc/wvMPyx1j2qbIq/OtT1uEasMzuyShglzV2DqLSfcI8JnsbcIZB8zJ9+1NXxH8YIS3sCQ8iADdrVyLox5Q8RVBzodJ1n1UZABdi+XSYpKUF+VNDxzPESfTaxS+oINyy9KbbR1gZFQ6102KFFYit+jmhbu7dCDn5nZlRHJmdzTZNqUKLZzIWDqQ9q6bv//iHIQabKhH7z1fhlemf54u9W78kgl1u43OM7A0OIBZ2NF54RdKTMLIp40IuEEHjiB65IzctDG5qyj3Cg/6fgMI40v6jD2juJpdK6DloYS0AMJmNgt6RRGowJuJm3+dl3dPKxvajl74OLvLqh3x/t3FZw==';

function faultOf(bytes: Uint8Array, maxBytes = 1 << 20): ImportFault | null {
  try {
    unlzma(bytes, maxBytes);
    return null;
  } catch (error) {
    if (error instanceof ImportError) return error.fault;
    throw error;
  }
}

describe('unlzma', () => {
  test('decodes text, empty input and a long run', () => {
    expect(textOf(unlzma(bytesOf(HELLO), 100))).toBe('Hello, Hello, Hello, tape!');
    expect(unlzma(bytesOf(EMPTY), 100).length).toBe(0);
    expect(textOf(unlzma(bytesOf(RUN), 100_000))).toBe('a'.repeat(100_000));
  });

  test('observes all properties', () => {
    const expected = Uint8Array.from({ length: 900 }, (_, i) => (i % 13 ? (((i * i) >> 5) & 15) * 17 : (i * 37) & 255));
    expect(unlzma(bytesOf(MIXED), 1 << 20)).toEqual(expected);
  });

  test('accepts a size in the header instead of an end marker', () => {
    const sized = bytesOf(HELLO);
    new DataView(sized.buffer).setBigUint64(5, 26n, true);
    expect(textOf(unlzma(sized, 100))).toBe('Hello, Hello, Hello, tape!');
    for (const wrong of [20n, 27n]) {
      new DataView(sized.buffer).setBigUint64(5, wrong, true);
      expect(faultOf(sized)).toBe('damaged_archive');
    }
  });

  test('rejects output above the limit before decoding it', () => {
    expect(faultOf(bytesOf(RUN), 99_999)).toBe('archive_too_large');
    const sized = bytesOf(RUN);
    new DataView(sized.buffer).setBigUint64(5, 1n << 50n, true);
    expect(faultOf(sized)).toBe('archive_too_large');
  });

  test('rejects a stream that is cut anywhere', () => {
    const whole = bytesOf(MIXED);
    for (let length = 0; length < whole.length; length++) {
      expect(faultOf(whole.subarray(0, length))).toBe('truncated_archive');
    }
  });

  test('rejects a damaged stream or decodes it to other bytes, without another error', () => {
    for (let at = 13; at < bytesOf(RUN).length; at++) {
      const bytes = bytesOf(RUN);
      bytes[at]! ^= 0x55;
      expect([null, 'damaged_archive', 'truncated_archive', 'archive_too_large']).toContain(faultOf(bytes));
    }
    expect(faultOf(new Uint8Array(40).fill(255))).toBe('damaged_archive');
  });
});
