import { describe, expect, test } from 'bun:test';
import { asEpochMs, CATALOGUE, type FeedEvent, type MinuteEvent } from '@tickwire/engine';
import { silentLog } from '../../ops/log.ts';
import type { EarlierRun } from '../repair.ts';
import { Supervisor } from '../supervisor.ts';
import { until } from '../venues/reference-loop.fixture.ts';
import { ACCOUNT, FakeOanda, TOKEN } from './fake-oanda.fixture.ts';
import { createOandaSource } from './feed.ts';

const isOfEuro = (event: FeedEvent | MinuteEvent): boolean =>
  'symbol' in event ? event.symbol === 'EURUSD' : event.symbols.some((symbol) => symbol === 'EURUSD');
const INSTRUMENTS = CATALOGUE.filter(({ symbol }) => symbol === 'EURUSD' || symbol === 'XAUUSD');

function scene(earlier?: EarlierRun, now: () => number = Date.now) {
  const fake = new FakeOanda(['EUR_USD', 'XAU_USD']);
  fake.now = now;
  const events: (FeedEvent | MinuteEvent)[] = [];
  const source = createOandaSource({
    account: ACCOUNT,
    token: TOKEN,
    host: fake.url,
    instruments: INSTRUMENTS,
    now,
    timing: { silenceMs: 200, retryMs: 1 },
  });
  const supervisor = new Supervisor({
    source,
    instruments: INSTRUMENTS,
    accept: (batch) => events.push(...batch),
    fill: (minutes) => events.push(...minutes),
    ...(earlier && { earlier }),
    now,
    log: silentLog,
    random: () => 0,
  });
  supervisor.start();
  const bids = () => events.flatMap((event) => (event.kind === 'quote' ? event.bid : []));
  return {
    fake,
    events,
    supervisor,
    bids,
    /** Instruments whose running minute was handed over. */
    partial: () =>
      events.flatMap((event): string[] => (event.kind === 'minute' && event.bar.partial ? [event.symbol] : [])),
    async [Symbol.asyncDispose]() {
      supervisor.stop();
      await fake[Symbol.asyncDispose]();
    },
  };
}

