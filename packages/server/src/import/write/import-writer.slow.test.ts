import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Timeframe } from '@tickwire/contract';
import { asEpochMs, asSymbol, DAY_MS, MINUTE_MS } from '@tickwire/engine';
import {
  contentOf,
  dumpOf,
  importFolders,
  importInto,
  specOf,
  ticksOf,
  withStore,
} from '../../../testing/import/store-dump.fixture.ts';
import type { MarketStore } from '../../store/store.ts';
import { encodeBlock } from '../../store/tape-block.ts';
import { encodeMinute } from '../../store/tape-minute.ts';
import { runImport } from '../run-import.ts';
import { decodeMinuteBlocks } from './minute-blocks.ts';

const { files, folder, fileOf } = importFolders();

const START = Date.UTC(2024, 0, 2);
const EURUSD = asSymbol('EURUSD');

const noise = (index: number): number => Math.imul(index, 2_654_435_761) >>> 20;
const quoteLine = (index: number, every = 700): string => {
  const bid = 110_000 + (noise(index) % 50);
  // Sometimes the bid is above the ask.
  const ask = bid + 7 - (index % 97 === 0 ? 20 : 0);
  return `${START + index * every},${bid / 1e5},${ask / 1e5},${1 + (index % 3)},2\n`;
};
const quotes = (from: number, to: number, every?: number): string =>
  `time,bid,ask,bid_size,ask_size\n${Array.from({ length: to - from }, (_, index) => quoteLine(from + index, every)).join('')}`;
const trades = (from: number, to: number): string =>
  `time,price,size,trade_id\n${Array.from({ length: to - from }, (_, index) => `${START + (from + index) * 900},${(110_000 + (noise(from + index) % 50)) / 1e5},0.${1 + (index % 9)},${from + index}\n`).join('')}`;

const bars = (at: string, timeframe: Timeframe) =>
  withStore(at, ({ market }) =>
    market.bars({ symbol: EURUSD, timeframe, from: 0, to: 1e14, limit: 1e6, first: 'oldest' }),
  );

