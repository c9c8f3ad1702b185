import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { asSymbol } from '@tickwire/engine';
import fc from 'fast-check';
import { ManualClock } from '../../testing/ws/manual-clock.fixture.ts';
import { TopicThrottle } from './throttle.ts';
import { ThrottledTopic } from './topic.ts';

const clock = new ManualClock();
beforeEach(() => clock.install());
afterEach(() => clock.restore());

const topicOf = (rate: number): ThrottledTopic =>
  new ThrottledTopic({
    channel: 'market',
    symbol: asSymbol('EURUSD'),
    name: `${rate}`,
    epoch: 'e',
    rate,
    newest: () => null,
    onUnused: () => {},
  });

describe('throttle', () => {
  test('never exceeds the rate of a topic, and always sends its newest event in time', async () => {
    const rates = [0.5, 4, 20, 1_000];
    const event = fc.tuple(fc.nat(rates.length - 1), fc.integer({ min: 0, max: 300 }));
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        const topics = rates.map(topicOf);
        const sent = topics.map((): { at: number; seq: number }[] => []);
        const newest = topics.map(() => 0);
        const throttle = new TopicThrottle(
          (topic) => sent[topics.indexOf(topic)]!.push({ at: clock.now, seq: topic.pendingSeq }),
          () => clock.now,
        );
        for (const [seq, [which, ms]] of events.entries()) {
          throttle.schedule(topics[which]!, seq + 1);
          throttle.run();
          newest[which] = seq + 1;
          await clock.pass(ms);
        }
        await clock.pass(2_000 + 20);
        for (const [which, of] of sent.entries()) {
          expect(of.at(-1)?.seq ?? 0).toBe(newest[which]!);
          for (let at = 1; at < of.length; at++)
            expect(of[at]!.at - of[at - 1]!.at).toBeGreaterThanOrEqual(1000 / rates[which]!);
        }
        expect(clock.waiting).toBe(0);
      }),
    );
  });

  test('sends the newest event at most 10 ms after the interval has elapsed', async () => {
    const topic = topicOf(4);
    const sent: number[] = [];
    const throttle = new TopicThrottle(
      () => sent.push(clock.now),
      () => clock.now,
    );
    throttle.schedule(topic, 1);
    throttle.run();
    await clock.pass(3);
    throttle.schedule(topic, 2);
    throttle.run();
    await clock.pass(500);
    expect(sent).toHaveLength(2);
    expect(sent[1]! - sent[0]!).toBeWithin(250, 261);
  });

  test('sends nothing for a cancelled topic, and keeps no timer for it', async () => {
    const topic = topicOf(4);
    let sent = 0;
    const throttle = new TopicThrottle(
      () => sent++,
      () => clock.now,
    );
    for (const seq of [1, 2]) {
      throttle.schedule(topic, seq);
      throttle.run();
    }
    throttle.cancel(topic);
    await clock.pass(1_000);
    expect([sent, topic.pendingSeq, clock.waiting]).toEqual([1, 0, 0]);
  });
});
