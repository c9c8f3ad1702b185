import { describe, expect, test } from 'bun:test';
import { certaintyText, externalAddress, score, sourcesText } from './labels.ts';

describe('a score', () => {
  test('has a sign unless it rounds to zero', () => {
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

describe('an external address', () => {
  test('is http or https, and nothing that a browser would run', () => {
    expect(externalAddress('https://example.com/a?b=1')).toBe('https://example.com/a?b=1');
    expect(externalAddress('http://example.com')).toBe('http://example.com/');
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
      expect([url, externalAddress(url)]).toEqual([url, null]);
  });
});

test('the number of sources is written in words', () => {
  expect([sourcesText(1), sourcesText(4)]).toEqual(['1 source', '4 sources']);
});

test('says how sure the model is', () => {
  const probabilities = { bearish: 0.05, neutral: 0.17, bullish: 0.78 };
  expect(certaintyText({ confidence: 0.78, undecided: false, probabilities })).toBe(
    'bearish 5%, neutral 17%, bullish 78%',
  );
  expect(certaintyText({ confidence: 0.3, undecided: true, probabilities })).toStartWith('Undecided: bearish 5%');
});
