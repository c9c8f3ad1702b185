import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ManualClock } from '../../testing/ws/manual-clock.fixture.ts';
import { DELAY_IN_WRITES, MAX_WRITE_DELAY_MS, MS_PER_SOCKET, WriteBatcher } from './write-batcher.ts';

const clock = new ManualClock();
beforeEach(() => clock.install());
afterEach(async () => {
  await clock.pass(1_000);
  clock.restore();
});

const DELAY_PER_SOCKET = MS_PER_SOCKET * DELAY_IN_WRITES;

/** `audience`: sockets of each topic, of `sockets` in all. A write takes `writeMs`. */
function setUp(audience = 100, sockets = 1_000, writeMs = Math.min(audience, sockets) * MS_PER_SOCKET) {
  const sent: string[] = [];
  let writing = 0;
  const batcher = new WriteBatcher({
    send: (name, text) => sent.push(`${name} ${text}`),
    audienceOf: () => audience,
    sockets: () => sockets,
    afterWrite: (then) => {
      writing++;
      setTimeout(() => {
        writing--;
        then();
      }, writeMs);
    },
  });
  const add = (text: string, topic = 'topic'): void => {
    batcher.add(topic, text);
    batcher.endBatch();
  };
  /** Timers of the batcher. */
  const timers = (): number => clock.waiting - writing;
  return { batcher, sent, add, timers };
}

/** A feed that is too fast for writes one by one. */
async function feed(batcher: WriteBatcher, topics: readonly string[]): Promise<void> {
  for (let ms = 0; ms < 200; ms++) {
    for (const topic of topics) batcher.add(topic, 'feed');
    batcher.endBatch();
    await clock.pass(1);
  }
  await clock.pass(MAX_WRITE_DELAY_MS);
}

/** Milliseconds that a message waits right after another one, if the feed is fast. */
async function delayAfter(topics: readonly string[], audience: number, sockets: number): Promise<number> {
  const reached = Math.min(audience * new Set(topics).size, sockets);
  const { batcher, sent, add } = setUp(audience, sockets, reached * MS_PER_SOCKET);
  await feed(batcher, topics);
  const before = sent.length;
  for (let batch = 0; batch < 50; batch++) {
    for (const topic of topics) batcher.add(topic, 'first');
    batcher.endBatch();
  }
  batcher.flush();
  const from = clock.now;
  const count = sent.length;
  expect(count).toBeGreaterThan(before);
  add('next');
  while (sent.length === count && clock.now < from + 100) await clock.pass(0.05);
  return clock.now - from;
}

