import { describe, expect, test } from 'bun:test';
import { barsIn, importBytes, utc } from '../../../testing/import/read-rows.fixture.ts';

const HEADER = 'time,open,high,low,close,volume';
const file = (...rows: string[]): string => `${[HEADER, ...rows].join('\n')}\n`;
const A = '2024-03-05T10:00:00Z,1.1,1.2,1.0,1.1,5';
const B = '2024-03-05T11:00:00Z,1.1,1.2,1.0,1.15,6';
const B_AGAIN = '2024-03-05T11:00:00Z,1.1,1.3,1.0,1.25,7';
const C = '2024-03-05T12:00:00Z,1.1,1.2,1.0,1.1,8';
const read = (text: string, more = {}) => importBytes('x.csv', text, more);
const closes = async (text: string, more = {}) => barsIn((await read(text, more)).rows).map(({ close }) => close);

describe('bars of the same time', () => {
  test('with other values are refused, with their times and lines', async () => {
    const refusal = read(file(A, B, C, B_AGAIN));
    await expect(refusal).rejects.toThrow(
      '1 bar of the same time as another with other values: 2024-03-05T11:00:00.000Z in lines 3 and 5. Correct the file, or use --last-wins',
    );
    await expect(read(file(A, B, B_AGAIN, C))).rejects.toThrow('in lines 3 and 4');
  });

  test('leave the last of the file, also in one that runs backwards', async () => {
    const lastWins = { lastWins: true };
    expect(await closes(file(A, B, C, B_AGAIN), lastWins)).toEqual([1.1, 1.1, 1.25]);
    expect(await closes(file(C, B, B_AGAIN, A), lastWins)).toEqual([1.1, 1.25, 1.1]);
  });

  test('with equal values are counted, and imported once', async () => {
    const { rows, report } = await read(file(A, B, C, B, A, A));
    expect(rows.length).toBe(3);
    expect(report.duplicates).toBe(3);
  });

  test('are found in bars of seconds too', async () => {
    const seconds = (second: string, close: string): string => `2024-03-05T10:00:${second}Z,1.1,1.3,1.0,${close},5`;
    const rows = ['00', '10', '20', '30', '40'].map((second) => seconds(second, '1.1'));
    await expect(read(file(...rows, seconds('20', '1.2')))).rejects.toThrow(
      '2024-03-05T10:00:20.000Z in lines 4 and 7',
    );
  });

  test('are two bars if the clocks were set back between them', async () => {
    const hours = ['00:00', '01:00', '01:00', '02:00'].map(
      (clock, index) => `2024-11-03 ${clock},1.1,1.${index + 2},1.0,1.1,5`,
    );
    const times = ['04:00', '05:00', '06:00', '07:00'].map((clock) => utc(`2024-11-03T${clock}Z`));
    const zone = { timezone: 'America/New_York' };
    const forwards = barsIn((await read(file(...hours), zone)).rows);
    expect(forwards.map(({ time }) => time as number)).toEqual(times);
    expect(forwards.map(({ high }) => high)).toEqual([1.2, 1.3, 1.4, 1.5]);
    const backwards = barsIn((await read(file(...hours.toReversed()), zone)).rows);
    expect(backwards.map(({ time }) => time as number)).toEqual(times.toReversed());
    expect(backwards.map(({ high }) => high)).toEqual([1.5, 1.4, 1.3, 1.2]);
  });
});
