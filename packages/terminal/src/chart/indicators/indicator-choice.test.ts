import { expect, test } from 'bun:test';
import type { IndicatorDescription } from '@tickwire/client';
import { indicatorText, newChoice, readChoices, shortTitle, USUAL_INDICATORS } from './indicator-choice.ts';
import { readInput } from './read-input.ts';

type Input = IndicatorDescription['inputs'][number];
const LENGTH = {
  name: 'length',
  type: 'integer',
  description: '',
  default: 14,
  minimum: 1,
  maximum: 1_000,
} satisfies Input;
const SOURCE = {
  name: 'source',
  type: 'choice',
  description: '',
  default: 'close',
  choices: ['close', 'hl2'],
} satisfies Input;
const ANCHOR = {
  name: 'anchor',
  type: 'anchor',
  description: '',
  default: 'day',
  choices: ['day', 'week'],
} satisfies Input;
const RSI = {
  name: 'rsi',
  lines: ['value'],
  pane: 'own',
  inputs: [LENGTH, SOURCE],
} as unknown as IndicatorDescription;

test('the text of an indicator is the one that the service writes', () => {
  expect(indicatorText(RSI, { length: 14, source: 'close' })).toBe('rsi(14)');
  expect(indicatorText(RSI, { length: 9, source: 'hl2' })).toBe('rsi(9,hl2)');
});

test('two of the same have different ids and colours', () => {
  const one = newChoice(RSI, USUAL_INDICATORS);
  const other = newChoice(RSI, [...USUAL_INDICATORS, one]);
  expect([one.id, other.id, one.slot, other.slot]).toEqual(['rsi-1', 'rsi-2', 2, 3]);
});

test('inputs are checked with the limits of the catalogue', () => {
  expect(readInput(LENGTH, '9')).toEqual({ value: 9 });
  for (const text of ['0', '1001', '2.5', 'x', '', '-14'])
    expect(readInput(LENGTH, text)).toEqual({ problem: 'Must be a whole number between 1 and 1000.' });
  expect(readInput(SOURCE, 'median')).toHaveProperty('problem');
  expect(readInput(ANCHOR, '2026-03-02T13:30:00Z')).toEqual({ value: '2026-03-02T13:30:00Z' });
});

test('a stored list is read again; entries that make no sense are left out', () => {
  const stored = JSON.parse(JSON.stringify([...USUAL_INDICATORS, { name: 'rsi' }, null, USUAL_INDICATORS[0]]));
  expect(readChoices(stored)).toEqual(USUAL_INDICATORS);
  expect(readChoices('no list')).toEqual([]);
  const colored = { ...USUAL_INDICATORS[0]!, colors: { value: '#ff0000', other: 'url(x)' } };
  expect(readChoices([colored])[0]?.colors).toEqual({ value: '#ff0000' });
});

test('titles are short', () => {
  const title = (name: string, indicator: string) => shortTitle({ name, indicator: indicator as 'rsi' });
  expect(title('macd', 'macd(12,26,9)')).toBe('MACD 12 26 9');
  expect(title('bollinger', 'bollinger(20,2)')).toBe('Bollinger 20 2');
});
