// How many streams an account may have, and what closes one: the limit, a revoked or an expired key.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { anotherKey, changeTier, revoke } from '../../testing/access.fixture.ts';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { rawStream } from '../../testing/raw-socket.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, isEvent, StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ sim_rate: '500' });
});
afterAll(() => service.stop());

const open = (key?: string, channel = 'market'): Promise<StreamClient> =>
  StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);

async function subscribed(key: string, channel = 'market'): Promise<StreamClient> {
  const stream = await open(undefined, channel);
  await stream.ask({ action: 'subscribe', symbols: ['*'], seq: true, api_key: key });
  return stream;
}

describe('the stream limit', () => {
  test.concurrent('rejects the third stream of a free key, and the other two continue', async () => {
    const { key } = await service.key('free');
    const held = await Promise.all([subscribed(key), subscribed(key, 'orderflow')]);
    const third = await open();
    const refused = await third.ask({ action: 'subscribe', symbols: ['*'], api_key: key, id: 'third' });
    expect(refused).toMatchObject({ event: 'error', code: 'stream_limit', fatal: true, retryable: true, id: 'third' });
    expect((await third.closed).code).toBe(4429);
    for (const stream of held) {
      await stream.take(150, isData);
      expectContinuity(stream.messages.filter(isData));
      expect(stream.closing).toBeNull();
    }
    held[0]!.close();
    await held[0]!.closed;
    const next = await subscribed(key);
    await next.next(isData);
    for (const stream of [held[1]!, next]) stream.close();
  });

  test.concurrent('applies to a key in the header of the upgrade, and to all keys of the account together', async () => {
    const one = await service.key('free');
    const two = await anotherKey(service.folder, one.account);
    await service.app.keyring.refresh();
    const held = await Promise.all([subscribed(one.key), subscribed(two.key)]);
    const third = await open(one.key);
    expect(await third.next(isEvent('error'))).toMatchObject({ code: 'stream_limit', fatal: true });
    expect((await third.closed).code).toBe(4429);
    for (const stream of held) stream.close();
  });

  test.concurrent('frees the slot of a connection that is dead but not closed', async () => {
    const { key } = await service.key('free');
    const alive = await subscribed(key);
    const dead = await rawStream(service.url, '/ws/market', key);
    await Bun.sleep(50);
    const third = await subscribed(key);
    await third.next(isData);
    expect(await dead.until(({ isClosed }) => isClosed)).toBe(true);
    await alive.take(50, isData);
    expect(alive.closing).toBeNull();
    for (const stream of [alive, third]) stream.close();
  });

  test.concurrent('answers requests that arrive while a slot is being freed, in order', async () => {
    const { key } = await service.key('free');
    const dead = await Promise.all([1, 2].map(() => rawStream(service.url, '/ws/market', key)));
    await Bun.sleep(50);
    const stream = await open(key);
    for (const id of [1, 2, 3]) stream.send({ action: 'ping', id });
    expect((await stream.take(3, isEvent('pong'))).map(({ id }) => id)).toEqual([1, 2, 3]);
    stream.close();
    for (const socket of dead) socket.destroy();
  });

  test.concurrent('grows with the tier', async () => {
    const issued = await service.key('free');
    const held = await Promise.all([subscribed(issued.key), subscribed(issued.key)]);
    await changeTier(service.folder, issued, 'pro');
    await service.app.keyring.refresh();
    const third = await subscribed(issued.key);
    for (const stream of [...held, third]) stream.close();
  });
});

describe('the end of a key', () => {
  test.concurrent('a revoked key closes all its streams with 4401', async () => {
    const issued = await service.key('premium');
    const streams = await Promise.all(
      ['market', 'orderflow', 'signals'].map((channel) => subscribed(issued.key, channel)),
    );
    const other = await subscribed((await service.key('free')).key);
    await revoke(service.folder, issued);
    for (const stream of streams) {
      const { code } = await stream.closed;
      expect(code).toBe(4401);
      expect(stream.messages.at(-1)).toMatchObject({
        event: 'error',
        code: 'invalid_key',
        fatal: true,
        retryable: false,
      });
    }
    await other.take(50, isData);
    other.close();
    const again = await open();
    expect(await again.ask({ action: 'ping', api_key: issued.key })).toMatchObject({
      code: 'invalid_key',
      fatal: true,
    });
    expect((await again.closed).code).toBe(4401);
  });

  test.concurrent('an expired key closes its streams with 4401, and not before', async () => {
    const { account } = await service.key('premium');
    const expiresAt = Date.now() + 800;
    const { key } = await anotherKey(service.folder, account, expiresAt);
    await service.app.keyring.refresh();
    const stream = await subscribed(key);
    expect((await stream.closed).code).toBe(4401);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt - 20);
  });
});
