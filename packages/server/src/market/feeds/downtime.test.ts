// The service comes back after a downtime: bars, order flow and coverage contain what it missed.
import { describe, expect, test } from 'bun:test';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { asSymbol, type Bar, MINUTE_MS, type MinuteEvent } from '@tickwire/engine';
import { fakeCoinbase } from '../../../testing/feeds/fake-coinbase.fixture.ts';
import { fakeHyperliquid } from '../../../testing/feeds/fake-hyperliquid.fixture.ts';
import { fakeKraken } from '../../../testing/feeds/fake-kraken.fixture.ts';
import { ACCOUNT, FakeOanda, TOKEN } from '../../../testing/feeds/fake-oanda.fixture.ts';
import type { FakeTrade } from '../../../testing/feeds/fake-tape.fixture.ts';
import { FakeVenue } from '../../../testing/feeds/fake-venue.fixture.ts';
import { until } from '../../../testing/feeds/reference-loop.fixture.ts';
import { Restarts, type Run } from '../../../testing/feeds/restarts.fixture.ts';

const BTC = asSymbol('BTCUSD');
const EURUSD = asSymbol('EURUSD');
const noon = Date.UTC(2026, 2, 4, 11, 50);
const beforeMidnight = Date.UTC(2026, 2, 4, 23, 40);

const rounded = (size: number): number => Math.round(size * 1e8) / 1e8;
const msOf = ({ timeUs }: FakeTrade): number => Math.floor(timeUs / 1_000);

/** Bars of the trades, computed from the whole list. */
function barsOf(trades: readonly FakeTrade[], timeframe: Timeframe): Bar[] {
  const length = TIMEFRAME_MS[timeframe];
  return [...Map.groupBy(trades, (trade) => msOf(trade) - (msOf(trade) % length))].map(([time, inside]) => {
    const prices = inside.map(({ price }) => Number(price));
    const sum = (of: readonly FakeTrade[]): number => rounded(of.reduce((total, { size }) => total + Number(size), 0));
    return {
      time: time as Bar['time'],
      open: prices[0]!,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1)!,
      volume: sum(inside),
      bidVolume: sum(inside.filter(({ taker }) => taker === 'sell')),
      askVolume: sum(inside.filter(({ taker }) => taker === 'buy')),
      basis: 'trade',
    };
  });
}

const rounded8 = (bars: readonly Bar[]): Bar[] =>
  bars.map((bar) => ({
    ...bar,
    volume: rounded(bar.volume),
    bidVolume: rounded(bar.bidVolume),
    askVolume: rounded(bar.askVolume),
  }));

function setUp(time: number) {
  const restarts = new Restarts(time);
  const { now } = restarts;
  const kraken = new FakeVenue(fakeKraken(), { heartbeatMs: 50, now });
  const coinbase = new FakeVenue(fakeCoinbase(), { heartbeatMs: 50, now });
  const hyperliquid = new FakeVenue(fakeHyperliquid(), { heartbeatMs: 50, now });
  const venues = {
    hyperliquid: { ws_url: hyperliquid.wsUrl, rest_url: hyperliquid.restUrl, symbols: { BTCUSD: 'BTC' } },
    kraken: { ws_url: kraken.wsUrl, rest_url: kraken.restUrl, symbols: { BTCUSD: 'BTC/USD' } },
    coinbase: { ws_url: coinbase.wsUrl, rest_url: coinbase.restUrl, symbols: { BTCUSD: 'BTC-USD' } },
  };
  return {
    kraken,
    coinbase,
    hyperliquid,
    restarts,
    run: (feeds: string, play: (run: Run) => Promise<void>) => restarts.run({ feeds }, venues, play),
    async [Symbol.asyncDispose]() {
      await kraken[Symbol.asyncDispose]();
      await coinbase[Symbol.asyncDispose]();
      await hyperliquid[Symbol.asyncDispose]();
      restarts[Symbol.dispose]();
    },
  };
}

/** Makes trades in four minutes from `from` on and advances the clock; none in the minutes of `quiet`. */
async function liveMinutes(run: Run, venue: FakeVenue, symbol: string, from: number, quiet: readonly number[]) {
  for (const minute of [0, 1, 2, 3]) {
    run.at(from + minute * MINUTE_MS + 10_000);
    if (quiet.includes(minute)) continue;
    const before = run.events.length;
    venue.trade(symbol, 6);
    await until(() => run.events.length === before + 6, 'live trades');
  }
}