describe('import', () => {
  test('changes no byte if repeated', async () => {
    const at = folder();
    const paths = [fileOf('twice.csv', quotes(0, 30_000)), fileOf('twice-trades.csv', trades(0, 9_000))];
    const first = await importInto(at, 'EURUSD', paths);
    expect(first.written).toMatchObject({ ticks: 39_000, unchanged: 0 });
    const dump = dumpOf(at);
    const again = await importInto(at, 'EURUSD', paths);
    expect(again.written).toMatchObject({ minutes: 0, ticks: 0, bars: 0 });
    expect(dumpOf(at)).toEqual(dump);
  });

  test('gives the same result for overlapping files as for one file', async () => {
    const whole = folder();
    const parts = folder();
    await importInto(whole, 'EURUSD', [fileOf('whole.csv', quotes(0, 20_000))]);
    await importInto(parts, 'EURUSD', [fileOf('a.csv', quotes(0, 12_345))]);
    await importInto(parts, 'EURUSD', [fileOf('b.csv', quotes(8_000, 20_000))]);
    expect(await contentOf(parts)).toEqual(await contentOf(whole));
    const together = folder();
    await importInto(together, 'EURUSD', [join(files, 'b.csv'), join(files, 'a.csv')]);
    const { bars: made } = dumpOf(together);
    expect(made).toEqual(dumpOf(whole).bars);
  });

  test('gives the same result if it is killed anywhere and repeated', async () => {
    const path = fileOf('cut.csv', quotes(0, 230_000, 200));
    const whole = folder();
    await importInto(whole, 'EURUSD', [path]);
    const expected = await contentOf(whole);
    // The process dies after this many writes of any kind.
    for (const writes of [1, 2, 3, 4]) {
      const at = folder();
      await withStore(at, async (store) => {
        let left = writes;
        const dying = (method: 'writeImported' | 'writeTape' | 'replaceTape') => (given: never) => {
          if (left-- === 0) throw new Error('killed');
          return store.market[method](given);
        };
        const market: MarketStore = {
          ...store.market,
          writeImported: dying('writeImported'),
          writeTape: dying('writeTape'),
          replaceTape: dying('replaceTape'),
        };
        const run = runImport({
          files: [path],
          options: { format: 'auto' },
          instrument: specOf('EURUSD'),
          instruments: [specOf('EURUSD')],
          store: market,
        });
        await expect(run).rejects.toThrow('killed');
      });
      await importInto(at, 'EURUSD', [path]);
      expect(Bun.deepEquals(await contentOf(at), expected)).toBe(true);
    }
    // Nine imports of 230,000 ticks.
  });

  test('keeps written data when stopped, and continues when repeated', async () => {
    const path = fileOf('stop.csv', quotes(0, 300_000, 200));
    const at = folder();
    const abort = new AbortController();
    const onProgress = (done: number, total: number, rows: number): void => {
      // The first half of the progress is the check.
      if (done > total / 2 && rows > 200_000) abort.abort();
    };
    const stopped = await importInto(at, 'EURUSD', [path], {}, { signal: abort.signal, onProgress });
    expect(stopped.interrupted).toBe(true);
    expect(stopped.written.ticks).toBeGreaterThan(90_000);
    const rest = await importInto(at, 'EURUSD', [path]);
    expect(rest.written.ticks + stopped.written.ticks).toBe(300_000);
    const whole = folder();
    await importInto(whole, 'EURUSD', [path]);
    expect(Bun.deepEquals(await contentOf(at), await contentOf(whole))).toBe(true);
  });

  test('makes the same bars of a file that runs backwards or has late rows', async () => {
    const lines = quotes(0, 30_000).trim().split('\n');
    const [header, ...rows] = lines;
    const straggling = rows.map((row, index) => [index + (index % 50 === 0 ? 400 : 0), row] as const);
    const ordered = folder();
    await importInto(ordered, 'EURUSD', [fileOf('ordered.csv', lines.join('\n'))]);
    for (const shuffled of [rows.toReversed(), straggling.toSorted((a, b) => a[0] - b[0]).map(([, row]) => row)]) {
      const at = folder();
      await importInto(at, 'EURUSD', [fileOf('shuffled.csv', [header, ...shuffled].join('\n'))]);
      expect(dumpOf(at).bars).toEqual(dumpOf(ordered).bars);
    }
  });

  test('keeps equal ticks of a file, and one trade per id', async () => {
    const at = folder();
    const line = `${START},1.1,1.2,1,1\n`;
    const path = fileOf('same.csv', `time,bid,ask,bid_size,ask_size\n${line.repeat(3)}`);
    for (let round = 0; round < 2; round++) await importInto(at, 'EURUSD', [path]);
    const trade = (id: number): string => `${START},1.1,2,${id}\n`;
    const numbered = fileOf('same-trades.csv', `time,price,size,trade_id\n${[5, 6, 6, 7, 5].map(trade).join('')}`);
    for (let round = 0; round < 2; round++) await importInto(at, 'EURUSD', [numbered]);
    const ticks = await ticksOf(at);
    expect(ticks.map((tick) => (tick.kind === 'trade' ? tick.id : 'quote'))).toEqual([
      'quote',
      'quote',
      'quote',
      5,
      6,
      7,
    ]);
    expect((await bars(at, '1m')).map(({ volume, askVolume, basis }) => [volume, askVolume, basis])).toEqual([
      [6, 6, 'trade'],
    ]);
  });

  test('counts crossed quotes in bars but keeps them apart from other ticks', async () => {
    const at = folder();
    const text = `time,bid,ask\n${START},1.1,1.2\n${START + 1},1.5,1.2\n${START + 2},1.15,1.2\n`;
    const { report } = await importInto(at, 'EURUSD', [fileOf('crossed.csv', text)]);
    expect(report.crossed).toBe(1);
    expect((await bars(at, '1m'))[0]).toMatchObject({ open: 1.1, high: 1.5, close: 1.15, volume: 3 });
    await withStore(at, async ({ market }) => {
      const [ticks, aside] = await market.tape(0);
      expect([ticks!.count, ticks!.bytes[0], aside!.count, aside!.bytes[0]]).toEqual([2, 1, 1, 3]);
      expect((await market.lastPrices())[0]!.quote).toMatchObject({ bid: 1.15 });
    });
    // They still count after another tick is added to the minute.
    await importInto(at, 'EURUSD', [fileOf('later.csv', `time,bid,ask\n${START + 3},1.16,1.2\n`)]);
    expect((await bars(at, '1m'))[0]).toMatchObject({ high: 1.5, close: 1.16, volume: 4 });
  });

  test('makes bars of trades from the minute of the first one on, in any order of files', async () => {
    const day = (from: number): string =>
      `time,price,size\n${[0, 1, 2].map((minute) => `${START + from + minute * MINUTE_MS},1.${from ? 2 : 1},1\n`).join('')}`;
    const paths = [fileOf('day1.csv', day(0)), fileOf('day2.csv', day(DAY_MS))];
    const [forward, backward] = [folder(), folder()];
    for (const path of paths) await importInto(forward, 'EURUSD', [path]);
    for (const path of paths.toReversed()) await importInto(backward, 'EURUSD', [path]);
    expect((await bars(forward, '1m')).map(({ time }) => (time - START) / MINUTE_MS)).toEqual([
      0, 1, 2, 1440, 1441, 1442,
    ]);
    expect(dumpOf(backward).bars).toEqual(dumpOf(forward).bars);
  });

  test('builds longer bars from the shortest available ones of any origin', async () => {
    const at = folder();
    const hour = (index: number, volume: number): string => `${START + index * 3_600_000},1.1,1.3,1.0,1.2,${volume}\n`;
    const hours = fileOf(
      'XH1.csv',
      `time,open,high,low,close,volume\n${[0, 1, 2, 5].map((i) => hour(i, 10)).join('')}`,
    );
    await importInto(at, 'EURUSD', [hours], { basis: 'bid' });
    expect((await bars(at, '1h')).map(({ volume }) => volume)).toEqual([10, 10, 10, 10]);
    expect((await bars(at, '4h')).map(({ volume }) => volume)).toEqual([30, 10]);
    const minute = `time,open,high,low,close,volume\n${START + 3_600_000},1.15,1.4,1.1,1.2,3\n${START + 3_660_000},1.2,1.25,1.1,1.12,4\n`;
    await importInto(at, 'EURUSD', [fileOf('m1.csv', minute)], { basis: 'bid', timeframe: '1m' });
    // Two minutes are not the whole hour: its imported bar stays.
    expect((await bars(at, '1h')).map(({ volume }) => volume)).toEqual([10, 10, 10, 10]);
    const whole = Array.from({ length: 60 }, (_, i) => `${START + 3_600_000 + i * 60_000},1.15,1.4,1.1,1.12,1\n`);
    const path = fileOf('whole-m1.csv', `time,open,high,low,close,volume\n${whole.join('')}`);
    await importInto(at, 'EURUSD', [path], { basis: 'bid', timeframe: '1m' });
    expect((await bars(at, '1h')).map(({ volume }) => volume)).toEqual([10, 60, 10, 10]);
    expect((await bars(at, '4h'))[0]).toMatchObject({ volume: 80, high: 1.4 });
    expect((await bars(at, '1d'))[0]).toMatchObject({ volume: 90, open: 1.1, close: 1.2, low: 1 });
    // Importing the hours again does not replace those that are made of minutes.
    const dump = dumpOf(at);
    await importInto(at, 'EURUSD', [hours], { basis: 'bid' });
    expect(dumpOf(at)).toEqual(dump);
    // The order of the imports does not matter.
    const other = folder();
    for (const file of [path, join(files, 'm1.csv'), path, hours])
      await importInto(other, 'EURUSD', [file], { basis: 'bid' });
    expect(dumpOf(other).bars).toEqual(dump.bars);
  });

  test('stores nothing of a truncated archive, or the rows before the fault if skipped rows are allowed', async () => {
    const packed = gzipSync(quotes(0, 100_000));
    const at = folder();
    const path = fileOf('truncated.csv.gz', packed.subarray(0, packed.length >> 1));
    await expect(importInto(at, 'EURUSD', [path])).rejects.toThrow('the archive is truncated; nothing was stored');
    expect(await ticksOf(at)).toEqual([]);
    const { fault, report, written } = await importInto(at, 'EURUSD', [path], {}, { allowSkipped: true });
    expect(fault!.fault).toBe('truncated_archive');
    expect(report.rows).toBeGreaterThan(10_000);
    expect(written.ticks).toBe(report.rows);
  });

  test('rejects more than a million rows in one minute', async () => {
    const line = `${START},1.1,1.2\n`;
    const path = fileOf('crowd.csv', `time,bid,ask\n${line.repeat(1_100_000)}`);
    const at = folder();
    const says = 'rows in the minute 2024-01-02T00:00:00.000Z';
    await expect(importInto(at, 'EURUSD', [path])).rejects.toThrow(says);
    expect(await ticksOf(at)).toEqual([]);
  });

  test('counts price spikes and imports them, or skips them if a limit is set', async () => {
    const text = `time,bid,ask\n${[1.1, 1.1001, 11, 1.1002].map((bid, index) => `${START + index},${bid},${bid + 0.0001}\n`).join('')}`;
    const path = fileOf('spike.csv', text);
    const [taken, limited] = [folder(), folder()];
    const first = await importInto(taken, 'EURUSD', [path]);
    const second = await importInto(limited, 'EURUSD', [path], {}, { spikePercent: 5 });
    for (const { written, spikesKept } of [first, second]) {
      expect([written.spikes, written.ticks]).toEqual([1, spikesKept ? 4 : 3]);
      expect(written.firstSpikes[0]).toMatchObject({ time: START + 2, price: 11, last: 1.1001 });
    }
    expect((await bars(taken, '1m'))[0]!.high).toBe(11);
    expect((await bars(limited, '1m'))[0]!.high).toBe(1.1002);
  });

  test('with a limit, skips no tick of a jump that later ticks confirm, and a last one that nothing confirms', async () => {
    const lines = [1.1, 1.2, 1.2001, 1.2002, 1.3].map((bid, index) => `${START + index},${bid},${bid}\n`);
    const path = fileOf('jump.csv', `time,bid,ask\n${lines.join('')}`);
    const { written } = await importInto(folder(), 'EURUSD', [path], {}, { spikePercent: 5 });
    expect([written.ticks, written.spikes, written.firstSpikes[0]!.price]).toEqual([4, 1, 1.3]);
  });

  test('records the covered time ranges, joined across chunks and files', async () => {
    const at = folder();
    const lines = (from: number, minutes: number[]): string =>
      `time,bid,ask\n${minutes.map((minute) => `${START + (from + minute) * MINUTE_MS},1.1,1.2\n`).join('')}`;
    await importInto(at, 'EURUSD', [fileOf('c1.csv', lines(0, [0, 1, 4, 30, 31]))]);
    await importInto(at, 'EURUSD', [fileOf('c2.csv', lines(0, [3, 32, 60]))]);
    const covered = await withStore(at, ({ market }) => market.watched(EURUSD, 0, 1e14));
    const minutes = covered.map(({ from, to }) => [(from - START) / MINUTE_MS, (to - START) / MINUTE_MS]);
    expect(minutes).toEqual([
      [0, 5],
      [30, 33],
      [60, 61],
    ]);
  });

  test('replaces a minute that was known only as a bar', async () => {
    const at = folder();
    const bar = {
      time: asEpochMs(START),
      open: 1,
      high: 2,
      low: 1,
      close: 2,
      volume: 5,
      bidVolume: 5,
      askVolume: 0,
      basis: 'trade' as const,
    };
    await withStore(at, ({ market }) =>
      market.writeTape([encodeMinute(3, { kind: 'minute', symbol: EURUSD, bar }, 'oanda')]),
    );
    await importInto(at, 'EURUSD', [fileOf('finer.csv', `time,price,size,side\n${START},1.1,4,sell\n`)]);
    const flow = await withStore(at, ({ market }) => market.flow(START, START + MINUTE_MS));
    expect(flow.get(EURUSD)).toEqual({ bidVolume: 4, askVolume: 0 });
  });

  test('adds to the ticks of the service, with higher numbers and its own source', async () => {
    const at = folder();
    const quote = {
      kind: 'quote' as const,
      symbol: EURUSD,
      time: asEpochMs(START + 500),
      bid: 1.3,
      ask: 1.4,
      bidSize: 0,
      askSize: 0,
    };
    const minute = asEpochMs(START);
    const bytes = encodeBlock([{ seq: 77, event: quote, source: 'oanda' }], START, 5);
    await withStore(at, async ({ market }) => {
      await market.setNumber('seq_reserved', 1_000);
      await market.writeTape([{ symbol: EURUSD, minute, firstSeq: 77, count: 1, bidVolume: 0, askVolume: 0, bytes }]);
    });
    const text = `time,bid,ask\n${START + 400},1.1,1.2\n${START + 500},1.3,1.4\n`;
    await importInto(at, 'EURUSD', [fileOf('join.csv', text)]);
    const blocks = await withStore(at, ({ market }) => market.tape(0));
    expect(blocks.map(({ firstSeq, count }) => [firstSeq, count])).toEqual([[77, 2]]);
    expect(decodeMinuteBlocks(blocks).map(({ seq, source }) => [seq, source])).toEqual([
      [77, 'oanda'],
      [1_000, 'import'],
    ]);
    expect((await bars(at, '1m'))[0]).toMatchObject({ open: 1.1, close: 1.3, volume: 2 });
    expect(await withStore(at, ({ market }) => market.number('seq_reserved'))).toBe(1_001);
  });
});
