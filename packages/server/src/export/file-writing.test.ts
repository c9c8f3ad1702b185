// The parts of an export that write files: zips, periods, plain decimals, files that appear when they are complete.
import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asSymbol, CATALOGUE, HOUR_MS, type InstrumentSpec, MINUTE_MS } from '@tickwire/engine';
import fc from 'fast-check';
import { parseChart } from '../history/chart-reader.ts';
import { SIZE_LIMITS } from '../import/files/size-guard.ts';
import { SourceFile } from '../import/files/source-file.ts';
import { listZipEntries } from '../import/files/zip-archive.ts';
import { writeAtomically } from './atomic-file.ts';
import { ExportError } from './export-error.ts';
import { fileLayout, type MetadataOptions } from './layouts/files.ts';
import { freqtradeLayout, pairName } from './layouts/freqtrade.ts';
import type { Dataset, Layout } from './layouts/layout.ts';
import { leanLayout } from './layouts/lean.ts';
import { periodsOf } from './partition.ts';
import { decimalOf, PlainText } from './plain-text.ts';
import { zipOfOne } from './zip-stream.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwire-export-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* chunksOf(...texts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    if (typeof text !== 'string') throw text;
    yield new TextEncoder().encode(text);
  }
}

describe('a zip of one entry', () => {
  test('is read back, with its checksum, and does not depend on the time', async () => {
    const texts = ['1,2\n', '3,4\n'.repeat(100_000), ''];
    const files: Buffer[] = [];
    for (const name of ['a.zip', 'b.zip']) {
      await writeAtomically(join(folder, name), zipOfOne('20140501_eurusd_tick_quote.csv', chunksOf(...texts)));
      files.push(readFileSync(join(folder, name)));
    }
    expect(files[0]!.equals(files[1]!)).toBe(true);
    const source = await SourceFile.open(join(folder, 'a.zip'), SIZE_LIMITS);
    const [entry, ...others] = await source.entries();
    expect([entry!.name.split('!')[1], others.length]).toEqual(['20140501_eurusd_tick_quote.csv', 0]);
    const parts: Buffer[] = [];
    for await (const chunk of entry!.chunks()) parts.push(Buffer.from(chunk));
    expect(Buffer.concat(parts).toString()).toBe(texts.join(''));
    await source.close();
    const handle = await open(join(folder, 'a.zip'));
    const [listed] = await listZipEntries(handle.fd, SIZE_LIMITS);
    expect(listed).toMatchObject({ size: 400_004, isStored: false });
    await handle.close();
  });

  test('fails if its content does', async () => {
    const zip = zipOfOne('a.csv', chunksOf('1', new Error('the store is gone')));
    await expect(writeAtomically(join(folder, 'failed.zip'), zip)).rejects.toThrow('the store is gone');
    expect(readdirSync(folder).filter((name) => name.startsWith('failed'))).toEqual([]);
  });
});

describe('a file', () => {
  test('has its name only when it is complete, and replaces the one before', async () => {
    const path = join(folder, 'new', 'folder', 'a.csv');
    async function* watched(): AsyncGenerator<Uint8Array> {
      yield* chunksOf('first\n');
      expect([existsSync(path), existsSync(`${path}.part`)]).toEqual([false, true]);
      yield* chunksOf('second\n');
    }
    expect(await writeAtomically(path, watched())).toBe(13);
    expect(await writeAtomically(path, chunksOf('third\n'))).toBe(6);
    expect(readFileSync(path, 'utf8')).toBe('third\n');
    expect(readdirSync(join(folder, 'new', 'folder'))).toEqual(['a.csv']);
  });

  test('is not made of nothing, nor of what is cut', async () => {
    const path = join(folder, 'none.csv');
    expect(await writeAtomically(path, chunksOf())).toBe(0);
    const abort = new AbortController();
    async function* interrupted(): AsyncGenerator<Uint8Array> {
      yield* chunksOf('first\n');
      abort.abort();
      yield* chunksOf('second\n');
    }
    await expect(writeAtomically(path, interrupted(), abort.signal)).rejects.toThrow();
    expect(readdirSync(folder).filter((name) => name.startsWith('none'))).toEqual([]);
  });

  test('that cannot be written is an error of one line', async () => {
    writeFileSync(join(folder, 'plain'), '');
    mkdirSync(join(folder, 'taken.csv'));
    for (const [path, problem] of [
      [join(folder, 'plain', 'a.csv'), 'not a folder (E'],
      [join(folder, 'taken.csv'), 'folder of that name (EISDIR)'],
    ] as const) {
      const error = await writeAtomically(path, chunksOf('1')).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ExportError);
      expect((error as Error).message).toStartWith(`${path} cannot be written: `);
      expect((error as Error).message).toContain(problem);
    }
  });
});

test('numbers are plain decimals that read back as the same number', () => {
  expect([1e-7, 1.25e-9, -3e-8, 1e21, 1.5e22, 0.1, 61837.63].map(decimalOf)).toEqual([
    '0.0000001',
    '0.00000000125',
    '-0.00000003',
    '1000000000000000000000',
    '15000000000000000000000',
    '0.1',
    '61837.63',
  ]);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = decimalOf(value);
      expect(text).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Number(text)).toBe(value + 0);
      const written = new PlainText().number(1.5).comma().number(value).comma().size(value).take();
      expect(new TextDecoder().decode(written)).toBe(`1.5,${text},${text}`);
    }),
  );
});

