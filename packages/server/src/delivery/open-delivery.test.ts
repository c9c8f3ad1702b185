import { expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
import { openOutbox } from '../../testing/delivery/outbox.fixture.ts';
import { prune } from './open-delivery.ts';

test('messages that could not be sent for two days are given up, and all are deleted after thirty', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1'], { channel: 'email' });
  const at = outbox.now();
  await outbox.addMessages('1a');
  await outbox.addMessages('1b', { notBefore: at + DAY_MS });
  const { delivery } = outbox.store;
  await prune(delivery, at + 2 * DAY_MS - 1_000);
  expect(await delivery.counts()).toEqual({ waiting: 2, dead: 0 });
  await prune(delivery, at + 2 * DAY_MS + 1_000);
  expect(await delivery.message('1a')).toMatchObject({
    state: 'dead',
    reason: 'given up after 48 hours: it could not be sent',
  });
  expect(await delivery.counts()).toEqual({ waiting: 1, dead: 1 });
  await prune(delivery, at + 31 * DAY_MS);
  expect(await delivery.counts()).toEqual({ waiting: 0, dead: 0 });
});
