import { expect, test } from 'bun:test';
import { FeedSchedule } from './feed-schedule.ts';

const SYMBOLS = ['EURUSD', 'GBPUSD', 'USDJPY'];

test.each([1, 2, 5])('the n-th tick of a symbol is due when it is written, with %d ticks per write', (perWrite) => {
  const schedule = new FeedSchedule({ ticksPerSecond: 500, perWrite }, SYMBOLS);
  const seen = new Map<string, number>();
  for (let write = 0; write < 30; write++) {
    const ticks = schedule.ticksOf(write, 1_700_000_000_000);
    expect(ticks).toHaveLength(perWrite);
    for (const { symbol } of ticks) {
      const nth = seen.get(symbol) ?? 0;
      seen.set(symbol, nth + 1);
      expect(schedule.dueOf(SYMBOLS.indexOf(symbol), nth)).toBeCloseTo(write * 2 * perWrite, 9);
    }
  }
});

test('a tick is the same for Tickwire and for the others', () => {
  const [tick] = new FeedSchedule({ ticksPerSecond: 500, perWrite: 1 }, SYMBOLS).ticksOf(0, 1_700_000_000_123);
  const [sent, pushed] = [JSON.parse(tick!.payload), JSON.parse(tick!.line)];
  expect(sent).toEqual({
    symbol: 'EURUSD',
    bid: pushed.bid,
    ask: pushed.ask,
    spread: 0.00012,
    time: 1_700_000_000,
    volume: pushed.bid_size,
  });
});
