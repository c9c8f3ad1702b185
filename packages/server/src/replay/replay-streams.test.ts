// Streams of a replay session: they follow its clock, the same in every run.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { iso, type ReplaySession } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import { EventClient } from '../../testing/event-client.fixture.ts';
import { codeOf } from '../../testing/publisher.fixture.ts';
import { BTCUSD, randomPast, record } from '../../testing/replay/recorded-day.fixture.ts';
import { folderOfBusyAccounts, type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';
import { MAX_WRITE_DELAY_MS } from '../ws/write-batcher.ts';

const FROM = Date.UTC(2026, 2, 4, 12);
const TO = FROM + 40 * MINUTE_MS;
const SYMBOLS = ['EURUSD', 'BTCUSD'];

const folder = folderOfBusyAccounts(100_000);
const past = randomPast(FROM, TO, 5);
let service: RunningService;
let key: string;
beforeAll(async () => {
  await record(folder, past);
  service = await startService({ data: folder, feeds: 'push' });
  ({ key } = await service.key('free'));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const send = async (method: string, path: string, body?: object): Promise<ReplaySession> => {
  const init = { method, headers: { 'X-API-Key': key }, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(service.url + path, init);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as ReplaySession;
};
const change = (id: string, given: object): Promise<ReplaySession> => send('PATCH', `/api/replays/${id}`, given);
const ended = async (id: string): Promise<void> => {
  for (let tries = 0; (await send('GET', `/api/replays/${id}`)).state !== 'ended'; tries++) {
    if (tries > 12_000) throw new Error('the session does not end');
    await Bun.sleep(5);
  }
};

async function withSession<T>(use: (session: ReplaySession) => Promise<T>): Promise<T> {
  const session = await send('POST', '/api/replays', { symbols: SYMBOLS, from: iso(FROM), to: iso(TO) });
  try {
    return await use(session);
  } finally {
    await send('DELETE', `/api/replays/${session.id}`);
  }
}

const open = (id: string, path = '/ws/market'): Promise<StreamClient> =>
  StreamClient.open(`${service.wsUrl}${path}?replay=${id}`, key);
const subscribe = { action: 'subscribe', symbols: SYMBOLS, seq: true, ms: true };
/** Quotes as a stream must deliver them. */
const quotes = past.ticks.flatMap(({ tick }) =>
  tick.kind === 'quote' ? [[tick.symbol, tick.time, tick.bid, tick.ask]] : [],
);
const shown = ({ symbol, time_ms, bid, ask }: Message): unknown[] => [symbol, time_ms, bid, ask];

/** Everything that a stream sends while a session is played at a speed. */
const played = (path: string, request: object, speed: number | 'max'): Promise<Message[]> =>
  withSession(async ({ id }) => {
    const client = await open(id, `/ws/${path}`);
    await client.ask(request as Message);
    await change(id, { state: 'playing', speed });
    await ended(id);
    // A read is answered when everything up to the clock is played. Messages may wait for others to join them, and the pong follows.
    await send('GET', `/api/quotes?replay=${id}`);
    await Bun.sleep(2 * MAX_WRITE_DELAY_MS);
    await client.ask({ action: 'ping' });
    client.close();
    return client.messages.filter(isData);
  });

describe('a stream of a replay', () => {
  test('has every quote in the order of arrival, at any speed', async () => {
    const [fast, slower] = [await played('market', subscribe, 'max'), await played('market', subscribe, 10_000)];
    expect(fast.map(shown).sort()).toEqual([...quotes].map((quote) => [...quote]).sort());
    for (const symbol of SYMBOLS)
      expect(fast.map(shown).filter(([of]) => of === symbol)).toEqual(quotes.filter(([of]) => of === symbol));
    expect(slower).toEqual(fast);
    expect(Number(fast[0]!.seq)).toBeWithin(1, 10);
  });

  test.each([
    ['orderflow', { ...subscribe, symbols: [BTCUSD] }],
    ['market', { ...subscribe, channel: 'bars', timeframe: '1m' }],
    ['market', { ...subscribe, max_rate: 0.1 }],
    ['orderflow', { ...subscribe, symbols: [BTCUSD], channel: 'footprint', timeframe: '1m' }],
  ])('sends the same on %s with %p in each run', async (path, request) => {
    const first = await played(path, request, 10_000);
    expect(first.length).toBeGreaterThan(20);
    expect(await played(path, request, 'max')).toEqual(first);
  });

  test('stands still while the session is paused, and continues where a client left', async () => {
    await withSession(async ({ id }) => {
      const client = await open(id);
      await client.ask(subscribe);
      await change(id, { seek: iso(FROM) });
      // A seek starts the numbers again: clients connect again.
      expect((await client.closed).code).toBe(1012);
      const first = await open(id);
      await first.ask(subscribe);
      for (let step = 0; step < 60; step++) await change(id, { step: 'tick' });
      const { clock } = await send('GET', `/api/replays/${id}`);
      const arrived = past.ticks.filter(({ tick, arrival }) => tick.kind === 'quote' && arrival <= Date.parse(clock));
      await first.take(arrived.length, isData);
      expect(first.messages.filter(isData).length).toBe(arrived.length);
      const last = first.messages.findLast(isData)!;
      first.close();
      for (let step = 0; step < 30; step++) await change(id, { step: 'bar' });
      const resumed = await open(id);
      await resumed.ask({ ...subscribe, resume_from: { epoch: last.epoch, seq: last.seq } });
      const now = Date.parse((await send('GET', `/api/replays/${id}`)).clock);
      const later = past.ticks.filter(
        ({ tick, arrival }) => tick.kind === 'quote' && arrival > Date.parse(clock) && arrival <= now,
      );
      expect(later.length).toBeGreaterThan(10);
      const missed = (await resumed.take(later.length, isData)).map(shown);
      const sent = later.map(({ tick }) => (tick.kind === 'quote' ? [tick.symbol, tick.time, tick.bid, tick.ask] : []));
      for (const symbol of SYMBOLS)
        expect(missed.filter(([of]) => of === symbol)).toEqual(sent.filter(([of]) => of === symbol));
      resumed.close();
    });
  });

  test('stands where the response to a pause says, also if it was played as fast as possible', async () => {
    await withSession(async ({ id }) => {
      for (let round = 0; round < 10; round++) {
        await change(id, { seek: iso(FROM), state: 'paused' });
        const client = await open(id);
        await client.ask(subscribe);
        await change(id, { state: 'playing', speed: 'max' });
        await client.next(isData);
        const { clock } = await change(id, { state: 'paused' });
        // It waits for what is being played.
        await send('GET', `/api/quotes?replay=${id}`);
        expect((await send('GET', `/api/replays/${id}`)).clock).toBe(clock);
        client.close();
      }
    });
  });

  test('has heartbeats with the ages of ticks at the time of the replay', async () => {
    await withSession(async ({ id }) => {
      await change(id, { seek: iso(FROM + 20 * MINUTE_MS) });
      const client = await open(id);
      await client.ask({ ...subscribe, heartbeat: 1 });
      await change(id, { step: 'bar' });
      const { ages } = await client.next(isEvent('heartbeat'));
      for (const age of Object.values(ages as Record<string, number>)) expect(age).toBeLessThan(10 * 60);
      client.close();
    });
  });

  test('also comes as server-sent events, and over one connection for all channels', async () => {
    await withSession(async ({ id }) => {
      const events = await EventClient.open(`${service.url}/sse?channels=market&symbols=EURUSD&replay=${id}`, {
        'X-API-Key': key,
      });
      const all = await open(id, '/ws');
      await all.ask({ action: 'subscribe', channel: 'market', symbols: ['EURUSD'] });
      await all
        .ask({ action: 'subscribe', channel: 'signals' })
        .then((answer) => expect(answer).toMatchObject({ event: 'error', code: 'unknown_channel' }));
      await change(id, { step: 'bar' });
      await change(id, { step: 'bar' });
      const wanted = quotes.find(([symbol]) => symbol === 'EURUSD')!;
      const { data } = await events.next((message) => isData(message) && message.bid === wanted[2]);
      expect(data.symbol).toBe('EURUSD');
      await all.next((message) => isData(message) && message.bid === wanted[2]);
      events.close();
      all.close();
      await events.closed;
    });
  });

  test('needs a key in the handshake, a session of the account, and a channel that has a past', async () => {
    await withSession(async ({ id }) => {
      const handshake = (path: string, headers: Record<string, string>): Promise<Response> =>
        fetch(service.url + path, {
          headers: {
            Connection: 'Upgrade',
            Upgrade: 'websocket',
            'Sec-WebSocket-Version': '13',
            'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
            ...headers,
          },
        });
      const own = { 'X-API-Key': key };
      const other = { 'X-API-Key': (await service.key('free')).key };
      expect(await codeOf(await handshake(`/ws/market?replay=${id}`, {}))).toEqual([401, 'missing_key']);
      expect(await codeOf(await handshake(`/ws/market?replay=${id}`, other))).toEqual([404, 'replay_not_found']);
      expect(await codeOf(await handshake(`/ws/signals?replay=${id}`, own))).toEqual([400, 'not_in_replay']);
      expect(await codeOf(await handshake('/ws?replay=rpl_none', own))).toEqual([404, 'replay_not_found']);
    });
  });

  test('is heard by its account alone', async () => {
    await withSession(async ({ id }) => {
      const live = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
      await live.ask(subscribe);
      const client = await open(id);
      await client.ask(subscribe);
      await change(id, { state: 'playing', speed: 'max' });
      await ended(id);
      await live.ask({ action: 'ping' });
      expect(
        live.messages.filter((message) => isData(message) && Number(message.time) * 1000 < TO + MINUTE_MS * 60).length,
      ).toBeLessThanOrEqual(SYMBOLS.length);
      expect(client.messages.some(isEvent('slow'))).toBe(false);
      live.close();
      client.close();
    });
  });
});
