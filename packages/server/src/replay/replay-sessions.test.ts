// Replay sessions over REST: their clocks, their limits, and answers that are those of the time of the clock.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BarsPage, iso, type ReplaySession, TIERS } from '@tickwire/contract';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { codeOf } from '../../testing/publisher.fixture.ts';
import { BTCUSD, EURUSD, knownAt, randomPast, record } from '../../testing/replay/recorded-day.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { Random } from '../../testing/signals/random.fixture.ts';

const folder = temporaryFolder();
const free = { ...TIERS.free, requests_per_minute: 100_000 };
/** Plays little. */
const slow = { ...free, replay_events_per_minute: 400 };
writeFileSync(join(folder, 'tickwire.json'), JSON.stringify({ tiers: { free, slow } }));
/** Two hours in which all instruments trade. */
const FROM = Date.UTC(2026, 2, 4, 12);
const TO = FROM + 2 * HOUR_MS;
const CLOCKS = 25;

const past = randomPast(FROM, TO, 7);
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

const send = (method: string, path: string, body?: unknown, own = key): Promise<Response> =>
  fetch(service.url + path, {
    method,
    headers: { 'X-API-Key': own },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const RANGE = { symbols: ['eurusd', 'BTCUSD'], from: iso(FROM), to: iso(TO) };

async function withSession<T>(use: (session: ReplaySession) => Promise<T>, request: object = {}): Promise<T> {
  const response = await send('POST', '/api/replays', { ...RANGE, ...request });
  expect(response.status).toBe(201);
  const session = (await response.json()) as ReplaySession;
  try {
    return await use(session);
  } finally {
    expect((await send('DELETE', `/api/replays/${session.id}`)).status).toBe(200);
  }
}

const changed = async (id: string, change: object): Promise<ReplaySession> => {
  const response = await send('PATCH', `/api/replays/${id}`, change);
  expect(response.status).toBe(200);
  return (await response.json()) as ReplaySession;
};

const read = (id: string, path: string): Promise<Response> =>
  fetch(service.url + path, { headers: { 'X-API-Key': key, Replay: id } });
const readJson = async <T>(id: string, path: string): Promise<T> => {
  const response = await read(id, path);
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as T;
};

describe('a replay session', () => {
  test('starts paused where its range starts, and can be listed, read and ended by its account alone', async () => {
    await withSession(async (session) => {
      expect(session).toMatchObject({ state: 'paused', symbols: ['EURUSD', 'BTCUSD'], clock: RANGE.from, speed: 1 });
      expect(session.sources).toEqual(
        ['EURUSD', 'BTCUSD'].map((symbol) => ({ symbol, from: RANGE.from, to: RANGE.to, source: 'ticks' })),
      );
      expect(await (await send('GET', '/api/replays')).json()).toEqual({ items: [session], count: 1 });
      expect(await (await send('GET', `/api/replays/${session.id}`)).json()).toEqual(session);
      const other = (await service.key('free')).key;
      expect(await codeOf(await send('GET', `/api/replays/${session.id}`, undefined, other))).toEqual([
        404,
        'replay_not_found',
      ]);
      const stolen = await fetch(`${service.url}/api/quotes?replay=${session.id}`, { headers: { 'X-API-Key': other } });
      expect(await codeOf(stolen)).toEqual([404, 'replay_not_found']);
    });
    expect(await (await send('GET', '/api/replays')).json()).toEqual({ items: [], count: 0 });
  });

  test('plays at its speed until the end, and seeks and pauses', async () => {
    await withSession(
      async ({ id }) => {
        const playing = await changed(id, { state: 'playing', speed: 10_000 });
        expect([playing.state, playing.speed]).toEqual(['playing', 10_000]);
        let session = playing;
        for (let tries = 0; session.state !== 'ended' && tries < 6_000; tries++) {
          await Bun.sleep(5);
          session = await (await send('GET', `/api/replays/${id}`)).json();
        }
        expect(session).toMatchObject({ state: 'ended', clock: RANGE.to });
        const moved = await changed(id, { seek: iso(FROM + HOUR_MS), state: 'paused' });
        expect(moved).toMatchObject({ state: 'paused', clock: iso(FROM + HOUR_MS) });
        expect(moved.epoch).not.toBe(playing.epoch);
      },
      { speed: 60 },
    );
  });

  test('steps to the next tick and to the end of its bar', async () => {
    await withSession(async ({ id }) => {
      const clock = FROM + HOUR_MS + 12_345;
      await changed(id, { seek: iso(clock) });
      const next = past.ticks.find(({ arrival }) => arrival > clock)!.arrival;
      expect((await changed(id, { step: 'tick' })).clock).toBe(iso(next));
      const after = past.ticks.find(({ arrival }) => arrival > next)!.arrival;
      expect((await changed(id, { step: 'bar' })).clock).toBe(iso(after - (after % MINUTE_MS) + MINUTE_MS));
      const quarter = 15 * MINUTE_MS;
      const { clock: end } = await changed(id, { step: 'bar', interval: '15m' });
      expect(end).toBe(iso(after - (after % quarter) + quarter));
    });
  });

  test.each([
    ['of an unknown length', { step: 'bar', interval: '5000m' }],
    ['of a length, without a bar', { step: 'tick', interval: '5m' }],
    ['of a length alone', { interval: '5m' }],
  ])('is not changed by a refused step: %s', async (_, step) => {
    await withSession(async ({ id }) => {
      const { state, speed, epoch } = await changed(id, { state: 'playing', speed: 60 });
      const refused = await send('PATCH', `/api/replays/${id}`, { ...step, seek: iso(FROM + HOUR_MS), speed: 5 });
      expect([refused.status, (await refused.json()).errors[0].parameter]).toEqual([400, 'interval']);
      expect(await (await send('GET', `/api/replays/${id}`)).json()).toMatchObject({ state, speed, epoch });
    });
  });

  test('respects the limits of the tier', async () => {
    const { replays, replay_symbols } = TIERS.free;
    await withSession(async () => {
      expect(replays).toBe(1);
      expect(await codeOf(await send('POST', '/api/replays', RANGE))).toEqual([409, 'too_many_replays']);
    });
    const { items } = (await (await send('GET', '/api/symbols')).json()) as { items: { symbol: string }[] };
    const symbols = items.slice(0, replay_symbols + 1).map(({ symbol }) => symbol);
    expect(await codeOf(await send('POST', '/api/replays', { ...RANGE, symbols }))).toEqual([400, 'invalid_parameter']);
  });

  test('waits when its account may play no more events, and shows nothing beyond that', async () => {
    const own = (await service.key('slow')).key;
    const created = await send('POST', '/api/replays', { ...RANGE, start: 'playing', speed: 10_000 }, own);
    const { id } = (await created.json()) as ReplaySession;
    await Bun.sleep(150);
    const headers = { 'X-API-Key': own, Replay: id };
    let latest = FROM;
    for (let round = 0; round < 5; round++) {
      const response = await fetch(`${service.url}/api/bars/BTCUSD?interval=1m&limit=1000`, { headers });
      const clock = Date.parse(response.headers.get('replay-clock')!);
      expect(clock).toBeGreaterThanOrEqual(latest);
      latest = clock;
      const played = past.ticks.filter(({ arrival }) => arrival <= clock);
      expect(played.length).toBeWithin(1, 410);
      const known = await knownAt(past, clock);
      const expected = [...known.minutes.keys()].filter((name) => name.startsWith(BTCUSD)).length;
      expect(((await response.json()) as BarsPage).items.length).toBe(expected);
    }
    expect((await send('DELETE', `/api/replays/${id}`, undefined, own)).status).toBe(200);
  });

  test.each([
    [{ from: iso(TO), to: iso(FROM) }, 'invalid_parameter'],
    [{ from: '2026-01-01', to: '2026-03-01' }, 'invalid_parameter'],
    [{ from: iso(Date.now() + HOUR_MS), to: iso(Date.now() + 2 * HOUR_MS) }, 'invalid_parameter'],
    [{ speed: 0 }, 'invalid_parameter'],
    [{ speed: 10_001 }, 'invalid_parameter'],
    [{ symbols: [] }, 'invalid_parameter'],
    [{ symbols: ['NOSUCH'] }, 'symbol_not_found'],
    [{ until: iso(TO) }, 'unknown_parameter'],
  ])('rejects %p', async (wrong, code) => {
    expect((await codeOf(await send('POST', '/api/replays', { ...RANGE, ...wrong })))[1]).toBe(code);
  });

  test('answers no other endpoint as of its clock', async () => {
    await withSession(async ({ id }) => {
      for (const path of ['/api/session', '/api/publishers', '/api/alerts', '/api/usage'])
        expect([path, ...(await codeOf(await read(id, path)))]).toEqual([path, 400, 'not_in_replay']);
      // Sessions themselves are read in the present.
      expect((await read(id, `/api/replays/${id}`)).status).toBe(200);
      expect(await codeOf(await read(id, '/api/quotes?replay=rpl_other'))).toEqual([400, 'repeated_parameter']);
    });
  });
});

describe('reads as of the clock', () => {
  test('have the bars and ticks that were known then, at random times', async () => {
    const random = new Random(11);
    await withSession(async ({ id }) => {
      for (let round = 0; round < CLOCKS; round++) {
        const clock = random.whole(FROM + 20 * MINUTE_MS, TO);
        // Half of them play on from an earlier time instead of starting there.
        if (random.chance(0.5)) await changed(id, { seek: iso(clock) });
        else {
          await changed(id, { seek: iso(random.whole(FROM, clock)) });
          while ((await changed(id, { step: 'bar' })).clock < iso(clock - MINUTE_MS)) await readJson(id, '/api/quotes');
        }
        const now = Date.parse((await (await send('GET', `/api/replays/${id}`)).json()).clock);
        const known = await knownAt(past, now);
        for (const symbol of [EURUSD, BTCUSD]) {
          const { items } = await readJson<BarsPage>(id, `/api/bars/${symbol}?interval=1m&limit=1000`);
          const expected = [...known.minutes].flatMap(([name, { time, open, high, low, close, volume }]) =>
            name.startsWith(symbol) ? [{ time: iso(time), open, high, low, close, volume }] : [],
          );
          expect(items).toEqual(expected.sort((a, b) => (a.time < b.time ? -1 : 1)));
          const kinds = symbol === BTCUSD ? (['quotes', 'trades'] as const) : (['quotes'] as const);
          for (const kind of kinds) {
            const ticks = await readJson<{ items: { time: string }[] }>(
              id,
              `/api/ticks/${symbol}?kind=${kind}&from=${iso(FROM)}&limit=10000`,
            );
            const arrived = past.ticks.filter(
              ({ tick, arrival }) => tick.symbol === symbol && `${tick.kind}s` === kind && arrival <= now,
            );
            expect(ticks.items.map(({ time }) => time)).toEqual(arrived.map(({ tick }) => iso(tick.time)).sort());
          }
        }
        const quote = past.ticks.findLast(({ tick, arrival }) => tick.symbol === EURUSD && arrival <= now)!.tick;
        expect(await readJson(id, `/api/market/EURUSD/quote?replay=${id}`)).toMatchObject({
          timestamp: iso(quote.time),
          bid: quote.kind === 'quote' ? quote.bid : 0,
        });
      }
    });
  });

  test('are equal byte by byte in two runs, positions included', async () => {
    const run = () =>
      withSession(async ({ id, epoch }) => {
        const answers: unknown[] = [epoch];
        for (let step = 0; step < 30; step++) {
          const { clock } = await changed(id, { step: step % 3 === 0 ? 'bar' : 'tick' });
          answers.push(clock);
          for (const path of ['/api/quotes?detail=true', '/api/market/BTCUSD?timeframe=1m&bars=5&detail=true']) {
            const response = await read(id, path);
            const { headers } = response;
            answers.push(headers.get('stream-epoch'), headers.get('stream-seq'), headers.get('etag'));
            answers.push(await response.text());
          }
        }
        return answers;
      });
    const first = await run();
    expect(await run()).toEqual(first);
    expect(Number(first.at(-3))).toBeGreaterThan(30);
  });
});
