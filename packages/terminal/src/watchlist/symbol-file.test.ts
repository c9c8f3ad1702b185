import { expect, test } from 'bun:test';
import { importText, readSymbols, writeSymbols } from './symbol-file.ts';

const KNOWN = new Set(['EURUSD', 'XAUUSD', 'BTCUSD', 'BTCUSDT', 'BTCUSDT.P']);

test('an exported file is read again', () => {
  const symbols = ['XAUUSD', 'EURUSD'];
  expect(readSymbols(writeSymbols(symbols), KNOWN)).toEqual({ symbols, unknown: [] });
});

test('plain lists, lists of other programs and tables are read; each symbol counts once', () => {
  expect(readSymbols('eurusd, XAUUSD\r\nEURUSD # twice', KNOWN).symbols).toEqual(['EURUSD', 'XAUUSD']);
  expect(readSymbols('###Crypto,COINBASE:BTCUSD\nOANDA:EUR/USD,FX:XAUUSD', KNOWN).symbols).toEqual([
    'BTCUSD',
    'EURUSD',
    'XAUUSD',
  ]);
  expect(readSymbols('\uFEFFSymbol;Name\nXAUUSD;Gold\n"BTCUSD";Bitcoin', KNOWN).symbols).toEqual(['XAUUSD', 'BTCUSD']);
});

test('a perpetual is not its spot price', () => {
  expect(readSymbols('BINANCE:BTCUSDT.P,BTC/USDT', KNOWN).symbols).toEqual(['BTCUSDT.P', 'BTCUSDT']);
});

test('unknown symbols are named and left out', () => {
  const read = readSymbols('EURUSD\nNOPE\n<b>', KNOWN);
  expect(read).toEqual({ symbols: ['EURUSD'], unknown: ['NOPE', '<b>'] });
  expect(importText('My list', read)).toBe('My list: 1 instrument imported. Left out because unknown: NOPE, <b>.');
  expect(importText('x', readSymbols('NOPE', KNOWN))).toStartWith('The file has no known symbols.');
});
