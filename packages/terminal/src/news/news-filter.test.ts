import { describe, expect, test } from 'bun:test';
import { newsItemOf } from './news.fixture.ts';
import { ALL_NEWS, addressOf, belongs, isNarrow, matcher, readFilter, toggled } from './news-filter.ts';

describe('a filter in the address', () => {
  test('comes back as it was written', () => {
    const filter = {
      categories: ['gold', 'macro'] as const,
      sentiment: 'bearish' as const,
      symbol: 'XAUUSD',
      words: 'real yields & more',
    };
    expect(addressOf(filter)).toBe('/news?category=gold,macro&sentiment=bearish&symbol=XAUUSD&q=real+yields+%26+more');
    expect(readFilter(new URL(addressOf(filter), 'http://a').search)).toEqual(filter);
    expect(addressOf(ALL_NEWS)).toBe('/news');
    expect(readFilter('')).toEqual(ALL_NEWS);
  });

  test('what means nothing in it is left out', () => {
    expect(readFilter('?category=oil,gold,,gold&sentiment=good&symbol=%3Cb%3E&q=&other=1')).toEqual({
      ...ALL_NEWS,
      categories: ['gold'],
    });
    expect(readFilter('?symbol=xauusd').symbol).toBe('XAUUSD');
    expect(readFilter(`?q=${'x'.repeat(500)}`).words).toHaveLength(200);
  });

  test('every category is no category', () => {
    expect(readFilter('?category=macro,crypto,gold,forex').categories).toEqual([]);
    expect(toggled({ ...ALL_NEWS, categories: ['forex', 'gold', 'crypto'] }, 'macro')).toEqual([]);
    expect(toggled(ALL_NEWS, 'gold')).toEqual(['gold']);
    expect(toggled({ ...ALL_NEWS, categories: ['gold'] }, 'gold')).toEqual([]);
  });
});

describe('what is shown', () => {
  const gold = newsItemOf('a', 1, {
    category: 'gold',
    symbols: ['XAUUSD'],
    title: 'Gold rises as Zürich reopens',
    sentiment: 'bullish',
  });

  test('category and instrument say what belongs', () => {
    expect(belongs(ALL_NEWS, gold)).toBe(true);
    expect(belongs({ ...ALL_NEWS, categories: ['gold', 'macro'] }, gold)).toBe(true);
    expect(belongs({ ...ALL_NEWS, categories: ['macro'] }, gold)).toBe(false);
    expect(belongs({ ...ALL_NEWS, symbol: 'EURUSD' }, gold)).toBe(false);
  });

  test('all words have to be there, in any case and without accents', () => {
    const finds = (words: string): boolean => matcher({ ...ALL_NEWS, words })(gold);
    expect([finds('zurich GOLD'), finds('xau'), finds('a wire'), finds('  ')]).toEqual([true, true, true, true]);
    expect([finds('gold falls'), finds('silver')]).toEqual([false, false]);
  });

  test('the label too', () => {
    expect(matcher({ ...ALL_NEWS, sentiment: 'bullish' })(gold)).toBe(true);
    expect(matcher({ ...ALL_NEWS, sentiment: 'neutral' })(gold)).toBe(false);
    expect([isNarrow(ALL_NEWS), isNarrow({ ...ALL_NEWS, words: ' ' }), isNarrow({ ...ALL_NEWS, symbol: 'A' })]).toEqual(
      [false, false, true],
    );
  });
});
