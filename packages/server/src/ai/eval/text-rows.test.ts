import { describe, expect, test } from 'bun:test';
import { ImportError } from '../../import/import-error.ts';
import { LabelledRows, parseLabelMap } from './labelled-rows.ts';
import { textRows } from './text-rows.ts';

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}
const rowsOf = async (text: string, size = 7): Promise<(readonly string[])[]> =>
  Array.fromAsync(textRows(inChunks(text, size)));

describe('CSV rows', () => {
  test('quoted fields may contain commas, quotes and line breaks, across chunks', async () => {
    const text = 'text,label\r\n"a, ""b""\nc",0\nplain "x",1\n"",2\nüñ🚀,\n';
    const rows = [
      ['text', 'label'],
      ['a, "b"\nc', '0'],
      ['plain "x"', '1'],
      ['', '2'],
      ['üñ🚀', ''],
    ];
    for (const size of [1, 2, 3, 5, 1_000]) expect(await rowsOf(text, size)).toEqual(rows);
  });

  test('also separates by semicolons and tabs, and ignores a byte order mark and the last line end', async () => {
    expect(await rowsOf('\ufeffa;b\n"1;2";3')).toEqual([
      ['a', 'b'],
      ['1;2', '3'],
    ]);
    expect(await rowsOf('a\tb, c\n')).toEqual([['a', 'b, c']]);
    expect(await rowsOf('')).toEqual([]);
  });

  test('rejects an unclosed quote', async () => {
    const error = await rowsOf(`a,"${'x'.repeat(2 << 20)}`, 65_536).catch((refusal) => refusal);
    expect(error).toBeInstanceOf(ImportError);
  });
});

describe('labelled rows', () => {
  const read = (rows: string[][], options: { text?: string; label?: string; map?: string } = {}) => {
    const reader = new LabelledRows({ ...options, map: options.map ? parseLabelMap(options.map)! : new Map() });
    return { texts: rows.map((row) => reader.read(row)).filter((row) => row !== null), unknown: reader.unknown };
  };

  test('finds columns by common names, by given names or numbers, or by position', () => {
    const want = [{ text: 'up', label: 'positive' }] as const;
    expect(
      read([
        ['id', 'Sentiment', 'Title'],
        ['1', 'Bullish', 'up'],
      ]).texts,
    ).toEqual([...want]);
    expect(
      read(
        [
          ['x', 'y'],
          ['POSITIVE ', 'up'],
        ],
        { text: 'Y', label: 'x' },
      ).texts,
    ).toEqual([...want]);
    expect(read([['7', 'up', 'positive']], { text: '2', label: '3' }).texts).toEqual([...want]);
    expect(read([['up', 'positive']]).texts).toEqual([...want]);
    expect(read([['positive', 'up']]).texts).toEqual([...want]);
  });

  test('names a missing column and the existing ones in the error', () => {
    expect(() => read([['a', 'b']], { text: 'title' })).toThrow('no text column "title"; its first row: "a", "b"');
  });

  test('maps labels; unknown ones are counted and left out', () => {
    const rows = [
      ['text', 'label'],
      ['a', '0'],
      ['b', '1'],
      ['c', '9'],
      ['d', '9'],
      ['', ''],
      ['e', 'neutral'],
    ];
    const { texts, unknown } = read(rows, { map: '0=bearish,1=Positive' });
    expect(texts.map(({ text, label }) => text + label)).toEqual(['anegative', 'bpositive', 'eneutral']);
    expect([...unknown]).toEqual([['9', 2]]);
    for (const wrong of ['', '0', '0=up', '=neutral', '0=bearish,']) expect(parseLabelMap(wrong)).toBeNull();
  });
});