describe('trades made during a downtime', () => {
  test.each([
    ['at noon', noon],
    ['across midnight', beforeMidnight],
  ])('are in the bars of every timeframe and in the day’s delta, %s', async (_, began) => {
    await using s = setUp(began);
    await s.run('kraken', async (run) => {
      await run.live();
      await liveMinutes(run, s.kraken, 'BTC/USD', began, [2]);
    });
    const back = began + 43 * MINUTE_MS;
    for (let time = began + 4 * MINUTE_MS; time < back; time += 7_000) {
      // Two minutes without trades.
      if (time >= began + 20 * MINUTE_MS && time < began + 22 * MINUTE_MS) continue;
      s.restarts.time = time;
      s.kraken.trade('BTC/USD', 1 + (time % 3), 'lost');
    }
    s.restarts.time = back + 40_000;
    await s.run('kraken', async (run) => {
      await run.live();
      run.at(back + 41_000);
      s.kraken.trade('BTC/USD', 3);
      await until(() => run.events.at(-1)?.kind === 'flow', 'a live trade');
      run.at(back + 60_100);
      run.at(back + 120_100);
      await run.recorder.flush();

      const trades = s.kraken.tape.of('BTC/USD');
      expect(new Set(run.events.flatMap((event) => (event.kind === 'flow' ? event.id! : [])))).toEqual(
        new Set(trades.slice(18).map(({ id }) => id)),
      );
      for (const timeframe of TIMEFRAMES) {
        const expected = barsOf(trades, timeframe);
        expect(rounded8(run.view.recent(BTC, timeframe, 0, Number.MAX_SAFE_INTEGER))).toEqual(expected);
        const range = { symbol: BTC, timeframe, from: 0, to: back + 120_000, limit: 100, first: 'oldest' } as const;
        const closed = expected.filter(({ time }) => time + TIMEFRAME_MS[timeframe] <= back + 120_000);
        expect(rounded8(await run.store.bars(range))).toEqual(closed);
      }
      const midnight = back - (back % TIMEFRAME_MS['1d']);
      const delta = trades
        .filter((trade) => msOf(trade) >= midnight)
        .reduce((sum, { taker, size }) => sum + (taker === 'buy' ? Number(size) : -Number(size)), 0);
      expect(run.view.flow(BTC)!.cumulativeDelta).toBeCloseTo(delta, 8);

      const clock = (minutes: number): string => new Date(began + minutes * MINUTE_MS).toISOString().slice(11, 16);
      expect(await run.coverage(BTC, '1m', began + MINUTE_MS, back + 2 * MINUTE_MS)).toEqual([
        `${clock(2)} 1 no_trades`,
        `${clock(20)} 2 missing`,
        `${clock(44)} 1 no_trades`,
      ]);
    });
  });

  test('that cannot be fetched leave the downtime without bars and the minute of the return unwatched', async () => {
    await using s = setUp(noon);
    await s.run('coinbase', async (run) => {
      await run.live();
      await liveMinutes(run, s.coinbase, 'BTC-USD', noon, []);
    });
    s.restarts.time = noon + 43 * MINUTE_MS + 40_000;
    await s.run('kraken', async (run) => {
      await run.live();
      expect(run.events.map(({ kind }) => kind)).toEqual(['gap']);
      for (const minute of [43, 44, 45, 46]) run.at(noon + minute * MINUTE_MS + 41_000);
      await run.recorder.flush();
      // The minute that was running when the service stopped has a bar of what was recorded.
      expect(await run.coverage(BTC, '1m', noon + MINUTE_MS, noon + 46 * MINUTE_MS)).toEqual([
        '11:54 40 missing',
        '12:34 2 no_trades',
      ]);
    });
  });

  test('delay the clock by at most 20 seconds', async () => {
    await using s = setUp(noon);
    await s.run('kraken', async (run) => {
      expect(run.set.clock(noon)).toBe(noon);
      await run.live();
      await liveMinutes(run, s.kraken, 'BTC/USD', noon, []);
    });
    await s.kraken.down();
    const back = noon + 40 * MINUTE_MS;
    s.restarts.time = back;
    await s.run('kraken', async ({ set }) => {
      expect(set.clock(back + 19_999)).toBeNull();
      expect(set.clock(back + 20_000)).toBe(back + 20_000);
    });
  });
});

