// A restart with real feeds, from the tape of one run to the journal of the next.
import { expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asSymbol, Engine } from '@tickwire/engine';
import { loadConfig } from '../config.ts';
import { loadInstruments } from '../instruments.ts';
import { Intake } from '../journal/intake.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { silentLog } from '../ops/log.ts';
import { Recorder } from '../store/recorder.ts';
import { restoreMarket } from '../store/restore.ts';
import { openSqliteStore } from '../store/sqlite/open.ts';
import { temporaryFolder } from '../testing/service.fixture.ts';
import { MarketView } from '../views/market-view.ts';
import { openFeeds } from './open.ts';
import { fakeCoinbase } from './venues/fake-coinbase.fixture.ts';
import { fakeKraken } from './venues/fake-kraken.fixture.ts';
import { FakeVenue } from './venues/fake-venue.fixture.ts';
import { until } from './venues/reference-loop.fixture.ts';

const BTC = asSymbol('BTCUSD');

async function stage() {
  const folder = temporaryFolder();
  const kraken = new FakeVenue(fakeKraken(), { heartbeatMs: 50 });
  const coinbase = new FakeVenue(fakeCoinbase(), { heartbeatMs: 50 });
  const at = ({ wsUrl, restUrl }: FakeVenue, symbols: object) => ({ ws_url: wsUrl, rest_url: restUrl, symbols });
  const venues = { kraken: at(kraken, { BTCUSD: 'BTC/USD' }), coinbase: at(coinbase, { BTCUSD: 'BTC-USD' }) };
  writeFileSync(join(folder, 'tickwire.json'), JSON.stringify({ venues }));

  /** One run of the service between its feeds and its store, with the venues named. */
  async function run(feeds: string, scene: (events: readonly JournalEvent[]) => Promise<void>): Promise<void> {
    const flags = { feeds, data: folder, config: join(folder, 'tickwire.json') };
    const config = loadConfig({ flags, env: {}, cwd: folder });
    const instruments = loadInstruments(config);
    const store = openSqliteStore({ folder, realm: config.realm, exclusive: true });
    const engine = new Engine(instruments);
    const view = new MarketView(instruments);
    const barsUntil = (await store.market.number('bars_until')) ?? 0;
    const recorder = new Recorder({ store: store.market, instruments, log: silentLog, barsUntil });
    const reserved = {
      load: async () => (await store.market.number('seq_reserved')) ?? 1,
      save: (ceiling: number) => store.market.setNumber('seq_reserved', ceiling),
    };
    const journal = await MemoryJournal.open(reserved, silentLog);
    const intake = new Intake({ instruments, engine, journal, log: silentLog });
    const restored = await restoreMarket({ store: store.market, instruments, engine, view, recorder });
    const events: JournalEvent[] = [];
    journal.subscribe(recorder.read);
    journal.subscribe((batch) => events.push(...batch.events.filter(({ kind }) => kind !== 'bar' && kind !== 'clock')));
    const log = silentLog;
    const options = { config, instruments, engine, view, store: store.market, recorder, intake, restored, log };
    const set = await openFeeds({ ...options, now: Date.now });
    intake.clock(Date.now());
    await recorder.flush();
    set.start();
    const live = () => set.feeds.every((feed) => feed.status().state === 'live');
    await until(live, 'the feeds');
    await scene(events);
    set.stop();
    await recorder.flush();
    await store.close();
  }
  return {
    kraken,
    coinbase,
    run,
    async [Symbol.asyncDispose]() {
      await kraken[Symbol.asyncDispose]();
      await coinbase[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ids of the trades among other kinds. */
const told = (events: readonly JournalEvent[]) =>
  events.map((event) => (event.kind === 'flow' ? event.id : event.kind));

test('trades made while the service was down stand in the journal before the first quote, none of them twice', async () => {
  await using s = await stage();
  await s.run('crypto:kraken', async (events) => {
    s.kraken.trade('BTC/USD', 3);
    s.kraken.quote('BTC/USD');
    // Last prices are stored with the minute; these are on the tape alone.
    await until(() => events.length === 4, 'the first run');
  });
  s.kraken.trade('BTC/USD', 2, 'lost');
  await s.run('crypto:kraken', async (events) => {
    s.kraken.quote('BTC/USD');
    s.kraken.trade('BTC/USD', 1);
    await until(() => events.length === 5, 'the second run');
    expect(told(events)).toEqual([1_003, 1_004, 'backfilled', 'tick', 1_005]);
  });
});

test('a symbol that another venue had last is a gap: its numbers tell nothing', async () => {
  await using s = await stage();
  await s.run('crypto:coinbase', async (events) => {
    s.coinbase.trade('BTC-USD', 500);
    await until(() => events.length === 500, 'the first run');
  });
  s.kraken.trade('BTC/USD', 5, 'lost');
  await s.run('crypto:kraken,coinbase', async (events) => {
    s.coinbase.quote('BTC-USD');
    s.kraken.quote('BTC/USD');
    s.kraken.trade('BTC/USD', 1);
    await until(() => events.length === 3, 'the second run');
    expect(told(events)).toEqual(['gap', 'tick', 1_005]);
    expect(events[0]).toMatchObject({ kind: 'gap', symbols: [BTC] });
  });
});

test('a first start has nothing to bridge', async () => {
  await using s = await stage();
  s.kraken.trade('BTC/USD', 5, 'lost');
  await s.run('crypto:kraken', async (events) => {
    s.kraken.quote('BTC/USD');
    await until(() => events.length === 1, 'the quote');
    expect(told(events)).toEqual(['tick']);
    expect(s.kraken.asked).toEqual([]);
  });
});
