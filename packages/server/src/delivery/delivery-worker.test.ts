import { expect, spyOn, test } from 'bun:test';
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { DELIVERED, failed, idsOf, openOutbox, until } from '../../testing/delivery/outbox.fixture.ts';
import type { Channel, OutgoingMessage } from './channel.ts';

test('sends the messages of a destination in order, one at a time, and destinations side by side', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1', '2']);
  const sent: OutgoingMessage[] = [];
  const active = new Map<string, number>();
  let together = 0;
  await outbox.addMessages('1a 2a 1b 1c 2b');
  await outbox.worker(async (_, message) => {
    const destination = message.id[0]!;
    active.set(destination, (active.get(destination) ?? 0) + 1);
    expect(active.get(destination)).toBe(1);
    together = Math.max(together, [...active.values()].filter((count) => count > 0).length);
    await Bun.sleep(5);
    active.set(destination, 0);
    sent.push(message);
    return DELIVERED;
  });
  await until('all delivered', async () => (await outbox.store.delivery.counts()).waiting === 0);
  const of = (destination: string) => idsOf(sent.filter(({ id }) => id.startsWith(destination)));
  expect([of('1'), of('2'), together]).toEqual(['1a 1b 1c', '2a 2b', 2]);
  expect(await outbox.store.delivery.message('1a')).toMatchObject({ state: 'delivered', attempts: 1, reason: null });
});

test('a channel may wait for a part of a millisecond', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a');
  let asked = 0;
  const worker = await outbox.worker(async () => (++asked === 1 ? { result: 'wait', ms: 12.345 } : DELIVERED));
  await until('the wait', () => asked >= 1);
  await Bun.sleep(50);
  outbox.pass(1_000);
  worker.wake();
  await until('delivered', async () => (await outbox.store.delivery.counts()).waiting === 0);
  expect(await outbox.store.delivery.message('1a')).toMatchObject({ state: 'delivered' });
});

test('a worker that is woken sends at once, and finds messages of others by itself', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  let sent = 0;
  const worker = await outbox.worker(async () => {
    sent++;
    return DELIVERED;
  });
  await Bun.sleep(50);
  await outbox.addMessages('1a');
  const lease = spyOn(outbox.store.delivery, 'lease');
  worker.wake();
  expect(lease).toHaveBeenCalledTimes(1);
  await until('the first', () => sent === 1);
  await outbox.addMessages('1b');
  await until('the second', () => sent === 2);
});

test('retries after 1, 2, 4, 8 … seconds under the same id, up to 15 minutes, while later messages wait', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a 1b');
  const sent: OutgoingMessage[] = [];
  await outbox.worker(async (_, message) => {
    sent.push(message);
    return message.id === '1a' && message.attempt <= 12 ? failed() : DELIVERED;
  });
  for (const [index, seconds] of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900].entries()) {
    await until('the attempt', async () => (await outbox.store.delivery.message('1a'))!.attempts === index + 1);
    const { nextAt } = (await outbox.store.delivery.message('1a'))!;
    expect(Math.ceil((nextAt - outbox.now()) / 1_000)).toBe(seconds);
    outbox.pass(seconds * 1_000);
  }
  await until('delivered', async () => (await outbox.store.delivery.counts()).waiting === 0);
  expect(idsOf(sent)).toBe(`${'1a '.repeat(13)}1b`);
  expect(sent.map(({ attempt }) => attempt).slice(0, 13)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  expect(await outbox.store.delivery.message('1a')).toMatchObject({ attempts: 13, reason: 'status 500' });
});

test('waits as long as the destination asks', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a');
  await outbox.worker(async () => failed(7_777));
  await until('the attempt', async () => (await outbox.store.delivery.message('1a'))!.attempts === 1);
  const { nextAt, firstAttemptAt } = (await outbox.store.delivery.message('1a'))!;
  expect(nextAt - firstAttemptAt!).toBe(7_777);
});

test('a message is dead a day after it was due, with all of its destination that are as old; newer ones wait', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a 1b 1c');
  await outbox.worker(async () => failed());
  const attemptsOf = async (id: string) => (await outbox.store.delivery.message(id))!.attempts;
  for (let attempt = 1; attempt <= 7; attempt++) {
    await until('the attempt', async () => (await attemptsOf('1a')) === attempt);
    outbox.pass(15 * MINUTE_MS);
  }
  await until('the eighth attempt', async () => (await attemptsOf('1a')) === 8);
  await outbox.addMessages('1d');
  expect((await outbox.store.delivery.counts()).dead).toBe(0);
  outbox.pass(DAY_MS - 100 * MINUTE_MS);
  await until('three are dead', async () => (await outbox.store.delivery.counts()).dead === 3);
  for (const id of ['1a', '1b', '1c'])
    expect((await outbox.store.delivery.message(id))?.reason).toBe('given up after 24 hours: status 500');
  expect(await outbox.store.delivery.message('1b')).toMatchObject({ attempts: 0 });
  expect(await outbox.store.delivery.message('1d')).toMatchObject({ state: 'waiting', attempts: 0 });
  // It has a day of its own.
  outbox.pass(15 * MINUTE_MS);
  await until('an attempt with the next', async () => (await attemptsOf('1d')) === 1);
  expect((await outbox.store.delivery.message('1d'))?.state).toBe('waiting');
});

test('messages that waited while the service was down get several attempts', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a');
  outbox.pass(3 * DAY_MS);
  await outbox.worker(async (_, { attempt }) => (attempt < 5 ? failed() : DELIVERED));
  for (let attempt = 1; attempt < 5; attempt++) {
    await until('the attempt', async () => (await outbox.store.delivery.message('1a'))!.attempts === attempt);
    outbox.pass(15 * MINUTE_MS);
  }
  await until('delivered', async () => (await outbox.store.delivery.message('1a'))?.state === 'delivered');
});