describe('periods', () => {
  const time = (text: string): number => Date.parse(text);

  test('are UTC days or months, cut at the ends of the range', () => {
    const [from, to] = [time('2024-02-28T12:00Z'), time('2024-03-01T00:01Z')];
    expect([...periodsOf('day', from, to)].map(({ name }) => name)).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
    expect([...periodsOf('month', from, to)]).toEqual([
      { name: '2024-02', from, to: time('2024-03-01') },
      { name: '2024-03', from: time('2024-03-01'), to },
    ]);
    expect([...periodsOf('none', from, to)]).toEqual([{ name: '', from, to }]);
  });

  test('cover any range without a gap or an overlap', () => {
    const minutes = fc.integer({ min: 0, max: 40_000_000 });
    fc.assert(
      fc.property(minutes, fc.integer({ min: 1, max: 600_000 }), (start, length) => {
        const [from, to] = [start * MINUTE_MS, (start + length) * MINUTE_MS];
        for (const partition of ['day', 'month', 'none'] as const) {
          const periods = [...periodsOf(partition, from, to)];
          expect([periods[0]!.from, periods.at(-1)!.to]).toEqual([from, to]);
          for (const [index, period] of periods.entries()) {
            expect(period.from).toBeLessThan(period.to);
            if (index > 0) expect(period.from).toBe(periods[index - 1]!.to);
          }
          expect(new Set(periods.map(({ name }) => name)).size).toBe(periods.length);
        }
      }),
      { numRuns: 50 },
    );
  });
});

test('pairs are named as freqtrade names them', () => {
  const nameOf = (symbol: string): string => pairName(CATALOGUE.find((spec) => spec.symbol === symbol)!);
  expect(['BTCUSD', 'EURUSD', 'XAUUSD', 'US30'].map(nameOf)).toEqual(['BTC_USD', 'EUR_USD', 'XAU_USD', 'US30_USD']);
});

describe('a perpetual and the spot price of the same pair have files of their own', () => {
  const bitcoin = { ...CATALOGUE.find(({ symbol }) => symbol === 'BTCUSD')!, symbol: asSymbol('BTCUSDT') };
  const perpetual: InstrumentSpec = {
    ...bitcoin,
    symbol: asSymbol('BTCUSDT.P'),
    currency: 'USDT',
    contract: 'perpetual',
    underlying: 'BTC',
    venue: 'bybit',
  };
  const chart = parseChart({ interval: '1h', align: 'utc' });
  const datasetsOf = (instrument: InstrumentSpec): Dataset[] => [
    { kind: 'bars', instrument, chart, interval: '1h' },
    { kind: 'trades', instrument },
  ];
  const pathsOf = (layout: (dataset: Dataset) => Layout, instrument: InstrumentSpec): string[] =>
    datasetsOf(instrument).flatMap((dataset) => [...layout(dataset).files(0, HOUR_MS)].map(({ path }) => path));
  const gaps = { tapeDays: 1 } as MetadataOptions;

  test('of freqtrade, in its folder of futures', () => {
    expect(pathsOf(freqtradeLayout, bitcoin)).toEqual(['BTC_USDT-1h.json', 'BTC_USDT-trades.json']);
    expect(pathsOf(freqtradeLayout, perpetual)).toEqual([
      'futures/BTC_USDT_USDT-1h-futures.json',
      'futures/BTC_USDT_USDT-trades.json',
    ]);
    // Both follow gold.
    for (const code of ['GOLDUSDT.P', 'XAUUSDT.P'])
      expect(pairName({ ...perpetual, symbol: asSymbol(code), underlying: 'XAU' })).toBe(
        `${code.slice(0, -6)}_USDT_USDT`,
      );
  });

  test('of Lean, in its folder of crypto futures of the venue', () => {
    const lean = (market?: string) => (dataset: Dataset) => leanLayout(dataset, market);
    expect(pathsOf(lean(), perpetual)).toEqual([
      'cryptofuture/bybit/hour/btcusdt_trade.zip',
      'cryptofuture/bybit/hour/btcusdt_quote.zip',
      'cryptofuture/bybit/tick/btcusdt/19700101_trade.zip',
    ]);
    expect(pathsOf(lean('okx'), { ...perpetual, type: 'metal' })[0]).toBe('cryptofuture/okx/hour/btcusdt_trade.zip');
    expect(pathsOf(lean(), { ...perpetual, venue: 'other' })[0]).toStartWith('cryptofuture/binance/');
    expect(() => leanLayout({ kind: 'trades', instrument: perpetual }, 'oanda')).toThrow('binance, bybit, dydx, okx');
    expect(pathsOf(lean(), bitcoin)[0]).toBe('crypto/binance/hour/btcusdt_trade.zip');
  });

  test.each(['csv', 'ndjson', 'parquet'] as const)('of %s, by its symbol', (format) => {
    const paths = (instrument: InstrumentSpec) =>
      pathsOf((dataset) => fileLayout(dataset, format, 'none', gaps), instrument);
    expect(paths(perpetual)).toEqual([`BTCUSDT.P/BTCUSDT.P-1h.${format}`, `BTCUSDT.P/BTCUSDT.P-trades.${format}`]);
    expect(paths(bitcoin)[0]).toBe(`BTCUSDT/BTCUSDT-1h.${format}`);
  });
});
