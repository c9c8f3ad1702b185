// Bars of other lengths and alignments than the service serves, in the store.
import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asSymbol, type Bar, DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { importFolders, importInto, withStore } from '../../testing/import/store-dump.fixture.ts';

const folders = importFolders();
const { files, folder } = folders;

const START = Date.UTC(2024, 0, 2);
const price = (index: number): number => (110_000 + ((Math.imul(index, 2_654_435_761) >>> 20) % 90)) / 1e5;
const line = (time: number, index: number): string =>
  `${time},${price(index)},${Math.max(price(index), price(index + 1)) + 0.0001},${Math.min(price(index), price(index + 1)) - 0.0001},${price(index + 1)},${1 + (index % 5)}\n`;
function fileOf(name: string, step: number, count: number, order: 'up' | 'down' = 'up', start = START): string {
  const lines = Array.from({ length: count }, (_, index) => line(start + index * step, index));
  if (order === 'down') lines.reverse();
  return folders.fileOf(name, `time,open,high,low,close,volume\n${lines.join('')}`);
}
const bars = (at: string, timeframe: string): Promise<Bar[]> =>
  withStore(at, ({ market }) =>
    market.bars({ symbol: asSymbol('EURUSD'), timeframe, from: 0, to: 1e14, limit: 1e6, first: 'oldest' }),
  );
const BID = { basis: 'bid' } as const;

describe('imported bars', () => {
  test('of 30 minutes are stored as such and make hours and days', async () => {
    const at = folder();
    await importInto(at, 'EURUSD', [fileOf('m30.csv', 30 * MINUTE_MS, 48)], BID);
    expect((await bars(at, '30m')).map(({ open }) => open)).toEqual(Array.from({ length: 48 }, (_, i) => price(i)));
    const hours = await bars(at, '1h');
    expect(hours.length).toBe(24);
    expect(hours[1]).toMatchObject({ time: START + HOUR_MS, open: price(2), close: price(4), volume: 7 });
    expect(await bars(at, '15m')).toEqual([]);
    const [day] = await bars(at, '1d');
    expect(day).toMatchObject({ open: price(0), close: price(48) });
    // A file that begins in the middle of an hour completes it.
    const parts = folder();
    await importInto(parts, 'EURUSD', [fileOf('b.csv', 30 * MINUTE_MS, 1)], { ...BID, timeframe: '30m' });
    await importInto(parts, 'EURUSD', [join(files, 'm30.csv')], BID);
    expect(await bars(parts, '1h')).toEqual(hours);
  });

  test('of weeks and months are stored as such and make nothing else', async () => {
    const at = folder();
    await importInto(at, 'EURUSD', [fileOf('w.csv', 7 * DAY_MS, 20, 'up', Date.UTC(2023, 0, 2))], BID);
    expect((await bars(at, '1w')).length).toBe(20);
    expect(await bars(at, '1d')).toEqual([]);
    expect(await withStore(at, ({ market }) => market.number('bars_until'))).toBeUndefined();
  });

  test('of seconds are folded into minutes, all of them, in any order and across files', async () => {
    const [up, down, split] = [folder(), folder(), folder()];
    await importInto(up, 'EURUSD', [fileOf('s1.csv', 1_000, 7_200)], BID);
    await importInto(down, 'EURUSD', [fileOf('s1-down.csv', 1_000, 7_200, 'down')], BID);
    const minutes = await bars(up, '1m');
    expect(minutes.length).toBe(120);
    for (const [minute, bar] of minutes.entries()) {
      const seconds = Array.from({ length: 60 }, (_, second) => minute * 60 + second);
      expect(bar).toMatchObject({
        time: START + minute * MINUTE_MS,
        open: price(minute * 60),
        close: price(minute * 60 + 60),
        volume: seconds.reduce((sum, index) => sum + 1 + (index % 5), 0),
      });
      const highs = seconds.map((index) => Math.max(price(index), price(index + 1)) + 0.0001);
      expect(bar.high).toBeCloseTo(Math.max(...highs), 9);
    }
    expect(await bars(down, '1m')).toEqual(minutes);
    expect(await bars(down, '1h')).toEqual(await bars(up, '1h'));
    const first = fileOf('s-first.csv', 1_000, 90);
    const rest = Array.from({ length: 7_110 }, (_, index) => line(START + (90 + index) * 1_000, 90 + index)).join('');
    writeFileSync(join(files, 's-rest.csv'), `time,open,high,low,close,volume\n${rest}`);
    await importInto(split, 'EURUSD', [first, join(files, 's-rest.csv')], BID);
    expect(await bars(split, '1m')).toEqual(minutes);
  });

  test('of days in server time are kept apart from days of UTC', async () => {
    const at = folder();
    const lines = [1, 2, 3, 4, 5].map((day) => `2024.07.0${day}\t1.1\t1.3\t1.0\t1.2\t9\t0\t5\n`);
    const path = join(files, 'EURUSD_D1.csv');
    writeFileSync(path, `<DATE>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n${lines.join('')}`);
    await importInto(at, 'EURUSD', [path], { timezone: 'broker' });
    const times = (await bars(at, '1d@ny')).map(({ time }) => new Date(time).toISOString());
    expect(times[0]).toBe('2024-06-30T21:00:00.000Z');
    expect(times.length).toBe(5);
    expect(await bars(at, '1d')).toEqual([]);
  });

  test('that are longer are not replaced by a part of shorter ones', async () => {
    const at = folder();
    await importInto(at, 'EURUSD', [fileOf('d1.csv', DAY_MS, 5)], BID);
    const days = await bars(at, '1d');
    // Half of the second day, in minutes.
    await importInto(at, 'EURUSD', [fileOf('half.csv', MINUTE_MS, 720, 'up', START + DAY_MS)], BID);
    expect(await bars(at, '1d')).toEqual(days);
    expect((await bars(at, '4h')).length).toBe(3);
    // The whole of it.
    await importInto(at, 'EURUSD', [fileOf('whole.csv', MINUTE_MS, 1_440, 'up', START + DAY_MS)], BID);
    expect((await bars(at, '1d'))[1]).toMatchObject({ open: price(0), close: price(1_440) });
  });
});
