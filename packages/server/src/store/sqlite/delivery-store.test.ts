import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { destination, leasable, message } from '../../../testing/store/alert-samples.fixture.ts';
import { recordQueryPlans } from '../../../testing/store/sqlite-query-plans.fixture.ts';
import { createDeliveryStore } from '../sql/delivery-store.ts';
import { openSqliteDatabase } from './database.ts';
import { sqliteRunner } from './run-work.ts';
import { MARKET_SCHEMA } from './schema.ts';

test('no step of a delivery reads all messages or all destinations, and a lease sorts nothing', async () => {
  const folder = temporaryFolder();
  const database = openSqliteDatabase(join(folder, 'market.db'), { schema: MARKET_SCHEMA });
  const { database: recording, plansOf } = recordQueryPlans(database);
  const store = createDeliveryStore(sqliteRunner(recording));
  await store.putDestination(destination('dst_1'));
  const plans = await plansOf(async () => {
    await store.addMessages([message('msg_1'), message('msg_2')]);
    await store.lease({ worker: 'w', now: 9_000, until: 9_999, destinations: 9, messages: 9 });
    await store.renew('w', ['dst_1'], 19_999);
    const released = {
      destination: 'dst_1',
      wakeAt: 0,
      failures: 0,
      failingSince: null,
      giveUp: { notAfter: 1, reason: 'x' },
    };
    await store.complete('w', [{ id: 'msg_1', result: 'dead', at: 9_500, reason: 'x' }], [released]);
    await store.replay('msg_1', 9_600);
    await store.nextDue();
    const only = { channels: [leasable('webhook', 'pub_b'), leasable('email', 'pub_b')] };
    await store.nextDue(only);
    await store.lease({ worker: 'w', now: 9_000, until: 9_999, destinations: 9, messages: 9, only });
    await store.messages('pub_a', { limit: 9 });
    await store.messages('pub_a', { limit: 9, state: 'dead' });
    await store.destinationStates('pub_a');
    await store.pruneMessages(1, 9);
    await store.deleteDestination('dst_1');
  });
  expect(plans.length).toBeGreaterThan(15);
  // `r` is one record, `f` and `t` are one time.
  expect(plans.filter((step) => /^SCAN (?![rft]$|CONSTANT ROW$)/.test(step))).toEqual([]);
  expect(plans.some((step) => step.includes('INDEX messages_delayed (destination=?'))).toBe(true);
  const only = { channels: [leasable('webhook', 'pub_b')] };
  const lease = { only, worker: 'w', now: 19_999, until: 29_999, destinations: 9, messages: 9 };
  expect((await plansOf(() => store.lease(lease))).filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  database.close();
  rmSync(folder, { recursive: true, force: true });
});
