// What a replay costs others, and what it loses when the store fails: nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { iso, TIERS } from '@tickwire/contract';
import { CATALOGUE, HOUR_MS, type MarketSymbol } from '@tickwire/engine';
import { computed, longestTurn } from '../../testing/event-loop.fixture.ts';
import { PAST_FROM as FROM, type ReplayOfBars, replayOfBars } from '../../testing/replay/replay-of-bars.fixture.ts';
import type { Caller } from '../access/caller.ts';
import { StoreError } from '../errors/store-error.ts';
import { LocalDocuments } from '../work/kept-documents.ts';
import { ReplaySessions, type ReplaySessionsOptions, SESSION_KEPT_MS } from './replay-sessions.ts';

const HOURS = 12;
const RANGE = { from: iso(FROM), to: iso(FROM + HOURS * HOUR_MS) };
const SYMBOLS = CATALOGUE.slice(0, 20).map(({ symbol }) => symbol);
const TWO = SYMBOLS.slice(0, 2);
const caller = { account: { publicId: 'acc_1', tier: { ...TIERS.premium, replays: 2 } } } as Caller;

/** Instruments whose past cannot be read. */
const broken = new Set<MarketSymbol>();
let reads = 0;
const isRead = (symbol: MarketSymbol): void => {
  reads++;
  if (broken.has(symbol)) throw new StoreError('the store is away');
};

let past: ReplayOfBars;
let options: ReplaySessionsOptions;
let time = 0;
beforeAll(async () => {
  past = await replayOfBars(() => time, isRead);
  ({ options } = past);
});
let sessions: ReplaySessions;
beforeEach(() => {
  time = Date.UTC(2026, 5, 1);
  broken.clear();
  sessions = new ReplaySessions({ ...options, kept: new LocalDocuments(SESSION_KEPT_MS, () => time) });
});
afterAll(() => past.close());

const playing = (symbols: readonly MarketSymbol[] = TWO) =>
  sessions.create({ ...RANGE, symbols: [...symbols], start: 'playing', speed: 10_000 }, caller);
const played = (id: string) =>
  sessions.worlds.use(id, caller, (world) => [world.clock, world.journal.lastSeq] as const);
const unavailable = { code: 'store_unavailable' };

describe('a replay whose store fails', () => {
  test('has lost no event when it works again', async () => {
    const [failed, other] = [await playing(), await playing()];
    for (const { id } of [failed, other]) await played(id);
    time += 4_000;
    broken.add(TWO[1]!);
    await expect(played(failed.id)).rejects.toMatchObject(unavailable);
    broken.clear();
    const [clock, events] = await played(other.id);
    expect(clock).toBe(FROM + 40_000_000);
    expect(events).toBeGreaterThan(2 * 600);
    expect(await played(failed.id)).toEqual([clock, events]);
  });

  test('takes no place if it cannot be created', async () => {
    broken.add(TWO[0]!);
    for (let tries = 0; tries < 3; tries++) await expect(playing()).rejects.toMatchObject(unavailable);
    expect(await sessions.list(caller)).toEqual([]);
  });
});

describe('other accounts', () => {
  test('have their turns while many instruments are played', async () => {
    const { id } = await playing(SYMBOLS);
    await played(id);
    time += 4_000;
    const before = computed();
    let clock = 0;
    const longest = await longestTurn(async () => {
      [clock] = await played(id);
    });
    expect(clock).toBe(FROM + 40_000_000);
    expect(longest).toBeLessThan((computed() - before) / 4);
  });

  test('cause no reads of sessions that a tier does not allow', async () => {
    for (let count = 0; count < 2; count++) await playing();
    reads = 0;
    await expect(playing(SYMBOLS)).rejects.toMatchObject({ code: 'too_many_replays' });
    expect(reads).toBe(0);
  });

  test('find room: the instruments of all markets in memory are limited', async () => {
    sessions = new ReplaySessions({ ...options, maxInstruments: 3 });
    const [one, other] = [await playing(), await playing()];
    await played(one.id);
    await played(other.id);
    expect(sessions.worlds.open).toBe(1);
    await sessions.worlds.use(one.id, caller, async () => {
      await expect(played(other.id)).rejects.toMatchObject({ code: 'rate_limited' });
    });
    await played(other.id);
    expect(sessions.worlds.open).toBe(1);
  });
});
