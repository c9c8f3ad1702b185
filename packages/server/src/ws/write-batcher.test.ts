import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ManualClock } from '../../testing/ws/manual-clock.fixture.ts';
import { COALESCE_MS, WriteBatcher } from './write-batcher.ts';

const clock = new ManualClock();
beforeEach(() => clock.install());
afterEach(() => clock.restore());

function setUp(): { batcher: WriteBatcher; sent: string[]; add: (text: string) => void } {
  const sent: string[] = [];
  const batcher = new WriteBatcher((name, text) => sent.push(`${name} ${text}`));
  const add = (text: string): void => {
    batcher.add('topic', text);
    batcher.endBatch();
  };
  return { batcher, sent, add };
}

describe('write batcher', () => {
  test('sends the first message after a pause immediately, and the next ones together and in order', async () => {
    const { sent, add } = setUp();
    add('one');
    expect(sent).toEqual(['topic one']);
    add('two');
    await clock.pass(COALESCE_MS / 2);
    add('three');
    expect(sent).toEqual(['topic one']);
    await clock.pass(COALESCE_MS / 2);
    expect(sent).toEqual(['topic one', 'topic two', 'topic three']);
    await clock.pass(COALESCE_MS);
    add('four');
    expect(sent).toHaveLength(4);
    expect(clock.waiting).toBe(0);
  });

  test('does not depend on timers during a burst', () => {
    const { sent, add } = setUp();
    add('one');
    add('two');
    clock.now += COALESCE_MS;
    for (let batches = 0; batches < 16 && sent.length === 1; batches++) add('more');
    expect(sent.length).toBeGreaterThan(2);
    expect(clock.waiting).toBe(0);
  });

  test('delays a bounded number of messages', () => {
    const { sent, add } = setUp();
    add('first');
    for (let at = 0; at < 4_096; at++) add(`${at}`);
    expect(sent).toHaveLength(4_097);
    expect(sent.at(-1)).toBe('topic 4095');
  });

  test('sends delayed messages once on flush', async () => {
    const { batcher, sent, add } = setUp();
    add('one');
    add('two');
    batcher.flush();
    batcher.flush();
    await clock.pass(COALESCE_MS * 2);
    expect(sent).toEqual(['topic one', 'topic two']);
    expect(clock.waiting).toBe(0);
  });
});
