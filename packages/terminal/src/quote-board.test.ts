import { expect, test } from 'bun:test';
import type { Instrument } from '@tickwire/client';
import { dayChange, QuoteBoard } from './quote-board.ts';

const instrument = (symbol: string): Instrument => ({
  symbol,
  name: symbol,
  type: 'forex',
  pip_size: 0.0001,
  contract_size: 100_000,
  margin_rate: 0.03,
  min_lot: 0.01,
  max_lot: 100,
});

function board() {
  const frames: (() => void)[] = [];
  const made = new QuoteBoard([instrument('EURUSD'), instrument('GBPUSD')], (run) => frames.push(run));
  const heard: string[][] = [];
  made.onChange((changed) => heard.push([...changed]));
  const frame = () => {
    for (const run of frames.splice(0)) run();
  };
  return { board: made, heard, frame };
}

test('any number of ticks in a frame is told once, with the rows that changed', () => {
  const { board: quotes, heard, frame } = board();
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001 });
  quotes.quote({ symbol: 'EURUSD', bid: 1.2, ask: 1.2001, spread: 0.0001 });
  quotes.quote({ symbol: 'GBPUSD', bid: 1.3, ask: 1.3001, spread: 0.0001 });
  expect(heard).toEqual([]);
  frame();
  expect(heard).toEqual([['EURUSD', 'GBPUSD']]);
  expect(quotes.row('EURUSD')?.bid).toBe(1.2);
});

test('the same quote again and a symbol nobody knows change nothing', () => {
  const { board: quotes, heard, frame } = board();
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001 });
  frame();
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001 });
  quotes.quote({ symbol: 'NOSUCH', bid: 1, ask: 1, spread: 0 });
  frame();
  expect(heard).toHaveLength(1);
});

test('digits start at the pip and grow with the prices seen, never back', () => {
  const { board: quotes } = board();
  expect(quotes.row('EURUSD')?.digits).toBe(4);
  quotes.quote({ symbol: 'EURUSD', bid: 1.08345, ask: 1.0835, spread: 0.00005 });
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.2, spread: 0.1 });
  expect(quotes.row('EURUSD')?.digits).toBe(5);
});

test("the day's change is unknown until the open is", () => {
  const { board: quotes } = board();
  quotes.quote({ symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001 });
  expect(dayChange(quotes.row('EURUSD')!)).toBeNull();
  quotes.dayOpen('EURUSD', 1);
  expect(dayChange(quotes.row('EURUSD')!)).toBeCloseTo(0.1);
});
