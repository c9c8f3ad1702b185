// GET /api/overview over a real socket: the figures of the bars, its selection of instruments, and its speed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type OhlcvBar, Overview, type Problem } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
let user: TestPublisher;
beforeAll(async () => {
  service = await startService({ sim_rate: '200' });
  user = await TestPublisher.of(service);
});
afterAll(() => service.stop());

const read = async (query = ''): Promise<Overview> => {
  const response = await user.get(`/api/overview${query}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('stream-seq')).toMatch(/^\d+$/);
  return Overview.parse(await response.json());
};

describe('GET /api/overview', () => {
  test('has every instrument with the figures of its 15-minute bars', async () => {
    const { items } = await read();
    const { items: instruments } = (await (await user.get('/api/symbols')).json()) as { items: { symbol: string }[] };
    expect(items.map(({ symbol }) => symbol)).toEqual(instruments.map(({ symbol }) => symbol));
    for (const item of items) expect(item.sparkline.length).toBeWithin(90, 97);

    const before = Date.now();
    const response = await user.get('/api/market/BTCUSD?timeframe=15m&bars=97');
    const { ohlcv } = (await response.json()) as { ohlcv: OhlcvBar[] };
    const [btc] = (await read('?symbols=BTCUSD')).items;
    const midnight = before - (before % DAY_MS);
    const today = ohlcv.filter(({ time }) => Date.parse(time) >= midnight);
    expect(btc).toMatchObject({ symbol: 'BTCUSD', day_open: today[0]!.open });
    // Ticks may arrive between the two requests.
    expect(btc!.day_high!).toBeGreaterThanOrEqual(Math.max(...today.map(({ high }) => high)));
    expect(btc!.day_low!).toBeLessThanOrEqual(Math.min(...today.map(({ low }) => low)));
    expect(btc!.last!).toBeWithin(btc!.day_low!, btc!.day_high! + 0.01);
    expect(btc!.sparkline).toEqual(ohlcv.slice(0, -1).map(({ close }) => close));
  });

  test('has the requested instruments in their order, without unknown ones', async () => {
    const { items } = await read('?symbols=xauusd,NOSUCH,EURUSD,XAUUSD');
    expect(items.map(({ symbol }) => symbol)).toEqual(['XAUUSD', 'EURUSD']);
    const unknown = await user.get('/api/overview?symbols=NOSUCH');
    const quotes = await user.get('/api/quotes?symbols=NOSUCH');
    expect([unknown.status, unknown.status]).toEqual([404, quotes.status]);
    const [{ code, detail }, same] = [(await unknown.json()) as Problem, (await quotes.json()) as Problem];
    expect({ code, detail }).toEqual({ code: same.code, detail: same.detail });
  });
});
