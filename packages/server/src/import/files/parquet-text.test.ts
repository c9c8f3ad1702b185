import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importBytes } from '../../../testing/import/read-rows.fixture.ts';
import { parquetAsCsv } from './parquet-text.ts';

const FILES = join(import.meta.dir, '../../../testing/import/corpus/files/parquet');
const bytesOf = (name: string): Uint8Array => Uint8Array.from(readFileSync(join(FILES, name)));

async function* chunksOf(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  // As with a file, the buffer of one chunk is reused for the next.
  const buffer = new Uint8Array(length);
  for (let at = 0; at < bytes.length; at += length) {
    const chunk = bytes.subarray(at, at + length);
    buffer.set(chunk);
    yield buffer.subarray(0, chunk.length);
  }
}

async function textOf(bytes: Uint8Array, length = 1 << 16): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of parquetAsCsv(chunksOf(bytes, length))) text += decoder.decode(chunk, { stream: true });
  return text;
}

describe('Parquet as CSV text', () => {
  test('is the same for chunks of any size', async () => {
    const file = bytesOf('quotes-row-groups-gzip.parquet');
    const whole = await textOf(file);
    expect(whole.split('\n')[0]).toBe('time,bid,ask,bid_size,ask_size');
    expect(whole.trim().split('\n')).toHaveLength(13);
    for (const length of [1, 3, 1000]) expect(await textOf(file, length)).toBe(whole);
  });

  test('writes 32-bit floats and decimals with the digits they were made from', async () => {
    expect((await textOf(bytesOf('float32-lz4.parquet'))).split('\n')[1]).toBe(
      '2024-03-05T10:00:00.000Z,1.085,1.08581,1.08483,1.08575,310',
    );
    expect((await textOf(bytesOf('decimal-brotli.parquet'))).split('\n')[1]).toBe(
      '2024-03-05T10:00:00.000Z,1.08500,1.08581,1.08483,1.08575,310.00000',
    );
  });

  test('times without a zone stay without one', async () => {
    expect((await textOf(bytesOf('new-york.parquet'))).split('\n')[1]).toStartWith('2024-03-05T05:00:00.000,');
  });

  test('passes other files on, even the shortest', async () => {
    for (const text of ['', 'P', 'PAR', 'PAR2,x', 'time,bid,ask\n']) {
      expect(await textOf(new TextEncoder().encode(text), 2)).toBe(text);
    }
  });

  test('refuses damaged and encrypted files with a reason, and never crashes', async () => {
    const encrypted = new TextEncoder().encode('PARE then something');
    await expect(textOf(encrypted)).rejects.toThrow('the Parquet file is encrypted');
    await expect(textOf(new TextEncoder().encode('PAR1'))).rejects.toThrow('truncated');
    const file = bytesOf('pandas-index-snappy.parquet');
    for (let at = 4; at < file.length; at += 97) {
      const damaged = file.slice();
      damaged.fill(0xff, at, at + 8);
      const outcome = await textOf(damaged).catch((error: Error) => error);
      if (outcome instanceof Error) expect(outcome).toMatchObject({ name: 'ImportError' });
    }
  });

  test('the columns follow the rules of CSV', async () => {
    const { rows, report } = await importBytes('ticks.parquet', bytesOf('quotes-row-groups-gzip.parquet'));
    expect(rows.length).toBe(12);
    expect(report.files[0]).toMatchObject({ format: 'parquet' });
    // Without the usual name, the content still tells.
    const unnamed = await importBytes('download', bytesOf('quotes-row-groups-gzip.parquet'));
    expect(unnamed.rows).toEqual(rows);
  });
});
