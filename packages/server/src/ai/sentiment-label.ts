// From a number to a score with its label: the same thresholds whichever model gave the number.
import type { NewsCategory } from '@tickwire/contract';
import { labelOf } from '@tickwire/sentiment';
import type { Score } from './scorer.ts';

const LABELS = { positive: 'bullish', neutral: 'neutral', negative: 'bearish' } as const;

/** Rounded first: the label follows from the very score that a reader sees. */
export function scoreOf(value: number, category: NewsCategory | null, model: string): Score {
  const score = Math.round(value * 1e4) / 1e4 + 0;
  return { sentiment: LABELS[labelOf(score, category ?? undefined)], score, model };
}
