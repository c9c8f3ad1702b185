// Turns probabilities into a label. They are calibrated per category first, so that a label with 80 % is right four times in five.
import calibration from '../model/calibration.json' with { type: 'json' };
import type { TextSentiment } from './model.ts';

export const LABELS = ['negative', 'neutral', 'positive'] as const;
export type Label = (typeof LABELS)[number];

export interface LabelRule {
  /** A higher one brings the probabilities closer to each other. */
  readonly temperature: number;
  /** A text whose likeliest label is less likely than this is neutral, and undecided. */
  readonly leastConfidence: number;
}

/** For texts without a category. */
const DEFAULT_RULE: LabelRule = { temperature: 1, leastConfidence: 0.45 };

/** Chosen on the development half of our own headlines by testing/write-calibration.ts. */
const RULES: ReadonlyMap<string, LabelRule> = new Map(calibration.categories.map((each) => [each.category, each]));

export const labelRule = (category?: string): LabelRule => RULES.get(category ?? '') ?? DEFAULT_RULE;

/** The label with the highest probability. */
export function likeliest({ negative, neutral, positive }: TextSentiment): Label {
  if (negative >= neutral && negative >= positive) return 'negative';
  return neutral >= positive ? 'neutral' : 'positive';
}

/** The sentiment as published for a category. */
export const calibrated = (sentiment: TextSentiment, category?: string): TextSentiment =>
  withTemperature(sentiment, labelRule(category).temperature);

/** Divides the logarithm of each probability by the temperature. */
export function withTemperature(sentiment: TextSentiment, temperature: number): TextSentiment {
  if (temperature === 1) return sentiment;
  const [negative, neutral, positive] = LABELS.map((label) => sentiment[label] ** (1 / temperature)) as [
    number,
    number,
    number,
  ];
  const total = negative + neutral + positive;
  const [up, down] = [positive / total, negative / total];
  return { positive: up, neutral: neutral / total, negative: down, score: up - down };
}

export interface JudgedText {
  readonly label: Label;
  /** Neutral only because no label is likely enough. */
  readonly undecided: boolean;
}

/** The label of calibrated probabilities. */
export const judge = (sentiment: TextSentiment, category?: string): JudgedText =>
  judgeWith(sentiment, labelRule(category).leastConfidence);

/** The label of calibrated probabilities, with a given limit. */
export function judgeWith(sentiment: TextSentiment, leastConfidence: number): JudgedText {
  const label = likeliest(sentiment);
  const undecided = sentiment[label] < leastConfidence;
  return { label: undecided ? 'neutral' : label, undecided };
}

/** Scores of at least this are positive, scores of at most minus this are negative. */
export const SCORE_THRESHOLD = 0.35;

/** The label of a model that returns only a score. */
export function labelOfScore(score: number): Label {
  if (score >= SCORE_THRESHOLD) return 'positive';
  return score <= -SCORE_THRESHOLD ? 'negative' : 'neutral';
}
