import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../../testing/command.fixture.ts';
import { FakeVenue } from '../../testing/feeds/fake-venue.fixture.ts';
import { LISTED_VENUES, settingsFor } from '../../testing/feeds/listed-venues.fixture.ts';
import { type Settings, startService, temporaryFolder } from '../../testing/service.fixture.ts';

const folder = temporaryFolder();
const [venue] = LISTED_VENUES;
let fake: FakeVenue;
let settings: Settings;
beforeAll(() => {
  fake = new FakeVenue(venue!.protocol());
  settings = { ...settingsFor(venue!, fake, folder), data: join(folder, 'data') };
});
afterAll(async () => {
  await fake[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
const run = (args: string, changes: Settings = {}) =>
  runHere(['instruments', ...args.split(' ')], { ...settings, ...changes });

test('finds an instrument of a venue, and adds it to the store of a stopped service', async () => {
  expect((await run('search atom')).out).toMatch(
    /^VENUE +SYMBOL +NAME +TYPE +LAST +ADDED\nbinance +ATOMUSDT +ATOM \/ USDT +crypto +60001.5 +no\n$/,
  );
  expect((await run('search atom', { feeds: 'sim' })).err).toContain('markets are simulated');
  expect((await run('search nosuch')).err).toContain('no configured venue lists an instrument like "nosuch"');
  expect((await run('search atom --venue kraken')).err).toContain('Those with a list: binance');
  expect((await run('add NOSUCH --venue binance')).err).toContain('binance lists no instrument "NOSUCH"');
  expect((await run('add ATOMUSDT --venue binance --digits 2')).err).toContain('--venue takes the terms');
  expect((await run('add ATOMUSDT --venue binance')).out).toStartWith('ATOMUSDT of binance is added.');
  expect((await run('search atom')).out).toEndWith('yes\n');
  expect((await run('set ATOMUSDT --max-lot 7')).out).toStartWith('ATOMUSDT is changed');
  expect((await run('list atom/usdt')).out).toContain('0.01 to 7');
});

test('adds it through the running service, with a key', async () => {
  const service = await startService(settings);
  const { key } = await service.key('premium', ['read', 'admin']);
  const list = await fetch(`${service.url}/api/symbols`, { headers: { 'X-API-Key': key } });
  expect(await list.json()).toMatchObject({ items: [{ symbol: 'BTCUSDT' }, { symbol: 'ATOMUSDT', max_lot: 7 }] });
  expect((await run('add NEARUSDT --venue binance')).err).toContain(
    'To add to a running service, set TICKWIRE_API_KEY',
  );
  const running = { url: service.url, api_key: key };
  expect((await run('search near', running)).out).toContain('NEARUSDT');
  expect(await run('add NEARUSDT --venue binance', running)).toEqual({
    ...{ status: 0, err: '' },
    out: 'NEARUSDT of binance is added. Its prices arrive within seconds.\n',
  });
  expect((await run('add NEARUSDT --venue binance', running)).err).toContain('instrument_exists');
  await service.stop();
});
