import { describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { barsIn, importBytes, skippedIn } from '../../../testing/import/read-rows.fixture.ts';

const START = Date.UTC(2024, 0, 1);
const line = (time: number): string => `${new Date(time).toISOString()},1.1,1.2,1.0,1.1,1\n`;
const fileAt = (times: readonly number[]): string => `time,open,high,low,close,volume\n${times.map(line).join('')}`;
const every = (step: number, count = 30, from = START): number[] =>
  Array.from({ length: count }, (_, index) => from + index * step);
const lengthOf = async (times: readonly number[], name = 'x.csv', options = {}): Promise<string> =>
  barsIn((await importBytes(name, fileAt(times), options)).rows)[0]!.timeframe;

describe('the length of bars', () => {
  test.each([
    ['1s', 1_000],
    ['15s', 15_000],
    ['1m', MINUTE_MS],
    ['10m', 10 * MINUTE_MS],
    ['30m', 30 * MINUTE_MS],
    ['2h', 2 * HOUR_MS],
    ['4h', 4 * HOUR_MS],
    ['1d', DAY_MS],
    ['1w', 7 * DAY_MS],
  ])('is %s', async (interval, step) => {
    expect(await lengthOf(every(step))).toBe(interval);
    expect(await lengthOf(every(step).reverse())).toBe(interval);
  });

  test('is a month if all bars begin on the first', async () => {
    const months = Array.from({ length: 20 }, (_, month) => Date.UTC(2022, month, 1));
    expect(await lengthOf(months)).toBe('1M');
  });

  test('is found in the whole file, not at its start', async () => {
    // The first thousand bars are many minutes apart, the rest show that they are minutes.
    const thin = every(MINUTE_MS, 9_000).filter((_, index) => index % 7 === 0 || index % 11 === 0);
    const dense = every(MINUTE_MS, 2_000, thin.at(-1)! + HOUR_MS);
    expect(await lengthOf([...thin, ...dense])).toBe('1m');
  });

  test('is refused if a long part of the file has another one, and the part is named', async () => {
    const hours = every(HOUR_MS, 1_000);
    const minutes = every(MINUTE_MS, 2_000, hours.at(-1)! + HOUR_MS);
    const fault = 'lines 2 to 1002 are 1 hour apart, others 1m';
    await expect(lengthOf([...hours, ...minutes])).rejects.toThrow(fault);
    // Nineteen steps may be those of a thin market.
    expect(await lengthOf([...every(HOUR_MS, 19), ...minutes])).toBe('1m');
  });

  test('is that of a thin market with few adjacent bars', async () => {
    const times = every(MINUTE_MS, 300).filter((_, index) => index % 3 !== 1);
    expect(await lengthOf(times)).toBe('1m');
  });

  test('does not follow a single stray row, which is skipped', async () => {
    const times = [
      ...every(HOUR_MS, 400),
      START + 400 * HOUR_MS + 30 * MINUTE_MS,
      ...every(HOUR_MS, 400, START + 401 * HOUR_MS),
    ];
    const { rows, report } = await importBytes('x.csv', fileAt(times));
    expect(barsIn(rows)[0]!.timeframe).toBe('1h');
    expect(skippedIn(report)).toEqual({ unaligned_bar: 1 });
  });

  test.each([
    ['EURUSD_M15.csv', HOUR_MS, 'the name of the file says 15m, but the bars are at least 1 hour apart'],
    ['EURUSD_H1.csv', MINUTE_MS, 'the name of the file says 1h, but the bars are 1 minute apart'],
    [
      'EURUSD-1M-2024.csv',
      MINUTE_MS,
      'the name of the file says 1M, but the bars are 1 minute apart: rename it (a month; a minute is 1m)',
    ],
    ['EURUSD-1m-2024.csv', DAY_MS, 'the name of the file says 1m'],
  ])('%s contradicts its rows', async (name, step, says) => {
    await expect(lengthOf(every(step), name)).rejects.toThrow(says);
    await expect(lengthOf(every(step), name)).rejects.toThrow('--timeframe');
    expect(await lengthOf(every(step), 'EURUSD_H1.csv', { timeframe: '1m' }).catch(() => '')).toBe(
      step === MINUTE_MS ? '1m' : '',
    );
  });

  test('contradicts an option', async () => {
    await expect(lengthOf(every(HOUR_MS), 'x.csv', { timeframe: '1m' })).rejects.toThrow(
      '--timeframe is 1m, but the bars are at least 1 hour apart: leave it out, or correct it',
    );
    await expect(lengthOf(every(MINUTE_MS), 'x.csv', { timeframe: '1d' })).rejects.toThrow('--timeframe is 1d');
  });

  test('cannot be irregular or of no use', async () => {
    const mixed = [...every(7 * MINUTE_MS, 50), ...every(11 * MINUTE_MS, 40, START + DAY_MS)];
    await expect(lengthOf(mixed)).rejects.toThrow('its bars are irregular');
    await expect(lengthOf(every(7 * MINUTE_MS))).rejects.toThrow('the bars are 7 minutes long');
    await expect(lengthOf([START])).rejects.toThrow('specify --timeframe');
  });
});
