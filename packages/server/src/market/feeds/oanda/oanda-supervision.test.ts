import { describe, expect, test } from 'bun:test';
import { asEpochMs, CATALOGUE, type FeedEvent, type MinuteEvent } from '@tickwire/engine';
import { ACCOUNT, FakeOanda, TOKEN } from '../../../../testing/feeds/fake-oanda.fixture.ts';
import { until } from '../../../../testing/feeds/reference-loop.fixture.ts';
import { silentLog } from '../../../ops/log.ts';
import type { ResumePoint } from '../resume-point.ts';
import { FeedSupervisor } from '../supervisor.ts';
import { createOandaConnector } from './oanda-connector.ts';

const isOfEuro = (event: FeedEvent | MinuteEvent): boolean =>
  'symbol' in event ? event.symbol === 'EURUSD' : event.symbols.some((symbol) => symbol === 'EURUSD');
const INSTRUMENTS = CATALOGUE.filter(({ symbol }) => symbol === 'EURUSD' || symbol === 'XAUUSD');

function setUp(resume?: ResumePoint, now: () => number = Date.now, staleMs = 30_000) {
  const fake = new FakeOanda(['EUR_USD', 'XAU_USD']);
  fake.now = now;
  const events: (FeedEvent | MinuteEvent)[] = [];
  const connector = createOandaConnector({
    account: ACCOUNT,
    token: TOKEN,
    host: fake.url,
    instruments: INSTRUMENTS,
    now,
    timing: { staleMs, retryMs: 1 },
  });
  const supervisor = new FeedSupervisor({
    connector,
    instruments: INSTRUMENTS,
    accept: (batch) => events.push(...batch),
    fill: (minutes) => events.push(...minutes),
    ...(resume && { resume }),
    now,
    log: silentLog,
    random: () => 1,
  });
  supervisor.start();
  const bids = () => events.flatMap((event) => (event.kind === 'quote' ? event.bid : []));
  return {
    fake,
    events,
    supervisor,
    bids,
    /** Instruments whose running minute was published. */
    partial: () =>
      events.flatMap((event): string[] => (event.kind === 'minute' && event.bar.partial ? [event.symbol] : [])),
    async [Symbol.asyncDispose]() {
      supervisor.stop();
      await fake[Symbol.asyncDispose]();
    },
  };
}

