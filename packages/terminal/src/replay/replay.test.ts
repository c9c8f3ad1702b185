import { expect, test } from 'bun:test';
import { type ReplaySession, type ReplaySessionChange, TickwireError } from '@tickwire/client';
import { Replay } from './replay.ts';

const SESSION: ReplaySession = {
  id: 'rpl_1',
  state: 'paused',
  symbols: ['EURUSD'],
  from: '2026-03-02T08:00:00.000Z',
  to: '2026-03-02T17:00:00.000Z',
  clock: '2026-03-02T08:00:00.000Z',
  speed: 10,
  epoch: 'abc',
  sources: [],
  created_at: '2026-03-03T08:00:00.000Z',
  idle_seconds: 900,
};
const refusal = (code: string) => new TickwireError({ status: 404, code: code as never, detail: code });

function replayWith(answer: (change: ReplaySessionChange) => ReplaySession) {
  const seen: string[] = [];
  const waits: number[] = [];
  let ask = async () => 0;
  const replay = new Replay({
    client: {
      changeReplay: async (_id: string, change: ReplaySessionChange) => {
        seen.push(JSON.stringify(change));
        return answer(change);
      },
      replaySession: async () => answer({}),
      deleteReplay: async (_id, { keepalive = false } = {}) => {
        seen.push(keepalive ? 'delete, kept alive' : 'delete');
        return SESSION;
      },
    },
    session: SESSION,
    onLost: () => seen.push('lost'),
    onError: ({ code }) => seen.push(code),
    poll: (task, firstMs = 0) => {
      ask = task;
      waits.push(firstMs);
      return { stop: () => seen.push('stopped') };
    },
  });
  return { replay, seen, waits, ask: () => ask() };
}

test('sends changes one after the other and takes their answers', async () => {
  const { replay, seen } = replayWith(({ state = 'paused', speed = 10 }) => ({ ...SESSION, state, speed }));
  const changed = await Promise.all([
    replay.change({ state: 'playing' }),
    replay.change({ state: 'playing', speed: 60 }),
  ]);
  expect([changed, seen]).toEqual([
    [true, true],
    ['{"state":"playing"}', 'stopped', '{"state":"playing","speed":60}', 'stopped'],
  ]);
  expect([replay.isPlaying, replay.session.peek().speed]).toEqual([true, 60]);
});

test('asks soon for the clock that was set going, although it asked rarely while it stood still', async () => {
  let state: ReplaySession['state'] = 'paused';
  const { replay, waits, ask } = replayWith((change) => ({ ...SESSION, state: change.state ?? state }));
  expect([await ask(), waits]).toEqual([60_000, [4_000]]);
  state = 'playing';
  await replay.change({ state });
  expect([waits, await ask()]).toEqual([[4_000, 4_000], 4_000]);
});

test('a refused change is reported, and the session goes on', async () => {
  const { replay, seen } = replayWith(() => {
    throw refusal('rate_limited');
  });
  expect(await replay.change({ step: 'tick' })).toBe(false);
  expect(seen.at(-1)).toBe('rate_limited');
  expect(replay.session.peek()).toBe(SESSION);
});

test('a session that the service no longer has is reported once', async () => {
  const { replay, seen, ask } = replayWith(() => {
    throw refusal('replay_not_found');
  });
  await ask();
  await replay.change({ step: 'tick' });
  await replay.end();
  expect(seen).toEqual(['stopped', 'lost']);
});

test('ends the session at the service once', async () => {
  const { replay, seen } = replayWith(() => SESSION);
  await Promise.all([replay.end(), replay.end()]);
  expect(seen).toEqual(['stopped', 'delete']);
});

test('ends the session with a request that outlives the page', async () => {
  const { replay, seen } = replayWith(() => SESSION);
  await replay.end({ keepalive: true });
  expect(seen).toEqual(['stopped', 'delete, kept alive']);
});