describe('minutes of a venue whose ids reveal no gap', () => {
  test('are the bars of the downtime, the same after another restart, and its trades do not count twice', async () => {
    await using s = setUp(noon);
    await s.run('hyperliquid', async (run) => {
      await run.live();
      await liveMinutes(run, s.hyperliquid, 'BTC', noon, [2]);
    });
    const back = noon + 43 * MINUTE_MS;
    for (let time = noon + 4 * MINUTE_MS; time < back; time += 7_000) {
      s.restarts.time = time;
      s.hyperliquid.trade('BTC', 1 + (time % 3), 'lost');
    }
    s.restarts.time = back + 20_000;
    const range = { symbol: BTC, timeframe: '1m', from: noon, to: back, limit: 100, first: 'oldest' } as const;
    // The venue's candles do not divide the volume.
    const unsided = (bars: readonly Bar[]) => rounded8(bars).map((bar) => ({ ...bar, bidVolume: 0, askVolume: 0 }));
    const expected = unsided(barsOf(s.hyperliquid.tape.of('BTC'), '1m'));
    await s.run('hyperliquid', async (run) => {
      await run.live();
      expect(run.events.filter(({ kind }) => kind === 'gap')).toEqual([]);
      for (const second of [21, 60, 120]) run.at(back + second * 1_000 + 100);
      await run.recorder.flush();
      expect(unsided(await run.store.bars(range))).toEqual(expected);
      expect(unsided(run.view.recent(BTC, '1m', noon, back))).toEqual(expected);
      // The venue had no bar of the running minute: nothing was traded before the service was back.
      expect(await run.coverage(BTC, '1m', noon + MINUTE_MS, back + 2 * MINUTE_MS)).toEqual([
        '11:52 1 no_trades',
        '12:33 2 no_trades',
      ]);
    });
    s.restarts.time = back + 130_000;
    await s.run('hyperliquid', async (run) => {
      await run.live();
      expect(unsided(await run.store.bars(range))).toEqual(expected);
      expect(unsided(run.view.recent(BTC, '1m', noon, back))).toEqual(expected);
    });
  });
});

describe('minutes of a source without trades', () => {
  const oanda = (fake: FakeOanda) => ({
    feeds: 'oanda',
    oanda_account: ACCOUNT,
    oanda_token: TOKEN,
    oanda_host: fake.url,
  });

  test('are the bars of the downtime; the running minute is judged but is not a bar', async () => {
    using restarts = new Restarts(noon + 5_000);
    await using fake = new FakeOanda(['EUR_USD']);
    fake.now = restarts.now;
    const price = (bid: string, ask: string) =>
      fake.price('EUR_USD', bid, ask, { time: new Date(restarts.time).toISOString() });
    await restarts.run(oanda(fake), {}, async (run) => {
      await run.live();
      price('1.10000', '1.10010');
      await until(() => run.events.length === 1, 'a quote');
    });
    const back = noon + 40 * MINUTE_MS;
    restarts.time = back + 20_000;
    await restarts.run(oanda(fake), {}, async (run) => {
      await run.live();
      const minutes = run.events.flatMap((event) =>
        event.kind === 'minute' && event.symbol === EURUSD ? event.bar : [],
      );
      expect(minutes.map(({ time, partial }) => [time, partial])).toEqual(
        Array.from({ length: 41 }, (_, at) => [noon + at * MINUTE_MS, at === 40 ? true : undefined]) as never,
      );
      // No quote arrives in the rest of this minute, nor in the next.
      for (const second of [20, 60, 120]) run.at(back + second * 1_000 + 100);
      await run.recorder.flush();
      const range = { symbol: EURUSD, timeframe: '1m', from: noon + MINUTE_MS, to: back + 120_000 } as const;
      expect(await run.store.bars({ ...range, limit: 100, first: 'oldest' })).toEqual(minutes.slice(1, 40));
      expect(run.view.recent(EURUSD, '1m', noon + MINUTE_MS, back + 120_000)).toEqual(minutes.slice(1, 40));
      expect(await run.coverage(EURUSD, '1m', noon, back + 2 * MINUTE_MS)).toEqual([
        '12:30 1 missing',
        '12:31 1 no_trades',
      ]);
    });
    restarts.time = back + 150_000;
    fake.isQuiet = () => true;
    await restarts.run(oanda(fake), {}, async (run) => {
      const partial = run.restored.filter(({ event }) => event.kind === 'minute' && event.bar.partial);
      expect(partial.map(({ event, source }) => [(event as MinuteEvent).symbol, source])).toEqual([
        [EURUSD, 'oanda'],
      ] as never);
      expect(partial[0]!.event).toMatchObject({ bar: { time: back } });
      expect(run.view.recent(EURUSD, '1m', back, back + 150_000)).toEqual([]);
      // It resumes from the last complete minute, not from the end of the running one.
      await run.live();
      const request = fake.requests.findLast(({ path }) => path.endsWith('EUR_USD/candles'))!;
      expect(request.query.get('from')).toBe(new Date(back - MINUTE_MS).toISOString());
    });
  });
});
