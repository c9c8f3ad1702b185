import { expect, test } from 'bun:test';
import { type PracticeRecord, TickwireError } from '@tickwire/client';
import { Practice } from './practice.ts';

const recordOf = (signals: number, active: number, total_r = 0) =>
  ({ figures: { signals, active, closed: signals - active, total_r, last_at: null } }) as PracticeRecord;
/** Saves nothing anywhere. */
const written = async (): Promise<void> => {};

function practiceWith(answer: () => PracticeRecord) {
  const seen: string[] = [];
  const state = { isPlaying: true };
  let follow = async () => 0;
  const practice = new Practice({
    client: {
      practiceRecord: async (id) => {
        seen.push(id);
        return answer();
      },
      savePractice: async (_, { name }) => {
        seen.push(name);
        return { id: 'rec_1', name, saved_at: '2026-03-02T10:00:00.000Z' };
      },
      savedPractice: async () => ({ items: [], count: 0 }),
      deleteSavedPractice: async (id) => ({ id, name: '', saved_at: '2026-03-02T10:00:00.000Z' }),
    },
    id: 'rpl_1',
    isPlaying: () => state.isPlaying,
    onChange: () => seen.push('changed'),
    onError: ({ code }) => seen.push(code),
    poll: (task) => {
      follow = task;
      return { stop: () => seen.push('stopped') };
    },
  });
  return { practice, seen, state, follow: () => follow() };
}

test('asks for the record only while the clock runs and signals are open', async () => {
  let record = recordOf(1, 1);
  const { practice, seen, state, follow } = practiceWith(() => record);
  await follow();
  expect(seen).toEqual([]);
  await practice.refresh();
  state.isPlaying = false;
  await follow();
  state.isPlaying = true;
  record = recordOf(1, 0);
  await follow();
  await follow();
  expect(seen).toEqual(['rpl_1', 'changed', 'rpl_1', 'changed']);
});

test('signals are unsaved until the record with all of them was saved', async () => {
  let record = recordOf(2, 1);
  const { practice } = practiceWith(() => record);
  expect(practice.unsaved).toBe(0);
  await practice.refresh();
  expect(practice.unsaved).toBe(2);
  await practice.saveBy(written);
  expect(practice.unsaved).toBe(0);
  record = recordOf(2, 0);
  await practice.refresh();
  expect(practice.unsaved).toBe(2);
});

test('signals are unsaved again if a seek dropped one and another took its place, or the same ends with another result', async () => {
  let record = recordOf(1, 0, 1.5);
  const { practice } = practiceWith(() => record);
  await practice.refresh();
  await practice.saveBy(written);
  await practice.afterSeek();
  expect(practice.unsaved).toBe(0);
  await practice.afterPublishing();
  expect(practice.unsaved).toBe(1);
  await practice.saveBy(written);
  record = recordOf(1, 0, -1);
  await practice.refresh();
  expect(practice.unsaved).toBe(1);
});

test('what changes while the record is being saved stays unsaved', async () => {
  let record = recordOf(1, 1);
  const { practice } = practiceWith(() => record);
  await practice.refresh();
  await practice.saveBy(async (saved) => {
    expect(saved).toBe(record);
    record = recordOf(1, 0);
    await practice.refresh();
  });
  expect(practice.unsaved).toBe(1);
});

test('a record that is saved to the account has a name, and counts as saved', async () => {
  const symbols = ['EURUSD', 'XAUUSD', 'BTCUSD', 'ETHUSD'];
  const { practice, seen } = practiceWith(() => ({ ...recordOf(2, 1), symbols, clock: '2026-03-02T12:00:00.000Z' }));
  await practice.save();
  expect(seen).toEqual([]);
  await practice.refresh();
  await practice.save();
  expect(seen.at(-1)).toStartWith('EURUSD, XAUUSD, 2 more, ');
  expect(practice.unsaved).toBe(0);
});

test('a failure is reported, but for a replay that has ended', async () => {
  let code = 'rate_limited';
  const { practice, seen } = practiceWith(() => {
    throw new TickwireError({ status: 429, code: code as never, detail: code });
  });
  await practice.refresh();
  code = 'replay_not_found';
  await practice.refresh();
  expect(seen).toEqual(['rpl_1', 'rate_limited', 'rpl_1']);
});
