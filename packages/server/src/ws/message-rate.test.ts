// The message rate limit of a client: messages, pings and pongs count alike, in any second.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { frame, PING, PONG, request, TEXT } from '../../testing/rfc6455/frame.fixture.ts';
import { Peer } from '../../testing/rfc6455/peer.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { Connection } from './connection.ts';

describe('the rate limit', () => {
  const LIMIT = 100;
  const connection = (): Connection => new Connection('market', '192.0.2.1', null, 0);
  /** How many of `count` messages at one time are admitted. */
  const admitted = (to: Connection, count: number, at: number): number =>
    Array.from({ length: count }, () => to.admit(at, LIMIT)).filter(Boolean).length;

  test('admits the messages of one second in a burst, and not one more', () => {
    expect(admitted(connection(), LIMIT + 1, 1_900_000_000_000.25)).toBe(LIMIT);
  });

  test('does not admit twice as many around the start of a second', () => {
    const client = connection();
    expect(admitted(client, LIMIT, 1_900_000_000_999)).toBe(LIMIT);
    expect(admitted(client, LIMIT, 1_900_000_001_001)).toBe(0);
  });

  test('never closes a client within the limit: at an even rate, with a burst each second, after a network stall', () => {
    const [even, bursts, bunch] = [connection(), connection(), connection()];
    for (let second = 0; second < 60; second++) {
      for (let at = 0; at < LIMIT; at++) expect(even.admit(second * 1_000 + at * 10, LIMIT)).toBe(true);
      expect(admitted(bursts, LIMIT, second * 1_000)).toBe(LIMIT);
      // Half a second of every two is delayed by the network and arrives in one burst.
      for (let at = 0; at < LIMIT; at++)
        expect(bunch.admit(second * 1_000 + (second % 2 === 1 && at < 50 ? 500 : at * 10), LIMIT)).toBe(true);
    }
  });

  test('closes a client that exceeds the limit a little for long enough', () => {
    const client = connection();
    let at = 0;
    while (client.admit(at, LIMIT) && at < 60_000) at += 9.5;
    expect(at).toBeWithin(15_000, 25_000);
  });
});

describe('a connection over the limit', () => {
  const LIMIT = 20;
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    service = await startService({ feeds: 'push', messages_per_second: String(LIMIT) });
    key = (await service.key()).key;
  });
  afterAll(() => service.stop());
  const many = (one: Buffer, count: number): Buffer => Buffer.concat(Array<Buffer>(count).fill(one));

  test.each([
    ['messages', frame(TEXT, request())],
    ['pings', frame(PING, 'x')],
    ['unsolicited pongs', frame(PONG)],
    ['messages, pings and pongs', Buffer.concat([frame(TEXT, request()), frame(PING), frame(PONG)])],
  ])('is closed with 4429 and the reason: %s', async (_, one) => {
    const peer = await Peer.open(service.url, key);
    // Enough to exceed the limit even if sending takes a second.
    peer.send(many(one, 50 * LIMIT));
    const { code, received } = await peer.untilClosed();
    expect(code).toBe(4429);
    expect(received.at(-1)).toContain('"too_many_messages"');
    expect(received.length).toBeLessThan(10 * LIMIT);
  });

  test('is closed before it has authenticated, too', async () => {
    const peer = await Peer.open(service.url, null);
    peer.send(many(frame(PING), 50 * LIMIT));
    expect((await peer.untilClosed()).code).toBe(4429);
  });

  test('does not include one that sends exactly as many as allowed', async () => {
    const peer = await Peer.open(service.url, key);
    peer.send(many(frame(PING, 'x'), LIMIT / 2), many(frame(TEXT, request()), LIMIT / 2 - 1));
    expect(await peer.survives()).toHaveLength(LIMIT - 1);
    peer.socket.destroy();
  });
});
