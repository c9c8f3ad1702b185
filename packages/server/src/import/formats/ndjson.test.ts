import { describe, expect, test } from 'bun:test';
import { importBytes, skippedIn, utc } from '../../../testing/import/read-rows.fixture.ts';

describe('NDJSON', () => {
  test('reads quotes and trades in the push format', async () => {
    const text =
      '{"symbol":"EURUSD","time":1704153600123,"bid":1.1,"ask":1.2,"bid_size":5}\n' +
      '{"symbol":"eurusd","time":"2024-01-02T00:00:00.124Z","price":1.1,"size":3,"side":"sell"}\n' +
      '{"time":1704153600125.9,"price":1.1,"size":3}\n';
    const { rows } = await importBytes('x.ndjson', text);
    const time = utc('2024-01-02T00:00:00.123Z');
    expect(rows).toEqual([
      { kind: 'quote', time, bid: 1.1, ask: 1.2, bidSize: 5, askSize: 0, crossed: false },
      { kind: 'trade', time: time + 1, price: 1.1, size: 3, side: 'sell', id: null },
      { kind: 'trade', time: time + 2, price: 1.1, size: 3, side: null, id: null },
    ] as never);
  });

  test('skips only bad lines', async () => {
    const good = '{"symbol":"EURUSD","time":1704153600123,"bid":1.1,"ask":1.2}\n';
    const bad = [
      '{"symbol":"GBPUSD","time":1704153600123,"bid":1.1,"ask":1.2}',
      '{"symbol":"EURUSD","time":1704153600123,"bid":1.1',
      '[1,2]',
      'null',
      '{"symbol":"EURUSD","time":1704153600123,"bid":"1.1","ask":1.2}',
      '{"symbol":"EURUSD","bid":1.1,"ask":1.2}',
      '{"symbol":"EURUSD","time":1704153600123,"bid":1.1,"ask":1.2,"bid_size":-1}',
      '{"symbol":"EURUSD","time":1704153600123}',
    ];
    const { rows, report } = await importBytes('x.ndjson', good.repeat(30) + bad.join('\n'));
    expect(rows.length).toBe(30);
    expect(skippedIn(report)).toEqual({
      unknown_symbol: 1,
      not_json: 2,
      wrong_columns: 2,
      bad_price: 1,
      bad_time: 1,
      bad_size: 1,
    });
  });
});
