import { expect, test } from 'bun:test';
import { firing } from '../../testing/store/alert-samples.fixture.ts';
import { readFiring } from '../alerts/firing-messages.ts';
import type { Journal, JournalEvent } from '../journal/journal.ts';
import type { Store } from '../store/store.ts';
import { republishTail } from './republish-tail.ts';

test('firings of the last minute are published again after a takeover', async () => {
  const published: JournalEvent[] = [];
  const asked: number[] = [];
  const row = firing('fir_1');
  const store = {
    signals: { log: async () => [], tail: async () => null },
    news: { newest: async () => [] },
    calendar: { updatedSince: async () => [] },
    alerts: {
      firingsSince: async (time: number) => {
        asked.push(time);
        return [row];
      },
    },
  } as unknown as Store;
  const journal = { append: (events: JournalEvent[]) => void published.push(...events) } as unknown as Journal;
  const catalogue = { added: [], instruments: [] };
  await republishTail({ store, catalogue, journal, nameOf: () => undefined, now: () => 100_000 });
  expect(asked).toEqual([40_000]);
  expect(published).toEqual([{ kind: 'alert', account: 'pub_a', firing: readFiring(row) }]);
});
