import { expect, test } from 'bun:test';
import { perpetualTexts } from './perpetual-figures.ts';

const NOW = 1_772_450_647_000;
const FIGURES = {
  type: 'figures',
  symbol: 'BTCUSDT.P',
  venue: 'bybit',
  mark_price: 68_412.5,
  index_price: 68_420.13,
  funding_rate: -0.0000544,
  funding_interval_hours: 8,
  next_funding_time: 1_772_467_200,
  open_interest: 57_798.137,
  time: 1_772_450_647,
} as const;

test('a perpetual shows mark price, funding with the time until it is paid, and open interest', () => {
  expect(perpetualTexts(FIGURES, 2, NOW)).toEqual([
    ['Mark', '68412.50'],
    ['Funding 8h', '−0.0054% in 4h 35m'],
    ['Open interest', '57.8k'],
  ]);
});

test('what the venue does not publish is left open, and so is a time that has passed', () => {
  const none = { mark_price: null, funding_rate: null, funding_interval_hours: null, open_interest: null };
  expect(perpetualTexts({ ...FIGURES, ...none, next_funding_time: null }, 2, NOW)).toEqual([
    ['Mark', '–'],
    ['Funding', '–'],
    ['Open interest', '–'],
  ]);
  expect(perpetualTexts(null, 2, NOW)).toEqual(
    perpetualTexts({ ...FIGURES, ...none, next_funding_time: null }, 2, NOW),
  );
  expect(perpetualTexts(FIGURES, 2, NOW + 86_400_000)[1]).toEqual(['Funding 8h', '−0.0054%']);
});
