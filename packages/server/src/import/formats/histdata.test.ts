import { describe, expect, test } from 'bun:test';
import { importBytes, skippedIn, utc } from '../../../testing/import/read-rows.fixture.ts';

describe('HistData', () => {
  test('reads ticks in New York time without daylight saving time', async () => {
    const text = '20140101 000000123,1.386700,1.386830,0\r\n20140701 235959999,1.386720,1.386830,0\r\n';
    const { rows, report } = await importBytes('DAT_ASCII_EURUSD_T_201405.csv', text);
    expect(rows.map(({ time }) => time as number)).toEqual([
      utc('2014-01-01T05:00:00.123Z'),
      utc('2014-07-02T04:59:59.999Z'),
    ]);
    expect(rows[0]).toMatchObject({ kind: 'quote', bid: 1.3867, ask: 1.38683 });
    expect(report.files[0]!.format).toBe('histdata');
  });

  test('reads minutes as bid bars, in both forms', async () => {
    const ascii = await importBytes('m1.csv', '20140501 000000;1.386750;1.386840;1.386670;1.386840;0\r\n');
    const platform = await importBytes(
      'DAT_MT_EURUSD_M1_2014.csv',
      '2014.05.01,00:00,1.386750,1.386840,1.386670,1.386840,0\n',
    );
    const bar = {
      open: 1.38675,
      high: 1.38684,
      low: 1.38667,
      close: 1.38684,
      volume: 0,
      basis: 'bid',
      timeframe: '1m',
    };
    expect(ascii.rows[0]).toMatchObject({ kind: 'bar', time: utc('2014-05-01T05:00:00Z'), ...bar });
    expect(platform.rows).toEqual(ascii.rows);
    expect(platform.report.files[0]!.format).toBe('histdata');
  });

  test('skips only bad lines', async () => {
    const good = '20140501 000000123,1.386700,1.386830,0\n';
    const bad = '20140532 000000123,1.1,1.2,0\n20140501 000000123,1.1\n20140501 000000123,x,1.2,0\n';
    const { rows, report } = await importBytes('t.csv', good.repeat(30) + bad + good);
    expect(rows.length).toBe(31);
    expect(skippedIn(report)).toEqual({ bad_time: 1, wrong_columns: 1, bad_price: 1 });
    expect(report.skipped.get('bad_time')!.examples[0]).toEqual({
      file: 't.csv',
      line: 31,
      text: '20140532 000000123,1.1,1.2,0',
    });
  });
});
