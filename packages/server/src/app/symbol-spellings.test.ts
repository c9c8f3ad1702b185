// Every place that takes a symbol takes the spellings of other services, and answers with the symbol of the catalogue.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { crossing } from '../../testing/alert-user.fixture.ts';
import { BUY, codeOf, EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';

const SPELLINGS = ['EUR/USD', 'EUR_USD', 'EUR-USD', 'eur/usd', 'eurusd'];

let service: RunningService;
let market: TestMarket;
let publisher: TestPublisher;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  market = await TestMarket.of(service);
  publisher = await TestPublisher.of(service, ['read', 'alerts', 'publish']);
  await market.quote(...EURO);
});
afterAll(() => service.stop());

const symbolIn = async (path: string): Promise<unknown> => (await publisher.read<{ symbol: string }>(path)).symbol;
const itemsOf = async (path: string): Promise<{ symbol: string }[]> =>
  (await publisher.read<{ items: { symbol: string }[] }>(path)).items;

describe.each(SPELLINGS)('%p', (spelling) => {
  const part = encodeURIComponent(spelling);

  test.each(['/api/market/*', '/api/market/*/quote', '/api/bars/*', '/api/ticks/*', '/api/market/*/hours'])(
    'is EURUSD in the path %p',
    async (path) => {
      expect(await symbolIn(path.replace('*', part))).toBe('EURUSD');
    },
  );

  test('is EURUSD in a query', async () => {
    expect(await itemsOf(`/api/quotes?symbols=${part},XAU/USD`)).toMatchObject([{ symbol: 'EURUSD' }]);
    expect(await itemsOf(`/api/bars?symbols=${part},xau/usd`)).toMatchObject([
      { symbol: 'EURUSD' },
      { symbol: 'XAUUSD' },
    ]);
    expect(await itemsOf(`/api/overview?symbols=${part}`)).toMatchObject([{ symbol: 'EURUSD' }]);
    expect(await symbolIn(`/api/news/sentiment?symbol=${part}`)).toBe('EURUSD');
  });

  test('is EURUSD in the body of a tick, a signal and an alert, and in their filters', async () => {
    await market.quote(spelling, 1.084, 1.08412);
    const signal = await publisher.published({ ...BUY, symbol: spelling });
    expect(signal.symbol).toBe('EURUSD');
    expect((await itemsOf(`/api/signals?symbol=${part}&limit=1`))[0]).toMatchObject({ id: signal.id });
    const condition = crossing(1.2);
    const created = await publisher.post('/api/alerts', JSON.stringify({ symbol: spelling, condition }));
    expect([created.status, await created.json()]).toMatchObject([201, { symbol: 'EURUSD' }]);
    expect((await itemsOf(`/api/alerts?symbol=${part}`)).length).toBeGreaterThan(0);
  });

  test.each(['market', 'orderflow', 'signals', 'news', 'alerts'])('is EURUSD on /ws/%s', async (channel) => {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, publisher.issued.key);
    const symbols = [spelling, 'BTC/USDT'];
    expect(await stream.ask({ action: 'subscribe', symbols })).toMatchObject({
      symbols: ['EURUSD'],
      rejected: [{ symbol: 'BTC/USDT', code: 'symbol_not_found' }],
    });
    if (channel === 'market') expect(await stream.next()).toMatchObject({ symbol: 'EURUSD', bid: 1.084 });
    expect(await stream.ask({ action: 'unsubscribe', symbols: [spelling] })).toMatchObject({ symbols: [] });
    stream.close();
  });
});

test('an unknown spelling gets the usual error', async () => {
  for (const path of ['/api/market/BTC%2FUSDT/quote', '/api/bars?symbols=BTC/USDT', '/api/quotes?symbols=EUR.USD'])
    expect(await codeOf(await publisher.get(path))).toEqual([404, 'symbol_not_found']);
  const { detail } = (await (await publisher.get('/api/market/XAUEUR/quote')).json()) as { detail: string };
  expect(detail).toBe('There is no instrument "XAUEUR". Similar: XAUUSD. See /api/symbols for all symbols.');
  expect(await itemsOf('/api/signals?symbol=BTC/USDT')).toEqual([]);
  expect(await codeOf(await publisher.publish({ ...BUY, symbol: 'BTC/USDT' }))).toEqual([404, 'symbol_not_found']);
});
