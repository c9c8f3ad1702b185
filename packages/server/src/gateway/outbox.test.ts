import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { HandClock } from './hand-clock.fixture.ts';
import { COALESCE_MS, Outbox } from './outbox.ts';

const clock = new HandClock();
beforeEach(() => clock.install());
afterEach(() => clock.restore());

function stage(): { outbox: Outbox; sent: string[]; say: (text: string) => void } {
  const sent: string[] = [];
  const outbox = new Outbox((topic, text) => sent.push(`${topic} ${text}`));
  const say = (text: string): void => {
    outbox.put('topic', text);
    outbox.settle();
  };
  return { outbox, sent, say };
}

describe('the outbox', () => {
  test('the first message after a pause goes out at once, the next ones together and in order', async () => {
    const { sent, say } = stage();
    say('one');
    expect(sent).toEqual(['topic one']);
    say('two');
    await clock.pass(COALESCE_MS / 2);
    say('three');
    expect(sent).toEqual(['topic one']);
    await clock.pass(COALESCE_MS / 2);
    expect(sent).toEqual(['topic one', 'topic two', 'topic three']);
    await clock.pass(COALESCE_MS);
    say('four');
    expect(sent).toHaveLength(4);
    expect(clock.waiting).toBe(0);
  });

  test('in a burst that leaves timers no turn, nothing waits for them', () => {
    const { sent, say } = stage();
    say('one');
    say('two');
    clock.now += COALESCE_MS;
    for (let batches = 0; batches < 16 && sent.length === 1; batches++) say('more');
    expect(sent.length).toBeGreaterThan(2);
    expect(clock.waiting).toBe(0);
  });

  test('a burst is held only up to a bound', () => {
    const { sent, say } = stage();
    say('first');
    for (let at = 0; at < 4_096; at++) say(`${at}`);
    expect(sent).toHaveLength(4_097);
    expect(sent.at(-1)).toBe('topic 4095');
  });

  test('a flush sends what is held, once', async () => {
    const { outbox, sent, say } = stage();
    say('one');
    say('two');
    outbox.flush();
    outbox.flush();
    await clock.pass(COALESCE_MS * 2);
    expect(sent).toEqual(['topic one', 'topic two']);
    expect(clock.waiting).toBe(0);
  });
});
