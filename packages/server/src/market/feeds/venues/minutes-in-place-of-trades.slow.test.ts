// Venues whose trade ids reveal no gap: after a disconnect, missed time comes as minutes. Real supervisor and engine against a
// fake venue, on a clock of the test.
import { describe, expect, test } from 'bun:test';
import {
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  Engine,
  type EngineEvent,
  type FeedEvent,
  HOUR_MS,
  MINUTE_MS,
  type MinuteEvent,
} from '@tickwire/engine';
import { candlesOf } from '../../../../testing/feeds/fake-candles.fixture.ts';
import type { FakeTrade } from '../../../../testing/feeds/fake-tape.fixture.ts';
import { FakeVenue } from '../../../../testing/feeds/fake-venue.fixture.ts';
import { until } from '../../../../testing/feeds/reference-loop.fixture.ts';
import { connectorFor, VENUES_WITHOUT_IDS } from '../../../../testing/feeds/venues-under-test.fixture.ts';
import { silentLog } from '../../../ops/log.ts';
import type { ResumePoint } from '../resume-point.ts';
import { FeedSupervisor } from '../supervisor.ts';

const SECOND_MS = 1_000;
const minuteOf = (time: number): number => time - (time % MINUTE_MS);
const msOf = ({ timeUs }: FakeTrade): number => Math.floor(timeUs / 1_000);

