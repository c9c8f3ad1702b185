// Assigns an item to one of the four categories, or rejects it as off topic.
//
// The score of a category is the sum of the weights of its distinct phrases: full weight in the title, half weight if only
// the summary has the phrase. The category of the source gets 2 more. The highest score wins if it is at least 2; otherwise
// the item is off topic. If other categories are less than 1 behind, the source's own category wins, else the most specific
// one: gold, crypto, forex, macro.
import type { NewsCategory } from '@tickwire/contract';
import type { InstrumentSpec } from '@tickwire/engine';
import { CATEGORY_OF_TYPE } from '../../ai/scorer.ts';
import { CATEGORY_WORDS } from './category-words.ts';
import { OFF_TOPIC_PHRASES } from './off-topic-phrases.ts';
import { PhraseMatcher } from './phrase-matcher.ts';
import type { Tokens } from './tokenizer.ts';

const SPECIFIC_FIRST: readonly NewsCategory[] = ['gold', 'crypto', 'forex', 'macro'];
const MIN_SCORE = 2;
const MARGIN = 1;
const SOURCE_WEIGHT = 2;
const SUMMARY_FACTOR = 0.5;
/** Weight of an instrument's symbol, or of a pair such as EUR/USD. */
const INSTRUMENT_WEIGHT = 3;

const CURRENCIES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'NZD', 'CNY', 'CNH'] as const;

export type Classification = { readonly category: NewsCategory } | { readonly offTopic: string };

interface Weight {
  readonly category: NewsCategory;
  readonly weight: number;
}

const splitList = (phrases: string): string[] => phrases.split(',').map((phrase) => phrase.trim());

export class CategoryClassifier {
  readonly #weights: PhraseMatcher<readonly Weight[]>;
  readonly #offTopic = new PhraseMatcher(
    Object.entries(OFF_TOPIC_PHRASES).flatMap(([group, phrases]) =>
      splitList(phrases).map((phrase) => [phrase, group] as const),
    ),
  );

  constructor(instruments: readonly InstrumentSpec[] = []) {
    const weights = new Map<string, Weight[]>();
    const add = (phrase: string, category: NewsCategory, weight: number): void => {
      weights.set(phrase, [...(weights.get(phrase) ?? []), { category, weight }]);
    };
    for (const category of SPECIFIC_FIRST)
      for (const [weight, phrases] of Object.entries(CATEGORY_WORDS[category]))
        for (const phrase of splitList(phrases)) add(phrase, category, Number(weight));
    for (const base of CURRENCIES)
      for (const quote of CURRENCIES) {
        if (base === quote) continue;
        for (const pair of [`${base}${quote}`, `${base} ${quote}`]) add(pair, 'forex', INSTRUMENT_WEIGHT);
      }
    // Shorter symbols are also words: CAT, ALL.
    for (const { symbol, type } of instruments)
      if (symbol.length > 4 && type !== 'forex') add(symbol, CATEGORY_OF_TYPE[type], INSTRUMENT_WEIGHT);
    this.#weights = new PhraseMatcher(weights);
  }

  /** `source`: the category of the source, if it has one. */
  classify(source: NewsCategory | null, title: Tokens, summary: Tokens | null): Classification {
    const offTopic = this.#offTopic.find(title.stems)[0];
    if (offTopic) return { offTopic: offTopic.value };
    const scores: Record<NewsCategory, number> = { gold: 0, crypto: 0, forex: 0, macro: 0 };
    if (source) scores[source] += SOURCE_WEIGHT;
    const counted = new Set<readonly Weight[]>();
    const count = (words: Tokens, factor: number): void => {
      for (const { value } of this.#weights.find(words.stems)) {
        if (counted.has(value)) continue;
        counted.add(value);
        for (const { category, weight } of value) scores[category] += weight * factor;
      }
    };
    count(title, 1);
    if (summary) count(summary, SUMMARY_FACTOR);
    const best = Math.max(...Object.values(scores));
    if (best < MIN_SCORE) return { offTopic: 'no_market' };
    const close = SPECIFIC_FIRST.filter((category) => scores[category] > best - MARGIN);
    return { category: source && close.includes(source) ? source : close[0]! };
  }
}
