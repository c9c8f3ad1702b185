import { expect, test } from 'bun:test';
import { noTrades } from './order-flow-panel.ts';

test('says why there is no tape', () => {
  expect(noTrades('EURUSD', { isReplay: false, hasPrice: true })).toStartWith(
    'No trades of EURUSD are recorded: its source has sent quotes only.',
  );
  expect(noTrades('EURUSD', { isReplay: false, hasPrice: false })).toContain('it has had no price yet.');
  expect(noTrades('EURUSD', { isReplay: true, hasPrice: true })).toStartWith(
    'No trades of EURUSD are recorded for this part of the replay.',
  );
});
