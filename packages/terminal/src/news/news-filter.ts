// Which news the reader wants to see, as it stands in the address: `/news?category=gold,macro&sentiment=bullish&symbol=XAUUSD&q=yields`.
// Category and instrument are asked of the service; sentiment and words are looked for in what is loaded.
import type { NewsCategory, NewsDetail } from '@tickwire/client';

export const CATEGORIES: readonly NewsCategory[] = ['forex', 'gold', 'crypto', 'macro'];
export const SENTIMENTS = ['bullish', 'neutral', 'bearish'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

export interface NewsFilter {
  /** In the order of CATEGORIES; empty for all. */
  readonly categories: readonly NewsCategory[];
  readonly sentiment: Sentiment | null;
  readonly symbol: string | null;
  readonly words: string;
}

export const ALL_NEWS: NewsFilter = { categories: [], sentiment: null, symbol: null, words: '' };

/** Longer texts are nobody's search. */
const LONGEST_WORDS = 200;
const SYMBOL = /^[\w.-]{1,32}$/;

/** What means nothing in an address is left out, as one may be mistyped. */
export function readFilter(search: string): NewsFilter {
  const given = new URLSearchParams(search);
  const named = given.get('category')?.split(',') ?? [];
  const categories = CATEGORIES.filter((category) => named.includes(category));
  const symbol = given.get('symbol')?.toUpperCase() ?? '';
  return {
    categories: categories.length === CATEGORIES.length ? [] : categories,
    sentiment: SENTIMENTS.find((sentiment) => sentiment === given.get('sentiment')) ?? null,
    symbol: SYMBOL.test(symbol) ? symbol : null,
    words: (given.get('q') ?? '').slice(0, LONGEST_WORDS),
  };
}

/** The address of the page with this filter. */
export function addressOf({ categories, sentiment, symbol, words }: NewsFilter): string {
  const query = new URLSearchParams();
  if (categories.length > 0) query.set('category', categories.join(','));
  if (sentiment !== null) query.set('sentiment', sentiment);
  if (symbol !== null) query.set('symbol', symbol);
  if (words.trim() !== '') query.set('q', words);
  // A comma needs no escaping in a query, and reads better.
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? '/news' : `/news?${text}`;
}

export function toggled({ categories }: NewsFilter, category: NewsCategory): readonly NewsCategory[] {
  const chosen = CATEGORIES.filter((each) => categories.includes(each) !== (each === category));
  return chosen.length === CATEGORIES.length ? [] : chosen;
}

/** What the service is asked for. */
export const belongs = ({ categories, symbol }: NewsFilter, item: NewsDetail): boolean =>
  (categories.length === 0 || categories.includes(item.category)) && (symbol === null || item.symbols.includes(symbol));

/** What of that is shown: the label, and every word somewhere in the title, the source or the instruments. */
export function matcher({ sentiment, words }: NewsFilter): (item: NewsDetail) => boolean {
  const wanted = folded(words).split(/\s+/).filter(Boolean);
  return (item) => {
    if (sentiment !== null && item.sentiment !== sentiment) return false;
    if (wanted.length === 0) return true;
    const text = folded([item.title, item.source, item.category, ...item.symbols].join(' '));
    return wanted.every((word) => text.includes(word));
  };
}

/** Case and accents aside. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export const isNarrow = ({ categories, sentiment, symbol, words }: NewsFilter): boolean =>
  categories.length > 0 || sentiment !== null || symbol !== null || words.trim() !== '';
