import { describe, expect, test } from 'bun:test';
import { LINE_EXAMPLES, RESPONSE_EXAMPLES } from '../documents/examples.ts';
import { MAX_NEWS_TITLE, NewsLine } from './ingest.ts';

const wrong = (line: unknown) => [...new Set(NewsLine.safeParse(line).error?.issues.map(({ path }) => path.join('.')))];

describe('a pushed news item', () => {
  test('needs only a title', () => {
    expect(NewsLine.parse({ title: 'Gold holds', author: 'x' })).toEqual({ title: 'Gold holds' });
    expect(wrong({ source: 'example-wire' })).toEqual(['title']);
    for (const line of [null, [], 'text', 5]) expect(wrong(line)).toEqual(['']);
  });

  test('has a title that is measured in code points and is not blank', () => {
    for (const title of ['x', 'x'.repeat(MAX_NEWS_TITLE), '😀'.repeat(MAX_NEWS_TITLE), 'two\nlines'])
      expect(wrong({ title })).toEqual([]);
    for (const title of ['', ' \n\t', 'x'.repeat(MAX_NEWS_TITLE + 1), '😀'.repeat(MAX_NEWS_TITLE + 1), 7])
      expect(wrong({ title })).toEqual(['title']);
  });

  test('rejects a title of ten megabytes', () => {
    expect(wrong({ title: 'x'.repeat(10_000_000) })).toEqual(['title']);
  });

  test('names the invalid field', () => {
    const fields = {
      url: ['javascript:alert(1)', 'data:text/html,x', '//example.com', 'ftp://example.com/x', '', null],
      source: ['', ' ', 'x'.repeat(101)],
      category: ['Gold', 'oil', ''],
      id: ['', 'x'.repeat(256), 7],
      time: ['today', '2026-03-02', '2026-03-02T11:10:00', -1, null],
    };
    for (const [name, values] of Object.entries(fields)) {
      for (const value of values)
        expect([name, value, ...wrong({ title: 'x', [name]: value })]).toEqual([name, value, name]);
    }
  });

  test('of the example is accepted or rejected as in the example response', () => {
    const refused = (LINE_EXAMPLES.ingestNews ?? []).flatMap((line, at) =>
      NewsLine.safeParse(JSON.parse(line)).success ? [] : [at + 1],
    );
    const { accepted, rejected, rejected_count } = RESPONSE_EXAMPLES.ingestNews;
    expect(rejected.map(({ line }) => line)).toEqual(refused);
    expect([accepted, rejected_count]).toEqual([
      (LINE_EXAMPLES.ingestNews ?? []).length - refused.length,
      refused.length,
    ]);
  });
});