describe('supervisor of OANDA', () => {
  test.each(['orderly', 'broken'] as const)(
    'reports a disconnect and resumes after a stream ends (%s)',
    async (how) => {
      await using s = setUp();
      await until(() => s.fake.open === 1, 'the first stream');
      s.fake.price('EUR_USD', '1.1', '1.2');
      await until(() => s.bids().length === 1, 'the first quote');
      s.fake.cut(how);
      // Sent while disconnected: the snapshot of the next stream contains it.
      s.fake.price('EUR_USD', '1.15', '1.25');
      await until(() => s.fake.open === 1, 'the second stream');
      s.fake.price('EUR_USD', '1.16', '1.26');
      await until(() => s.bids().length === 3, 'the quotes after the cut');
      expect(s.bids()).toEqual([1.1, 1.15, 1.16]);
      // The running minute of both instruments is fetched; the one before too, if it ended meanwhile.
      const kinds = s.events.map(({ kind }) => kind).filter((kind) => kind !== 'minute');
      expect(kinds).toEqual(['quote', 'disconnect', 'backfilled', 'quote', 'quote']);
      // Fetched in parallel, so in any order.
      expect(s.partial().sort()).toEqual(['EURUSD', 'XAUUSD']);
      expect(s.supervisor.status()).toMatchObject({ name: 'oanda', state: 'live', connects: 2, disconnects: 1 });
    },
  );

  test('replaces a stalled stream', async () => {
    await using s = setUp(undefined, Date.now, 200);
    await until(() => s.supervisor.status().state === 'live', 'the first stream');
    s.fake.heartbeats = false;
    await until(() => s.fake.connections >= 2, 'the second stream');
    s.fake.heartbeats = true;
    await until(() => s.supervisor.status().state === 'live', 'the feed to be live');
    expect(s.supervisor.status().lastError).toBe('has gone silent (no heartbeat within 200 ms)');
  });

  test('reports each refusal until it can connect', async () => {
    await using s = setUp();
    await until(() => s.fake.open === 1, 'the first stream');
    s.fake.refuse(401, 5);
    s.fake.refuse(429, 5);
    s.fake.cut('orderly');
    await until(() => s.fake.connections === 2, 'the second stream');
    await until(() => s.supervisor.status().state === 'live', 'the feed to be live');
    s.fake.price('XAU_USD', '2034.1', '2034.4');
    await until(() => s.bids().length === 1, 'a quote');
    expect(s.supervisor.status().lastError).toBe('limits the requests of this address');
  });

  test('publishes the minutes of a downtime before the first quote', async () => {
    await using s = setUp({ until: asEpochMs(Date.now() - 5 * 60_000), trades: new Map() });
    await until(() => s.fake.open === 1, 'the stream');
    s.fake.price('EUR_USD', '1.1', '1.2');
    await until(() => s.bids().length === 1, 'the quote');
    const kinds = s.events.map(({ kind }) => kind);
    const minutes = kinds.filter((kind) => kind === 'minute');
    // Five or six minutes of two instruments.
    expect(minutes.length).toBeGreaterThanOrEqual(10);
    expect(kinds).toEqual([...minutes, 'backfilled', 'quote']);
    expect(s.supervisor.counters).toMatchObject({ gaps: 0, backfilled: minutes.length });
  });

  test('declares a gap before the first quote only for instruments whose minutes cannot be fetched', async () => {
    await using s = setUp({ until: asEpochMs(Date.now() - 5 * 60_000), trades: new Map() });
    s.fake.refuse(400, 1, /XAU_USD\/candles/);
    await until(() => s.fake.open === 1, 'the stream');
    s.fake.price('EUR_USD', '1.1', '1.2');
    await until(() => s.bids().length === 1, 'the quote');
    const kinds = s.events.map(({ kind }) => kind);
    const minutes = kinds.filter((kind) => kind === 'minute');
    expect(kinds).toEqual([...minutes, 'backfilled', 'gap', 'quote']);
    expect(s.events.at(-3)).toMatchObject({ kind: 'backfilled', symbols: ['EURUSD'] });
    expect(s.events.at(-2)).toMatchObject({ kind: 'gap', symbols: ['XAUUSD'] });
  });

  describe('a disconnect within a minute', () => {
    /** A quote, a disconnect and a reconnect within one minute of a test clock; returns the events of EURUSD since then. */
    async function reconnect(before: (fake: FakeOanda) => void): Promise<(FeedEvent | MinuteEvent)[]> {
      let now = Date.UTC(2026, 2, 4, 12, 0, 20);
      await using s = setUp(undefined, () => now);
      await until(() => s.supervisor.status().state === 'live', 'the first stream');
      s.fake.price('EUR_USD', '1.1', '1.2', { time: new Date(now).toISOString() });
      await until(() => s.bids().length === 1, 'the first quote');
      now += 10_000;
      before(s.fake);
      s.fake.cut('orderly');
      await until(() => s.supervisor.counters.connects === 2, 'the second stream');
      await until(
        () => s.events.some(({ kind }) => kind === 'gap' || kind === 'backfilled'),
        'the result of the backfill',
      );
      now += 10_000;
      s.fake.price('EUR_USD', '1.3', '1.4', { time: new Date(now).toISOString() });
      await until(() => s.bids().at(-1) === 1.3, 'the quote after the cut');
      const since = s.events.slice(s.events.findIndex(({ kind }) => kind === 'disconnect'));
      return since.filter(isOfEuro);
    }

    test('is filled by the running minute before the next quote', async () => {
      const events = await reconnect(() => {});
      expect(events.map(({ kind }) => kind)).toEqual(['disconnect', 'minute', 'backfilled', 'quote']);
      expect(events[1]).toMatchObject({ bar: { time: Date.UTC(2026, 2, 4, 12), partial: true } });
    });

    test('is a gap if its candle cannot be fetched', async () => {
      const events = await reconnect((fake) => fake.refuse(400, 2, /candles/));
      expect(events.map(({ kind }) => kind)).toEqual(['disconnect', 'gap', 'quote']);
      expect(events[1]).toMatchObject({ from: Date.UTC(2026, 2, 4, 12, 0, 20), to: Date.UTC(2026, 2, 4, 12, 0, 30) });
    });

    test('is a gap if OANDA has no candle of a minute with a known price', async () => {
      const events = await reconnect((fake) => {
        fake.isQuiet = () => true;
      });
      expect(events.map(({ kind }) => kind)).toEqual(['disconnect', 'gap', 'quote']);
    });
  });

  test('declares no gap for a minute without a price', async () => {
    let now = Date.UTC(2026, 2, 4, 12, 0, 20);
    await using s = setUp(undefined, () => now);
    await until(() => s.supervisor.status().state === 'live', 'the first stream');
    s.fake.price('EUR_USD', '1.1', '1.2', { time: new Date(now).toISOString() });
    await until(() => s.bids().length === 1, 'the first quote');
    s.fake.isQuiet = (time) => time >= Date.UTC(2026, 2, 4, 12, 1);
    now += 60_000;
    s.fake.cut('orderly');
    await until(() => s.supervisor.counters.connects === 2 && s.supervisor.counters.backfilled > 0, 'the minutes');
    expect(s.supervisor.counters).toMatchObject({ gaps: 0, backfilled: 2 });
    expect(s.partial()).toEqual([]);
  });

  test('declares a gap before a price of the running minute if OANDA has no candle of it', async () => {
    let now = Date.UTC(2026, 2, 4, 12, 0, 20);
    await using s = setUp(undefined, () => now);
    await until(() => s.supervisor.status().state === 'live', 'the first stream');
    s.fake.price('EUR_USD', '1.1', '1.2', { time: new Date(now).toISOString() });
    await until(() => s.bids().length === 1, 'the first quote');
    s.fake.isQuiet = (time) => time >= Date.UTC(2026, 2, 4, 12, 1);
    now += 60_000;
    s.fake.cut('orderly');
    // Part of the snapshot, so it is older than the new stream; and it arrives before the candles.
    s.fake.refuse(503, 3, /EUR_USD.candles/);
    s.fake.price('EUR_USD', '1.3', '1.4', { time: new Date(now - 5_000).toISOString() });
    await until(() => s.bids().length === 2, 'the quote after the cut');
    const ours = s.events.filter(isOfEuro);
    expect(ours.map(({ kind }) => kind)).toEqual(['quote', 'disconnect', 'minute', 'backfilled', 'gap', 'quote']);
  });

  test('does not reconnect after stop()', async () => {
    await using s = setUp();
    await until(() => s.fake.open === 1, 'the stream');
    s.supervisor.stop();
    await until(() => s.fake.open === 0, 'the end of it');
    await Bun.sleep(50);
    expect(s.fake.connections).toBe(1);
  });
});
