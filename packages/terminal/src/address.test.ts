import { expect, test } from 'bun:test';
import { symbolInAddress } from './address.ts';

test('the symbol in the address is read whatever its case, and nonsense is no symbol', () => {
  expect(['#eurusd', '#BTC%2FUSD', '', '#%'].map(symbolInAddress)).toEqual(['EURUSD', 'BTC/USD', '', '']);
});
