// The clock of a session: it only moves back with a seek, however its markets are closed and made again.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { iso, TIERS } from '@tickwire/contract';
import { CATALOGUE, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { PAST_FROM as FROM, type ReplayOfBars, replayOfBars } from '../../testing/replay/replay-of-bars.fixture.ts';
import type { Caller } from '../access/caller.ts';
import { LocalDocuments } from '../work/kept-documents.ts';
import { Connection } from '../ws/connection.ts';
import type { Lockstep } from './lockstep.ts';
import { ReplaySessions, SESSION_KEPT_MS } from './replay-sessions.ts';
import type { ReplayState } from './replay-state.ts';

const TO = FROM + 12 * HOUR_MS;
const symbols = [CATALOGUE[0]!.symbol];
const START = Date.UTC(2026, 5, 1);

let past: ReplayOfBars;
let time = START;
/** How far the time goes each time somebody asks for it: work then takes some. */
let tick = 0;
const now = (): number => {
  time += tick;
  return time;
};
beforeAll(async () => {
  past = await replayOfBars(now);
});
afterAll(() => past.close());

let kept: LocalDocuments;
let sessions: ReplaySessions;
const callerOf = (events: number): Caller =>
  ({ account: { publicId: 'acc_1', tier: { ...TIERS.premium, replay_events_per_minute: events } } }) as Caller;
const caller = callerOf(1_000_000);
beforeEach(() => {
  time = START;
  tick = 0;
  kept = new LocalDocuments(SESSION_KEPT_MS, () => time);
  sessions = new ReplaySessions({ ...past.options, kept });
});

const create = async (given: { start?: 'playing'; speed?: number | 'max' } = {}): Promise<string> =>
  (await sessions.create({ from: iso(FROM), to: iso(TO), symbols, ...given }, caller)).id;
const played = (id: string, own = caller): Promise<number> => sessions.worlds.use(id, own, ({ clock }) => clock);
const shown = async (id: string): Promise<number> => Date.parse((await sessions.get(id, caller)).clock);

/** Stores another clock, as another gateway does. */
async function set(id: string, change: Partial<ReplayState>): Promise<void> {
  const text = (await kept.read('acc_1', id))!;
  expect(await kept.replace('acc_1', id, text, JSON.stringify({ ...JSON.parse(text), ...change }))).toBe(true);
}

/** A reader that waits in lockstep in a session. */
async function readInLockstep(id: string): Promise<Lockstep> {
  const readers = await sessions.worlds.use(id, caller, ({ gateway, lockstep }) => {
    const handler = lockstep.handlerOf(gateway.handler);
    const socket = {
      data: new Connection('market', '127.0.0.1', null, time),
      send: () => 1,
      cork: (work: () => void) => work(),
      close: (code: number) => void handler.close!(socket as never, code, ''),
      getBufferedAmount: () => 0,
    };
    handler.open!(socket as never);
    return lockstep;
  });
  sessions.worlds.follow(id, caller);
  return readers;
}

describe('the clock of a session', () => {
  test.each([1, 'max'] as const)('is where it was after its markets were closed, at speed %p', async (speed) => {
    const id = await create({ start: 'playing', speed });
    const at = FROM + 6 * HOUR_MS;
    await set(id, { at, since: START });
    expect(await played(id)).toBe(at);
    time += 3 * MINUTE_MS;
    await sessions.worlds.sweep();
    expect(sessions.worlds.open).toBe(0);
    // Playing takes longer than a turn may.
    tick = 20;
    expect(await played(id)).toBeGreaterThanOrEqual(at);
    expect(await shown(id)).toBeGreaterThanOrEqual(at);
  });

  test('is waited for, and not set back, if the account may play too little to reach it', async () => {
    const id = await create();
    const at = FROM + HOUR_MS;
    await set(id, { at });
    const poor = callerOf(200);
    await expect(played(id, poor)).rejects.toMatchObject({ code: 'rate_limited', options: { retryAfterSeconds: 5 } });
    expect(await shown(id)).toBe(at);
    time += 61 * SECOND_MS;
    expect(await played(id, poor)).toBe(at);
  });

  test('is set forward if another process has paused it before what was played here', async () => {
    const id = await create({ start: 'playing', speed: 10_000 });
    time += SECOND_MS;
    const clock = await played(id);
    await set(id, { playing: false, at: clock - MINUTE_MS });
    expect(await played(id)).toBe(clock);
    expect(await shown(id)).toBe(clock);
  });

  test('is not passed by what plays while the session is paused', async () => {
    const id = await create({ start: 'playing', speed: 10_000 });
    await played(id);
    time += SECOND_MS;
    const read = played(id);
    const { clock } = await sessions.change(id, { state: 'paused' }, caller);
    time += SECOND_MS;
    await read;
    expect(iso(await played(id))).toBe(clock);
  });

  test('is at the part that was played if a request would play for too long', async () => {
    const id = await create({ start: 'playing', speed: 10_000 });
    await played(id);
    time += 4 * SECOND_MS;
    tick = 100;
    const clock = await played(id);
    expect(clock).toBeWithin(FROM + 1, FROM + 40_000_000);
    tick = 0;
    expect(await shown(id)).toBeGreaterThanOrEqual(clock);
  });

  test('goes on from a step if it is asked to play', async () => {
    const id = await create();
    const stepped = await sessions.change(id, { step: 'bar', state: 'playing', speed: 60 }, caller);
    expect(stepped).toMatchObject({ state: 'playing', clock: iso(FROM + MINUTE_MS), speed: 60 });
    expect(await sessions.change(id, { step: 'bar' }, caller)).toMatchObject({
      state: 'paused',
      clock: iso(FROM + 2 * MINUTE_MS),
    });
  });
});

describe('while a reader in lockstep thinks', () => {
  test('the clock stands still at any speed, also for a pause', async () => {
    const id = await create({ start: 'playing', speed: 10_000 });
    await readInLockstep(id);
    time += SECOND_MS;
    expect(await shown(id)).toBe(FROM);
    expect((await sessions.list(caller)).map(({ clock }) => clock)).toEqual([iso(FROM)]);
    expect(await sessions.change(id, { state: 'paused' }, caller)).toMatchObject({
      state: 'paused',
      clock: iso(FROM),
    });
    await sessions.worlds.stop();
  });

  test('the session stays open for longer than one that nobody uses', async () => {
    const id = await create();
    const lockstep = await readInLockstep(id);
    for (let minute = 0; minute < 4; minute++) {
      time += MINUTE_MS;
      await Bun.sleep(1);
      lockstep.interrupt();
      await Bun.sleep(1);
      await sessions.worlds.sweep();
    }
    expect([sessions.worlds.open, lockstep.isWaiting]).toEqual([1, true]);
    await sessions.worlds.stop();
  });
});
