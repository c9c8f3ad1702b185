import { afterAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asSymbol, DAY_MS, HOUR_MS } from '@tickwire/engine';
import { runHere } from '../../testing/command.fixture.ts';
import { fakeBinance } from '../../testing/feeds/fake-binance.fixture.ts';
import { fakeKraken } from '../../testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../../testing/feeds/fake-venue.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';

const NOW = Date.now();
const TODAY = NOW - (NOW % DAY_MS);
let time = TODAY - 700 * DAY_MS;
const fake = new FakeVenue(fakeBinance(), { now: () => time });
for (; time < NOW; time += DAY_MS / 2) fake.tape.make('BTCUSDT', 1);
time = NOW;

const data = temporaryFolder();
const config = join(data, 'tickwire.json');
writeFileSync(config, JSON.stringify({ venues: { binance: { rest_url: fake.restUrl, ws_url: fake.wsUrl } } }));
const settings = { data, feeds: 'binance' };
const backfill = (...args: string[]) => runHere(['backfill', 'BTCUSDT', '--config', config, ...args], settings);
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

afterAll(async () => {
  await fake[Symbol.asyncDispose]();
  rmSync(data, { recursive: true, force: true });
});

async function withStore<T>(read: (store: ReturnType<typeof openSqliteStore>['market']) => Promise<T>): Promise<T> {
  const { market, close } = openSqliteStore({ folder: data, realm: 'live', exclusive: true });
  try {
    return await read(market);
  } finally {
    await close();
  }
}

test('fetches days, then the hours of some of them, and nothing twice', async () => {
  const from = TODAY - 500 * DAY_MS;
  const { status, out, err } = await backfill('--from', day(from), '--timeframe', '1d', '--json');
  expect([status, err]).toEqual([0, '']);
  expect(JSON.parse(out)).toEqual({
    ...{ symbol: 'BTCUSDT', timeframe: '1d', venue: 'binance', bars: 500, begins_at: null },
    ...{ from: new Date(from).toISOString(), to: new Date(TODAY).toISOString() },
  });
  const requests = fake.restRequests.length;
  expect(await backfill('--from', day(from), '--timeframe', '1d')).toEqual({
    ...{ status: 0, out: 'BTCUSDT: 0 bars of 1d from binance\n', err: '' },
  });
  expect(fake.restRequests.length).toBe(requests);
  const recent = TODAY - 20 * DAY_MS;
  expect((await backfill('--from', day(recent), '--timeframe', '1h')).status).toBe(0);
  await withStore(async (store) => {
    const range = { symbol: asSymbol('BTCUSDT'), from: recent, to: NOW, limit: 1_000, first: 'oldest' } as const;
    const hours = await store.bars({ ...range, timeframe: '1h' });
    expect(hours.length).toBeWithin(40, 43);
    expect(hours.every(({ time: at }) => at + HOUR_MS <= NOW)).toBe(true);
    expect(await store.fetched(range.symbol, 0, NOW)).toEqual([
      { timeframe: '1d', from, to: TODAY },
      { timeframe: '1h', from: recent, to: NOW - (NOW % HOUR_MS) },
    ]);
  });
});

test('says where the bars of the venue begin, with exit status 1', async () => {
  const { status, err } = await backfill('--from', '2015-01-01', '--timeframe', '1d');
  expect(status).toBe(1);
  expect(err).toContain('tickwire: binance has no bars of 1d of BTCUSDT before ');
  // Its answer without bars may be a fault: it is not stored as one.
  await withStore(async (store) => {
    const [first] = await store.fetched(asSymbol('BTCUSDT'), 0, NOW);
    expect(first!.from).toBeGreaterThan(Date.UTC(2016, 0, 1));
  });
});

test('keeps what came before the venue refused, and says why it stopped', async () => {
  fake.answerRest = () => Response.json({ code: 0, msg: 'restricted location' }, { status: 451 });
  const refused = await backfill('--from', day(TODAY - 3 * DAY_MS));
  fake.answerRest = null;
  expect(refused).toEqual({
    ...{ status: 1, out: '' },
    err: 'tickwire: binance: status 451 for bars of BTCUSDT; the bars from before are stored, try again later\n',
  });
});

test('continues with the next venue, and says so', async () => {
  const kraken = new FakeVenue(fakeKraken(['BTC/USDT']), { now: () => NOW });
  const both = join(data, 'both.json');
  const at = (venue: FakeVenue) => ({ rest_url: venue.restUrl, ws_url: venue.wsUrl });
  const venues = { binance: at(fake), kraken: { ...at(kraken), symbols: { BTCUSDT: 'BTC/USDT' } } };
  writeFileSync(both, JSON.stringify({ venues }));
  fake.answerRest = () => Response.json({ code: 0, msg: 'restricted location' }, { status: 451 });
  const args = ['backfill', 'BTCUSDT', '--config', both, '--from', day(TODAY - 25 * DAY_MS), '--timeframe', '1h'];
  const { status, out, err } = await runHere(args, { ...settings, feeds: 'binance,kraken' });
  fake.answerRest = null;
  await kraken[Symbol.asyncDispose]();
  expect(err).toBe('tickwire: binance: status 451 for bars of BTCUSDT; continuing with kraken\n');
  expect([status, out]).toEqual([0, 'BTCUSDT: 0 bars of 1h from kraken\n']);
});

test('is refused while the service runs, for an unknown instrument, and without a venue that has bars', async () => {
  const running = openSqliteStore({ folder: data, realm: 'live', exclusive: true });
  const locked = await backfill('--from', day(TODAY));
  await running.close();
  expect([locked.status, locked.err.split('\n').length]).toEqual([1, 2]);
  expect((await runHere(['backfill', 'NOSUCH', '--from', day(TODAY)], settings)).status).toBe(1);
  const without = await runHere(['backfill', 'EURUSD', '--from', day(TODAY)], { data, feeds: 'push' });
  expect(without.err).toBe('tickwire: no configured venue has bars of EURUSD: set TICKWIRE_FEEDS, or import files\n');
  expect((await backfill()).status).toBe(2);
  expect((await backfill('--from', '2099-01-01')).status).toBe(2);
});
