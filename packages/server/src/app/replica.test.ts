import { afterEach, beforeEach, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { CATALOGUE, trustedSources } from '@tickwire/engine';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { BTCUSD, RunningSignals } from '../../testing/signals/running-signals.fixture.ts';
import { unlessAborted } from '../ops/pauses.ts';
import type { SignalStore } from '../store/signal-store.ts';
import { Replica } from './replica.ts';

let folder: string;
let running: RunningSignals;
beforeEach(async () => {
  folder = temporaryFolder();
  running = await RunningSignals.open(folder);
  running.quote(0, 99, 100);
});
afterEach(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a replica; `before` runs before each query for signals. */
const replicaOf = (before: (query: keyof SignalStore) => Promise<unknown>): Promise<Replica> => {
  const { store } = running;
  const signals = Object.fromEntries(
    Object.entries(store.signals).map(([name, query]) => [
      name,
      async (...values: never[]) => {
        await before(name as keyof SignalStore);
        return (query as (...values: never[]) => Promise<unknown>)(...values);
      },
    ]),
  ) as unknown as SignalStore;
  return Replica.open({
    catalogue: { instruments: CATALOGUE.filter(({ symbol }) => symbol === BTCUSD), load: async () => {} },
    store: { ...store, signals },
    access: { nameOf: (publisher) => publisher, publisherOf: (name) => name },
    isTrusted: trustedSources(),
    simulatedNews: true,
    hiddenCalendar: null,
    now: () => 0,
  });
};
const listed = ({ feed }: Replica): unknown =>
  feed.list({ status: 'all', limit: 100, symbol: undefined, user: undefined, before: undefined });

test('a replica opens while a signal is published before every query, and lacks and repeats none of them', async () => {
  const first = await running.publish();
  let published = 0;
  let opening = true;
  const replica = await replicaOf(async () => {
    if (!opening) return;
    if (++published > 20) throw new Error('restored again and again');
    await running.publish();
  });
  opening = false;
  // The journal delivers all events; those that were restored are left out.
  const batch = replica.deduplicate({ firstSeq: 1, source: '', events: running.published });
  for (const read of [replica.feed.read, replica.trackRecords.read, replica.events.read]) read(batch);
  const ids = running.published.filter(({ kind }) => kind === 'signal').map(({ signal }) => signal.id);
  expect(ids).toHaveLength(published + 1);
  expect(ids[0]).toBe(first);
  expect((listed(replica) as { id: string }[]).map(({ id }) => id)).toEqual(ids.toReversed());
  const valuation = { market: replica.market, now: 0 };
  expect(await replica.trackRecords.detail('pub_one', 1, valuation)).toMatchObject({ signals: ids.length });
});

test('a replica stops opening at the next pause when the process is asked to end', async () => {
  await running.publish();
  const stopping = new AbortController();
  const open = unlessAborted(stopping.signal, () =>
    replicaOf(async () => {
      stopping.abort(new Error('asked to end'));
      // Longer than work may go on without a pause.
      const until = performance.now() + 10;
      while (performance.now() < until);
    }),
  );
  await expect(open).rejects.toThrow('asked to end');
});