test('a rejected message is dead at once and lets others pass; a destination that is gone is unsubscribed', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1', '2']);
  await outbox.addMessages('1a 1b 2a 2b');
  const sent: string[] = [];
  await outbox.worker(async (_, { id }) => {
    sent.push(id);
    if (id === '1a') return { result: 'rejected', reason: 'status 400' };
    return id === '2a' ? { result: 'rejected', reason: 'status 410', unsubscribe: true } : DELIVERED;
  });
  await until('nothing waits', async () => (await outbox.store.delivery.counts()).waiting === 0);
  expect(sent.sort()).toEqual(['1a', '1b', '2a']);
  expect(await outbox.store.delivery.message('1a')).toMatchObject({ state: 'dead', reason: 'status 400' });
  expect((await outbox.store.delivery.destination('2'))?.state).toBe('unsubscribed');
  expect((await outbox.store.delivery.message('2b'))?.reason).toBe('the destination is unsubscribed');
});

test('a destination that moved is sent to at its new address', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a');
  const urls: unknown[] = [];
  await outbox.worker(async (address) => {
    urls.push((address as { url: string }).url);
    return urls.length === 1
      ? { result: 'retry', reason: 'moved', movedTo: { url: 'http://new.example/' } }
      : DELIVERED;
  });
  await until('the first attempt', async () => (await outbox.store.delivery.message('1a'))!.attempts === 1);
  outbox.pass(1_000);
  await until('delivered', async () => (await outbox.store.delivery.counts()).waiting === 0);
  expect(urls).toEqual(['http://1.example/', 'http://new.example/']);
});

test('what a destination accepted is not sent again while its outcome cannot be stored', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a');
  const { complete } = outbox.store.delivery;
  let broken = true;
  let failures = 0;
  outbox.store.delivery.complete = async (...outcome) => {
    if (broken && ++failures) throw new Error('the disk is full');
    return complete(...outcome);
  };
  let sent = 0;
  await outbox.worker(
    async () => {
      sent++;
      return DELIVERED;
    },
    { limits: { leaseMs: 200 } },
  );
  await until('an outcome that is not stored', () => failures > 0);
  // The lease ends.
  outbox.pass(1_000);
  await Bun.sleep(50);
  broken = false;
  await until('stored', async () => (await outbox.store.delivery.message('1a'))?.state === 'delivered');
  expect(sent).toBe(1);
});

test('a worker that lost its lease stops sending to the destination', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a 1b');
  const sent: string[] = [];
  let aborted = false;
  await outbox.worker(
    (_, { id }, signal) => {
      sent.push(id);
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          aborted = true;
          resolve(failed());
        }),
      );
    },
    { limits: { leaseMs: 400 } },
  );
  await until('the attempt', () => sent.length === 1);
  const now = outbox.now();
  // Another worker, whose clock is ahead.
  const stolen = { worker: 'other', now: now + 60_000, until: now + 120_000, destinations: 1, messages: 1 };
  expect(await outbox.store.delivery.lease(stolen)).toHaveLength(1);
  await until('the end of the attempt', () => aborted);
  await Bun.sleep(50);
  expect(sent).toEqual(['1a']);
  expect((await outbox.store.delivery.message('1a'))?.attempts).toBe(0);
});

test('a stop waits for attempts, for a limited time, and gives destinations back', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1', '2']);
  await outbox.addMessages('1a 1b 2a');
  let started = 0;
  const worker = await outbox.worker(
    async (_, { id }, signal) => {
      started++;
      if (id === '1a') await Bun.sleep(50);
      else await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return id === '1a' ? DELIVERED : failed();
    },
    { limits: { stopMs: 150 } },
  );
  await until('both attempts', () => started === 2);
  await worker.stop();
  expect((await outbox.store.delivery.message('1a'))?.state).toBe('delivered');
  expect(await outbox.store.delivery.message('2a')).toMatchObject({ state: 'waiting', attempts: 0 });
  const now = outbox.now();
  const leased = await outbox.store.delivery.lease({ worker: 'x', now, until: now, destinations: 9, messages: 9 });
  expect(leased.map(({ destination }) => destination.id).sort()).toEqual(['1', '2']);
});

test('an attempt that its channel does not finish in time fails with a reason that says so', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a 1b');
  const sent: string[] = [];
  const send: Channel['send'] = async (_, { id }, signal) => {
    sent.push(id);
    // The first attempt is too slow for the channel, the second is not.
    if (sent.length === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return signal.aborted ? { result: 'retry', reason: 'stopped' } : DELIVERED;
  };
  await outbox.worker(send, { channels: new Map([['webhook', { name: 'webhook', send, attemptMs: 100 }]]) });
  await until('the first attempt', async () => (await outbox.store.delivery.message('1a'))!.attempts === 1);
  expect((await outbox.store.delivery.message('1a'))?.reason).toBe('timeout: no answer within 0.1 s');
  expect(sent).toEqual(['1a']);
  outbox.pass(1_000);
  await until('both delivered', async () => (await outbox.store.delivery.counts()).waiting === 0);
});

test('a worker reckons with the clock of the store', async () => {
  await using outbox = openOutbox();
  await outbox.addDestinations(['1']);
  await outbox.addMessages('1a', { notBefore: outbox.now() + 3_600_000 });
  outbox.store.delivery.clock = async () => outbox.now() + 3_600_001;
  await outbox.worker(async () => DELIVERED);
  await until('delivered', async () => (await outbox.store.delivery.message('1a'))?.state === 'delivered');
  const { deliveredAt } = (await outbox.store.delivery.message('1a'))!;
  expect(deliveredAt! - outbox.now()).toBeGreaterThan(3_500_000);
});
