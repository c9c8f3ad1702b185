// A restart with real feeds, from the tape of one run to the journal of the next.
import { expect, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import { fakeCoinbase } from '../../../testing/feeds/fake-coinbase.fixture.ts';
import { fakeKraken } from '../../../testing/feeds/fake-kraken.fixture.ts';
import { FakeVenue } from '../../../testing/feeds/fake-venue.fixture.ts';
import { until } from '../../../testing/feeds/reference-loop.fixture.ts';
import { Restarts, type Run } from '../../../testing/feeds/restarts.fixture.ts';
import type { JournalEvent } from '../../journal/journal.ts';

const BTC = asSymbol('BTCUSD');
const ETH = asSymbol('ETHUSD');

async function setUp(symbols: object = { BTCUSD: 'BTC/USD' }) {
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
    /** One run of the service with the given venues. */
    run: (feeds: string, play: (events: readonly JournalEvent[], run: Run) => Promise<void>, live = true) =>
      restarts.run({ feeds }, venues, async (run) => {
        if (live) await run.live();
        await play(run.events, run);
      }),
    async [Symbol.asyncDispose]() {
      await kraken[Symbol.asyncDispose]();
      await coinbase[Symbol.asyncDispose]();
      restarts[Symbol.dispose]();
    },
  };
}

/** Ids of trades, kinds of other events. */
const summarize = (events: readonly JournalEvent[]) =>
  events.map((event) => (event.kind === 'flow' ? event.id : event.kind));

test('publishes trades of the downtime once, before the first quote', async () => {
  await using s = await setUp();
  await s.run('kraken', async (events) => {
    s.kraken.trade('BTC/USD', 3);
    s.kraken.quote('BTC/USD');
    // Last prices are stored once a minute: these events are only on the tape.
    await until(() => events.length === 4, 'the first run');
  });
  s.kraken.trade('BTC/USD', 2, 'lost');
  await s.run('kraken', async (events) => {
    s.kraken.quote('BTC/USD');
    s.kraken.trade('BTC/USD', 1);
    await until(() => events.length === 5, 'the second run');
    expect(summarize(events)).toEqual([1_003, 1_004, 'backfilled', 'tick', 1_005]);
  });
});

test('declares a gap for a symbol whose last trade came from another venue', async () => {
  await using s = await setUp();
  await s.run('coinbase', async (events) => {
    s.coinbase.trade('BTC-USD', 500);
    await until(() => events.length === 500, 'the first run');
  });
  s.kraken.trade('BTC/USD', 5, 'lost');
  await s.run('kraken,coinbase', async (events) => {
    s.coinbase.quote('BTC-USD');
    s.kraken.quote('BTC/USD');
    s.kraken.trade('BTC/USD', 1);
    await until(() => events.length === 3, 'the second run');
    expect(summarize(events)).toEqual(['gap', 'tick', 1_005]);
    expect(events[0]).toMatchObject({ kind: 'gap', symbols: [BTC] });
  });
});

test('backfills nothing on the first start', async () => {
  await using s = await setUp();
  s.kraken.trade('BTC/USD', 5, 'lost');
  await s.run('kraken', async (events) => {
    s.kraken.quote('BTC/USD');
    await until(() => events.length === 1, 'the quote');
    expect(summarize(events)).toEqual(['tick']);
    expect(s.kraken.restRequests.map(({ pathname }) => pathname)).not.toContain('/0/public/Trades');
  });
});

test('publishes no trade twice after a run that ended during a backfill', async () => {
  await using s = await setUp({ BTCUSD: 'BTC/USD', ETHUSD: 'ETH/USD' });
  const began = s.restarts.time;
  await s.run('kraken', async (events, run) => {
    s.kraken.trade('BTC/USD', 1);
    s.kraken.trade('ETH/USD', 3);
    await until(() => events.length === 4, 'the first minute');
    run.at(began + 60_000);
    // The last prices of the first minute are stored now; the next trades are only on the tape.
    await run.recorder.flush();
    s.kraken.trade('ETH/USD', 2);
    await until(() => events.length === 6, 'the second minute');
  });
  s.restarts.time = began + 40 * 60_000;
  s.kraken.trade('ETH/USD', 1, 'lost');
  s.kraken.trade('BTC/USD', 1, 'lost');
  const interrupted = async (events: readonly JournalEvent[]) =>
    // Kraken allows one request per second, so one symbol at a time.
    await until(() => events.some(({ kind }) => kind === 'backfilled'), 'the first of two symbols');
  await s.run('kraken', interrupted, false);
  await s.run('kraken', async (events) => {
    expect(events.flatMap((event) => (event.kind === 'flow' ? [[event.symbol, event.id]] : []))).toEqual([
      [ETH, 1_005],
    ]);
  });
});
