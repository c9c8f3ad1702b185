// A restart with real feeds, from the tape of one run to the journal of the next.
import { expect, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import type { JournalEvent } from '../journal/journal.ts';
import { Restarts, type Run } from './restart.fixture.ts';
import { fakeCoinbase } from './venues/fake-coinbase.fixture.ts';
import { fakeKraken } from './venues/fake-kraken.fixture.ts';
import { FakeVenue } from './venues/fake-venue.fixture.ts';
import { until } from './venues/reference-loop.fixture.ts';

const BTC = asSymbol('BTCUSD');
const ETH = asSymbol('ETHUSD');

async function stage(symbols: object = { BTCUSD: 'BTC/USD' }) {
  const restarts = new Restarts(Date.UTC(2026, 2, 4, 12, 0, 10));
  const { now } = restarts;
  const kraken = new FakeVenue(fakeKraken(), { heartbeatMs: 50, now });
  const coinbase = new FakeVenue(fakeCoinbase(), { heartbeatMs: 50, now });
  const venues = {
    kraken: { ws_url: kraken.wsUrl, rest_url: kraken.restUrl, symbols },
    coinbase: { ws_url: coinbase.wsUrl, rest_url: coinbase.restUrl, symbols: { BTCUSD: 'BTC-USD' } },
  };
  return {
    kraken,
    coinbase,
    restarts,
    /** One run of the service with the venues named. */
    run: (feeds: string, scene: (events: readonly JournalEvent[], run: Run) => Promise<void>, live = true) =>
      restarts.run({ feeds }, venues, async (run) => {
        if (live) await run.live();
        await scene(run.events, run);
      }),
    async [Symbol.asyncDispose]() {
      await kraken[Symbol.asyncDispose]();
      await coinbase[Symbol.asyncDispose]();
      restarts[Symbol.dispose]();
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

test('a run that ended while it bridged left no trade to be taken in twice', async () => {
  await using s = await stage({ BTCUSD: 'BTC/USD', ETHUSD: 'ETH/USD' });
  const began = s.restarts.time;
  await s.run('crypto:kraken', async (events, run) => {
    s.kraken.trade('BTC/USD', 1);
    s.kraken.trade('ETH/USD', 3);
    await until(() => events.length === 4, 'the first minute');
    run.at(began + 60_000);
    // The last prices of the first minute are stored now; these come after, and stand on the tape alone.
    await run.recorder.flush();
    s.kraken.trade('ETH/USD', 2);
    await until(() => events.length === 6, 'the second minute');
  });
  s.restarts.time = began + 40 * 60_000;
  s.kraken.trade('ETH/USD', 1, 'lost');
  s.kraken.trade('BTC/USD', 1, 'lost');
  const interrupted = async (events: readonly JournalEvent[]) =>
    // Kraken is asked for one symbol a second.
    await until(() => events.some(({ kind }) => kind === 'backfilled'), 'the first of two symbols');
  await s.run('crypto:kraken', interrupted, false);
  await s.run('crypto:kraken', async (events) => {
    expect(events.flatMap((event) => (event.kind === 'flow' ? [[event.symbol, event.id]] : []))).toEqual([
      [ETH, 1_005],
    ]);
  });
}, 15_000);
