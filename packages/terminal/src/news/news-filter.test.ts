import { describe, expect, test } from 'bun:test';
import { newsItemOf } from '../../testing/news.ts';
import { ALL_NEWS, isNarrow, isRequested, matcher, newsAddress, readFilter, toggleCategory } from './news-filter.ts';

describe('a filter in the address', () => {
  test('is read as it was written', () => {
    const filter = {
      categories: ['gold', 'macro'] as const,
      sentiment: 'bearish' as const,
      symbol: 'XAUUSD',
      words: 'real yields & more',
    };
    expect(newsAddress(filter)).toBe(
      '/news?category=gold,macro&sentiment=bearish&symbol=XAUUSD&q=real+yields+%26+more',
    );
    expect(readFilter(new URL(newsAddress(filter), 'http://a').search)).toEqual(filter);
    expect(newsAddress(ALL_NEWS)).toBe('/news');
    expect(readFilter('')).toEqual(ALL_NEWS);
  });

  test('ignores invalid values', () => {
    expect(readFilter('?category=oil,gold,,gold&sentiment=good&symbol=%3Cb%3E&q=&other=1')).toEqual({
      ...ALL_NEWS,
      categories: ['gold'],
    });
    expect(readFilter('?symbol=xauusd').symbol).toBe('XAUUSD');
    expect(readFilter(`?q=${'x'.repeat(500)}`).words).toHaveLength(200);
  });

  test('all categories are the same as none', () => {
    expect(readFilter('?category=macro,crypto,gold,forex').categories).toEqual([]);
    expect(toggleCategory({ ...ALL_NEWS, categories: ['forex', 'gold', 'crypto'] }, 'macro')).toEqual([]);
    expect(toggleCategory(ALL_NEWS, 'gold')).toEqual(['gold']);
    expect(toggleCategory({ ...ALL_NEWS, categories: ['gold'] }, 'gold')).toEqual([]);
  });
});

describe('the displayed news', () => {
  const gold = newsItemOf('a', 1, {
    category: 'gold',
    symbols: ['XAUUSD'],
    title: 'Gold rises as Zürich reopens',
    sentiment: 'bullish',
  });

  test('are requested by category and instrument', () => {
    expect(isRequested(ALL_NEWS, gold)).toBe(true);
    expect(isRequested({ ...ALL_NEWS, categories: ['gold', 'macro'] }, gold)).toBe(true);
    expect(isRequested({ ...ALL_NEWS, categories: ['macro'] }, gold)).toBe(false);
    expect(isRequested({ ...ALL_NEWS, symbol: 'EURUSD' }, gold)).toBe(false);
  });

  test('contain all words, regardless of case and accents', () => {
    const finds = (words: string): boolean => matcher({ ...ALL_NEWS, words })(gold);
    expect([finds('zurich GOLD'), finds('xau'), finds('a wire'), finds('  ')]).toEqual([true, true, true, true]);
    expect([finds('gold falls'), finds('silver')]).toEqual([false, false]);
  });

  test('have the chosen sentiment', () => {
    expect(matcher({ ...ALL_NEWS, sentiment: 'bullish' })(gold)).toBe(true);
    expect(matcher({ ...ALL_NEWS, sentiment: 'neutral' })(gold)).toBe(false);
    expect([isNarrow(ALL_NEWS), isNarrow({ ...ALL_NEWS, words: ' ' }), isNarrow({ ...ALL_NEWS, symbol: 'A' })]).toEqual(
      [false, false, true],
    );
  });
});
