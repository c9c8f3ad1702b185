import { describe, expect, test } from 'bun:test';
import { type CurlOptions, curl, flatJson, formatJson, highlightJson } from './sample.ts';

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

  test('a request without a key has no key header', () => {
    expect(curl('/healthz', { keyed: false }).markup).not.toContain('X-API-Key');
    expect(curl('/api/symbols', { keyed: true }).markup).toContain('X-API-Key: $TICKWIRE_API_KEY');
  });

  test('a request with a document sets Content-Type, one without a body sets -X POST', () => {
    const text = (options: CurlOptions) => curl('/x', options).markup.replaceAll('&quot;', '"').replaceAll('&lt;', '<');
    const posted = text({ keyed: true, method: 'POST', document: { note: "it's" } });
    expect(posted).toContain('Content-Type: application/json');
    expect(posted).toContain('\n{\n  "note": "it&#39;s"\n}\nEND');
    expect(posted).not.toContain('-X POST');
    expect(text({ keyed: true, method: 'POST' })).toContain('-X POST \\\n');
    expect(text({ keyed: false, method: 'POST', lines: ['{}', '{}'] })).toContain(
      '--data-binary @- <<&#39;END&#39;\n{}\n{}\nEND',
    );
  });
});