describe.each(VENUES_WITHOUT_IDS)('$name', (venue) => {
  const { btc } = venue;
  const symbol = asSymbol(venue.instrument);
  const spec = {
    ...CATALOGUE.find(({ type }) => type === 'crypto')!,
    symbol,
    bars: 'trades',
    hours: 'always',
  } as const;

  interface Variant {
    readonly resume?: (start: number) => ResumePoint;
    /** How far the venue's clock is ahead of ours. */
    readonly skewMs?: number;
    readonly staleMs?: number;
  }

  function setUp({ resume, skewMs = 0, staleMs = Number.POSITIVE_INFINITY }: Variant = {}) {
    const start = minuteOf(Date.now()) - 6 * HOUR_MS;
    let time = start;
    const fake = new FakeVenue(venue.protocol(), { heartbeatMs: 50, now: () => time + skewMs });
    const engine = new Engine([spec]);
    const out: EngineEvent[] = [];
    const events: FeedEvent[] = [];
    const minutes: MinuteEvent[] = [];
    const supervisor = new FeedSupervisor({
      connector: { ...connectorFor(venue, fake, { restTimeoutMs: 5_000 }), staleMs },
      instruments: [spec],
      accept(list) {
        events.push(...list);
        for (const event of list) engine.apply(event, out);
      },
      fill(list) {
        minutes.push(...list);
        for (const event of list) engine.apply(event, out);
      },
      now: () => time,
      log: silentLog,
      random: () => 0,
      ...(resume && { resume: resume(start) }),
    });
    let connects = 0;
    return {
      fake,
      events,
      minutes,
      supervisor,
      start,
      now: () => time,
      wait(ms: number): void {
        time += ms;
      },
      trades: () => events.filter((event) => event.kind === 'trade'),
      async connected() {
        connects++;
        await until(() => supervisor.counters.connects === connects && fake.clients === 1, `connection ${connects}`);
        const known = events.length;
        fake.quote(btc);
        await until(() => events.slice(known).some(({ kind }) => kind === 'quote'), 'the release of live events');
      },
      /** Bars of closed minutes, by start. */
      bars(): Map<number, Bar> {
        engine.apply({ kind: 'clock', time: asEpochMs(time + 2 * MINUTE_MS) }, out);
        return new Map(
          out.flatMap((event) =>
            event.kind === 'bar' && event.timeframe === '1m' ? [[event.bar.time, event.bar]] : [],
          ),
        );
      },
      candles: () => candlesOf(fake.tape, btc, MINUTE_MS, start - MINUTE_MS, time + skewMs),
      async [Symbol.asyncDispose]() {
        supervisor.stop();
        await fake[Symbol.asyncDispose]();
      },
    };
  }

  test.each([
    [20, 0],
    [8, 3 * SECOND_MS],
    [8, -3 * SECOND_MS],
  ])(
    'loses nothing undeclared in %i disconnects, has the bars of the venue (clock ahead by %i ms)',
    async (rounds, skewMs) => {
      await using s = setUp({ skewMs });
      s.supervisor.start();
      await s.connected();
      const [edges, off] = [new Set<number>(), [] as { from: number; to: number }[]];
      for (let round = 0; round < rounds; round++) {
        for (let n = 0; n < 6; n++) {
          s.wait(3 * SECOND_MS + round * 977);
          s.fake.trade(btc, 3);
        }
        const sent = s.fake.tape.of(btc).length;
        await until(() => s.fake.tape.of(btc).length === sent && s.events.length >= s.trades().length, 'the trades');
        const last = msOf(s.fake.tape.of(btc).at(-1)!);
        await until(() => s.events.some((event) => event.kind === 'trade' && event.time === last), 'the last trade');
        const from = s.now() + skewMs;
        edges.add(minuteOf(from));
        await s.fake.down();
        // From a second to ten minutes.
        for (let n = 0; n <= round; n++) {
          s.wait(n === 0 ? SECOND_MS : 31 * SECOND_MS);
          s.fake.trade(btc, 2, 'lost');
        }
        off.push({ from, to: s.now() + skewMs });
        edges.add(minuteOf(s.now() + skewMs));
        s.fake.up();
        await s.connected();
      }
      expect(s.supervisor.counters).toMatchObject({ gaps: 0, disconnects: rounds });
      const bars = s.bars();
      for (const { time, open, high, low, close, volume } of s.candles()) {
        const bar = bars.get(time)!;
        // No trade counts twice, neither as a trade nor in a bar.
        expect(bar.volume).toBeLessThanOrEqual(Number(volume) + 1e-8);
        if (edges.has(time)) continue;
        expect([bar.open, bar.high, bar.low, bar.close]).toEqual([open, high, low, close].map(Number));
        expect(bar.volume).toBeCloseTo(Number(volume), 8);
      }
      // Every trade was published, or is in a published minute.
      const published = new Set(s.trades().map(({ time, price, size }) => `${time} ${price} ${size}`));
      expect(published.size).toBe(s.trades().length);
      for (const trade of s.fake.tape.of(btc)) {
        if (published.has(`${msOf(trade)} ${Number(trade.price)} ${Number(trade.size)}`)) continue;
        expect(off.some(({ from, to }) => msOf(trade) >= from && msOf(trade) <= to)).toBe(true);
        const minute = s.minutes.find(
          ({ bar }) =>
            bar.time === minuteOf(msOf(trade)) && bar.low <= Number(trade.price) && bar.high >= Number(trade.price),
        );
        expect(minute).toBeDefined();
      }
    },
  );

  test('delivers a burst of 50,000 trades completely over the socket', async () => {
    await using s = setUp();
    s.supervisor.start();
    await s.connected();
    s.fake.trade(btc, 50_000);
    await until(() => s.trades().length === 50_000, 'the burst');
    expect(s.supervisor.counters).toMatchObject({ duplicates: 0, gaps: 0, invalidMessages: 0 });
    const size = s.fake.tape.of(btc).reduce((sum, trade) => sum + Number(trade.size), 0);
    const volume = [...s.bars().values()].reduce((sum, bar) => sum + bar.volume, 0);
    expect(volume).toBeCloseTo(size, 4);
  });

  test('drops a silent connection and fills what was missed', async () => {
    await using s = setUp({ staleMs: 30 * SECOND_MS });
    s.supervisor.start();
    await s.connected();
    s.fake.trade(btc, 1);
    await until(() => s.trades().length === 1, 'the first trade');
    s.fake.stall();
    for (let n = 0; n < 5; n++) {
      s.fake.trade(btc, 2);
      s.wait(MINUTE_MS);
    }
    await s.connected();
    expect(s.supervisor.counters).toMatchObject({ disconnects: 1, gaps: 0 });
    const [, ...missed] = s.candles();
    expect(s.minutes.slice(1).map(({ bar }) => [bar.time, bar.close])).toEqual(
      missed.map(({ time, close }) => [time, Number(close)]) as never,
    );
    expect(s.minutes.length).toBe(5);
  });

  test('fills a short interruption with the trades that the venue repeats', async () => {
    await using s = setUp();
    s.supervisor.start();
    await s.connected();
    s.wait(10 * SECOND_MS);
    s.fake.trade(btc, 3);
    await until(() => s.trades().length === 3, 'the first trades');
    await s.fake.down();
    s.wait(5 * SECOND_MS);
    s.fake.trade(btc, 4, 'lost');
    s.fake.up();
    await s.connected();
    await until(() => s.trades().length === 7, 'the repeated trades');
    expect(s.supervisor.counters.duplicates).toBe(3);
    expect(s.bars().get(s.start)!.volume).toBeCloseTo(Number(s.candles()[0]!.volume), 8);
  });

  test('declares a gap if the minutes cannot be fetched', async () => {
    await using s = setUp();
    s.supervisor.start();
    await s.connected();
    s.fake.trade(btc, 1);
    await until(() => s.trades().length === 1, 'the first trade');
    const from = s.now();
    await s.fake.down();
    s.wait(3 * MINUTE_MS);
    s.fake.isRestDown = true;
    s.fake.up();
    await s.connected();
    const gap = s.events.find(({ kind }) => kind === 'gap');
    expect(gap).toMatchObject({ symbols: [symbol], from, to: s.now() } as object);
  });

  test('does not publish again what the last run recorded', async () => {
    await using s = setUp({ resume: (start) => ({ until: asEpochMs(start + 10 * SECOND_MS), trades: new Map() }) });
    s.fake.trade(btc, 3);
    s.wait(15 * SECOND_MS);
    s.fake.trade(btc, 2);
    s.supervisor.start();
    await s.connected();
    await until(() => s.trades().length === 2, 'the trades after the last run');
    expect(s.trades().map(({ time }) => time >= s.start + 15 * SECOND_MS)).toEqual([true, true]);
  });
});
