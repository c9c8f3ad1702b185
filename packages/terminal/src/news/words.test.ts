import { describe, expect, test } from 'bun:test';
import { outsideAddress, score, sourcesText } from './words.ts';

describe('a score', () => {
  test('has its sign, unless it rounds to nothing', () => {
    expect([score(0.624), score(-0.05), score(0.004), score(-0.004), score(1), score(null)]).toEqual([
      '+0.62',
      '−0.05',
      '0.00',
      '0.00',
      '+1.00',
      '–',
    ]);
  });
});

describe('an address outside', () => {
  test('is http or https, and nothing that a page could run', () => {
    expect(outsideAddress('https://example.com/a?b=1')).toBe('https://example.com/a?b=1');
    expect(outsideAddress('http://example.com')).toBe('http://example.com/');
    for (const url of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'file:///etc',
      '//x',
      'x',
      '',
      null,
    ])
      expect([url, outsideAddress(url)]).toEqual([url, null]);
  });
});

test('sources are counted in words', () => {
  expect([sourcesText(1), sourcesText(4)]).toEqual(['1 source', '4 sources']);
});
