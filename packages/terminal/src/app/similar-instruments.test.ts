import { expect, test } from 'bun:test';
import { similarInstruments } from './similar-instruments.ts';

const LIST = [
  { symbol: 'EURUSD', name: 'Euro / US dollar' },
  { symbol: 'USDJPY', name: 'US dollar / Yen' },
  { symbol: 'BTCUSD', name: 'Bitcoin' },
  { symbol: 'XAUUSD', name: 'Gold' },
];
const symbols = (code: string, most = 4) => similarInstruments(code, LIST, most).map(({ symbol }) => symbol);

test('suggests the instrument whose symbol was nearly typed', () => {
  expect(symbols('EURUSDT')[0]).toBe('EURUSD');
  expect(symbols('btc-usdt')[0]).toBe('BTCUSD');
  expect(symbols('JPY')[0]).toBe('USDJPY');
});

test('suggests by name, too', () => {
  expect(symbols('gold')[0]).toBe('XAUUSD');
});

test('suggests the first instruments if none is similar', () => {
  expect(symbols('ZZZZ', 2)).toEqual(['EURUSD', 'USDJPY']);
  expect(symbols('', 1)).toEqual(['EURUSD']);
});
