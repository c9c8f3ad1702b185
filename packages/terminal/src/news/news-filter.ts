// The filter of the news, which is part of the address: `/news?category=gold,macro&sentiment=bullish&symbol=XAUUSD&q=yields`.
// The service filters by category and instrument; sentiment and words are searched in the loaded headlines.

import type { NewsCategory, NewsDetail } from '@tickwire/client';
import { SYMBOL_PATTERN } from '@tickwire/contract/symbol-pattern.ts';
import { fromViewOf } from '@tickwire/contract/symbol-sentiment.ts';

export const CATEGORIES: readonly NewsCategory[] = ['forex', 'gold', 'crypto', 'macro'];
export const SENTIMENTS = ['bullish', 'neutral', 'bearish'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

export interface NewsPageFilter {
  /** In the order of `CATEGORIES`; empty for all. */
  readonly categories: readonly NewsCategory[];
  readonly sentiment: Sentiment | null;
  readonly symbol: string | null;
  readonly words: string;
}

export const ALL_NEWS: NewsPageFilter = { categories: [], sentiment: null, symbol: null, words: '' };

export const MAX_WORDS_LENGTH = 200;

/** Ignores what is not valid. */
export function readFilter(search: string): NewsPageFilter {
  const query = new URLSearchParams(search);
  const named = query.get('category')?.split(',') ?? [];
  const categories = CATEGORIES.filter((category) => named.includes(category));
  const symbol = query.get('symbol')?.toUpperCase() ?? '';
  return {
    categories: categories.length === CATEGORIES.length ? [] : categories,
    sentiment: SENTIMENTS.find((sentiment) => sentiment === query.get('sentiment')) ?? null,
    symbol: SYMBOL_PATTERN.test(symbol) ? symbol : null,
    words: (query.get('q') ?? '').slice(0, MAX_WORDS_LENGTH),
  };
}

/** Address of the news page with this filter. */
export function newsAddress({ categories, sentiment, symbol, words }: NewsPageFilter): string {
  const query = new URLSearchParams();
  if (categories.length > 0) query.set('category', categories.join(','));
  if (sentiment !== null) query.set('sentiment', sentiment);
  if (symbol !== null) query.set('symbol', symbol);
  if (words.trim() !== '') query.set('q', words);
  // A comma needs no escaping in a query and is easier to read.
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? '/news' : `/news?${text}`;
}

export function toggleCategory({ categories }: NewsPageFilter, category: NewsCategory): readonly NewsCategory[] {
  const chosen = CATEGORIES.filter((each) => categories.includes(each) !== (each === category));
  return chosen.length === CATEGORIES.length ? [] : chosen;
}

/** Whether the service returns the headline for this filter. */
export const isRequested = ({ categories, symbol }: NewsPageFilter, item: NewsDetail): boolean =>
  (categories.length === 0 || categories.includes(item.category)) && (symbol === null || item.symbols.includes(symbol));

/** Matches the sentiment, for the instrument if there is one, and each word in the title, source, category or instruments. */
export function matcher({ sentiment, symbol, words }: NewsPageFilter): (item: NewsDetail) => boolean {
  const wanted = folded(words).split(/\s+/).filter(Boolean);
  return (item) => {
    if (sentiment !== null && fromViewOf(item, symbol).sentiment !== sentiment) return false;
    if (wanted.length === 0) return true;
    const text = folded([item.title, item.source, item.category, ...item.symbols].join(' '));
    return wanted.every((word) => text.includes(word));
  };
}

/** Without case and accents. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export const isNarrow = ({ categories, sentiment, symbol, words }: NewsPageFilter): boolean =>
  categories.length > 0 || sentiment !== null || symbol !== null || words.trim() !== '';
