// Configured feeds, from the socket of a fake venue to that of a client: ownership of a symbol and failover.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FeedList, FeedNotice, MarketTick } from '@tickwire/contract';
import { fakeCoinbase } from '../../../testing/feeds/fake-coinbase.fixture.ts';
import { fakeKraken } from '../../../testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../../../testing/feeds/fake-venue.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../../testing/service.fixture.ts';
import { isData, isEvent, StreamClient } from '../../../testing/stream-client.fixture.ts';

let kraken: FakeVenue;
let coinbase: FakeVenue;
let service: RunningService;
beforeEach(async () => {
  kraken = new FakeVenue(fakeKraken(), { pingMs: 200, heartbeatMs: 100 });
  coinbase = new FakeVenue(fakeCoinbase(), { pingMs: 200, heartbeatMs: 100 });
  const folder = temporaryFolder();
  const config = join(folder, 'tickwire.json');
  const at = ({ wsUrl, restUrl }: FakeVenue, symbols: object) => ({ ws_url: wsUrl, rest_url: restUrl, symbols });
  const venues = { kraken: at(kraken, { BTCUSD: 'BTC/USD' }), coinbase: at(coinbase, { BTCUSD: 'BTC-USD' }) };
  writeFileSync(config, JSON.stringify({ venues }));
  service = await startService({ feeds: 'kraken,coinbase', config, data: join(folder, 'data') });
});
afterEach(async () => {
  await service.stop();
  await kraken[Symbol.asyncDispose]();
  await coinbase[Symbol.asyncDispose]();
});

test('fails over to another venue when the owner of a symbol stays down, and notifies clients', async () => {
  const { key } = await service.key('premium', ['read', 'admin']);
  const feeds = async () => {
    const response = await fetch(`${service.url}/api/feeds`, { headers: { 'X-API-Key': key } });
    return FeedList.parse(await response.json()).items;
  };
  const stream = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
  await stream.ask({ action: 'subscribe', symbols: ['BTCUSD'] });
  let live = 0;
  while (live < 2) {
    await Bun.sleep(50);
    live = (await feeds()).filter(({ state }) => state === 'live').length;
  }

  coinbase.quote('BTC-USD');
  kraken.quote('BTC/USD');
  const tick = MarketTick.parse(await stream.next(isData));
  expect(tick.symbol).toBe('BTCUSD');
  const quote = await fetch(`${service.url}/api/market/BTCUSD/quote`, { headers: { 'X-API-Key': key } });
  expect(await quote.json()).toMatchObject({ bid: tick.bid, ask: tick.ask });
  expect(quote.headers.has('data-source')).toBe(false);

  await kraken.down();
  expect(FeedNotice.parse(await stream.next(isEvent('feed')))).toEqual({
    event: 'feed',
    state: 'disconnected',
    symbols: ['BTCUSD'],
  });
  const change = FeedNotice.parse(await stream.next(isEvent('feed'), 15_000));
  expect(change).toEqual({ event: 'feed', state: 'failover', symbols: ['BTCUSD'], source: 'coinbase' });
  coinbase.quote('BTC-USD');
  expect(MarketTick.parse(await stream.next(isData)).symbol).toBe('BTCUSD');
  expect((await feeds()).map(({ name, disconnects }) => [name, disconnects])).toEqual([
    ['kraken', 1],
    ['coinbase', 0],
  ]);
  const readiness = await fetch(`${service.url}/readyz`);
  // One of two sources is enough to be ready.
  expect(readiness.status).toBe(200);
  const ready = (await readiness.json()) as { status: string; checks: Record<string, string> };
  expect(ready.status).toBe('degraded');
  expect(ready.checks['feed coinbase']).toBe('ok');
  expect(ready.checks['feed kraken']).not.toBe('ok');
  stream.close();
});
