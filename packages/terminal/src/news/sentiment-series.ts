// The sentiment of chosen categories over time: the stretches of the answer, each category's mean weighed by its items.
import type { NewsCategory, NewsSentiment } from '@tickwire/client';

export interface Stretch {
  /** Start, in milliseconds. */
  readonly time: number;
  readonly count: number;
  readonly bullish: number;
  readonly neutral: number;
  readonly bearish: number;
  /** −1 to 1; null without items. */
  readonly mean: number | null;
}

type Counted = Pick<NewsSentiment['items'][number], 'count' | 'bullish' | 'neutral' | 'bearish' | 'mean_score'>;

/** One for each stretch of the period, empty ones too, oldest first. No category is all of them. */
export function stretchesOf(answer: NewsSentiment, categories: readonly NewsCategory[]): readonly Stretch[] {
  const wanted = ofCategories(answer, categories);
  const byTime = Map.groupBy(wanted, ({ time }) => Date.parse(time));
  const [from, to] = [Date.parse(answer.from), Date.parse(answer.to)];
  const stretches: Stretch[] = [];
  for (let time = from; time < to; time += answer.stretch_seconds * 1_000)
    stretches.push({ time, ...together(byTime.get(time) ?? []) });
  return stretches;
}

/** All of the period as one, and each category for itself, without those that had nothing. */
export function totalsOf(answer: NewsSentiment, categories: readonly NewsCategory[]) {
  const wanted = ofCategories(answer, categories);
  const byCategory = [...Map.groupBy(wanted, ({ category }) => category)]
    .map(([category, items]) => ({ category, ...together(items) }))
    .sort((a, b) => b.count - a.count);
  return { all: together(wanted), byCategory };
}

const ofCategories = ({ items }: NewsSentiment, categories: readonly NewsCategory[]): NewsSentiment['items'] =>
  categories.length === 0 ? items : items.filter(({ category }) => categories.includes(category));

function together(items: readonly Counted[]): Omit<Stretch, 'time'> {
  const sum = (of: (item: Counted) => number): number => items.reduce((total, item) => total + of(item), 0);
  const count = sum((item) => item.count);
  return {
    count,
    bullish: sum(({ bullish }) => bullish),
    neutral: sum(({ neutral }) => neutral),
    bearish: sum(({ bearish }) => bearish),
    mean: count === 0 ? null : sum(({ count: of, mean_score }) => of * mean_score) / count,
  };
}

/** The top of the score's scale: the largest mean, with some air, of a few round ones, so that the plot does not twitch. */
export function scaleOf(stretches: readonly Stretch[]): number {
  const largest = Math.max(0, ...stretches.map(({ mean }) => Math.abs(mean ?? 0)));
  return [0.25, 0.5, 1].find((top) => largest <= top) ?? 1;
}
