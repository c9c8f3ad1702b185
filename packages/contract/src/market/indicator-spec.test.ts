import { describe, expect, test } from 'bun:test';
import { INDICATOR_CATALOGUE, type IndicatorEntry } from './indicator-catalogue.ts';
import { indicatorList } from './indicator-list.ts';
import { IndicatorFault, indicatorOf, parseIndicator, splitIndicators, wireInputs } from './indicator-spec.ts';
import { IndicatorList, IndicatorsQuery } from './indicators.ts';

test.each([
  ['rsi', 'rsi(14)'],
  ['RSI(14)', 'rsi(14)'],
  [' rsi ( 9 ) ', 'rsi(9)'],
  ['rsi(14,close)', 'rsi(14)'],
  ['rsi(source=hl2)', 'rsi(14,hl2)'],
  ['macd', 'macd(12,26,9)'],
  ['macd(5,signal=3)', 'macd(5,26,3)'],
  ['bollinger(20,2.5,hlc3)', 'bollinger(20,2.5,hlc3)'],
  ['BB(10)', 'bollinger(10,2)'],
  ['dmi', 'adx(14)'],
  ['vwap', 'vwap(day)'],
  ['vwap(Week)', 'vwap(week)'],
  ['vwap(2026-03-02)', 'vwap(2026-03-02T00:00:00Z)'],
  ['vwap(anchor=2026-03-02T13:30:00Z)', 'vwap(2026-03-02T13:30:00Z)'],
  ['obv()', 'obv(first)'],
  ['pivots(method=fibonacci)', 'pivots(day,fibonacci)'],
])('%s is %s', (given, text) => {
  const spec = parseIndicator(given);
  expect(spec.text).toBe(text);
  expect(parseIndicator(spec.text)).toEqual(spec);
});

test.each([
  ['rsy', 'name', 'one of sma, ema'],
  ['rsi(0)', 'length', 'an integer between 1 and 1000'],
  ['rsi(1001)', 'length', 'an integer between 1 and 1000'],
  ['rsi(1.5)', 'length', 'an integer between 1 and 1000'],
  ['rsi(1e2)', 'length', 'an integer between 1 and 1000'],
  ['rsi(-3)', 'length', 'an integer between 1 and 1000'],
  ['rsi(14,median)', 'source', 'one of open, high'],
  ['rsi(14,close,3)', 'input 3', 'length, source'],
  ['rsi(fast=3)', 'fast', 'length, source'],
  ['rsi(3,length=4)', 'length', 'given only once'],
  ['rsi(14', 'indicators', 'rsi(14)'],
  ['rsi((14))', 'indicators', 'rsi(14)'],
  ['', 'indicators', 'rsi(14)'],
  [`rsi(${'1'.repeat(200)})`, 'indicators', 'rsi(14)'],
  ['adx(1)', 'length', 'an integer between 2 and 1000'],
  ['bollinger(20,0)', 'factor', 'a number between 0.01 and 100'],
  ['vwap(yesterday)', 'anchor', 'or an ISO 8601 time'],
  ['__proto__', 'name', 'one of sma'],
  ['rsi(__proto__=1)', '__proto__', 'length, source'],
])('%s is refused with what is allowed', (given, input, allowed) => {
  try {
    parseIndicator(given);
    throw new Error('it was accepted');
  } catch (error) {
    expect(error).toBeInstanceOf(IndicatorFault);
    const fault = error as IndicatorFault;
    expect(fault.input).toBe(input);
    expect(fault.allowed).toContain(allowed);
    expect(fault.message).not.toBe('');
  }
});

test('inputs by name are those in parentheses', () =>
  expect(indicatorOf('macd', { fast: '5', signal: '3' })).toEqual(parseIndicator('macd(5,26,3)')));

test('a list is split at the commas between indicators', () => {
  expect(splitIndicators('rsi(14), macd(12,26,9),vwap')).toEqual(['rsi(14)', 'macd(12,26,9)', 'vwap']);
  expect(IndicatorsQuery.parse({ indicators: 'rsi,macd(12,26,9)' }).indicators).toEqual(['rsi', 'macd(12,26,9)']);
});

test('an anchor at a time is epoch milliseconds inside and ISO 8601 outside', () => {
  const { inputs } = parseIndicator('vwap(2026-03-02T13:30:00Z)');
  expect(inputs).toEqual({ anchor: Date.UTC(2026, 2, 2, 13, 30) });
  expect(wireInputs(inputs)).toEqual({ anchor: '2026-03-02T13:30:00Z' });
});

describe('the catalogue', () => {
  test('is listed as documented, with 24 indicators', () => {
    expect(IndicatorList.parse(indicatorList())).toEqual(indicatorList());
    expect(indicatorList().count).toBe(24);
  });

  test('has each name and each alias once, and a text for everything', () => {
    const entries: readonly IndicatorEntry[] = INDICATOR_CATALOGUE;
    const names = entries.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    for (const { title, description, formula, lines, inputs } of entries) {
      for (const text of [title, description, formula, ...inputs.map((input) => input.description)])
        expect(text).not.toBe('');
      expect(new Set(lines).size).toBe(lines.length);
      expect(lines.length > 1 || lines[0] === 'value').toBe(true);
    }
  });
});
