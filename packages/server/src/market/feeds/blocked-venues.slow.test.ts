// Venues that are blocked, or that refuse a symbol, from their sockets to the journal: what replaces them, and what is said about it.
import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asSymbol } from '@tickwire/engine';
import { fakeBinance } from '../../../testing/feeds/fake-binance.fixture.ts';
import { fakeBybit } from '../../../testing/feeds/fake-bybit.fixture.ts';
import { fakeKraken } from '../../../testing/feeds/fake-kraken.fixture.ts';
import { fakeOkx } from '../../../testing/feeds/fake-okx.fixture.ts';
import { FakeVenue } from '../../../testing/feeds/fake-venue.fixture.ts';
import { until } from '../../../testing/feeds/reference-loop.fixture.ts';
import { Restarts, type Run } from '../../../testing/feeds/restarts.fixture.ts';
import { startService, temporaryFolder } from '../../../testing/service.fixture.ts';
import { NOTHING_REACHABLE } from './feed-problems.ts';

const BTC = asSymbol('BTCUSDT');
const ETH = asSymbol('ETHUSDT');

async function setUp(test: (venues: Record<'binance' | 'bybit' | 'okx', FakeVenue>, start: Start) => Promise<void>) {
  using restarts = new Restarts();
  await using binance = new FakeVenue(fakeBinance(['BTCUSDT']));
  await using bybit = new FakeVenue(fakeBybit(['BTCUSDT']));
  await using okx = new FakeVenue(fakeOkx());
  const at = ({ wsUrl: ws_url, restUrl: rest_url }: FakeVenue, symbols: object) => ({ ws_url, rest_url, symbols });
  const same = { BTCUSDT: 'BTCUSDT', ETHUSDT: 'ETHUSDT' };
  const venues = {
    binance: at(binance, same),
    bybit: at(bybit, same),
    okx: at(okx, { BTCUSDT: 'BTC-USDT', ETHUSDT: 'ETH-USDT', 'ETHUSDT.P': 'ETH-USDT-SWAP' }),
  };
  await test({ binance, bybit, okx }, (feeds, play) => restarts.run({ feeds }, venues, play));
}
type Start = (feeds: string, play: (run: Run) => Promise<void>) => Promise<void>;

test('a symbol that the stream of a venue refuses comes from the next one, and the others stay', () =>
  setUp(async ({ bybit, okx }, start) => {
    await start('bybit,okx', async ({ set, events }) => {
      const source = (symbol: string) => set.problems!.of(asSymbol(symbol));
      await until(() => source(ETH).feed === 'okx' && source(BTC).feed === 'bybit', 'the failover');
      expect(source(ETH).problem).toBe('Bybit does not offer ETHUSDT. ETHUSDT now comes from OKX.');
      expect(source(BTC).problem).toBeNull();
      expect(set.connected(Date.now())).toEqual([BTC, ETH, asSymbol('ETHUSDT.P')]);
      okx.quote('ETH-USDT');
      bybit.quote('BTCUSDT');
      await until(() => events.filter(({ kind }) => kind === 'tick').length === 2, 'both quotes');
    });
  }));

test('a symbol that a venue confirms but does not list comes from the next one', () =>
  setUp(async (_venues, start) => {
    await start('binance,okx', async ({ set }) => {
      await until(() => set.problems!.of(ETH).feed === 'okx', 'the failover');
      expect(set.problems!.byFeed.get('binance')).toBe('Binance does not offer ETHUSDT. ETHUSDT now comes from OKX.');
    });
  }));

test('a blocked venue is replaced as soon as another one is connected', () =>
  setUp(async ({ binance }, start) => {
    binance.outage = 'blocked region';
    await start('binance,bybit', async ({ set, events }) => {
      await until(() => set.problems!.of(BTC).feed === 'bybit', 'the failover', 5_000);
      expect(set.problems!.byFeed.get('binance')).toBe(
        'Binance refuses connections from this region (HTTP 451). BTCUSDT now comes from Bybit. Nothing replaces it for ETHUSDT.',
      );
      expect(events.map(({ kind }) => kind)).toContain('failover');
      expect(set.feeds.map((feed) => feed.status().lastError)).toEqual([
        'refuses connections from this region (HTTP 451)',
        null,
      ]);
    });
  }));

test('the feeds say so if nothing is reachable, and recover by themselves', () =>
  setUp(async ({ binance, bybit }, start) => {
    binance.outage = 'forbidden';
    bybit.outage = 'maintenance';
    await start('binance,bybit', async ({ set }) => {
      await until(() => set.problems!.nothingReachable !== null, 'both failures');
      expect(set.problems!.of(BTC).problem).toBe(NOTHING_REACHABLE);
      bybit.outage = null;
      await until(() => set.problems!.of(BTC).feed === 'bybit', 'the recovery');
      expect(set.problems!.nothingReachable).toBeNull();
    });
  }));

test('a service without a reachable venue serves, and /readyz says so', async () => {
  await using kraken = new FakeVenue(fakeKraken());
  kraken.outage = 'blocked region';
  const folder = temporaryFolder();
  const config = join(folder, 'tickwire.json');
  const { wsUrl: ws_url, restUrl: rest_url } = kraken;
  writeFileSync(config, JSON.stringify({ venues: { kraken: { ws_url, rest_url, symbols: { BTCUSD: 'BTC/USD' } } } }));
  const service = await startService({ feeds: 'kraken', config, data: join(folder, 'data') });
  const { key } = await service.key('premium', ['read', 'admin']);
  const get = (path: string) => fetch(`${service.url}${path}`, { headers: { 'X-API-Key': key } });
  const checks = async () => ((await (await get('/readyz')).json()) as { checks: Record<string, string> }).checks;
  for (let tries = 0; tries < 100 && !(await checks()).feeds; tries++) await Bun.sleep(50);
  expect(await checks()).toMatchObject({ feeds: NOTHING_REACHABLE });
  expect((await get('/readyz')).status).toBe(503);
  expect(await (await get('/api/market/BTCUSD/source')).json()).toEqual({
    symbol: 'BTCUSD',
    feed: null,
    problem: NOTHING_REACHABLE,
  });
  expect(((await (await get('/api/feeds')).json()) as { items: object[] }).items).toMatchObject([
    {
      last_error: 'refuses connections from this region (HTTP 451)',
      problem: 'Kraken refuses connections from this region (HTTP 451). Nothing replaces it.',
    },
  ]);
  await service.stop();
});

test('OKX says why it cannot ask for the sizes of contracts', () =>
  setUp(async ({ okx }, start) => {
    okx.isRestDown = true;
    await start('okx', async ({ set }) => {
      const error = () => set.feeds[0]!.status().lastError;
      await until(() => error() !== null, 'the failure', 5_000);
      expect(error()).toBe('has a fault (HTTP 500)');
    });
  }));