describe('OANDA under the supervisor', () => {
  test.each(['orderly', 'broken'] as const)(
    'a stream cut %s is a disconnect, and prices go on after it',
    async (how) => {
      await using s = scene();
      await until(() => s.fake.open === 1, 'the first stream');
      s.fake.price('EUR_USD', '1.1', '1.2');
      await until(() => s.bids().length === 1, 'the first quote');
      s.fake.cut(how);
      // While nobody listens: the snapshot of the next stream has it.
      s.fake.price('EUR_USD', '1.15', '1.25');
      await until(() => s.fake.open === 1, 'the second stream');
      s.fake.price('EUR_USD', '1.16', '1.26');
      await until(() => s.bids().length === 3, 'the quotes after the cut');
      expect(s.bids()).toEqual([1.1, 1.15, 1.16]);
      // The minute that runs is asked for of both instruments; the one before it too, if it ended meanwhile.
      const kinds = s.events.map(({ kind }) => kind).filter((kind) => kind !== 'minute');
      expect(kinds).toEqual(['quote', 'disconnect', 'backfilled', 'quote', 'quote']);
      expect(s.partial()).toEqual(['EURUSD', 'XAUUSD']);
      expect(s.supervisor.status()).toMatchObject({ name: 'oanda', state: 'live', connects: 2, disconnects: 1 });
    },
  );

  test('a stalled stream is replaced', async () => {
    await using s = scene();
    await until(() => s.supervisor.status().state === 'live', 'the first stream');
    s.fake.heartbeats = false;
    await until(() => s.fake.connections === 2, 'the second stream');
    s.fake.heartbeats = true;
    await until(() => s.supervisor.status().state === 'live', 'the feed to live');
    expect(s.supervisor.status().lastError).toBe('no heartbeat in 200 ms');
  });

  test('refusals are told as they are, until it is let in', async () => {
    await using s = scene();
    await until(() => s.fake.open === 1, 'the first stream');
    s.fake.refuse(401, 5);
    s.fake.refuse(429, 5);
    s.fake.cut('orderly');
    await until(() => s.fake.connections === 2, 'the second stream');
    await until(() => s.supervisor.status().state === 'live', 'the feed to live');
    s.fake.price('XAU_USD', '2034.1', '2034.4');
    await until(() => s.bids().length === 1, 'a quote');
    expect(s.supervisor.status().lastError).toContain('too many requests or streams (429');
  });

  test('after a restart the minutes of the absence come in before the first quote', async () => {
    await using s = scene({ until: asEpochMs(Date.now() - 5 * 60_000), trades: new Map() });
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

  test('minutes that cannot be had are a gap before the first quote, of those instruments alone', async () => {
    await using s = scene({ until: asEpochMs(Date.now() - 5 * 60_000), trades: new Map() });
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

  describe('a cut within a minute', () => {
    /** A quote, a cut, and back again, all in one minute of a clock of our own; what came after the cut, of EURUSD. */
    async function play(before: (fake: FakeOanda) => void): Promise<(FeedEvent | MinuteEvent)[]> {
      let now = Date.UTC(2026, 2, 4, 12, 0, 20);
      await using s = scene(undefined, () => now);
      await until(() => s.supervisor.status().state === 'live', 'the first stream');
      s.fake.price('EUR_USD', '1.1', '1.2', { time: new Date(now).toISOString() });
      await until(() => s.bids().length === 1, 'the first quote');
      now += 10_000;
      before(s.fake);
      s.fake.cut('orderly');
      await until(() => s.supervisor.counters.connects === 2, 'the second stream');
      await until(() => s.events.some(({ kind }) => kind === 'gap' || kind === 'backfilled'), 'what became of the cut');
      now += 10_000;
      s.fake.price('EUR_USD', '1.3', '1.4', { time: new Date(now).toISOString() });
      await until(() => s.bids().at(-1) === 1.3, 'the quote after the cut');
      const since = s.events.slice(s.events.findIndex(({ kind }) => kind === 'disconnect'));
      return since.filter(isOfEuro);
    }

    test('is bridged by the minute as far as it has gone, before the next quote', async () => {
      const events = await play(() => {});
      expect(events.map(({ kind }) => kind)).toEqual(['disconnect', 'minute', 'backfilled', 'quote']);
      expect(events[1]).toMatchObject({ bar: { time: Date.UTC(2026, 2, 4, 12), partial: true } });
    });

    test('is a gap where its candle cannot be had', async () => {
      const events = await play((fake) => fake.refuse(400, 2, /candles/));
      expect(events.map(({ kind }) => kind)).toEqual(['disconnect', 'gap', 'quote']);
      expect(events[1]).toMatchObject({ from: Date.UTC(2026, 2, 4, 12, 0, 20), to: Date.UTC(2026, 2, 4, 12, 0, 30) });
    });

    test('is a gap where OANDA tells nothing of a minute that is known to have had a price', async () => {
      const events = await play((fake) => {
        fake.isQuiet = () => true;
      });
      expect(events.map(({ kind }) => kind)).toEqual(['disconnect', 'gap', 'quote']);
    });
  });

  test('a minute without a price is no gap: nothing happened in it', async () => {
    let now = Date.UTC(2026, 2, 4, 12, 0, 20);
    await using s = scene(undefined, () => now);
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

  test('a price of the minute that runs, which OANDA does not tell a candle of, is a gap before it', async () => {
    let now = Date.UTC(2026, 2, 4, 12, 0, 20);
    await using s = scene(undefined, () => now);
    await until(() => s.supervisor.status().state === 'live', 'the first stream');
    s.fake.price('EUR_USD', '1.1', '1.2', { time: new Date(now).toISOString() });
    await until(() => s.bids().length === 1, 'the first quote');
    s.fake.isQuiet = (time) => time >= Date.UTC(2026, 2, 4, 12, 1);
    now += 60_000;
    s.fake.cut('orderly');
    // In force when the stream comes back, so it was made before; and told before the candles are.
    s.fake.refuse(503, 3, /EUR_USD.candles/);
    s.fake.price('EUR_USD', '1.3', '1.4', { time: new Date(now - 5_000).toISOString() });
    await until(() => s.bids().length === 2, 'the quote after the cut');
    const ours = s.events.filter(isOfEuro);
    expect(ours.map(({ kind }) => kind)).toEqual(['quote', 'disconnect', 'minute', 'backfilled', 'gap', 'quote']);
  });

  test('once stopped it stays away', async () => {
    await using s = scene();
    await until(() => s.fake.open === 1, 'the stream');
    s.supervisor.stop();
    await until(() => s.fake.open === 0, 'the end of it');
    await Bun.sleep(50);
    expect(s.fake.connections).toBe(1);
  });
});
