import { expect, test } from 'bun:test';
import { MINUTE_MS } from '@tickwire/engine';
import { DELIVERED, failed, idsOf, openOutbox, until } from '../../testing/delivery/outbox.fixture.ts';
import { message } from '../../testing/store/alert-samples.fixture.ts';
import { silentLog } from '../ops/log.ts';
import type { OutgoingMessage } from './channel.ts';

test('a destination that is not verified gets its code and nothing else', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1'], { state: 'unverified' });
  await outbox.addMessages('1a');
  await outbox.addMessages('1b', { firing: null, type: 'test' });
  await outbox.addMessages('1c', { firing: null, type: 'code' });
  const sent: OutgoingMessage[] = [];
  await outbox.worker(async (_, message) => {
    sent.push(message);
    return DELIVERED;
  });
  await until('nothing waits', async () => (await outbox.store.delivery.counts()).waiting === 0);
  expect(idsOf(sent)).toBe('1c');
  for (const id of ['1a', '1b'])
    expect((await outbox.store.delivery.message(id))?.reason).toBe('the destination is not verified');
});

test('a disabled account gets no messages', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addDestinations(['2'], { account: 'pub_b' });
  await outbox.addMessages('1a 2a');
  const sent: OutgoingMessage[] = [];
  await outbox.worker(
    async (_, message) => {
      sent.push(message);
      return DELIVERED;
    },
    { isDisabled: (account) => account === 'pub_b' },
  );
  await until('nothing waits', async () => (await outbox.store.delivery.counts()).waiting === 0);
  expect(idsOf(sent)).toBe('1a');
  expect(await outbox.store.delivery.message('2a')).toMatchObject({ state: 'dead', reason: 'the account is disabled' });
});

test('keeps the rate limit of a channel per destination', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1', '2']);
  await outbox.addMessages('1a 1b 1c 1d 1e 2a');
  const sent: string[] = [];
  await outbox.worker(
    async (_, { id }) => {
      sent.push(id);
      return DELIVERED;
    },
    { perMinute: 2 },
  );
  for (const count of [3, 5, 6]) {
    await until(`${count} sent`, () => sent.length === count);
    await Bun.sleep(60);
    expect(sent).toHaveLength(count);
    outbox.pass(MINUTE_MS);
  }
  expect(sent.filter((id) => id.startsWith('1'))).toEqual(['1a', '1b', '1c', '1d', '1e']);
});

test('an origin that fails for several destinations of an account is tested with one message at a time', async () => {
  await using outbox = openOutbox();
  const ids = ['1', '2', '3', '4', '5', '6', '7', '8'];
  for (const id of ids)
    await outbox.addDestinations([id], { sealed: outbox.box.seal(id, { url: `https://same.example/${id}` }) });
  await outbox.addMessages('1a 2a 3a 4a 5a 6a 7a');
  let attempts = 0;
  const worker = await outbox.worker(async () => {
    attempts++;
    return failed();
  });
  await until('the first failures', () => attempts === 7);
  await outbox.addMessages('8a');
  worker.wake();
  await Bun.sleep(100);
  expect(attempts).toBe(7);
  expect(await outbox.store.delivery.message('8a')).toMatchObject({ state: 'waiting', attempts: 0 });
});

test('answers that prove a host to be up, and waits of a channel, do not stop the host', async () => {
  await using outbox = openOutbox();
  const ids = ['1', '2', '3', '4', '5', '6', '7', '8'];
  for (const id of ids)
    await outbox.addDestinations([id], { sealed: outbox.box.seal(id, { url: `https://same.example/${id}` }) });
  await outbox.addMessages('1a 2a 3a 4a 5a 6a 7a');
  const sent: string[] = [];
  const worker = await outbox.worker(async (_, { id }) => {
    sent.push(id);
    if (id === '7a') return { result: 'wait', ms: 60_000 };
    return id === '8a' ? DELIVERED : { result: 'retry', reason: 'status 404', reached: true };
  });
  await until('the first failures', () => sent.length === 7);
  await outbox.addMessages('8a');
  worker.wake();
  await until('the other', async () => (await outbox.store.delivery.message('8a'))?.state === 'delivered');
  // A wait is no attempt.
  expect(await outbox.store.delivery.message('7a')).toMatchObject({ state: 'waiting', attempts: 0 });
  expect((await outbox.store.delivery.destinationStates('pub_a')).get('7')).toMatchObject({ failures: 0 });
});

