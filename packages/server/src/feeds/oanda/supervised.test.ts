import { describe, expect, test } from 'bun:test';
import { asEpochMs, CATALOGUE, type FeedEvent, type MinuteEvent } from '@tickwire/engine';
import { silentLog } from '../../ops/log.ts';
import type { EarlierRun } from '../repair.ts';
import { Supervisor } from '../supervisor.ts';
import { until } from '../venues/reference-loop.fixture.ts';
import { ACCOUNT, FakeOanda, TOKEN } from './fake-oanda.fixture.ts';
import { createOandaSource } from './feed.ts';

const INSTRUMENTS = CATALOGUE.filter(({ symbol }) => symbol === 'EURUSD' || symbol === 'XAUUSD');

function scene(earlier?: EarlierRun) {
  const fake = new FakeOanda(['EUR_USD', 'XAU_USD']);
  const events: (FeedEvent | MinuteEvent)[] = [];
  const source = createOandaSource({
    account: ACCOUNT,
    token: TOKEN,
    host: fake.url,
    instruments: INSTRUMENTS,
    timing: { silenceMs: 200, retryMs: 1 },
  });
  const supervisor = new Supervisor({
    source,
    instruments: INSTRUMENTS,
    accept: (batch) => events.push(...batch),
    fill: (minutes) => events.push(...minutes),
    ...(earlier && { earlier }),
    now: Date.now,
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
      expect(s.events.map(({ kind }) => kind)).toEqual(['quote', 'disconnect', 'quote', 'quote']);
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

  test('once stopped it stays away', async () => {
    await using s = scene();
    await until(() => s.fake.open === 1, 'the stream');
    s.supervisor.stop();
    await until(() => s.fake.open === 0, 'the end of it');
    await Bun.sleep(50);
    expect(s.fake.connections).toBe(1);
  });
});
