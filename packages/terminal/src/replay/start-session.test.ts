import { expect, test } from 'bun:test';
import type { ReplaySession } from '@tickwire/client';
import { type SessionStart, SessionStarts } from './start-session.ts';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const FROM = Date.parse('2026-03-09T12:00:00Z');

function startsWith(source: 'ticks' | 'none' = 'ticks') {
  const seen: string[] = [];
  const end = new AbortController();
  const created = Promise.withResolvers<void>();
  const options: SessionStart = {
    client: {
      replaySessions: async () => ({ items: [{ id: 'rpl_old' } as ReplaySession], count: 1 }),
      createReplay: async ({ from, to }) => {
        seen.push(`create ${from} ${to}`);
        await created.promise;
        return { id: 'rpl_new', sources: [{ source }] } as unknown as ReplaySession;
      },
      deleteReplay: async (id) => {
        seen.push(`delete ${id}`);
        return {} as ReplaySession;
      },
    },
    symbols: ['EURUSD'],
    from: FROM,
    now: NOW,
    endsOldest: false,
    signal: end.signal,
  };
  return { starts: new SessionStarts(), options, seen, end, answer: created.resolve };
}

const CREATED = 'create 2026-03-09T12:00:00.000Z 2026-03-10T11:59:50.000Z';

test('a second press while a replay is being started ends nothing and starts nothing', async () => {
  const { starts, options, seen, answer } = startsWith();
  const first = starts.start({ ...options, endsOldest: true });
  expect(await starts.start({ ...options, endsOldest: true })).toBeNull();
  answer();
  expect((await first)?.id).toBe('rpl_new');
  expect(seen).toEqual(['delete rpl_old', CREATED]);
  expect((await starts.start(options))?.id).toBe('rpl_new');
});

test('a session that nobody waits for any more is deleted', async () => {
  const { starts, options, seen, end, answer } = startsWith();
  const started = starts.start(options);
  end.abort();
  answer();
  expect(await started).toBeNull();
  expect(seen).toEqual([CREATED, 'delete rpl_new']);
});

test('the oldest replay goes on if the new one is no longer wanted', async () => {
  const { starts, options, seen, end } = startsWith();
  const started = starts.start({ ...options, endsOldest: true });
  end.abort();
  expect(await started).toBeNull();
  expect(seen).toEqual([]);
});

test('a time without records, or in the future, is explained', async () => {
  const { starts, options, seen, answer } = startsWith('none');
  answer();
  await expect(starts.start(options)).rejects.toThrow('Nothing is recorded from this time on');
  expect(seen).toEqual([CREATED, 'delete rpl_new']);
  await expect(starts.start({ ...options, from: NOW })).rejects.toThrow('Choose a time in the past.');
});
