import { describe, expect, test } from 'bun:test';
import { model } from '../testing/model.ts';
import { nameDirections } from './comparisons.ts';
import { likeliest } from './labels.ts';

describe('a comparison of numbers', () => {
  test.each([
    ['Sales of 5.1m compared with 4.3m a year earlier', 'Sales of 5.1m, up, compared with 4.3m a year earlier'],
    ['Sales of $4.3m, compared with $5.1m', 'Sales of $4.3m, down, compared with $5.1m'],
    ['US GDP 2.1% vs 1.9% expected', 'US GDP 2.1%, up, vs 1.9% expected'],
    ['US GDP 1.9% (vs. 2.1% expected)', 'US GDP 1.9%, down, (vs. 2.1% expected)'],
    ['Payrolls 215K against an estimate of 180K', 'Payrolls 215K, up, against an estimate of 180K'],
    ['Output of 1,200 versus 980', 'Output of 1,200, up, versus 980'],
    ['Revenue of 5.1 from 4.3 million', 'Revenue of 5.1, up, from 4.3 million'],
    ['Net debt of 5.1m compared with 4.3m', 'Net debt of 5.1m, worse, compared with 4.3m'],
    ['Unemployment rate 3.9% vs 4.1%', 'Unemployment rate 3.9%, an improvement, vs 4.1%'],
    ['Unemployment fell to 3.9% from 4.1%', 'Unemployment fell to 3.9%, an improvement, from 4.1%'],
  ])('%s', (text, expected) => {
    expect(nameDirections(text)).toBe(expected);
  });

  test.each([
    'Sales rose to 5.1m from 4.3m',
    'Profit of 5.1m versus a loss of 4.3m',
    'Sales of 5.1m compared with 5.1m',
    'Shares up 5% from 2020',
    'Moves 1,200 workers from 2020',
    'Gold at 2,400 vs 2.1% inflation',
    'EUR/USD from 1.08',
    'Bitcoin ETF sees 5.1m from investors',
    '',
  ])('none in: %s', (text) => {
    expect(nameDirections(text)).toBe(text);
  });

  test('none in a long text of numbers', () => {
    const long = '1 vs '.repeat(820);
    expect(nameDirections(long)).toBe(long);
  });
});

describe('the model reads which number is larger, and what it counts', () => {
  test.each([
    ['Sales of 5.1m compared with 4.3m a year earlier', 'positive'],
    ['Sales of 4.3m compared with 5.1m a year earlier', 'negative'],
    ['Net profit of 12.4 million versus 15.9 million', 'negative'],
    ['Operating costs of 5.1m compared with 4.3m', 'negative'],
    ['Net debt of 4.3m compared with 5.1m', 'positive'],
    ['US GDP 1.9% vs 2.1% expected', 'negative'],
    ['US CPI 3.4% vs 3.2% expected', 'negative'],
    ['US unemployment rate 3.9% vs 4.1%', 'positive'],
    ['Payrolls 215K against an estimate of 180K', 'positive'],
  ] as const)('%s: %s', (text, expected) => {
    expect(likeliest(model.classify(text))).toBe(expected);
  });
});
