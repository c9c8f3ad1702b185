// A pasted message: its marked parts, and the fields of the form.
import { expect, test } from 'bun:test';
import { markedText } from './marked-text.ts';
import { pastedDraft } from './paste-signal.tsx';

test('parts are marked by code points, in the order of the message, and nothing is lost', () => {
  const parts = [
    { field: 'direction', start: 7, end: 10 },
    { field: 'symbol', start: 2, end: 6 },
  ];
  expect(markedText('🔥 Gold BUY!', parts)).toEqual([
    { text: '🔥 ', field: null },
    { text: 'Gold', field: 'symbol' },
    { text: ' ', field: null },
    { text: 'BUY', field: 'direction' },
    { text: '!', field: null },
  ]);
  expect(markedText('Gold', [])).toEqual([{ text: 'Gold', field: null }]);
});

const LEVELS = {
  symbol: 'XAUUSD',
  direction: 'buy' as const,
  stop_loss: 3322.5,
  take_profit: 3350,
  parts: [],
  notes: [],
};

test('a market order with one target has no entry', () => {
  expect(pastedDraft({ ...LEVELS, order: 'market' })).toEqual({
    targets: 1,
    values: {
      symbol: 'XAUUSD',
      direction: 'buy',
      order: 'market',
      stop_loss: '3322.5',
      target_1: '3350',
      fraction_1: '100',
    },
  });
});

test('several targets have their parts in percent, and break-even its target', () => {
  const targets = [
    { price: 3340, fraction: 0.3333 },
    { price: 3345, fraction: 0.3333 },
    { price: 3350, fraction: 0.3334 },
  ];
  const { targets: count, values } = pastedDraft({ ...LEVELS, entry: 3330, targets, breakeven_after: 1 });
  expect([count, values.entry, values.fraction_1, values.fraction_3, values.target_3, values.breakeven_after]).toEqual([
    3,
    '3330',
    '33.33',
    '33.34',
    '3350',
    '1',
  ]);
});
