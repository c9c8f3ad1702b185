// Model runs that once failed, or would have: one test for each.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ManualClock } from '../../testing/ws/manual-clock.fixture.ts';
import { finishAndCheck } from '../../testing/ws/model-checks.fixture.ts';
import { ModelClient, type SubscribeOptions } from '../../testing/ws/model-client.fixture.ts';
import { ModelGateway, SYMBOLS } from '../../testing/ws/model-gateway.fixture.ts';

const clock = new ManualClock();
beforeEach(() => clock.install());
afterEach(() => clock.restore());

describe('topics and their subscribers', () => {
  const all: Omit<SubscribeOptions, 'symbols'> = { seq: true, latest: false, closes: false };
  const [first, second] = SYMBOLS as [(typeof SYMBOLS)[0], (typeof SYMBOLS)[0]];
  const quotes = (gateway: ModelGateway<ModelClient>, count: number, of = first): void => {
    for (let at = 0; at < count; at++) gateway.quote(of, 1);
  };
  const setUp = (channel: 'market' | 'signals' = 'market'): [ModelGateway<ModelClient>, ModelClient] => {
    const gateway = new ModelGateway<ModelClient>(clock);
    return [gateway, new ModelClient(gateway, channel)];
  };

  test('a throttled topic continues when its only subscriber was slow and has caught up', async () => {
    const [gateway, one] = setUp();
    one.subscribe({ ...all, symbols: [first], rate: 10 });
    one.subscribe({ ...all, symbols: [second] });
    one.reading = false;
    quotes(gateway, 30, second);
    await clock.pass(5);
    gateway.sweep();
    expect(one.subscriber.lag?.warned).toBe(true);
    quotes(gateway, 30);
    await finishAndCheck(gateway);
    expect(one.data.filter(({ symbol }) => symbol === first)).not.toBeEmpty();
  });

  test('a channel that is subscribed on a slow connection is slow from the start', async () => {
    const gateway = new ModelGateway<ModelClient>(clock);
    const one = new ModelClient(gateway, 'market', true);
    quotes(gateway, 1);
    one.reading = false;
    for (const timeframe of ['1m', '5m'] as const) one.subscribe({ ...all, symbols: SYMBOLS, timeframe });
    while (one.buffered < 256 * 1024) one.subscribe({ ...all, symbols: [first], timeframe: '1m' });
    gateway.sweep();
    one.subscribe({ ...all, symbols: [first] });
    const { buffered } = one;
    quotes(gateway, 30);
    expect(one.buffered).toBe(buffered);
    one.reading = true;
    one.read(1e9);
    expect(one.notices.filter(({ event }) => event === 'slow').map(({ channel }) => channel)).toEqual([
      'bars',
      'market',
    ]);
    await finishAndCheck(gateway);
  });

  test('throttled topics and bars continue when seq is requested later', async () => {
    const [gateway, one] = setUp();
    quotes(gateway, 1);
    for (const options of [{ rate: 10 }, { timeframe: '1m' as const }])
      for (const seq of [false, true]) one.subscribe({ ...all, ...options, symbols: [first], seq });
    const before = one.data.length;
    await clock.pass(1_000);
    quotes(gateway, 1);
    await clock.pass(1_000);
    expect(one.data.slice(before).map(({ channel, prev }) => [channel, typeof prev])).toEqual([
      [undefined, 'number'],
      ['bars', 'number'],
    ]);
    await finishAndCheck(gateway);
  });

  test('no volume counts twice when a client changes to a lower rate', async () => {
    const [gateway, one] = setUp();
    const other = new ModelClient(gateway, 'market');
    other.subscribe({ ...all, symbols: [first], rate: 1 });
    one.subscribe({ ...all, symbols: [first] });
    quotes(gateway, 10);
    one.subscribe({ ...all, symbols: [first], rate: 1 });
    quotes(gateway, 10);
    await finishAndCheck(gateway);
  });

  test('changing the rate during a replay leaves no unused topic', async () => {
    const [gateway, one] = setUp();
    one.subscribe({ ...all, symbols: [first] });
    quotes(gateway, 1);
    await clock.pass(5);
    one.disconnect();
    quotes(gateway, 20);
    one.connect();
    for (const rate of [1, 2, 3]) one.subscribe({ ...all, symbols: [first], rate });
    expect(gateway.topic('market', first).throttled).toHaveLength(1);
    await finishAndCheck(gateway);
  });

  test('a client that does not read gets a slow notice even after it has unsubscribed, and is not disconnected', async () => {
    const [gateway, one] = setUp();
    one.subscribe({ ...all, symbols: [first] });
    one.reading = false;
    quotes(gateway, 30);
    one.unsubscribe([first], false);
    gateway.sweep();
    expect(one.subscriber.lag?.warned).toBe(true);
    await clock.pass(30_001);
    gateway.sweep();
    expect(one.closeCode).toBe(0);
    await finishAndCheck(gateway);
    expect(one.notices.map(({ event }) => event)).toEqual(['subscribed', 'unsubscribed', 'slow', 'gap']);
  });

  test('a client with delivery latest may stay a little behind for any time', async () => {
    const [gateway, one] = setUp();
    one.subscribe({ ...all, symbols: [first], latest: true });
    await clock.pass(5);
    one.reading = false;
    for (let at = 0; at < 4; at++) {
      quotes(gateway, 1);
      await clock.pass(5);
    }
    for (let round = 0; round < 3; round++) {
      gateway.sweep();
      await clock.pass(30_000);
    }
    expect([one.subscriber.lag?.warned, one.closeCode]).toEqual([false, 0]);
    quotes(gateway, 3);
    await finishAndCheck(gateway);
    expect(one.notices.map(({ event }) => event)).toEqual(['subscribed']);
  });

  test('a signal that was just published is sent before the position to resume from', async () => {
    const [gateway, one] = setUp('signals');
    one.subscribe({ ...all, symbols: [first] });
    one.reading = false;
    for (let at = 0; at < 40; at++) gateway.signal(first, false);
    await clock.pass(5);
    gateway.signal(first, false);
    gateway.signal(first, false);
    gateway.sweep();
    one.read(Number.POSITIVE_INFINITY);
    expect(one.notices.at(-1)).toMatchObject({ code: 'too_slow', resume_from: { seq: 42 } });
    expect(one.data).toHaveLength(42);
    await finishAndCheck(gateway);
  });

  test('a slow client gets conflated messages in the order of seq', async () => {
    const [gateway, one] = setUp();
    one.subscribe({ ...all, symbols: [first, second] });
    one.reading = false;
    quotes(gateway, 30);
    await clock.pass(5);
    gateway.sweep();
    quotes(gateway, 2, second);
    quotes(gateway, 2, first);
    one.read(Number.POSITIVE_INFINITY);
    const before = one.data.length;
    gateway.sweep();
    one.read(Number.POSITIVE_INFINITY);
    expect(one.data.slice(before).map(({ symbol }) => symbol)).toEqual([second, first]);
    await finishAndCheck(gateway);
  });

  test('an amended older bar does not suppress the forming bar', async () => {
    const [gateway, one] = setUp();
    gateway.quote(first, 1);
    await clock.pass(120_000);
    gateway.quote(first, 1);
    one.subscribe({ ...all, symbols: [first], timeframe: '1m', rate: 1 });
    gateway.quote(first, 1);
    gateway.quote(first, 1);
    gateway.backfill(first);
    await clock.pass(2_000);
    const bars = one.data.map(({ closed, volume }) => [closed, volume]);
    expect(bars).toContainEqual([true, 9]);
    expect(bars.at(-1)).toEqual([false, 3]);
    await finishAndCheck(gateway);
  });

  test('a client that resumes too late gets a gap only for symbols with new events', async () => {
    const [gateway, one] = setUp();
    quotes(gateway, 1, second);
    one.subscribe({ ...all, symbols: [first, second] });
    quotes(gateway, 1);
    await clock.pass(5);
    const quiet = one.topicStates.get(second)!.last!;
    one.disconnect();
    quotes(gateway, 100);
    one.connect();
    await clock.pass(5);
    const gaps = one.notices.filter(({ event }) => event === 'gap');
    expect(gaps).toMatchObject([{ reason: 'resume', symbols: [first] }]);
    quotes(gateway, 1, second);
    await clock.pass(5);
    expect(one.data.at(-1)).toMatchObject({ symbol: second, prev: quiet });
    await finishAndCheck(gateway);
  });
});
