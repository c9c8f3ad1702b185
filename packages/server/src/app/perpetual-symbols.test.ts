// A perpetual, whose symbol has a dot (BTCUSDT.P), beside the spot price of the same pair: every place that takes or writes a symbol
// tells them apart.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS, type Instrument } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import { crossing } from '../../testing/alert-user.fixture.ts';
import { EventClient } from '../../testing/event-client.fixture.ts';
import { TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';
import { pagePath } from '../pages/pages.ts';

const SPOT = 'BTCUSDT';
const PERPETUAL = 'BTCUSDT.P';
/** What other services write for the perpetual. */
const SPELLINGS = [PERPETUAL, 'btcusdt.p', 'BTC-USDT-SWAP', 'BTC/USDT:USDT', 'BTCUSDT-PERP'];
const TERMS = {
  type: 'crypto',
  pip_size: 1,
  digits: 2,
  contract_size: 1,
  contract_unit: 'BTC',
  currency: 'USDT',
  margin_rate: 0.5,
  min_lot: 0.01,
  max_lot: 50,
  hours: 'always',
};
const INSTRUMENTS = [
  { ...TERMS, symbol: SPOT, name: 'Bitcoin / Tether' },
  {
    ...TERMS,
    symbol: PERPETUAL,
    name: 'Bitcoin / Tether perpetual',
    contract: 'perpetual',
    underlying: 'BTC',
    venue: 'binanceusdm',
  },
];
const SPOT_QUOTE = [SPOT, 60_000, 60_001] as const;
const PERPETUAL_QUOTE = [PERPETUAL, 61_000, 61_001] as const;

const folder = temporaryFolder();
let service: RunningService;
let market: TestMarket;
let user: TestPublisher;
beforeAll(async () => {
  const instruments = join(folder, 'instruments.json');
  writeFileSync(instruments, JSON.stringify({ instruments: INSTRUMENTS }));
  service = await startService({ feeds: 'push', instruments });
  market = await TestMarket.of(service);
  user = await TestPublisher.of(service, ['read', 'alerts', 'publish', 'ingest', 'admin']);
  for (let minutes = 5; minutes >= 1; minutes--)
    for (const [symbol, bid, ask] of [SPOT_QUOTE, PERPETUAL_QUOTE])
      await market.quote(symbol, bid - minutes, ask - minutes, Date.now() - minutes * MINUTE_MS);
  await market.quote(...SPOT_QUOTE);
  await market.quote(...PERPETUAL_QUOTE);
  for (const [symbol, price] of [
    [SPOT, 60_000.5],
    [PERPETUAL, 61_000.5],
  ]) {
    const trade = JSON.stringify({ symbol, time: Date.now(), price, size: 1, side: 'buy' });
    expect(await (await user.post('/ingest/ticks', trade)).json()).toMatchObject({ accepted: 1 });
  }
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const itemsOf = async (path: string): Promise<{ symbol: string }[]> =>
  (await user.read<{ items: { symbol: string }[] }>(path)).items;
const symbolsOf = async (path: string): Promise<string[]> => (await itemsOf(path)).map(({ symbol }) => symbol);

describe('REST', () => {
  test('lists it as a perpetual with detail=true, and with the usual fields without', async () => {
    const detailed = (await itemsOf('/api/symbols?detail=true')) as Instrument[];
    const of = (list: Instrument[], symbol: string) => list.find((each) => each.symbol === symbol)!;
    expect(of(detailed, PERPETUAL)).toMatchObject({
      type: 'crypto',
      contract: 'perpetual',
      venue: 'binanceusdm',
      underlying: 'BTC',
      base: 'BTC',
      quote: 'USDT',
      contract_size: 1,
      digits: 2,
    });
    for (const field of ['contract', 'venue', 'underlying']) expect(of(detailed, SPOT)).not.toHaveProperty(field);
    const plain = (await itemsOf('/api/symbols')) as Instrument[];
    expect(Object.keys(of(plain, PERPETUAL))).toEqual(Object.keys(of(plain, 'EURUSD')));
  });

  const QUERIES: Readonly<Record<string, string>> = { indicators: '?name=sma', window: '?minutes=30' };
  const paths = Object.entries(ENDPOINTS).flatMap(([name, { method, path }]) =>
    method === 'GET' && path.includes('{symbol}') ? [[name, path] as const] : [],
  );
  test.each(paths)('%s has it in its path', async (name, path) => {
    expect(paths.length).toBeGreaterThan(10);
    const day = new Date().toISOString().slice(0, 10);
    const ask = (symbol: string) =>
      user.get(path.replace('{symbol}', encodeURIComponent(symbol)).replace('{day}', day) + (QUERIES[name] ?? ''));
    const answer = async (symbol: string) => {
      const text = await (await ask(symbol)).text();
      return { symbol: /"symbol": ?"([^"]+)"/.exec(text)?.[1], code: /"code": ?"(\w+)"/.exec(text)?.[1] };
    };
    for (const spelling of SPELLINGS) {
      const { symbol = PERPETUAL, code } = await answer(spelling);
      expect([spelling, symbol]).toEqual([spelling, PERPETUAL]);
      // Of other things than the symbol, if at all: there is no model, no event.
      expect(code ?? '').not.toMatch(/^(symbol_not_found|not_found|invalid_.*)$/);
    }
    expect((await answer('BTCUSD.P')).code).toBe('symbol_not_found');
  });

  test('has it in lists of symbols, where each spelling names one of the two', async () => {
    const symbols = ['BTC-USDT', 'BTC-USDT-SWAP', 'BTC/USDT:USDT'].map(encodeURIComponent).join();
    for (const path of ['quotes', 'overview', 'bars'])
      expect(new Set(await symbolsOf(`/api/${path}?symbols=${symbols}`))).toEqual(new Set([SPOT, PERPETUAL]));
    const [spot, perpetual] = (await itemsOf(`/api/quotes?symbols=${symbols}`)) as unknown as { bid: number }[];
    expect([spot!.bid, perpetual!.bid]).toEqual([60_000, 61_000]);
  });

  test('has it in the names of files and in the links to further pages', async () => {
    for (const format of ['csv', 'ndjson', 'parquet']) {
      const response = await user.get(`/api/bars/${PERPETUAL}?interval=1m&format=${format}`);
      expect(response.headers.get('content-disposition')).toContain(`"${PERPETUAL}-1m`);
      await response.arrayBuffer();
    }
    const { next } = await user.read<{ next: string }>(`/api/bars/${PERPETUAL}?interval=1m&limit=2`);
    const pageOf = (symbol: string) =>
      user.get(`/api/bars/${symbol}?interval=1m&limit=2&cursor=${encodeURIComponent(next)}`);
    expect(((await (await pageOf(PERPETUAL)).json()) as { items: unknown[] }).items.length).toBe(2);
  });

  test('links to it, and an alert, a signal and news are about it', async () => {
    const link = await user.post(
      '/api/links',
      JSON.stringify({ name: 'sheet', path: `/api/bars/${PERPETUAL}?interval=1m&format=csv` }),
    );
    const { url } = (await link.json()) as { url: string };
    expect(await (await fetch(new URL(new URL(url).pathname, service.url))).text()).toContain('61000');

    for (const spelling of SPELLINGS) {
      const body = JSON.stringify({ symbol: spelling, condition: crossing(70_000) });
      expect(await (await user.post('/api/alerts', body)).json()).toMatchObject({ symbol: PERPETUAL });
    }
    expect(await symbolsOf(`/api/alerts?symbol=${PERPETUAL}`)).toHaveLength(SPELLINGS.length);
    expect(await symbolsOf(`/api/alerts?symbol=${SPOT}`)).toEqual([]);

    await market.repeat(PERPETUAL);
    const terms = { direction: 'buy', entry: 61_001, stop_loss: 60_000, take_profit: 63_000 };
    const signal = await user.published({ symbol: 'BTC-USDT-SWAP', ...terms });
    expect(signal.symbol).toBe(PERPETUAL);
    expect(await symbolsOf(`/api/signals?symbol=${PERPETUAL}`)).toEqual([PERPETUAL]);
    expect(await symbolsOf(`/api/signals?symbol=${SPOT}`)).toEqual([]);
    const size = await user.read(
      `/api/position-size?symbol=${PERPETUAL}&entry=61001&stop_loss=60001&balance=10000&risk_percent=10&currency=USD`,
    );
    expect(size).toMatchObject({ symbol: PERPETUAL, lots: 1 });
    expect((await user.get(`/api/news?symbol=${PERPETUAL}`)).status).toBe(200);
  });
});

describe('streams', () => {
  test.each(['market', 'orderflow', 'perpetual', 'signals', 'news', 'alerts'])('/ws/%s takes it', async (channel) => {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, user.issued.key);
    const answer = await stream.ask({ action: 'subscribe', symbols: ['BTC/USDT:USDT', 'BTCUSD.P'] });
    expect(answer).toMatchObject({
      symbols: [PERPETUAL],
      rejected: [{ symbol: 'BTCUSD.P', code: 'symbol_not_found' }],
    });
    if (channel === 'market') expect(await stream.next()).toMatchObject({ symbol: PERPETUAL, bid: 61_000 });
    expect(await stream.ask({ action: 'unsubscribe', symbols: [PERPETUAL] })).toMatchObject({ symbols: [] });
    stream.close();
  });

  test('/ws has its ticks, bars and volume, also among all symbols', async () => {
    const stream = await StreamClient.open(`${service.wsUrl}/ws`, user.issued.key);
    for (const options of [
      { channel: 'market', symbols: [PERPETUAL, SPOT] },
      { channel: 'bars', timeframe: '1m', symbols: [PERPETUAL] },
      { channel: 'footprint', timeframe: '1m', symbols: [PERPETUAL] },
    ])
      expect(await stream.ask({ action: 'subscribe', ...options })).toMatchObject({ rejected: [] });
    await market.quote(PERPETUAL, 61_002, 61_003);
    expect(await stream.next(({ bid }) => bid === 61_002)).toMatchObject({ symbol: PERPETUAL });
    expect(await stream.next(({ close }) => close !== undefined)).toMatchObject({ channel: 'bars', symbol: PERPETUAL });
    expect(await stream.ask({ action: 'subscribe', channel: 'market', symbols: ['*'] })).toMatchObject({
      symbols: expect.arrayContaining([SPOT, PERPETUAL]),
    });
    stream.close();
  });

  test('/sse has its events', async () => {
    const query = `channels=market&symbols=${encodeURIComponent('BTC-USDT-SWAP')}`;
    const events = await EventClient.open(`${service.url}/sse?${query}`, { 'X-API-Key': user.issued.key });
    expect((await events.next(({ bid }) => bid !== undefined)).data).toMatchObject({ symbol: PERPETUAL });
    events.close();
  });
});

test('charts of TradingView find it, apart from the spot price', async () => {
  for (const code of [...SPELLINGS, `BINANCE:${PERPETUAL}`])
    expect(await user.read(`/udf/symbols?symbol=${encodeURIComponent(code)}`)).toMatchObject({
      name: PERPETUAL,
      ticker: PERPETUAL,
      currency_code: 'USDT',
    });
  const found = await user.read<{ symbol: string }[]>('/udf/search?query=BTCUSDT&type=&exchange=&limit=10');
  expect(found.map(({ symbol }) => symbol)).toEqual([SPOT, PERPETUAL]);
  const to = Math.ceil(Date.now() / 1000) + 60;
  const history = await user.read<{ c: number[] }>(
    `/udf/history?symbol=${PERPETUAL}&resolution=1&from=${to - 3600}&to=${to}`,
  );
  expect(Math.min(...history.c)).toBeGreaterThan(60_900);
  const quotes = await user.read<{ d: { n: string; v: { short_name: string } }[] }>(
    `/udf/quotes?symbols=${PERPETUAL},${SPOT}`,
  );
  expect(quotes.d.map(({ v }) => v.short_name)).toEqual([PERPETUAL, SPOT]);
});

test('its page of the terminal is the terminal, not a file', () => {
  expect(pagePath(`/markets/${PERPETUAL}/1h`)).toBe('/');
});
