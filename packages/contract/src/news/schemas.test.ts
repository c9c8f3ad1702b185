import { describe, expect, test } from 'bun:test';
import { NewsPublished, NewsRevised } from '../stream/data-messages.ts';
import { NEWS_DETAIL_EXAMPLE, NEWS_EXAMPLES, NEWS_REVISION_EXAMPLE } from './examples.ts';
import { NewsList, NewsQuery } from './schemas.ts';

describe('the news list', () => {
  test('accepts items with and without details, and keeps all fields', () => {
    const items = [NEWS_DETAIL_EXAMPLE, ...NEWS_EXAMPLES];
    expect(NewsList.parse({ items })).toEqual({ items });
  });

  test('rejects invalid details', () => {
    const fits = (fields: object) => NewsPublished.safeParse({ ...NEWS_DETAIL_EXAMPLE, ...fields }).success;
    expect(fits({ url: null, symbols: [] })).toBe(true);
    for (const fields of [{ cluster: 0 }, { revision: -1 }, { sentiment_score: 1.01 }, { url: undefined }, { id: 7 }])
      expect([fields, fits(fields)]).toEqual([fields, false]);
  });
});

describe('the news query', () => {
  test('requests plain items by default', () => {
    expect(NewsQuery.parse({})).toEqual({ detail: false, limit: 20 });
  });

  test('parses a time and a boolean', () => {
    expect(NewsQuery.parse({ since: '2026-03-02T11:10:00Z', detail: 'true' })).toMatchObject({
      since: Date.UTC(2026, 2, 2, 11, 10),
      detail: true,
    });
    expect(NewsQuery.parse({ detail: 'false' }).detail).toBe(false);
    for (const detail of ['', '1', 'TRUE', 'yes']) expect(NewsQuery.safeParse({ detail }).success).toBe(false);
  });
});

describe('the cursor of a page', () => {
  const read = (before: string): unknown => NewsQuery.parse({ before }).before;

  test('is an id, or a time in milliseconds', () => {
    expect(read('4d9s2v7b0c')).toBe('4d9s2v7b0c');
    expect(read('news_4d9s2v7b')).toBe('news_4d9s2v7b');
    // 32 digits are an id that happens to have no letters.
    expect(read('1'.repeat(32))).toBe('1'.repeat(32));
    expect(read('2026-03-02T11:10:00Z')).toBe(Date.UTC(2026, 2, 2, 11, 10));
    expect(read('1772449800')).toBe(1_772_449_800_000);
  });

  test('is neither a mistyped time nor arbitrary text', () => {
    for (const before of ['', ' ', '2026-13-01', '2026-3-2', '-1', '1.5', 'a b', 'ü', 'x'.repeat(65)])
      expect([before, NewsQuery.safeParse({ before }).success]).toEqual([before, false]);
  });
});

describe('messages of the news stream', () => {
  test('have `revised` only in a revision', () => {
    const { revised, ...rest } = NewsRevised.parse({ ...NEWS_REVISION_EXAMPLE, revised: true });
    expect(revised).toBe(true);
    expect(NewsPublished.parse(rest)).toEqual(NEWS_REVISION_EXAMPLE);
    expect(NewsRevised.safeParse(NEWS_REVISION_EXAMPLE).success).toBe(false);
    expect(NewsRevised.safeParse({ ...NEWS_REVISION_EXAMPLE, revised: false }).success).toBe(false);
  });

  test('can have continuity fields', () => {
    const numbered = { ...NEWS_DETAIL_EXAMPLE, seq: 12, prev: 9, epoch: 'e7' };
    expect(NewsPublished.parse(numbered)).toEqual(numbered);
  });
});
