import { describe, expect, test } from 'bun:test';
import { importBytes, skippedIn, utc } from '../../../testing/import/read-rows.fixture.ts';

const OPTIONS = { symbol: 'BTCUSDT', digits: 2 };
const TRADE = { kind: 'trade', time: 1_723_161_255_342, price: 61_837.63, size: 0.02, id: 3_735_683_259 };

describe('Binance public data', () => {
  test('reads spot trades without a header; a maker that bought means a sell', async () => {
    const text =
      '3735683259,61837.63000000,0.02000000,1236.75260000,1723161255342,True,True\n' +
      '3735683260,61837.64000000,0.01000000,618.37640000,1723161255343,False,True\n';
    const { rows, report } = await importBytes('BTCUSDT-trades-2024-08-08.csv', text, OPTIONS);
    expect(rows[0]).toEqual({ ...TRADE, side: 'sell' } as never);
    expect(rows[1]).toMatchObject({ side: 'buy', id: 3_735_683_260 });
    expect([report.missingIds, report.repeatedIds]).toEqual([0, 0]);
  });

  test('reads futures trades with a header', async () => {
    const text =
      'id,price,qty,quote_qty,time,is_buyer_maker\n3735683259,61837.63,0.02,1236.7526,1723161255342,true\n' +
      '3735683263,61837.63,0.02,1236.7526,1723161255342,false\n';
    const { rows, report } = await importBytes('BTCUSDT-trades-2024-08.csv', text, OPTIONS);
    expect(rows[0]).toEqual({ ...TRADE, side: 'sell' } as never);
    expect(report.missingIds).toBe(3);
  });

  test('reads microseconds since 2025', async () => {
    const text = '3735683259,61837.63000000,0.02000000,1236.75260000,1735689600123999,True,True\n';
    const { rows } = await importBytes('BTCUSDT-trades-2025-01-01.csv', text, OPTIONS);
    expect(rows[0]!.time as number).toBe(1_735_689_600_123);
  });

  test('distinguishes aggregated trades by their columns', async () => {
    const spot = '26129,61837.63,0.02,27781,27781,1723161255342,True,True\n';
    const futures =
      'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker\n26129,61837.63,0.02,27781,27781,1723161255342,true\n';
    for (const text of [spot, futures]) {
      const { rows } = await importBytes('aggTrades.csv', text, OPTIONS);
      expect(rows).toEqual([{ ...TRADE, id: 26_129, side: 'sell' } as never]);
    }
  });

  test('reads timeframe and taker volumes of klines and skips empty ones', async () => {
    const text =
      '1723161240000,61837.63,61840.00,61830.00,61835.00,10.5,1723161299999,649000.0,120,4.2,259000.0,0\n' +
      '1723161300000,61835.00,61835.00,61835.00,61835.00,0,1723161359999,0,0,0,0,0\n';
    const { rows, report } = await importBytes('BTCUSDT-1m-2024-08-08.csv', text, OPTIONS);
    expect(rows).toEqual([
      {
        kind: 'bar',
        time: 1_723_161_240_000,
        timeframe: '1m',
        open: 61_837.63,
        high: 61_840,
        low: 61_830,
        close: 61_835,
        volume: 10.5,
        bidVolume: 6.3,
        askVolume: 4.2,
        basis: 'trade',
      } as never,
    ]);
    expect(skippedIn(report)).toEqual({ flat_bar: 1 });
    const hour = '1735689600000000,1,2,1,2,5,1735693199999999,9,3,1,1,0\n';
    expect((await importBytes('k.csv', hour, OPTIONS)).rows[0]).toMatchObject({
      timeframe: '1h',
      time: 1_735_689_600_000,
    });
  });

  test('reads klines of a week and a month, and rejects those of three days', async () => {
    const kline = (from: string, to: string): string => `${utc(from)},1,2,1,2,5,${utc(to) - 1},9,3,1,1,0\n`;
    const read = async (from: string, to: string) => (await importBytes('k.csv', kline(from, to), OPTIONS)).rows[0];
    expect(await read('2024-08-05', '2024-08-12')).toMatchObject({ timeframe: '1w' });
    expect(await read('2024-02-01', '2024-03-01')).toMatchObject({ timeframe: '1M' });
    await expect(read('2024-08-05', '2024-08-08')).rejects.toThrow('the bars are 3 days long');
  });

  test('skips only bad lines', async () => {
    const good = '1,61837.63,0.02,1236.75,1723161255342,True,True\n';
    const bad =
      '2,0,0.02,1236.75,1723161255342,True,True\n3,61837.63,-1,1,1723161255342,True,True\n4,61837.63,0.02\n5,1,1,1,12,True,True\n';
    const { rows, report } = await importBytes('t.csv', good.repeat(40) + bad, OPTIONS);
    expect(rows.length).toBe(40);
    expect(skippedIn(report)).toEqual({ bad_price: 1, bad_size: 1, wrong_columns: 1, bad_time: 1 });
  });
});
