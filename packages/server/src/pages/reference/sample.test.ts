import { describe, expect, test } from 'bun:test';
import { flatJson, formatJson, highlightJson, withPlaceholders } from './sample.ts';

describe('samples', () => {
  const value = {
    symbols: ['EURUSD', 'XAUUSD'],
    rejected: [],
    deep: { a: { b: [1, -2.5, null, true] } },
    text: 'x"<:',
  };

  test('JSON keeps its meaning in both layouts', () => {
    expect(JSON.parse(formatJson(value))).toEqual(value);
    expect(JSON.parse(flatJson(value))).toEqual(value);
  });

  test('keeps short lists on one line, but not the outermost object', () => {
    expect(formatJson({ symbols: ['EURUSD'] })).toBe('{\n  "symbols": ["EURUSD"]\n}');
    expect(flatJson({ symbols: ['EURUSD'], none: {} })).toBe('{ "symbols": ["EURUSD"], "none": {} }');
  });

  test('highlighting does not change the text', () => {
    const text = formatJson(value);
    const plain = highlightJson(text)
      .markup.replace(/<\/?i[^>]*>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<');
    expect(plain).toBe(text);
  });

  test('puts placeholders for the address of the service into escaped text', () => {
    expect(withPlaceholders('a<\uE000/x \uE002=').markup).toBe(
      'a&lt;<span data-origin="http">http://localhost:8080</span>/x <span data-origin="cookie">tickwire</span>=',
    );
  });
});
