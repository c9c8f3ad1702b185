// A client in a replay session, against a real service.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { BTCUSD, randomPast, record } from 'tickwire/testing/replay/recorded-day.fixture.ts';
import { type RunningService, startService, temporaryFolder } from 'tickwire/testing/service.fixture.ts';
import { TickwireClient } from './client.ts';
import type { TickwireError } from './common/tickwire-error.ts';

const MINUTE = 60_000;
const FROM = Date.UTC(2026, 2, 4, 12);
const TO = FROM + 30 * MINUTE;

const folder = temporaryFolder();
const past = randomPast(FROM, TO, 17);
let service: RunningService;
let client: TickwireClient;
beforeAll(async () => {
  await record(folder, past);
  service = await startService({ data: folder, feeds: 'push' });
  client = new TickwireClient({ url: service.url, apiKey: (await service.key('free')).key });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function withReplay(use: (replay: TickwireClient, id: string) => Promise<void>): Promise<void> {
  const [from, to] = [FROM, TO].map((time) => new Date(time).toISOString()) as [string, string];
  const { id } = await client.createReplay({ symbols: ['BTCUSD'], from, to });
  try {
    await use(client.replay(id), id);
  } finally {
    await client.deleteReplay(id);
  }
}
/** When quotes of BTCUSD arrived. */
const arrivals = past.ticks.flatMap(({ tick, arrival }) =>
  tick.symbol === BTCUSD && tick.kind === 'quote' ? [arrival] : [],
);

test('reads as of the clock, which the client moves, while the client of the present has no quote', async () => {
  await withReplay(async (replay, id) => {
    const { clock } = await replay.changeReplay(id, { seek: new Date(FROM + 10 * MINUTE).toISOString() });
    const { items } = await replay.bars('BTCUSD', { interval: '1m', limit: 1_000 });
    expect(items.every(({ time }) => time <= clock)).toBe(true);
    expect(Date.parse((await replay.quote('BTCUSD')).timestamp)).toBeLessThanOrEqual(FROM + 10 * MINUTE);
    expect((await replay.symbols()).items.map(({ symbol }) => symbol)).toEqual(['BTCUSD']);
    expect((await client.symbols()).items.length).toBeGreaterThan(5);
    const last = (await replay.changeReplay(id, { seek: new Date(TO).toISOString() })).clock;
    expect((await replay.bars('BTCUSD', { interval: '1m', limit: 1_000 })).items.length).toBeGreaterThan(items.length);
    expect(last).toBe(new Date(TO).toISOString());
  });
});

test('streams follow the clock', async () => {
  await withReplay(async (replay, id) => {
    const bars = replay.live.bars({ symbols: ['BTCUSD'], timeframe: '1m' });
    const ticks = replay.live.ticks({
      symbols: ['BTCUSD'],
      onNotice: ({ event }) => {
        if (event === 'subscribed') void replay.changeReplay(id, { state: 'playing', speed: 'max' });
      },
    });
    const times: number[] = [];
    for await (const { time } of ticks) {
      times.push(time);
      if (times.length === 30) break;
    }
    expect(times.every((time) => time * 1_000 <= arrivals[45]!)).toBe(true);
    for await (const bar of bars)
      if (bar.closed) {
        expect(bar.time * 1_000).toBeWithin(FROM - MINUTE, TO);
        break;
      }
  });
});

test('a loop in lockstep sees each time at its clock, however long it takes, and ends with the range', async () => {
  const run = async (delayMs: number): Promise<unknown[]> => {
    const [from, to] = [FROM, FROM + 5 * MINUTE].map((time) => new Date(time).toISOString()) as [string, string];
    const range = { symbols: ['BTCUSD'], from, to };
    const { id } = await client.createReplay({ ...range, start: 'playing', speed: 'max' });
    const replay = client.replay(id);
    const seen: unknown[] = [];
    for await (const tick of replay.live.ticks({ symbols: ['BTCUSD'], ms: true, seq: true, lockstep: true })) {
      if (seen.length % 7 === 0) await Bun.sleep(delayMs);
      seen.push(tick, (await replay.quote('BTCUSD')).timestamp, (await replay.replaySession(id)).clock);
    }
    const ended = await client.deleteReplay(id);
    expect([ended.state, ended.clock]).toEqual(['ended', to]);
    return seen;
  };
  const seen = await run(0);
  expect(await run(3)).toEqual(seen);
  const clocks = seen.filter((_, at) => at % 3 === 2).map((clock) => Date.parse(String(clock)));
  expect(clocks).toEqual(arrivals.filter((time) => time <= FROM + 5 * MINUTE));
});

test('only a replay has lockstep', () => {
  expect(() => client.live.ticks({ symbols: ['BTCUSD'], lockstep: true })).toThrow('client.replay(id)');
});

test('what has no past is refused, and so is a session that does not exist', async () => {
  const codeOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'none',
      (error: TickwireError) => error.code,
    );
  await withReplay(async (replay) => {
    expect(await codeOf(replay.usage())).toBe('not_in_replay');
    expect(await codeOf(replay.publishers())).toBe('not_in_replay');
  });
  expect(await codeOf(client.replay('rpl_none').quotes())).toBe('replay_not_found');
});