describe('write batcher', () => {
  test('sends the first message after a pause at once, and those that follow at once together and in order', async () => {
    const { sent, add, timers } = setUp();
    add('one');
    expect(sent).toEqual(['topic one']);
    add('two');
    add('three');
    expect(sent).toEqual(['topic one']);
    await clock.pass(100 * MS_PER_SOCKET);
    expect(sent).toEqual(['topic one', 'topic two', 'topic three']);
    await clock.pass(1);
    add('four');
    expect(sent).toHaveLength(4);
    expect(timers()).toBe(0);
  });

  test('delays a fast feed by the number of sockets that the write before reached, within the limit', async () => {
    expect(await delayAfter(['a'], 0, 0)).toBe(0);
    expect(await delayAfter(['a'], 200, 1_000)).toBeCloseTo(200 * DELAY_PER_SOCKET, 1);
    expect(await delayAfter(['a'], 500, 1_000)).toBeCloseTo(500 * DELAY_PER_SOCKET, 1);
    expect(await delayAfter(['a'], 50_000, 50_000)).toBeCloseTo(MAX_WRITE_DELAY_MS, 1);
  });

  test('does not delay a feed whose batches come farther apart than writes take', async () => {
    const { sent, add, timers } = setUp(1_000);
    for (let step = 1; step <= 100; step++) {
      add(`${step}`);
      expect(sent).toHaveLength(step);
      await clock.pass(1_000 * MS_PER_SOCKET * 1.3);
    }
    expect(timers()).toBe(0);
  });

  test('joins the batches of an even feed within a tenth of a second', async () => {
    const { sent, add } = setUp(1_000);
    const writes: number[] = [];
    for (let ms = 0; ms < 300; ms += 2) {
      const before = sent.length;
      add(`${ms}`);
      await clock.pass(2);
      if (ms >= 100 && sent.length > before) writes.push(sent.length - before);
    }
    await clock.pass(MAX_WRITE_DELAY_MS);
    // One write in eleven milliseconds.
    expect(writes.length).toBeLessThanOrEqual(19);
    expect(Math.max(...writes)).toBeLessThanOrEqual(7);
  });

  test('sends at once again when a fast feed becomes a slow one', async () => {
    const { batcher, sent, add } = setUp(1_000);
    await feed(batcher, ['topic']);
    for (let step = 0; step < 30; step++) {
      add('slow');
      await clock.pass(10);
    }
    const before = sent.length;
    add('slow');
    expect(sent).toHaveLength(before + 1);
  });

  test('learns how long a write takes, within limits', async () => {
    const delay = async (writeMs: number): Promise<number> => {
      const { sent, add, batcher } = setUp(1_000, 1_000, writeMs);
      for (let step = 0; step < 60; step++) {
        add('step');
        await clock.pass(50);
      }
      for (let batch = 0; batch < 200; batch++) add('burst');
      batcher.flush();
      const count = sent.length;
      const from = clock.now;
      add('next');
      while (sent.length === count) await clock.pass(0.05);
      return clock.now - from;
    };
    expect(await delay(5)).toBeCloseTo(5 * DELAY_IN_WRITES, 0);
    expect(await delay(7)).toBeCloseTo(7 * DELAY_IN_WRITES, 0);
    expect(await delay(0.1)).toBeCloseTo(3 * DELAY_IN_WRITES, 0);
    expect(await delay(40)).toBeCloseTo(MAX_WRITE_DELAY_MS, 0);
  });

  test('sends batches of a slow feed that arrived during a write at the end of it, also after a stall', async () => {
    const { sent, add } = setUp(1_000, 1_000, 9);
    add('one');
    // What is received during a write is handled after it, before the end of the write is reported.
    clock.now += 8.9;
    add('two');
    expect(sent).toEqual(['topic one', 'topic two']);
    // Two at the same time, after a stall.
    clock.now += 25;
    add('three');
    add('four');
    expect(sent).toHaveLength(3);
    await clock.pass(6);
    expect(sent).toHaveLength(4);
    clock.now += 6;
    add('five');
    expect(sent).toHaveLength(5);
  });

  test('counts a topic once, and no more sockets than there are', async () => {
    expect(await delayAfter(['a', 'a', 'a'], 200, 1_000)).toBeCloseTo(200 * DELAY_PER_SOCKET, 1);
    expect(await delayAfter(['a', 'b', 'c'], 200, 1_000)).toBeCloseTo(600 * DELAY_PER_SOCKET, 1);
    expect(await delayAfter(['a', 'b', 'c'], 200, 240)).toBeCloseTo(240 * DELAY_PER_SOCKET, 1);
  });

  test('does not depend on timers during a burst', () => {
    const { sent, add, timers } = setUp();
    add('one');
    add('two');
    clock.now += 101 * DELAY_PER_SOCKET;
    for (let batches = 0; batches < 16 && sent.length === 1; batches++) add('more');
    expect(sent.length).toBeGreaterThan(2);
    expect(timers()).toBe(0);
  });

  test('delays a bounded number of messages', () => {
    const { sent, add } = setUp();
    add('first');
    for (let at = 0; at < 4_096; at++) add(`${at}`);
    expect(sent).toHaveLength(4_097);
    expect(sent.at(-1)).toBe('topic 4095');
  });

  test('sends delayed messages once on flush', async () => {
    const { batcher, sent, add, timers } = setUp();
    add('one');
    add('two');
    batcher.flush();
    batcher.flush();
    await clock.pass(MAX_WRITE_DELAY_MS * 2);
    expect(sent).toEqual(['topic one', 'topic two']);
    expect(timers()).toBe(0);
  });
});
