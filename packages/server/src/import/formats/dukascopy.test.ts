import { describe, expect, test } from 'bun:test';
import { asEpochMs } from '@tickwire/engine';
import { importBytes, skippedIn, utc } from '../../../testing/import/read-rows.fixture.ts';

const QUOTE = {
  kind: 'quote',
  time: 1_549_238_400_994,
  bid: 1.14543,
  ask: 1.14545,
  bidSize: 2.06,
  askSize: 1,
  crossed: false,
};
const BAR = {
  kind: 'bar',
  time: 1_549_238_400_000,
  timeframe: '1m',
  open: 1.14543,
  high: 1.1457,
  low: 1.14542,
  close: 1.14569,
};
/** Three ticks of 2019-02-04 00h, two candles, and ticks followed by half a record (xz --format=lzma). */
const BI5 = 'XQAAgAD//////////wAAYAxFqOjJDwLQ3ICiKGYZp6cCIdjKMjJ7W1l2v017Z6pem8ywX1O3JVanSpj233GCDf7+RirA';
const CANDLES = 'XQAAgAD//////////wAAaP60Jl8fRcxYiWE0QBvYhiHUijfS0KdOBv3E/8UZ8AA=';
const CUT = 'XQAAgAD//////////wAAYAxFqOjJDwLQ3ICiKGYZp6cCIdjKMjJ7W1l2v017Z6pem8ywX1O3JVanSpj23c+LQpNBOif/1HUAAA==';
const bytesOf = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'));

describe('Dukascopy CSV', () => {
  test.each([
    ['the web export', 'Gmt time,Ask,Bid,AskVolume,BidVolume\n04.02.2019 00:00:00.994,1.14545,1.14543,1,2.06\n'],
    ['local time', 'Local time,Ask,Bid,AskVolume,BidVolume\n04.02.2019 02:00:00.994 GMT+0200,1.14545,1.14543,1,2.06\n'],
    ['JForex', 'Time (UTC),Ask,Bid,AskVolume,BidVolume \n2019.02.04 00:00:00.994,1.14545,1.14543,1,2.06\n'],
    ['JForex in EET', 'Time (EET),Ask,Bid,AskVolume,BidVolume \n2019.02.04 02:00:00.994,1.14545,1.14543,1,2.06\n'],
    ['dukascopy-node', 'timestamp,askPrice,bidPrice,askVolume,bidVolume\n1549238400994,1.14545,1.14543,1,2.06\n'],
  ])('reads ticks of %s', async (_, text) => {
    const { rows, report } = await importBytes('ticks.csv', text);
    expect(rows).toEqual([QUOTE as never]);
    expect(report.files[0]!.format).toBe('dukascopy-csv');
  });

  test('reads a file without a header only if the format is given', async () => {
    const text = '1549238400994,1.14545,1.14543,1,2.06\n';
    await expect(importBytes('t.csv', text)).rejects.toThrow('dukascopy-csv');
    expect((await importBytes('t.csv', text, { format: 'dukascopy-csv' })).rows).toEqual([QUOTE as never]);
  });

  test('prefers the time zone of the header', async () => {
    const text = 'Gmt time,Ask,Bid,AskVolume,BidVolume\n04.02.2019 00:00:00.994,1.14545,1.14543,1,2.06\n';
    expect((await importBytes('t.csv', text, { timezone: 'Asia/Tokyo' })).rows).toEqual([QUOTE as never]);
  });

  test('skips flat bars without volume and rejects ask bars', async () => {
    const text =
      'Gmt time,Open,High,Low,Close,Volume\n04.02.2019 00:00:00.000,1.14543,1.1457,1.14542,1.14569,293.76\n' +
      '04.02.2019 00:01:00.000,1.14569,1.14569,1.14569,1.14569,0\n';
    const { rows, report } = await importBytes('EURUSD_Candlestick_1_M_BID_04.02.2019-04.02.2019.csv', text);
    expect(rows).toEqual([{ ...BAR, volume: 293.76, bidVolume: 0, askVolume: 0, basis: 'bid' } as never]);
    expect(skippedIn(report)).toEqual({ flat_bar: 1 });
    await expect(importBytes('EURUSD_Candlestick_1_M_ASK_04.02.2019.csv', text)).rejects.toThrow('ask bars');
  });
});

