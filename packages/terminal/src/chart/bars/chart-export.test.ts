import { expect, test } from 'bun:test';
import { csvCell, csvOf, fileName } from './chart-export.ts';

const candle = {
  time: Date.UTC(2026, 10, 16, 9, 30),
  ...{ open: 1.1, high: 1.10005, low: 1.0999, close: 1.1 },
  ...{ volume: 1_250_000, askVolume: 0.0000001, bidVolume: 0.5 },
};

test('bars as CSV have the decimals of the instrument, plain volumes and times in UTC', () => {
  expect(csvOf([candle], 5).split('\r\n')).toEqual([
    'time,open,high,low,close,volume,buy_volume,sell_volume',
    '2026-11-16T09:30:00.000Z,1.10000,1.10005,1.09990,1.10000,1250000,0.0000001,0.5',
    '',
  ]);
});

test('a cell with a comma, a quotation mark or a line break is quoted', () => {
  expect(['a', 'a,b', 'a"b', 'a\nb'].map(csvCell)).toEqual(['a', '"a,b"', '"a""b"', '"a\nb"']);
});

test('a symbol with a slash makes a valid name of a file', () => {
  expect(fileName('BTC/USD', '5m', 'csv')).toBe('BTC-USD-5m.csv');
  expect(fileName('BTCUSDT.P', '5m', 'csv')).toBe('BTCUSDT.P-5m.csv');
});
