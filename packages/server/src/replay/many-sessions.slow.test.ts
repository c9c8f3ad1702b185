// What fifty sessions that play do to everything else in the process: how long they hold up the event loop.
import { expect, test } from 'bun:test';
import { iso, TIERS } from '@tickwire/contract';
import { asEpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { longestTurn } from '../../testing/event-loop.fixture.ts';
import { BTCUSD } from '../../testing/replay/recorded-day.fixture.ts';
import { PAST_FROM as FROM, replayOfBars } from '../../testing/replay/replay-of-bars.fixture.ts';
import type { Caller } from '../access/caller.ts';
import type { TapeBlock } from '../store/store.ts';
import { encodeBlock } from '../store/tape-block.ts';
import { LocalDocuments } from '../work/kept-documents.ts';
import { Connection } from '../ws/connection.ts';
import { ReplaySessions, SESSION_KEPT_MS } from './replay-sessions.ts';

const SESSIONS = 50;
const TICKS_A_MINUTE = 600;
/** Milliseconds of computing. */
const MAX_TURN_MS = 20;

function blockOf(minute: number): TapeBlock {
  const firstSeq = (minute / MINUTE_MS) * TICKS_A_MINUTE;
  const records = Array.from({ length: TICKS_A_MINUTE }, (_, index) => {
    const bid = 60_000 + (index % 40);
    const time = asEpochMs(minute + (index * MINUTE_MS) / TICKS_A_MINUTE);
    const event = { kind: 'quote', symbol: BTCUSD, time, bid, ask: bid + 1, bidSize: 1, askSize: 2 } as const;
    return { seq: firstSeq + index, event, source: 'test' };
  });
  const about = { symbol: BTCUSD, minute: asEpochMs(minute), firstSeq, count: TICKS_A_MINUTE };
  return { ...about, bidVolume: 0, askVolume: 0, bytes: encodeBlock(records, minute, 2) };
}

test('fifty sessions that play to streams hold nothing up', async () => {
  const { options, close } = await replayOfBars(Date.now);
  const blocks = Array.from({ length: 60 }, (_, index) => blockOf(FROM + index * MINUTE_MS));
  const sessions = new ReplaySessions({
    ...options,
    kept: new LocalDocuments(SESSION_KEPT_MS, Date.now),
    store: {
      ...options.store,
      tapeOf: async (_, from, to) => blocks.filter(({ minute }) => minute >= from && minute < to),
    },
  });
  let received = 0;
  for (let index = 0; index < SESSIONS; index++) {
    const account = { publicId: `acc_${index}`, tier: TIERS.premium };
    const known = { keyId: `key_${index}`, quota: { maxStreams: 1 }, expiresAt: Number.POSITIVE_INFINITY, valid: true };
    const caller = { account, ...known } as unknown as Caller;
    const range = { symbols: [BTCUSD], from: iso(FROM + index * 30 * SECOND_MS), to: iso(FROM + HOUR_MS) };
    const { id } = await sessions.create({ ...range, start: 'playing', speed: 60 }, caller);
    await sessions.worlds.use(id, caller, ({ gateway: { handler } }) => {
      const socket = {
        data: new Connection('market', '127.0.0.1', caller, Date.now()),
        send() {
          received++;
          return 1;
        },
        cork: (work: () => void) => work(),
        close: (code: number) => void handler.close!(socket as never, code, ''),
        getBufferedAmount: () => 0,
      };
      handler.open!(socket as never);
      handler.message!(socket as never, JSON.stringify({ action: 'subscribe', symbols: [BTCUSD] }));
    });
    sessions.worlds.follow(id, caller);
  }
  // The code is compiled by then.
  await Bun.sleep(2 * SECOND_MS);
  const before = received;
  const longest = await longestTurn(() => Bun.sleep(4 * SECOND_MS));
  console.log(`at most ${longest.toFixed(1)} ms of computing at a time, while ${received - before} messages were sent`);
  expect(received - before).toBeGreaterThan(SESSIONS * TICKS_A_MINUTE);
  expect(longest).toBeLessThan(MAX_TURN_MS);
  await sessions.worlds.stop();
  await close();
});
