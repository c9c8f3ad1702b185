import { describe, expect, test } from 'bun:test';
import manifest from '../../../package.json' with { type: 'json' };
import { FakeReceiver } from '../../../testing/delivery/fake-receiver.fixture.ts';
import { ALERT, codeMessage, outgoing } from '../../../testing/delivery/messages.fixture.ts';
import { OutgoingHttp } from '../outgoing-http.ts';
import { webhookChannel } from './webhook.ts';

const SECRET = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
const open = (limits = {}) => webhookChannel(new OutgoingHttp({ allowPrivate: true, limits }));
const channel = open();
const { signal } = new AbortController();

describe('a webhook', () => {
  test('is signed so that the verifier of the library accepts it, under the id of the message', async () => {
    await using receiver = await FakeReceiver.open(SECRET);
    const address = { url: receiver.url, secret: SECRET };
    expect(await channel.send(address, outgoing(), signal)).toEqual({ result: 'delivered' });
    expect(await channel.send(address, { ...outgoing(), attempt: 2 }, signal)).toEqual({ result: 'delivered' });
    expect(receiver.refused).toEqual([]);
    expect(receiver.received.map(({ id }) => id)).toEqual(['msg_1b5d7e8f603f9c2a', 'msg_1b5d7e8f603f9c2a']);
    expect(receiver.received[0]!.body).toEqual(ALERT as never);
    const [first] = receiver.server.requests;
    expect(first!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': `Tickwire/${manifest.version}`,
    });
  });

  test('with another secret is refused by the receiver', async () => {
    await using receiver = await FakeReceiver.open(SECRET);
    const address = { url: receiver.url, secret: `whsec_${Buffer.alloc(24, 6).toString('base64')}` };
    expect(await channel.send(address, outgoing(), signal)).toEqual({
      result: 'retry',
      reason: 'status 401',
      reached: true,
    });
    expect(receiver.received).toEqual([]);
  });

  test('is tried again after every failure, as late as the receiver asks for', async () => {
    await using receiver = await FakeReceiver.open(SECRET);
    const address = { url: receiver.url, secret: SECRET };
    const send = (by = channel) => by.send(address, outgoing(), signal);
    receiver.server.misbehave(
      { status: 500 },
      { status: 400 },
      { status: 429, headers: { 'Retry-After': '7' } },
      { status: 503, headers: { 'Retry-After': '999999' } },
      'hang',
      'drop',
      'garbage',
    );
    expect(await send()).toEqual({ result: 'retry', reason: 'status 500' });
    expect(await send()).toEqual({ result: 'retry', reason: 'status 400', reached: true });
    expect(await send()).toEqual({ result: 'retry', reason: 'status 429', afterMs: 7_000 });
    expect(await send()).toEqual({ result: 'retry', reason: 'status 503', afterMs: 3_600_000 });
    expect(await send(open({ totalMs: 1_000 }))).toEqual({ result: 'retry', reason: 'no response within 1000 ms' });
    expect(await send()).toMatchObject({ result: 'retry' });
    expect(await send()).toMatchObject({ result: 'retry' });
    expect(await send()).toEqual({ result: 'delivered' });
  });

  test('does not follow redirects, also not to private addresses', async () => {
    await using receiver = await FakeReceiver.open(SECRET);
    await using other = await FakeReceiver.open(SECRET);
    receiver.server.misbehave({ status: 307, headers: { Location: other.url } });
    const address = { url: receiver.url, secret: SECRET };
    expect(await channel.send(address, outgoing(), signal)).toEqual({
      result: 'retry',
      reason: 'status 307: redirects are not followed',
      reached: true,
    });
    expect(other.server.requests).toEqual([]);
  });

  test('is delivered with the status: a body that is endless or large does not matter', async () => {
    await using receiver = await FakeReceiver.open(SECRET);
    const address = { url: receiver.url, secret: SECRET };
    receiver.server.misbehave('endless', { status: 200, body: 'x'.repeat(100_000) });
    expect(await open({ bodyMs: 50 }).send(address, outgoing(), signal)).toEqual({ result: 'delivered' });
    expect(await channel.send(address, outgoing(), signal)).toEqual({ result: 'delivered' });
  });

  test('that answers 410 wants no more messages', async () => {
    await using receiver = await FakeReceiver.open(SECRET);
    receiver.server.misbehave({ status: 410 });
    expect(await channel.send({ url: receiver.url, secret: SECRET }, outgoing(), signal)).toMatchObject({
      result: 'rejected',
      unsubscribe: true,
    });
  });

  test('to a closed port is tried again, without its address in the reason', async () => {
    const result = await channel.send({ url: 'http://127.0.0.1:1/secret-path', secret: SECRET }, outgoing(), signal);
    expect(result).toMatchObject({ result: 'retry' });
    expect(JSON.stringify(result)).not.toContain('secret-path');
  });

  test('stops at once when the worker stops', async () => {
    await using receiver = await FakeReceiver.open(SECRET);
    receiver.server.misbehave('hang');
    const stopping = new AbortController();
    const sending = channel.send({ url: receiver.url, secret: SECRET }, outgoing(), stopping.signal);
    setTimeout(() => stopping.abort(), 20);
    expect(await sending).toEqual({ result: 'retry', reason: 'stopped' });
  });

  test('is never verified by a code', async () => {
    expect(await channel.send({ url: 'http://a.example', secret: SECRET }, codeMessage(), signal)).toMatchObject({
      result: 'rejected',
    });
  });
});
