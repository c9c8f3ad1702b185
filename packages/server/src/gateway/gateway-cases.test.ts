// Plays of the model that have once gone wrong, or would have: each by its name.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { HandClock } from './hand-clock.fixture.ts';
import { conclude } from './model-conclusion.fixture.ts';
import { ModelGateway, SYMBOLS } from './model-gateway.fixture.ts';
import { ModelReader, type Wish } from './model-reader.fixture.ts';

const clock = new HandClock();
beforeEach(() => clock.install());
afterEach(() => clock.restore());

describe('lines and their readers', () => {
  const all: Omit<Wish, 'symbols'> = { seq: true, latest: false, closes: false };
  const [first, second] = SYMBOLS as [(typeof SYMBOLS)[0], (typeof SYMBOLS)[0]];
  const quotes = (gateway: ModelGateway, count: number, of = first): void => {
    for (let at = 0; at < count; at++) gateway.quote(of, 1);
  };
  const stage = (channel: 'market' | 'signals' = 'market'): [ModelGateway, ModelReader] => {
    const gateway = new ModelGateway(clock);
    return [gateway, new ModelReader(gateway, channel)];
  };

  test('the only reader of a paced line falls behind, catches up, and goes on', async () => {
    const [gateway, one] = stage();
    one.subscribe({ ...all, symbols: [first], rate: 10 });
    one.subscribe({ ...all, symbols: [second] });
    one.reading = false;
    quotes(gateway, 30, second);
    await clock.pass(5);
    gateway.sweep();
    expect(one.connection!.lag?.warned).toBe(true);
    quotes(gateway, 30);
    await conclude(gateway);
    expect(one.data.filter(({ symbol }) => symbol === first)).not.toBeEmpty();
  });

  test('numbers asked for later do not silence a paced line, nor bars', async () => {
    const [gateway, one] = stage();
    quotes(gateway, 1);
    for (const wish of [{ rate: 10 }, { timeframe: '1m' as const }])
      for (const seq of [false, true]) one.subscribe({ ...all, ...wish, symbols: [first], seq });
    const before = one.data.length;
    await clock.pass(1_000);
    quotes(gateway, 1);
    await clock.pass(1_000);
    expect(one.data.slice(before).map(({ channel, prev }) => [channel, typeof prev])).toEqual([
      [undefined, 'number'],
      ['bars', 'number'],
    ]);
    await conclude(gateway);
  });

  test('whoever changes to a slower pace counts nothing twice', async () => {
    const [gateway, one] = stage();
    const other = new ModelReader(gateway, 'market');
    other.subscribe({ ...all, symbols: [first], rate: 1 });
    one.subscribe({ ...all, symbols: [first] });
    quotes(gateway, 10);
    one.subscribe({ ...all, symbols: [first], rate: 1 });
    quotes(gateway, 10);
    await conclude(gateway);
  });

  test('other paces asked for during a replay leave no line behind', async () => {
    const [gateway, one] = stage();
    one.subscribe({ ...all, symbols: [first] });
    quotes(gateway, 1);
    await clock.pass(5);
    one.disconnect();
    quotes(gateway, 20);
    one.connect();
    for (const rate of [1, 2, 3]) one.subscribe({ ...all, symbols: [first], rate });
    expect(gateway.switchboard.line('market', first).followers).toHaveLength(1);
    await conclude(gateway);
  });

  test('a reader that does not read is told so, also when it has unsubscribed from everything, and not cut for it', async () => {
    const [gateway, one] = stage();
    one.subscribe({ ...all, symbols: [first] });
    one.reading = false;
    quotes(gateway, 30);
    one.unsubscribe([first], false);
    gateway.sweep();
    expect(one.connection!.lag?.warned).toBe(true);
    await clock.pass(30_001);
    gateway.sweep();
    expect(one.closeCode).toBe(0);
    await conclude(gateway);
    expect(one.notices.map(({ event }) => event)).toEqual(['subscribed', 'unsubscribed', 'slow', 'gap']);
  });

  test('a reader of the latest that is a little behind is left alone, however long', async () => {
    const [gateway, one] = stage();
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
    expect([one.connection!.lag?.warned, one.closeCode]).toEqual([false, 0]);
    quotes(gateway, 3);
    await conclude(gateway);
    expect(one.notices.map(({ event }) => event)).toEqual(['subscribed']);
  });

  test('a signal that was just published goes out before the reader is sent back to a position behind it', async () => {
    const [gateway, one] = stage('signals');
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
    await conclude(gateway);
  });

  test('what a reader that is behind gets comes in the order of its numbers', async () => {
    const [gateway, one] = stage();
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
    await conclude(gateway);
  });

  test('an older bar that is amended does not swallow what the forming one has to tell', async () => {
    const [gateway, one] = stage();
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
    await conclude(gateway);
  });

  test('a reader that comes back late is told of a gap only where something came meanwhile', async () => {
    const [gateway, one] = stage();
    quotes(gateway, 1, second);
    one.subscribe({ ...all, symbols: [first, second] });
    quotes(gateway, 1);
    await clock.pass(5);
    const quiet = one.standings.get(second)!.last!;
    one.disconnect();
    quotes(gateway, 100);
    one.connect();
    await clock.pass(5);
    const gaps = one.notices.filter(({ event }) => event === 'gap');
    expect(gaps).toMatchObject([{ reason: 'resume', symbols: [first] }]);
    quotes(gateway, 1, second);
    await clock.pass(5);
    expect(one.data.at(-1)).toMatchObject({ symbol: second, prev: quiet });
    await conclude(gateway);
  });
});
