// How much a client may say: messages, pings and pongs alike, whenever its second begins.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type RunningService, startService } from '../testing/service.fixture.ts';
import { Connection } from './connection.ts';
import { frame, PING, PONG, request, TEXT } from './rfc6455/frame.fixture.ts';
import { Peer } from './rfc6455/peer.fixture.ts';

describe('the rate', () => {
  const LIMIT = 100;
  const connection = (): Connection => new Connection('market', '192.0.2.1', null, 0);
  /** How many of `count` messages at one time are admitted. */
  const admitted = (to: Connection, count: number, at: number): number =>
    Array.from({ length: count }, () => to.admit(at, LIMIT)).filter(Boolean).length;

  test('lets a whole second of messages come at once, and not one more', () => {
    expect(admitted(connection(), LIMIT + 1, 1_900_000_000_000.25)).toBe(LIMIT);
  });

  test('has no edge between two seconds that twice as many fit around', () => {
    const talker = connection();
    expect(admitted(talker, LIMIT, 1_900_000_000_999)).toBe(LIMIT);
    expect(admitted(talker, LIMIT, 1_900_000_001_001)).toBe(0);
  });

  test('never ends a client that keeps to it: an even pace, a burst each second, a stretch that came in a bunch', () => {
    const [even, bursts, bunch] = [connection(), connection(), connection()];
    for (let second = 0; second < 60; second++) {
      for (let at = 0; at < LIMIT; at++) expect(even.admit(second * 1_000 + at * 10, LIMIT)).toBe(true);
      expect(admitted(bursts, LIMIT, second * 1_000)).toBe(LIMIT);
      // Held up on the way for half a second out of each two, then all at once, then on at the old pace.
      for (let at = 0; at < LIMIT; at++)
        expect(bunch.admit(second * 1_000 + (second % 2 === 1 && at < 50 ? 500 : at * 10), LIMIT)).toBe(true);
    }
  });

  test('ends one that says a little more than it may, for long enough', () => {
    const talker = connection();
    let at = 0;
    while (talker.admit(at, LIMIT) && at < 60_000) at += 9.5;
    expect(at).toBeWithin(15_000, 25_000);
  });
});

describe('a connection that says too much', () => {
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
    ['pongs nobody asked for', frame(PONG)],
    ['messages, pings and pongs', Buffer.concat([frame(TEXT, request()), frame(PING), frame(PONG)])],
  ])('is closed with 4429 and told why: %s', async (_, one) => {
    const peer = await Peer.open(service.url, key);
    // Enough that some are left over, even if this takes a second.
    peer.send(many(one, 50 * LIMIT));
    const { code, said } = await peer.ends();
    expect(code).toBe(4429);
    expect(said.at(-1)).toContain('"too_many_messages"');
    expect(said.length).toBeLessThan(10 * LIMIT);
  });

  test('is closed before it has shown a key, too', async () => {
    const peer = await Peer.open(service.url, null);
    peer.send(many(frame(PING), 50 * LIMIT));
    expect((await peer.ends()).code).toBe(4429);
  });

  test('is nobody who says as much as one may', async () => {
    const peer = await Peer.open(service.url, key);
    peer.send(many(frame(PING, 'x'), LIMIT / 2), many(frame(TEXT, request()), LIMIT / 2 - 1));
    expect(await peer.survives()).toHaveLength(LIMIT - 1);
    peer.socket.destroy();
  });
});
