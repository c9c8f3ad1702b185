import { expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../../testing/command.fixture.ts';
import { fakeCoinbase } from '../../testing/feeds/fake-coinbase.fixture.ts';
import { fakeKraken } from '../../testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../../testing/feeds/fake-venue.fixture.ts';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { loadConfig } from '../config/config.ts';
import { NOTHING_REACHABLE } from '../market/feeds/feed-problems.ts';
import { loadInstruments } from '../market/instruments.ts';
import { checkVenues } from './venue-check.ts';

async function check(
  kraken: FakeVenue,
  coinbase: FakeVenue,
  symbols: Record<string, string>,
  timeoutMs = 30_000,
): Promise<string[]> {
  const folder = temporaryFolder();
  const at = ({ wsUrl: ws_url, restUrl: rest_url }: FakeVenue) => ({ ws_url, rest_url });
  const venues = { kraken: { ...at(kraken), symbols }, coinbase: { ...at(coinbase), symbols: { BTCUSD: 'BTC-USD' } } };
  writeFileSync(join(folder, 'tickwire.json'), JSON.stringify({ feeds: 'kraken,coinbase', venues }));
  const config = loadConfig({ flags: { data: folder }, env: {}, cwd: folder });
  const lines: string[] = [];
  await checkVenues(config, loadInstruments(config), (...line) => void lines.push(line.join(' | ')), timeoutMs);
  return lines;
}

test('doctor says what each venue streams', async () => {
  await using kraken = new FakeVenue(fakeKraken());
  await using coinbase = new FakeVenue(fakeCoinbase());
  expect(await check(kraken, coinbase, { BTCUSD: 'BTC/USD', ETHUSD: 'ETH/USD' })).toEqual([
    'feed kraken | ok | Kraken streams 2 instruments',
    'feed coinbase | ok | Coinbase streams 1 instrument',
  ]);
});

test('doctor goes on after an instruments file that cannot be read', async () => {
  const data = temporaryFolder();
  await Bun.write(`${data}/instruments.json`, '{');
  const { status, out } = await runHere(['doctor'], { data, feeds: 'kraken', port: '0', metrics_port: 'off' });
  rmSync(data, { recursive: true, force: true });
  expect(status).toBe(1);
  expect(out).toMatch(/FAIL {2}instruments +.*\n/);
  expect(out).toMatch(/FAIL {2}feeds +.*instruments.json/);
});

test('doctor names a blocked venue, what replaces it, and a symbol that nobody offers', async () => {
  await using kraken = new FakeVenue(fakeKraken());
  await using coinbase = new FakeVenue(fakeCoinbase());
  kraken.outage = 'blocked region';
  expect(await check(kraken, coinbase, { BTCUSD: 'BTC/USD', ETHUSD: 'ETH/USD' })).toEqual([
    'feed kraken | warn | Kraken refuses connections from this region (HTTP 451). BTCUSD now comes from Coinbase. Nothing replaces it for ETHUSD.',
    'feed coinbase | ok | Coinbase streams 1 instrument',
  ]);
  kraken.outage = null;
  coinbase.restFaults.push('451');
  await using other = new FakeVenue(fakeKraken(['BTC/USD']));
  const lines = await check(other, coinbase, { BTCUSD: 'BTC/USD', SOLUSD: 'SOL/USD' });
  expect(lines[0]).toMatch(/^feed kraken \| warn \| Kraken does not offer (an instrument|SOLUSD)/);
});

test('doctor says that REST alone is blocked, so that there is no history', async () => {
  await using kraken = new FakeVenue(fakeKraken());
  await using coinbase = new FakeVenue(fakeCoinbase());
  kraken.answerRest = () => new Response('', { status: 451 });
  const [, rest] = await check(kraken, coinbase, { BTCUSD: 'BTC/USD' });
  expect(rest).toStartWith('feed kraken | warn | Kraken streams, but its REST interface');
  expect(rest).toContain('refuses connections from this region (HTTP 451).');
});

test('doctor fails if no venue is reachable, and offers simulated markets', async () => {
  await using kraken = new FakeVenue(fakeKraken());
  await using coinbase = new FakeVenue(fakeCoinbase());
  kraken.outage = 'forbidden';
  coinbase.outage = 'no answer';
  const lines = await check(kraken, coinbase, { BTCUSD: 'BTC/USD' }, 1_000);
  expect(lines[1]).toBe('feed coinbase | warn | Coinbase does not answer (no answer within 1 s). Nothing replaces it.');
  expect(lines.at(-1)).toBe(`feeds | fail | ${NOTHING_REACHABLE}`);
});
