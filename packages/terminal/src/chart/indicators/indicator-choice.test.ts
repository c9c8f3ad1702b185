import { expect, test } from 'bun:test';
import type { IndicatorDescription } from '@tickwire/client';
import {
  formerAverages,
  indicatorText,
  newChoice,
  readChoices,
  readInput,
  sharedIndicators,
  shortTitle,
  USUAL_INDICATORS,
} from './indicator-choice.ts';

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

const shelf = (stored: Record<string, string>) => ({
  getItem: (name: string) => stored[name] ?? null,
  setItem: (name: string, value: string) => {
    stored[name] = value;
  },
});

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
  for (const text of ['0', '1001', '2.5', 'x', ''])
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

test('moving averages chosen in an earlier version are carried over', async () => {
  const storage = shelf({ 'tickwire.chart': '{"averages":[50],"flow":true}' });
  expect(formerAverages(storage)?.map(({ indicator }) => indicator)).toEqual(['sma(50)']);
  expect(formerAverages(shelf({}))).toBeNull();
  const written: object[] = [];
  const documents = {
    read: async () => null,
    write: async (_kind: string, _name: string, value: object) => void written.push(value),
  };
  const store = sharedIndicators(documents as never, storage);
  expect((await store.read())?.map(({ indicator }) => indicator)).toEqual(['sma(50)']);
  expect(written.length).toBe(1);
});

test('titles are short', () => {
  const title = (name: string, indicator: string) => shortTitle({ name, indicator: indicator as 'rsi' });
  expect(title('macd', 'macd(12,26,9)')).toBe('MACD 12 26 9');
  expect(title('bollinger', 'bollinger(20,2)')).toBe('Bollinger 20 2');
});
