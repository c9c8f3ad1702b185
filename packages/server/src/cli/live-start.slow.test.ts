// What `npm start -- --live` runs, through the launcher: real venues of a chosen set, here a fake Kraken. The others cannot be
// reached, and the service serves without them.
import { afterAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeKraken } from '../../testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../../testing/feeds/fake-venue.fixture.ts';
import { eventually, killLeftovers, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { LIVE_MARKETS } from '../config/feeds.ts';

const folder = temporaryFolder();
afterAll(async () => {
  await killLeftovers();
  rmSync(folder, { recursive: true, force: true });
});

/** No port of this machine that anything listens on. */
const NOWHERE = { ws_url: 'ws://127.0.0.1:1', rest_url: 'http://127.0.0.1:1' };

test('serves real markets with one word, and lists only what they offer', async () => {
  await using kraken = new FakeVenue(fakeKraken(Object.values(LIVE_MARKETS.kraken!)), { heartbeatMs: 100 });
  const config = join(folder, 'tickwire.json');
  const nowhere = Object.fromEntries(Object.keys(LIVE_MARKETS).map((name) => [name, NOWHERE]));
  const data = join(folder, 'data');
  const { wsUrl: ws_url, restUrl: rest_url } = kraken;
  writeFileSync(config, JSON.stringify({ venues: { ...nowhere, kraken: { ws_url, rest_url } } }));
  const service = await ServiceProcess.start({ config, data }, ['--live']);
  expect(service.out).not.toContain('SIMULATED');
  expect(service.out).toContain(`Prices from ${Object.keys(LIVE_MARKETS).join(', ')}`);
  expect(service.out).toContain('/api/market/BTCUSD/quote');
  const { out } = await runTickwire(['keys', 'create', '--tier', 'premium', '--json'], { data });
  const { key } = JSON.parse(out) as { key: string };
  await eventually('a quote', async () => {
    kraken.quote('BTC/USD');
    return (await service.get('/api/market/BTCUSD/quote', key)).ok;
  });
  const { items } = (await (await service.get('/api/symbols', key)).json()) as { items: { symbol: string }[] };
  const offered = new Set(Object.values(LIVE_MARKETS).flatMap((symbols) => Object.keys(symbols)));
  expect(new Set(items.map(({ symbol }) => symbol))).toEqual(offered);
  await service.stop();
});

test('refuses --live beside other feeds, and a venue that it does not know', async () => {
  const refused = async (settings: Record<string, string>, ...args: string[]) => {
    const { status, err } = await runTickwire(['serve', ...args], {
      data: join(folder, 'none'),
      port: '0',
      ...settings,
    });
    return [status, err.trim()];
  };
  expect(await refused({ feeds: 'sim' }, '--live')).toEqual([
    2,
    'tickwire: --live contradicts TICKWIRE_FEEDS, which is "sim". Remove one of them',
  ]);
  const [status, text] = await refused({ feeds: 'mtgox' });
  expect(status).toBe(1);
  expect(text).toMatch(
    /^tickwire: TICKWIRE_FEEDS: unknown venue mtgox\. Known venues: .*kraken.*Other feeds: live, sim/,
  );
});
