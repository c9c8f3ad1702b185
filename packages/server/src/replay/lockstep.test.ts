// Readers in lockstep: the clock of a replay waits for their answers, so that a program sees the same in every run.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { iso, type PracticeRecord, type ReplaySession } from '@tickwire/contract';
import { asEpochMs, DAY_MS, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { codeOf } from '../../testing/publisher.fixture.ts';
import { EURUSD, type RecordedTick, randomPast, record } from '../../testing/replay/recorded-day.fixture.ts';
import { folderOfBusyAccounts, type RunningService, startService } from '../../testing/service.fixture.ts';
import { Random } from '../../testing/signals/random.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';
import { Lockstep, READER_MS } from './lockstep.ts';

const FROM = Date.UTC(2026, 2, 4, 12);
const TO = FROM + 20 * MINUTE_MS;
const SYMBOLS = ['EURUSD', 'BTCUSD'];

/** The day before: ticks 5 s before each full minute and at it, when the bar before it closes. */
const EARLIER = FROM - DAY_MS;
const ON_THE_MINUTE = Array.from({ length: 10 }, (_, at): RecordedTick => {
  const time = asEpochMs(EARLIER + Math.ceil(at / 2) * MINUTE_MS - (at % 2) * 5 * SECOND_MS);
  const price = 1.08 + at / 10_000;
  return {
    tick: { kind: 'quote', symbol: EURUSD, time, bid: price, ask: price, bidSize: 1, askSize: 1 },
    arrival: time,
  };
});

const folder = folderOfBusyAccounts(100_000);
const past = randomPast(FROM, TO, 41);
let service: RunningService;
let key: string;
beforeAll(async () => {
  await record(folder, past);
  await record(folder, { from: EARLIER, to: EARLIER + 5 * MINUTE_MS, ticks: ON_THE_MINUTE });
  service = await startService({ data: folder, feeds: 'push' });
  ({ key } = await service.key('free', ['read', 'publish']));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const init = { method, headers: { 'X-API-Key': key }, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(service.url + path, init);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
};

async function withSession<T>(use: (id: string) => Promise<T>): Promise<T> {
  const range = { symbols: SYMBOLS, from: iso(FROM), to: iso(TO) };
  const { id } = await send<ReplaySession>('POST', '/api/replays', range);
  try {
    return await use(id);
  } finally {
    await send('DELETE', `/api/replays/${id}`);
  }
}

const open = (id: string): Promise<StreamClient> =>
  StreamClient.open(`${service.wsUrl}/ws/market?replay=${id}&lockstep=true`, key);
const subscribe = { action: 'subscribe', symbols: SYMBOLS, seq: true, ms: true };
const isTurn = (message: Message): boolean => isEvent('waiting')(message) || isEvent('ended')(message);

/** Buys and sells every 40th quote of EURUSD, and thinks for a random time. Returns everything that it saw. */
const runBot = (seed: number, speed: number | 'max'): Promise<unknown[]> =>
  withSession(async (id) => {
    const random = new Random(seed);
    const client = await open(id);
    await client.ask(subscribe);
    await send('PATCH', `/api/replays/${id}`, { state: 'playing', speed });
    const seen: unknown[] = [];
    let quotes = 0;
    for (let read = client.messages.length; ; ) {
      client.send({ action: 'next' });
      const turn = await client.next(isTurn);
      const news = client.messages.slice(read).filter(isData);
      read = client.messages.length;
      seen.push(turn, ...news);
      if (turn.event === 'ended') {
        // Asking again gives the same answer.
        client.send({ action: 'next' });
        expect(await client.next(isEvent('ended'))).toEqual(turn);
        break;
      }
      if (random.chance(0.3)) await Bun.sleep(random.whole(0, 4));
      for (const { symbol, bid, ask } of news) {
        if (symbol !== EURUSD || ++quotes % 40 !== 0) continue;
        const levels = { stop_loss: Number(bid) - 0.0005, take_profit: Number(ask) + 0.0005 };
        const price = (given: number): number => Number(given.toFixed(5));
        const order = { stop_loss: price(levels.stop_loss), take_profit: price(levels.take_profit) };
        const path = `/api/signals?replay=${id}`;
        seen.push(await send('POST', path, { symbol, direction: 'buy', order: 'market', ...order }));
        seen.push(await send('GET', `/api/quotes?replay=${id}`));
      }
    }
    client.close();
    const record = await send<PracticeRecord>('GET', `/api/replays/${id}/record`);
    return [...seen, { ...record, session: '' }];
  });

describe('a reader in lockstep', () => {
  test.each(['max', 10_000] as const)(
    'sees the same in every run at speed %p, however long it takes',
    async (speed) => {
      const first = await runBot(1, speed);
      expect(await runBot(2, speed)).toEqual(first);
      expect(first.at(-1)).toMatchObject({ clock: iso(TO), figures: { signals: expect.any(Number) } });
      const quotes = past.ticks.filter(({ tick }) => tick.kind === 'quote').length;
      expect(first.filter((each) => 'bid' in (each as object)).length).toBe(quotes);
    },
  );

  test('is sent one time at a time, and the clock waits for its answer', async () => {
    await withSession(async (id) => {
      const client = await open(id);
      await client.ask(subscribe);
      await send('PATCH', `/api/replays/${id}`, { state: 'playing', speed: 'max' });
      const clockOf = async (): Promise<string> => (await send<ReplaySession>('GET', `/api/replays/${id}`)).clock;
      expect(await clockOf()).toBe(iso(FROM));
      const times = [...new Set(past.ticks.flatMap(({ tick, arrival }) => (tick.kind === 'quote' ? [arrival] : [])))];
      for (const time of times.slice(0, 5)) {
        client.send({ action: 'next' });
        expect(await client.next(isEvent('waiting'))).toEqual({ event: 'waiting', clock: iso(time) });
        const quotes = await fetch(`${service.url}/api/quotes?replay=${id}`, { headers: { 'X-API-Key': key } });
        expect(quotes.headers.get('replay-clock')).toBe(iso(time));
        expect(await clockOf()).toBe(iso(time));
      }
      client.close();
      await client.closed;
    });
  });

  test('is waited for after a bar closed, also if a tick of the next bar came at the same time', async () => {
    const range = { symbols: ['EURUSD'], from: iso(EARLIER), to: iso(EARLIER + 5 * MINUTE_MS) };
    const { id } = await send<ReplaySession>('POST', '/api/replays', { ...range, start: 'playing', speed: 'max' });
    const client = await open(id);
    await client.ask({ ...subscribe, channel: 'bars', timeframe: '1m', symbols: ['EURUSD'], max_rate: 0.1 });
    const closed: unknown[] = [];
    for (let read = client.messages.length; ; read = client.messages.length) {
      client.send({ action: 'next' });
      const turn = await client.next(isTurn);
      if (turn.event === 'ended') break;
      for (const bar of client.messages.slice(read))
        if (bar.closed) closed.push([iso(Number(bar.time) * 1_000 + MINUTE_MS), turn.clock]);
    }
    expect(closed.length).toBeGreaterThan(3);
    for (const [end, clock] of closed as [string, string][]) expect(clock).toBe(end);
    client.close();
    await send('DELETE', `/api/replays/${id}`);
  });

  test('holds up nobody once it has gone', async () => {
    await withSession(async (id) => {
      const client = await open(id);
      await client.ask(subscribe);
      await send('PATCH', `/api/replays/${id}`, { state: 'playing', speed: 10_000 });
      client.send({ action: 'next' });
      await client.next(isEvent('waiting'));
      client.close();
      await client.closed;
      for (let tries = 0; (await send<ReplaySession>('GET', `/api/replays/${id}`)).state !== 'ended'; tries++) {
        if (tries > 2_000) throw new Error('the clock waits for a reader that has gone');
        await Bun.sleep(5);
      }
    });
  });

  test('is told if it asks again before it was answered, and closed if it goes on', async () => {
    await withSession(async (id) => {
      const client = await open(id);
      await client.ask(subscribe);
      for (let count = 0; count < 11; count++) client.send({ action: 'next' });
      expect(await client.next(isEvent('error'))).toMatchObject({ code: 'invalid_message', fatal: false });
      expect((await client.closed).code).toBe(4400);
    });
  });

  test('needs a replay', async () => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'X-API-Key': key,
    };
    for (const query of ['lockstep=true', 'lockstep=yes'])
      expect(await codeOf(await fetch(`${service.url}/ws/market?${query}`, { headers }))).toEqual([
        400,
        'invalid_parameter',
      ]);
  });
});

test('a reader that does not ask for five minutes is closed', async () => {
  let now = 0;
  const lockstep = new Lockstep({ flush: () => {}, now: () => now });
  const closed: string[] = [];
  const connection = { closed: false, closeWithError: (code: string) => closed.push(code) };
  lockstep.handlerOf({ message: () => {} }).open!({ data: connection } as never);
  now = READER_MS;
  lockstep.closeSilent();
  expect(closed).toEqual([]);
  now += SECOND_MS;
  lockstep.closeSilent();
  expect(closed).toEqual(['too_slow']);
});
