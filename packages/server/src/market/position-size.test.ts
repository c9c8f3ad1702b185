// GET /api/position-size over a real socket, with pushed quotes.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
let publisher: TestPublisher;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  publisher = await TestPublisher.of(service);
  const market = await TestMarket.of(service);
  await market.quote('EURUSD', 1.0999, 1.1001);
  await market.quote('USDJPY', 149.99, 150.01);
});
afterAll(() => service.stop());

const ask = async (query: string): Promise<[number, Record<string, unknown>]> => {
  const response = await publisher.get(`/api/position-size?${query}`);
  return [response.status, (await response.json()) as Record<string, unknown>];
};

test('the size for an account in another currency is converted at the middle of the quotes', async () => {
  const [status, body] = await ask('symbol=usdjpy&entry=150&stop_loss=149.5&balance=10000&currency=eur&risk_percent=2');
  expect(status).toBe(200);
  // 0.5 × 100,000 = 50,000 JPY per lot, ÷ 150 ÷ 1.1 = 303.03 EUR; 200 EUR are 0.66 lots.
  expect(body).toMatchObject({ symbol: 'USDJPY', lots: 0.66, units: 66_000, currency: 'EUR', limited_by: null });
  expect(body.loss_per_lot as number).toBeCloseTo(303.0303, 3);
  expect(body.risk as number).toBeLessThanOrEqual(200);
});

describe('a request is rejected', () => {
  test.each([
    ['without a balance', 'symbol=EURUSD&entry=1.1&stop_loss=1.09', 400, 'invalid_parameter'],
    ['with a negative balance', 'symbol=EURUSD&entry=1.1&stop_loss=1.09&balance=-5', 400, 'invalid_parameter'],
    [
      'with more than everything',
      'symbol=EURUSD&entry=1.1&stop_loss=1.09&balance=5&risk_percent=101',
      400,
      'invalid_parameter',
    ],
    ['for an unknown instrument', 'symbol=NOPE&entry=1.1&stop_loss=1.09&balance=5', 404, 'symbol_not_found'],
    [
      'with a price between two ticks',
      'symbol=EURUSD&entry=1.1000001&stop_loss=1.09&balance=5',
      422,
      'finer_than_digits',
    ],
    ['with the stop at the entry', 'symbol=EURUSD&entry=1.1&stop_loss=1.1&balance=5', 422, 'levels_out_of_order'],
    [
      'in a currency without a rate',
      'symbol=EURUSD&entry=1.1&stop_loss=1.09&balance=5&currency=SEK',
      422,
      'no_conversion',
    ],
  ])('%s', async (_name, query, status, code) => {
    expect(await ask(query)).toMatchObject([status, { code }]);
  });
});
