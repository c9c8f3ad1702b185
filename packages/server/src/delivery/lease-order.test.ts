// Leases of a worker when the answers of its store arrive late, out of order, or not at all. Each of these could leave a destination
// to a lease that nobody used, for 30 seconds.
import { expect, test } from 'bun:test';
import { delayedStore, type StoreCall } from '../../testing/delivery/delayed-store.fixture.ts';
import { DELIVERED, openOutbox, until } from '../../testing/delivery/outbox.fixture.ts';
import { silentLog } from '../ops/log.ts';
import { DeliveryWorker } from './delivery-worker.ts';

const nothingWaits = async ({ store }: ReturnType<typeof openOutbox>): Promise<boolean> =>
  (await store.delivery.counts()).waiting === 0;

test('a worker that is woken before it has started leases nothing until the leases of its last run have ended', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1', '2']);
  await outbox.addMessages('1a 2a');
  const { delivery } = outbox.store;
  const now = outbox.now();
  // The last run was killed while it had one of them.
  await delivery.lease({ worker: 'worker', now, until: now + 30_000, destinations: 1, messages: 1 });
  const calls: StoreCall[] = [];
  const clock = Promise.withResolvers<void>();
  const store = delayedStore(delivery, {
    async before(call) {
      if (call === 'clock') await clock.promise;
      calls.push(call);
    },
  });
  const channel = { name: 'webhook', send: async () => DELIVERED } as const;
  const { box } = outbox;
  const worker = new DeliveryWorker({
    ...{ store, id: 'worker', channels: new Map([['webhook', channel]]), box, now: outbox.now, log: silentLog },
  });
  const started = worker.start();
  worker.wake();
  await Bun.sleep(20);
  expect(calls).toEqual([]);
  clock.resolve();
  await started;
  worker.wake();
  await until('all delivered', () => nothingWaits(outbox));
  expect(calls.slice(0, 3)).toEqual(['clock', 'endLeases', 'lease']);
  await worker.stop();
});

test('a message that is written while its destination is given back is sent at once', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a');
  const answered = Promise.withResolvers<void>();
  let stored = false;
  let leases = 0;
  const store = delayedStore(outbox.store.delivery, {
    async after(call) {
      if (call === 'lease') leases++;
      if (call !== 'complete' || stored) return;
      stored = true;
      await answered.promise;
    },
  });
  const worker = await outbox.worker(async () => DELIVERED, { store });
  await until('the outcome is stored', () => stored);
  await outbox.addMessages('1b');
  const before = leases;
  worker.wake();
  await until('a look for messages', () => leases > before);
  answered.resolve();
  await until('the second is delivered', () => nothingWaits(outbox));
});

test('leases that were made although the call failed are given back', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1', '2']);
  await outbox.addMessages('1a');
  let failures = 0;
  const slow = Promise.withResolvers<void>();
  const store = delayedStore(outbox.store.delivery, {
    async after(call) {
      if (call === 'lease' && failures === 1) {
        failures = 2;
        throw new Error('the connection was lost');
      }
    },
  });
  const sent: string[] = [];
  const worker = await outbox.worker(
    async (_, { id }) => {
      sent.push(id);
      if (id === '1a') await slow.promise;
      return DELIVERED;
    },
    { store },
  );
  await until('the first is sent', () => sent.length === 1);
  failures = 1;
  await outbox.addMessages('2a');
  worker.wake();
  await until('the other is sent', () => sent.includes('2a'));
  expect(failures).toBe(2);
  // The lease that is used has stayed.
  const other = await outbox.store.delivery.renew('worker', ['1'], outbox.now() + 30_000);
  expect(other).toEqual(['1']);
  slow.resolve();
  await until('all delivered', () => nothingWaits(outbox));
  expect(sent).toEqual(['1a', '2a']);
});
