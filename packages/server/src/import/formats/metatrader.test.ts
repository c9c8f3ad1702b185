import { describe, expect, test } from 'bun:test';
import { importBytes, skippedIn, utc } from '../../../testing/import/read-rows.fixture.ts';

const ATHENS = { timezone: 'Europe/Athens' };
const TICKS =
  '<DATE>\t<TIME>\t<BID>\t<ASK>\t<LAST>\t<VOLUME>\t<FLAGS>\r\n' +
  '2024.01.02\t00:05:00.123\t1.10427\t1.10447\t\t\t6\r\n' +
  '2024.01.02\t00:05:00.200\t1.10428\t\t\t\t2\r\n' +
  '2024.01.02\t00:05:00.300\t\t1.10450\t\t\t4\r\n';

describe('MetaTrader', () => {
  test('carries an empty side of a tick forward and reads server time', async () => {
    const { rows } = await importBytes('EURUSD.csv', TICKS, ATHENS);
    expect(rows.map((row) => row.kind === 'quote' && [row.bid, row.ask])).toEqual([
      [1.10427, 1.10447],
      [1.10428, 1.10447],
      [1.10428, 1.1045],
    ]);
    expect(rows[0]!.time as number).toBe(utc('2024-01-01T22:05:00.123Z'));
  });

  test('reads UTF-16 with and without a byte order mark', async () => {
    const { rows } = await importBytes('EURUSD.csv', TICKS, ATHENS);
    const wide = Buffer.from(TICKS, 'utf16le');
    expect((await importBytes('EURUSD.csv', wide, ATHENS)).rows).toEqual(rows);
    expect((await importBytes('EURUSD.csv', Buffer.concat([Buffer.from([0xff, 0xfe]), wide]), ATHENS)).rows).toEqual(
      rows,
    );
  });

  test('skips a tick whose other side is unknown, and does not carry an invalid price forward', async () => {
    const text =
      '<DATE>\t<TIME>\t<BID>\t<ASK>\t<LAST>\t<VOLUME>\t<FLAGS>\n' +
      '2024.01.02\t00:00:00\t1.1\t\t\t\t2\n2024.01.02\t00:00:01\t\t1.2\t\t\t4\n' +
      '2024.01.02\t00:00:02\tNaN\t\t\t\t2\n2024.01.02\t00:00:03\t\t1.3\t\t\t4\n2024.01.02\t00:00:03\t\t\t\t\t0\n';
    const { rows, report } = await importBytes('EURUSD.csv', text, { timezone: 'UTC' });
    expect(rows.map((row) => row.kind === 'quote' && [row.bid, row.ask])).toEqual([
      [1.1, 1.2],
      [1.1, 1.3],
    ]);
    expect(skippedIn(report)).toEqual({ one_sided: 1, bad_price: 2 });
  });

  test('reads the last price of a tick as a trade, with the side from its flags', async () => {
    const text =
      '<DATE>\t<TIME>\t<BID>\t<ASK>\t<LAST>\t<VOLUME>\t<FLAGS>\n' +
      '2024.01.02\t10:00:00.000\t100.1\t100.2\t100.2\t3\t56\n' +
      '2024.01.02\t10:00:00.100\t\t\t100.1\t2\t88\n' +
      '2024.01.02\t10:00:00.200\t100.0\t\t100.1\t2\t2\n';
    const { rows } = await importBytes('PETR4.csv', text, { timezone: 'UTC', digits: 2 });
    expect(rows.map((row) => (row.kind === 'trade' ? [row.price, row.size, row.side] : row.kind))).toEqual([
      'quote',
      [100.2, 3, 'buy'],
      [100.1, 2, 'sell'],
      'quote',
    ]);
  });

  test('reads bars of both versions and detects their timeframe', async () => {
    const five =
      '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n' +
      '2024.07.02\t03:00:00\t1.1\t1.3\t1.0\t1.2\t321\t0\t5\n2024.07.02\t03:15:00\t1.1\t1.3\t1.0\t1.2\t322\t0\t5\n';
    const four = '2024.07.02,03:00,1.1,1.3,1.0,1.2,321\n2024.07.02,03:15,1.1,1.3,1.0,1.2,322\n';
    const bars = (await importBytes('EURUSD_M15.csv', five, ATHENS)).rows;
    expect(bars[0]).toMatchObject({ time: utc('2024-07-02T00:00:00Z'), timeframe: '15m', volume: 321, basis: 'bid' });
    expect((await importBytes('EURUSD15.csv', four, ATHENS)).rows).toEqual(bars);
  });

  test('reads daily bars without a time, of days that begin at midnight UTC or end at 17:00 in New York', async () => {
    const text =
      '<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n2024.07.02\t1.1\t1.3\t1.0\t1.2\t9\t0\t5\n2024.07.03\t1.1\t1.3\t1.0\t1.2\t9\t0\t5\n';
    expect((await importBytes('d.csv', text, { timezone: 'UTC' })).rows[0]).toMatchObject({ timeframe: '1d' });
    const start = { time: utc('2024-07-01T21:00Z'), timeframe: '1d', align: 'ny' };
    expect((await importBytes('d.csv', text, { timezone: 'broker' })).rows[0]).toMatchObject(start);
    expect((await importBytes('d.csv', text, ATHENS)).rows[0]).toMatchObject(start);
    // In March, clocks in Athens change three weeks later than in New York.
    const march = text.replaceAll('2024.07', '2024.03').replaceAll('.02\t', '.20\t').replaceAll('.03\t', '.21\t');
    const { rows, report } = await importBytes('d.csv', march, ATHENS);
    expect([rows.length, skippedIn(report)]).toEqual([0, { unaligned_bar: 2 }]);
  });

  test('converts points with float noise to prices', async () => {
    const text =
      'Date,open,high,low,close,tick_volume\r\n2013-06-20 12:00:00,131165.0,131264.0,128765.00000000001,129442.0,34863\r\n' +
      '2013-06-20 13:00:00,129442.0,130336.99999999999,128582.0,129975.0,32130\r\n';
    const { rows } = await importBytes('XAUUSDh1.csv', text, { timezone: 'UTC', digits: 3, pointDigits: 2 });
    expect(rows[0]).toMatchObject({ open: 1311.65, low: 1287.65, timeframe: '1h', volume: 34_863 });
    expect(rows[1]).toMatchObject({ high: 1303.37 });
  });

  test('requires a time zone', async () => {
    await expect(importBytes('EURUSD.csv', TICKS)).rejects.toThrow("in the broker's time zone: specify --timezone");
    await expect(importBytes('EURUSD.csv', TICKS, { timezone: 'Server' })).rejects.toThrow(
      'unknown time zone "Server"',
    );
  });
});
