// Sentiment of the chosen categories by interval. Averages are weighted by the number of headlines.
import type { NewsCategory, NewsSentiment } from '@tickwire/client';

export interface SentimentInterval {
  /** Start, milliseconds since the epoch. */
  readonly time: number;
  readonly count: number;
  readonly bullish: number;
  readonly neutral: number;
  readonly bearish: number;
  /** −1 to 1; `null` without headlines. */
  readonly mean: number | null;
}

type Counted = Pick<NewsSentiment['items'][number], 'count' | 'bullish' | 'neutral' | 'bearish' | 'mean_score'>;

/** Every interval of the period, including empty ones, oldest first. No category means all of them. */
export function intervalsOf(
  sentiment: NewsSentiment,
  categories: readonly NewsCategory[],
): readonly SentimentInterval[] {
  const wanted = itemsOf(sentiment, categories);
  const byTime = Map.groupBy(wanted, ({ time }) => Date.parse(time));
  const [from, to] = [Date.parse(sentiment.from), Date.parse(sentiment.to)];
  const intervals: SentimentInterval[] = [];
  for (let time = from; time < to; time += sentiment.stretch_seconds * 1_000)
    intervals.push({ time, ...totalOf(byTime.get(time) ?? []) });
  return intervals;
}

/** Totals of the period, and by category, most headlines first. Categories without headlines are left out. */
export function totalsOf(sentiment: NewsSentiment, categories: readonly NewsCategory[]) {
  const wanted = itemsOf(sentiment, categories);
  const byCategory = [...Map.groupBy(wanted, ({ category }) => category)]
    .map(([category, items]) => ({ category, ...totalOf(items) }))
    .sort((a, b) => b.count - a.count);
  return { all: totalOf(wanted), byCategory };
}

const itemsOf = ({ items }: NewsSentiment, categories: readonly NewsCategory[]): NewsSentiment['items'] =>
  categories.length === 0 ? items : items.filter(({ category }) => categories.includes(category));

function totalOf(items: readonly Counted[]): Omit<SentimentInterval, 'time'> {
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

/** Top of the scale: one of a few round values, so that the plot does not rescale all the time. */
export function scaleOf(intervals: readonly SentimentInterval[]): number {
  const largest = Math.max(0, ...intervals.map(({ mean }) => Math.abs(mean ?? 0)));
  return [0.25, 0.5, 1].find((top) => largest <= top) ?? 1;
}
