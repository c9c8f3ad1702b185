// What was done in a session about practice signals, while the session seeks and the store fails.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { iso, SignalRequest, TIERS } from '@tickwire/contract';
import { acceptSignal, asEpochMs, CATALOGUE, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { PAST_FROM as FROM, type ReplayOfBars, replayOfBars } from '../../../testing/replay/replay-of-bars.fixture.ts';
import type { Caller } from '../../access/caller.ts';
import { StoreError } from '../../errors/store-error.ts';
import { termsOf } from '../../signals/publishing.ts';
import { type KeptDocuments, LocalDocuments } from '../../work/kept-documents.ts';
import { ReplaySessions, SESSION_KEPT_MS } from '../replay-sessions.ts';
import type { ReplayState } from '../replay-state.ts';
import { SessionMoved } from '../session-moved.ts';
import { NO_PRACTICE, PRACTICE_PUBLISHER, type PracticePublication } from './practice-actions.ts';

const spec = CATALOGUE.find(({ symbol }) => symbol === 'EURUSD')!;
const caller = { account: { publicId: 'acc_1', tier: TIERS.premium } } as Caller;
const now = (): number => Date.UTC(2026, 5, 1);

let past: ReplayOfBars;
beforeAll(async () => {
  past = await replayOfBars(now);
});
afterAll(() => past.close());

let sessions: ReplaySessions;
let isBroken = false;
let id = '';
beforeEach(async () => {
  isBroken = false;
  const kept: KeptDocuments = new LocalDocuments(SESSION_KEPT_MS, now);
  const replace = kept.replace.bind(kept);
  kept.replace = async (owner, ...document) => {
    if (isBroken && owner.startsWith(PRACTICE_PUBLISHER)) throw new StoreError('the store is away');
    return replace(owner, ...document);
  };
  sessions = new ReplaySessions({ ...past.options, kept });
  const range = { from: iso(FROM), to: iso(FROM + 4 * HOUR_MS), symbols: ['EURUSD'] };
  ({ id } = await sessions.create({ ...range, start: 'playing', speed: 'max' }, caller));
});

/** Publishes a signal at a clock. */
async function publish(at: number): Promise<PracticePublication> {
  const request = SignalRequest.parse({
    symbol: 'EURUSD',
    direction: 'buy',
    order: 'market',
    stop_loss: 1.1,
    take_profit: 1.3,
  });
  const quote = { kind: 'quote', seq: 0, time: asEpochMs(at), bid: 1.2, ask: 1.2001, source: 'x' } as const;
  const order = acceptSignal('practice_1', spec, quote, termsOf(request), asEpochMs(at));
  if ('rejected' in order) throw new Error(order.detail);
  const details = { order: request.order! };
  const action = { kind: 'publish', number: 1, at, symbol: spec.symbol, order, details, idempotency: null } as const;
  expect(await sessions.practice.add(await stateOf(), caller, NO_PRACTICE, action)).toBe(true);
  return action;
}

const stateOf = (): Promise<ReplayState> => sessions.worlds.use(id, caller, (_, state) => state);
const seek = (to: number) => sessions.change(id, { seek: iso(to) }, caller);

test('a seek drops what was done after it, also if the store failed until the next seek', async () => {
  await publish(FROM + HOUR_MS);
  isBroken = true;
  await seek(FROM + MINUTE_MS);
  await expect(seek(FROM + 2 * HOUR_MS)).rejects.toMatchObject({ code: 'store_unavailable' });
  isBroken = false;
  await seek(FROM + 2 * HOUR_MS);
  expect((await sessions.practice.read(await stateOf(), caller)).actions).toEqual([]);
});

test('a seek keeps what was done before it', async () => {
  const action = await publish(FROM + HOUR_MS);
  await Promise.all([seek(FROM + 2 * HOUR_MS), seek(FROM + 3 * HOUR_MS)]);
  const state = await stateOf();
  expect([state.seeks, (await sessions.practice.read(state, caller)).actions]).toEqual([2, [action]]);
});

test('a request that a seek overtakes is made again at the new clock', async () => {
  await publish(FROM);
  const clocks: number[] = [];
  const made = await sessions.worlds.use(id, caller, async ({ clock }, state) => {
    clocks.push(clock);
    if (clocks.length === 1) {
      await seek(FROM + HOUR_MS);
      await sessions.practice.dropLater({ ...state, seeks: 1, base: FROM + HOUR_MS }, caller);
      await expect(sessions.practice.read(state, caller)).rejects.toBeInstanceOf(SessionMoved);
    }
    await sessions.practice.read(state, caller);
    return clock;
  });
  expect([made, clocks]).toEqual([FROM + HOUR_MS, [FROM, FROM + HOUR_MS]]);
});

test('a signal that another gateway published at a later clock is not known yet', async () => {
  const later = await publish(FROM + HOUR_MS);
  const known = await sessions.worlds.use(id, caller, ({ practice, clock }) =>
    practice.asOf([later], clock, () => true),
  );
  expect([known.log.signals, known.find(spec.symbol, later.order.id)]).toEqual([0, null]);
});
