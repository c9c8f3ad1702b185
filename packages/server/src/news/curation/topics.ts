// Which of the four categories an item belongs to, or that it is off topic.
//
// Each category scores the sum of the weights of its different phrases: those in the title in full, those that only the
// summary has by half. A source that writes about one category adds 2 to it. The highest score wins if it is at least 2;
// below that the item is off topic. Where the next is less than 1 behind, the source's own category goes first, then the
// more special one: gold, crypto, forex, macro.
import type { NewsCategory } from '@tickwire/contract';
import type { InstrumentSpec } from '@tickwire/engine';
import { OFF_TOPIC } from './off-topic-words.ts';
import { PhraseBook } from './phrase-book.ts';
import { TOPIC_WORDS } from './topic-words.ts';
import type { Words } from './words.ts';

const SPECIAL_FIRST: readonly NewsCategory[] = ['gold', 'crypto', 'forex', 'macro'];
const ON_TOPIC = 2;
const MARGIN = 1;
const SOURCE_WEIGHT = 2;
const SUMMARY_PART = 0.5;
/** An instrument named by its symbol, a pair such as EUR/USD. */
const INSTRUMENT_WEIGHT = 3;

export const CATEGORY_OF_TYPE: Readonly<Record<InstrumentSpec['type'], NewsCategory>> = {
  forex: 'forex',
  metal: 'gold',
  crypto: 'crypto',
  index: 'macro',
  energy: 'macro',
  equity: 'macro',
};
const CURRENCIES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'NZD', 'CNY', 'CNH'] as const;

export type Topic = { readonly category: NewsCategory } | { readonly offTopic: string };

interface Weight {
  readonly category: NewsCategory;
  readonly weight: number;
}

const listed = (phrases: string): string[] => phrases.split(',').map((phrase) => phrase.trim());

export class Topics {
  readonly #weights: PhraseBook<readonly Weight[]>;
  readonly #never = new PhraseBook(
    Object.entries(OFF_TOPIC).flatMap(([group, phrases]) => listed(phrases).map((phrase) => [phrase, group] as const)),
  );

  constructor(instruments: readonly InstrumentSpec[] = []) {
    const weights = new Map<string, Weight[]>();
    const add = (phrase: string, category: NewsCategory, weight: number): void => {
      weights.set(phrase, [...(weights.get(phrase) ?? []), { category, weight }]);
    };
    for (const category of SPECIAL_FIRST)
      for (const [weight, phrases] of Object.entries(TOPIC_WORDS[category]))
        for (const phrase of listed(phrases)) add(phrase, category, Number(weight));
    for (const over of CURRENCIES)
      for (const under of CURRENCIES) {
        if (over === under) continue;
        for (const pair of [`${over}${under}`, `${over} ${under}`]) add(pair, 'forex', INSTRUMENT_WEIGHT);
      }
    // Shorter ones are words as well: CAT, ALL.
    for (const { symbol, type } of instruments)
      if (symbol.length > 4 && type !== 'forex') add(symbol, CATEGORY_OF_TYPE[type], INSTRUMENT_WEIGHT);
    this.#weights = new PhraseBook(weights);
  }

  of(source: NewsCategory | null, title: Words, summary: Words | null): Topic {
    const never = this.#never.find(title.stems)[0];
    if (never) return { offTopic: never.value };
    const scores: Record<NewsCategory, number> = { gold: 0, crypto: 0, forex: 0, macro: 0 };
    if (source) scores[source] += SOURCE_WEIGHT;
    const counted = new Set<readonly Weight[]>();
    const count = (words: Words, part: number): void => {
      for (const { value } of this.#weights.find(words.stems)) {
        if (counted.has(value)) continue;
        counted.add(value);
        for (const { category, weight } of value) scores[category] += weight * part;
      }
    };
    count(title, 1);
    if (summary) count(summary, SUMMARY_PART);
    const best = Math.max(...Object.values(scores));
    if (best < ON_TOPIC) return { offTopic: 'no_market' };
    const close = SPECIAL_FIRST.filter((category) => scores[category] > best - MARGIN);
    return { category: source && close.includes(source) ? source : close[0]! };
  }
}
