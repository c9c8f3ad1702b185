import { expect, test } from 'bun:test';
import { DayOpens, dayFigures, trailOf } from './day-opens.ts';
import { QuoteBoard } from './quote-board.ts';

const MIDNIGHT = Date.parse('2024-05-12T00:00:00Z');
const QUARTER = 15 * 60_000;

const candle = (at: number, open: number) => ({
  time: MIDNIGHT + at * QUARTER,
  open,
  high: open + 1,
  low: open - 1,
  close: open + 0.5,
  volume: 1,
});

test('takes the day from the bars since midnight', () => {
  expect(dayFigures([candle(-1, 100), candle(0, 5), candle(1, 8), candle(2, 3)], MIDNIGHT)).toEqual({
    open: 5,
    high: 9,
    low: 2,
  });
});

test('the open is unknown if the bars start after midnight', () => {
  expect(dayFigures([candle(2, 5)], MIDNIGHT)).toBeNull();
});

test('a market without bars today has no day', () => {
  expect(dayFigures([candle(-2, 5), candle(-1, 6)], MIDNIGHT)).toBeNull();
  expect(dayFigures([], MIDNIGHT)).toBeNull();
});

test('the line has the close of each quarter hour at its end', () => {
  expect(trailOf([1, 2], MIDNIGHT + 60_000)).toEqual([
    { time: MIDNIGHT - QUARTER, price: 1 },
    { time: MIDNIGHT, price: 2 },
  ]);
});

test('one request fills the day and the line of all instruments', async () => {
  const names = ['EURUSD', 'XAUUSD'];
  const instruments = names.map((symbol) => ({ symbol, name: symbol, pip_size: 0.01 }));
  const board = new QuoteBoard(instruments as never, () => undefined);
  const prices = { day_open: 5, day_high: 7, day_low: 4, last: 6, change: 1, change_percent: 20 };
  let asked = 0;
  const overview = async () => {
    asked++;
    return { items: names.map((symbol) => ({ symbol, time: null, ...prices, sparkline: [5, 6] })) };
  };
  board.quote({ symbol: 'EURUSD', bid: 8, ask: 8, spread: 0 });
  let load = async () => 0;
  const repeat = (run: () => Promise<number>) => {
    load = run;
    return { stop: () => undefined };
  };
  const days = new DayOpens(board, { overview } as never, () => null, repeat as never);
  await load();
  days.stop();
  expect([asked, board.row('XAUUSD')?.day, days.trail('EURUSD').length]).toEqual([1, { open: 5, high: 7, low: 4 }, 2]);
});
