import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakePush } from '../../../testing/delivery/fake-push.fixture.ts';
import { ALERT, codeMessage, outgoing } from '../../../testing/delivery/messages.fixture.ts';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { ConfigError } from '../../config/config.ts';
import { OutgoingHttp } from '../outgoing-http.ts';
import { readVapidKeys } from '../vapid-key.ts';
import { pushChannel } from './push.ts';

const folder = temporaryFolder();
const keys = readVapidKeys(Buffer.alloc(32, 9).toString('base64url'), join(folder, 'unused.key'));
const open = (limits = {}) =>
  pushChannel(new OutgoingHttp({ allowPrivate: true, limits }), { subject: 'mailto:you@example.org', ...keys });
const channel = open();
const { signal } = new AbortController();

describe('a push message', () => {
  test('can be decrypted only by its browser, and is signed by the service', async () => {
    await using push = await FakePush.open();
    const [one, other] = [push.subscribe(), push.subscribe()];
    expect(await channel.send(one, outgoing(), signal)).toEqual({ result: 'delivered' });
    expect(push.refused).toEqual([]);
    expect(push.received[0]).toMatchObject({
      payload: {
        id: 'msg_1b5d7e8f603f9c2a',
        type: 'alert.fired',
        title: 'EURUSD bid crossed above 1.20000',
        body: 'Sell half\nPrice: 1.20001\nTime: 2 Mar 2026, 10:14:07 UTC',
        symbol: 'EURUSD',
        alert_id: 'alr_5d7e8f603f9c2a1b',
        timestamp: '2026-03-02T10:14:07.312Z',
      },
      ttl: '86400',
      claims: { sub: 'mailto:you@example.org' },
      sender: keys.publicKey,
    });
    // The same keys at another endpoint: the browser there cannot read it.
    await channel.send({ endpoint: other.endpoint, keys: one.keys }, outgoing(), signal);
    expect(push.received).toHaveLength(1);
    expect(push.refused).toHaveLength(1);
  });

  test('with a code has it as a field for the service worker', async () => {
    await using push = await FakePush.open();
    await channel.send(push.subscribe(), codeMessage(), signal);
    expect(push.received[0]!.payload).toMatchObject({ code: '482913' });
  });

  test('fits the limit of push services, whatever it says', async () => {
    await using push = await FakePush.open();
    const long = { ...ALERT, data: { ...ALERT.data, title: '\u{1f4c8}'.repeat(500), note: '"€\n'.repeat(160) } };
    expect(await channel.send(push.subscribe(), outgoing(long), signal)).toEqual({ result: 'delivered' });
    expect(push.server.requests[0]!.body.length).toBeLessThanOrEqual(4_096);
  });

  test('to a browser that unsubscribed is not tried again', async () => {
    await using push = await FakePush.open();
    const subscription = push.subscribe();
    push.server.misbehave({ status: 404 });
    expect(await channel.send(subscription, outgoing(), signal)).toMatchObject({
      result: 'rejected',
      unsubscribe: true,
    });
    push.unsubscribe(subscription);
    expect(await channel.send(subscription, outgoing(), signal)).toMatchObject({
      result: 'rejected',
      unsubscribe: true,
    });
  });

  test('is tried again after failures of the push service', async () => {
    await using push = await FakePush.open();
    push.server.misbehave({ status: 429, headers: { 'Retry-After': '5' } }, { status: 503 }, 'drop', 'garbage', 'hang');
    const subscription = push.subscribe();
    expect(await channel.send(subscription, outgoing(), signal)).toMatchObject({ result: 'retry', afterMs: 5_000 });
    for (let count = 0; count < 3; count++)
      expect(await channel.send(subscription, outgoing(), signal)).toMatchObject({ result: 'retry' });
    expect(await open({ totalMs: 1_000 }).send(subscription, outgoing(), signal)).toMatchObject({ result: 'retry' });
    expect(await channel.send(subscription, outgoing(), signal)).toEqual({ result: 'delivered' });
  });

  test('with keys that are not keys is rejected', async () => {
    const subscription = { endpoint: 'http://127.0.0.1:1/', keys: { p256dh: 'x'.repeat(87), auth: 'x'.repeat(22) } };
    expect(await channel.send(subscription, outgoing(), signal)).toMatchObject({ result: 'rejected' });
  });
});

describe('the key of push messages', () => {
  test('is created once, readable only by its owner', () => {
    const file = join(folder, 'new', 'vapid.key');
    const created = readVapidKeys(null, file);
    expect(readVapidKeys(null, file)).toEqual(created);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readVapidKeys(created.privateKey, file)).toEqual(created);
    expect(readFileSync(file, 'utf8').trim()).toBe(created.privateKey);
    expect(existsSync(join(folder, 'unused.key'))).toBe(false);
  });

  test('is not replaced if the file is damaged', () => {
    const file = join(folder, 'damaged.key');
    writeFileSync(file, 'nonsense');
    expect(() => readVapidKeys(null, file)).toThrow(ConfigError);
    expect(readFileSync(file, 'utf8')).toBe('nonsense');
    rmSync(folder, { recursive: true });
  });
});
