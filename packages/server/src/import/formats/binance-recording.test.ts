import { describe, expect, test } from 'bun:test';
import { importBytes, skippedIn } from '../../../testing/import/read-rows.fixture.ts';

const OPTIONS = { symbol: 'BTCUSDT', digits: 2 };
const quote = (ns: string, symbol = 'BTCUSDT') =>
  `${ns} {"stream":"btcusdt@bookTicker","data":{"u":5,"s":"${symbol}","b":"61837.63000000","B":"3.78826000","a":"61837.64000000","A":"1.54698000"}}\n`;
const trade = (ns: string, time: number, event = time + 1) =>
  `${ns} {"stream":"btcusdt@trade","data":{"e":"trade","E":${event},"s":"BTCUSDT","t":3735683259,"p":"61837.63000000","q":"0.02000000","T":${time},"m":true,"M":true}}\n`;

describe('recording of Binance streams', () => {
  test('dates quotes by the exchange’s clock, even those before the first message with a time', async () => {
    const text =
      quote('1723161254000900000') + trade('1723161254087896568', 1_723_161_255_342) + quote('1723161254097896568');
    const { rows } = await importBytes('r.gz', text, OPTIONS);
    expect(rows.map(({ kind, time }) => [kind, time as number])).toEqual([
      ['quote', 1_723_161_255_256],
      ['trade', 1_723_161_255_342],
      ['quote', 1_723_161_255_353],
    ]);
    expect(rows[0]).toMatchObject({ bid: 61_837.63, bidSize: 3.78826, askSize: 1.54698 });
    expect(rows[1]).toMatchObject({ side: 'sell', size: 0.02, id: 3_735_683_259 });
  });

  test('corrects a clock that is ahead, and follows one that is set', async () => {
    const text =
      trade('1723161260000000000', 1_723_161_250_000) +
      quote('1723161260000000000') +
      trade('1723161400000000000', 1_723_161_400_000) +
      trade('1723161440000000000', 1_723_161_440_000) +
      quote('1723161440000000000');
    const { rows } = await importBytes('r', text, OPTIONS);
    expect(rows[1]!.time as number).toBe(1_723_161_250_001);
    expect(rows[4]!.time as number).toBe(1_723_161_440_001);
  });

  test('uses local time if no message has a time', async () => {
    const { rows } = await importBytes('r', quote('1723161254000900000'), OPTIONS);
    expect(rows[0]!.time as number).toBe(1_723_161_254_000);
  });

  test('skips depth, snapshots, other symbols and broken lines', async () => {
    const text =
      trade('1723161254087896568', 1_723_161_255_342) +
      quote('1723161254206652067').repeat(60) +
      '1723161254087896568 {"stream":"btcusdt@depth@100ms","data":{"e":"depthUpdate","E":1723161255208,"s":"BTCUSDT","b":[],"a":[]}}\n' +
      '1723161254206652067 {"lastUpdateId":50093239218,"bids":[],"asks":[]}\n' +
      quote('1723161254206652067', 'ETHUSDT') +
      '1723161254206652067 {"stream":"btcusdt@trade"\n' +
      'x {"stream":"btcusdt@trade"}\n' +
      '1723161254206652067 null\n';
    const { rows, report } = await importBytes('r', text, OPTIONS);
    expect(rows.length).toBe(61);
    expect(skippedIn(report)).toEqual({ other_stream: 3, unknown_symbol: 1, not_json: 1, bad_time: 1 });
  });
});