describe('Dukascopy JSON', () => {
  test('reads arrays and objects, on one line or several, with and without volumes', async () => {
    for (const text of [
      '[\n  [1549238400994, 1.14545, 1.14543, 1, 2.06]\n]\n',
      '[[1549238400994,1.14545,1.14543,1,2.06]]',
      '[{"timestamp":1549238400994,"askPrice":1.14545,"bidPrice":1.14543,"askVolume":1,"bidVolume":2.06}]',
    ]) {
      expect((await importBytes('t.json', text)).rows).toEqual([QUOTE as never]);
    }
    const bare = await importBytes('t.json', '[[1549238400994,1.14545,1.14543]]');
    expect(bare.rows).toEqual([{ ...QUOTE, bidSize: 0, askSize: 0 } as never]);
  });

  test('reads bars, with the timeframe from the rows or the name', async () => {
    const rows =
      '[1549238400000,1.14543,1.1457,1.14542,1.14569,293.76],[1549238460000,1.14569,1.14569,1.14569,1.14569,1]';
    const bars = await importBytes('dukascopy/b.json', `[${rows}]`);
    expect(bars.rows[0]).toMatchObject({ ...BAR, volume: 293.76 });
    const one = '[{"timestamp":1549238400000,"open":1.14543,"high":1.1457,"low":1.14542,"close":1.14569}]';
    expect((await importBytes('eurusd-h1-bid-2019-02-04.json', one)).rows[0]).toMatchObject({
      ...BAR,
      timeframe: '1h',
    });
    await expect(importBytes('b.json', one)).rejects.toThrow('--timeframe');
    expect((await importBytes('b.json', one, { timeframe: '5m' })).rows[0]).toMatchObject({ ...BAR, timeframe: '5m' });
    const bare = '[[1549238400000,1.14543,1.1457,1.14542,1.14569],[1549238460000,1.14569,1.14569,1.14569,1.14569]]';
    expect((await importBytes('b.json', bare)).rows[1]).toMatchObject({ kind: 'bar', volume: 0 });
  });

  test('does not guess between the equal bars of Dukascopy and ccxt', async () => {
    const text = '[[1549238400000,1.14543,1.1457,1.14542,1.14569,293.76]]';
    const options = { timeframe: '1m' } as const;
    await expect(importBytes('b.json', text, options)).rejects.toThrow(
      'the format may be dukascopy-json (Dukascopy JSON) or ccxt (ccxt or freqtrade JSON): specify --format',
    );
    const basisOf = async (name: string, format: 'auto' | 'dukascopy-json' = 'auto') =>
      (await importBytes(name, text, { ...options, format })).rows[0];
    expect(await basisOf('b.json', 'dukascopy-json')).toMatchObject({ basis: 'bid' });
    expect(await basisOf('eurusd-m1-bid-2019-02-04.json')).toMatchObject({ basis: 'bid' });
    expect(await basisOf('user_data/BTC_USDT-1m.json')).toMatchObject({ basis: 'trade' });
  });

  test('skips only bad records', async () => {
    const text =
      '[[1549238400994,1.14545,1.14543,1,2.06],[1549238400995],[1549238400996,null,1.1,1,1],[1549238400997,1.2,1.1,1,1],[15492384';
    const { rows, report } = await importBytes('t.json', text);
    expect(rows.length).toBe(2);
    expect(skippedIn(report)).toEqual({ wrong_columns: 2, bad_price: 1 });
    expect(report.skipped.get('bad_price')!.examples[0]!.line).toBe(3);
  });
});

describe('Dukascopy .bi5', () => {
  const path = 'EURUSD/2019/01/04/00h_ticks.bi5';

  test('takes the hour from the path, with months from 00, and rounds volumes', async () => {
    const { rows, report } = await importBytes(path, bytesOf(BI5));
    expect(rows[0]).toEqual(QUOTE as never);
    expect(rows[2]).toMatchObject({
      time: utc('2019-02-04T00:59:59.999Z'),
      bid: 1.14541,
      ask: 1.1454,
      crossed: true,
      bidSize: 8.35,
    });
    expect(report.files[0]).toEqual({ file: path, format: 'dukascopy-bi5', rows: 3 });
  });

  test('requires --start without a path', async () => {
    await expect(importBytes('ticks.bi5', bytesOf(BI5))).rejects.toThrow('--start');
    const start = asEpochMs(Date.UTC(2020, 0, 1, 7));
    expect((await importBytes('ticks.bi5', bytesOf(BI5), { start })).rows[0]!.time as number).toBe(start + 994);
  });

  test('reads points with other digits than the instrument', async () => {
    const { rows } = await importBytes(path, bytesOf(BI5), { digits: 5, pointDigits: 3 });
    expect(rows[0]).toMatchObject({ bid: 114.543, ask: 114.545 });
  });

  test('reads an empty file as an hour without ticks, and reports a cut record', async () => {
    expect((await importBytes(path, new Uint8Array(0))).rows).toEqual([]);
    const { rows, report } = await importBytes(path, bytesOf(CUT));
    expect([rows.length, skippedIn(report)]).toEqual([3, { cut_record: 1 }]);
    await expect(importBytes(path, bytesOf(BI5).subarray(0, 40))).rejects.toThrow('is truncated');
  });

  test('reads candles, skips flat ones and rejects ask candles', async () => {
    const { rows, report } = await importBytes('EURUSD/2019/01/04/BID_candles_min_1.bi5', bytesOf(CANDLES));
    expect(rows).toEqual([{ ...BAR, volume: 293.76, bidVolume: 0, askVolume: 0, basis: 'bid' } as never]);
    expect(skippedIn(report)).toEqual({ flat_bar: 1 });
    await expect(importBytes('EURUSD/2019/01/04/ASK_candles_min_1.bi5', bytesOf(CANDLES))).rejects.toThrow('ask bars');
  });
});
