// Turns probabilities into a label. They are calibrated per category first, and the label depends only on the published score, so
// anyone can check it.
import type { TextSentiment } from './model.ts';

export const LABELS = ['negative', 'neutral', 'positive'] as const;
export type Label = (typeof LABELS)[number];

export interface LabelRule {
  /** Scores of at least this are positive, scores of at most minus this are negative, and the rest are neutral. */
  readonly threshold: number;
  /** A higher one brings the probabilities closer to each other. */
  readonly temperature: number;
  /** The probabilities of neutral and positive are multiplied by e to these powers before they are normalised. */
  readonly neutralOffset: number;
  readonly positiveOffset: number;
  /** A text that is neutral although neutral is less likely than this is undecided. */
  readonly leastNeutral: number;
}

/** For texts without a category: within half a point of the likeliest label on both held-out sets. */
const DEFAULT_RULE: LabelRule = {
  threshold: 0.35,
  temperature: 1,
  neutralOffset: 0,
  positiveOffset: 0,
  leastNeutral: 0.5,
};

/** Rules by category; MODEL-CARD.md has the measurements. */
const RULES: ReadonlyMap<string, LabelRule> = new Map([
  ['forex', { ...DEFAULT_RULE, threshold: 0.4 }],
  ['macro', { ...DEFAULT_RULE, threshold: 0.4 }],
  ['gold', { ...DEFAULT_RULE, threshold: 0.2 }],
  ['crypto', { ...DEFAULT_RULE, threshold: 0.4, neutralOffset: -0.8 }],
]);

export const labelRule = (category?: string): LabelRule => RULES.get(category ?? '') ?? DEFAULT_RULE;

export function labelOf(score: number, category?: string): Label {
  const { threshold } = labelRule(category);
  if (score >= threshold) return 'positive';
  return score <= -threshold ? 'negative' : 'neutral';
}

/** The label with the highest probability. */
export function likeliest({ negative, neutral, positive }: TextSentiment): Label {
  if (negative >= neutral && negative >= positive) return 'negative';
  return neutral >= positive ? 'neutral' : 'positive';
}

/** The sentiment as published for a category. Pass its score to `labelOf`. */
export const calibrated = (sentiment: TextSentiment, category?: string): TextSentiment =>
  calibratedBy(labelRule(category), sentiment);

export function calibratedBy(
  { temperature, neutralOffset, positiveOffset }: LabelRule,
  sentiment: TextSentiment,
): TextSentiment {
  const negative = sentiment.negative ** (1 / temperature);
  const neutral = sentiment.neutral ** (1 / temperature) * Math.exp(neutralOffset);
  const positive = sentiment.positive ** (1 / temperature) * Math.exp(positiveOffset);
  const total = negative + neutral + positive;
  const [up, down] = [positive / total, negative / total];
  return { positive: up, neutral: neutral / total, negative: down, score: up - down };
}

/** Whether a text is neutral only because no label is likely enough. */
export const isUndecided = (label: Label, { neutral }: TextSentiment, category?: string): boolean =>
  label === 'neutral' && neutral < labelRule(category).leastNeutral;
