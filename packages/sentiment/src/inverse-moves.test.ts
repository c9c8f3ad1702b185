import { expect, test } from 'bun:test';
import { model } from '../testing/model.ts';
import { turnInverseMoves } from './inverse-moves.ts';
import { likeliest } from './labels.ts';

const OIL = { up: ['oil', 'crude', 'WTI'], down: [] };
const GOLD = { up: ['gold'], down: ['dollar'] };
const BITCOIN = { up: ['bitcoin', 'BTC'], down: ['dollar'] };
const STOCKS = { up: ['S&P 500'], down: [] };

test.each([
  ['US crude stockpiles fall more than expected', OIL, 'macro', 'positive'],
  ['US crude stockpiles fall more than expected', undefined, 'macro', 'positive'],
  ['Gasoline stockpiles drop for a third week', undefined, 'macro', 'positive'],
  ['US crude inventories rise unexpectedly', OIL, 'macro', 'negative'],
  ['Oil drops after surprise build in US inventories', OIL, 'macro', 'negative'],
  ['Bitcoin does not fall below 100,000', BITCOIN, 'crypto', 'positive'],
  ["Gold won't fall below 3,900, analyst says", GOLD, 'gold', 'positive'],
  ['Bitcoin falls below 100,000', BITCOIN, 'crypto', 'negative'],
  ['S&P 500 snaps losing streak', STOCKS, 'macro', 'positive'],
  ['S&P 500 snaps winning streak', STOCKS, 'macro', 'negative'],
  ['US CPI cools', undefined, 'macro', 'positive'],
  ['US CPI cools to 2.4% in October', GOLD, 'gold', 'positive'],
  ['US inflation hotter than expected', STOCKS, 'macro', 'negative'],
  ['US jobless claims fall to lowest since 2024', undefined, 'macro', 'positive'],
  ['US jobless claims rise more than expected', undefined, 'macro', 'negative'],
  ['Treasury yields jump', STOCKS, 'macro', 'negative'],
  ['Treasury yields fall after weak data', undefined, 'macro', 'positive'],
] as const)('%s (%p, %s) is %s', (text, target, category, label) => {
  expect(likeliest(model.classify(text, target, category))).toBe(label);
});

test('other texts stay as they are', () => {
  for (const text of [
    'Oil stocks fall as crude slides',
    'Gold stocks and silver fall',
    'Bitcoin may fall below 100,000',
    'Labour market cools',
    'Shoe inventories fall',
  ])
    expect(turnInverseMoves(text)).toBe(text);
});