test('a message that cannot be written is given up after a few attempts', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a', { body: 'no JSON' });
  await outbox.addMessages('1b');
  await outbox.worker(async () => DELIVERED);
  for (let attempt = 1; attempt <= 4; attempt++) {
    await until('the attempt', async () => (await outbox.store.delivery.message('1a'))!.attempts === attempt);
    outbox.pass(MINUTE_MS);
  }
  expect(await outbox.store.delivery.message('1a')).toMatchObject({ state: 'dead', reason: 'an internal error' });
  await until('the next', async () => (await outbox.store.delivery.message('1b'))?.state === 'delivered');
});

test('slow receivers of one account leave slots for others, and give up their turn when others wait', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1', '2', '3', '4']);
  await outbox.addDestinations(['5'], { account: 'pub_b' });
  await outbox.addMessages('1a 1b 1c 2a 2b 2c 3a 3b 3c 4a 4b 4c');
  const active = new Set<string>();
  const sent: string[] = [];
  let most = 0;
  const slow = Promise.withResolvers<void>();
  const worker = await outbox.worker(
    async (_, { id }) => {
      active.add(id[0]!);
      most = Math.max(most, active.size);
      if (id[0] !== '5') {
        await slow.promise;
        // Longer than a turn.
        await Bun.sleep(60);
      }
      active.delete(id[0]!);
      sent.push(id);
      return DELIVERED;
    },
    { limits: { destinations: 9, ofAccount: 2, turnMs: 50 } },
  );
  await until('the first attempts', () => active.size === 2);
  await outbox.addMessages('5a', { account: 'pub_b' });
  worker.wake();
  await until('the other account', () => sent.length === 1);
  expect(sent).toEqual(['5a']);
  slow.resolve();
  await until('all', () => sent.length === 13);
  expect(most).toBeLessThanOrEqual(3);
  // Each of the four got its turn before one of them got a second.
  expect(sent.slice(1, 5).sort()).toEqual(['1a', '2a', '3a', '4a']);
});

test('a destination that cannot be decrypted waits without an attempt, and is logged once', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1'], { sealed: 'not of this key' });
  await outbox.addMessages('1a');
  const errors: string[] = [];
  const log = { ...silentLog, error: (text: string) => void errors.push(text) };
  await outbox.worker(async () => DELIVERED, { log });
  await until('the first complaint', () => errors.length === 1);
  for (let minute = 0; minute < 3; minute++) {
    await until('the pause', async () => ((await outbox.store.delivery.nextDue()) ?? 0) > outbox.now());
    outbox.pass(MINUTE_MS);
  }
  expect(await outbox.store.delivery.message('1a')).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(errors).toHaveLength(1);
});

test('messages of a channel that the worker does not have wait for another worker', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1'], { channel: 'email' });
  await outbox.addDestinations(['2']);
  await outbox.addMessages('1a 2a');
  await outbox.worker(async () => DELIVERED);
  await until('the other', async () => (await outbox.store.delivery.message('2a'))?.state === 'delivered');
  expect(await outbox.store.delivery.message('1a')).toMatchObject({ state: 'waiting', attempts: 0 });
});

test('a destination that unsubscribes while it is sent to gets no more messages', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a 1b');
  const sent: string[] = [];
  await outbox.worker(
    (_, { id }, signal) => {
      sent.push(id);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(failed())));
    },
    { limits: { leaseMs: 2_000 } },
  );
  await until('the attempt', () => sent.length === 1);
  await outbox.store.delivery.changeDestination('1', { state: 'unsubscribed' });
  await until('nothing waits', async () => (await outbox.store.delivery.counts()).waiting === 0);
  expect(sent).toEqual(['1a']);
  expect((await outbox.store.delivery.message('1a'))?.reason).toBe('the destination is unsubscribed');
});

test('a slow host leaves slots for others', async () => {
  await using outbox = openOutbox();
  const { delivery } = outbox.store;
  const ids = Array.from({ length: 70 }, (_, index) => `slow${index}`);
  for (const [index, id] of ids.entries()) {
    const sealed = outbox.box.seal(id, { url: 'https://slow.example/' });
    await outbox.addDestinations([id], { account: `pub_${index}`, sealed });
    const at = outbox.now();
    await delivery.addMessages([message(`m${index}`, { destination: id, createdAt: at, notBefore: at })]);
  }
  let sent = 0;
  const slow = Promise.withResolvers<void>();
  await outbox.worker(async () => {
    sent++;
    await slow.promise;
    return DELIVERED;
  });
  await until('half of the slots', () => sent === 64);
  await Bun.sleep(50);
  expect(sent).toBe(64);
  slow.resolve();
  await until('all', async () => (await delivery.counts()).waiting === 0);
});
