// The interface of sentiment models, their error, and the rule that gives a score its label.
import type { NewsCategory, SentimentCertainty, SentimentLabel } from '@tickwire/contract';
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import { judge, labelOfScore, type TextSentiment } from '@tickwire/sentiment';

export interface ScoreRequest {
  /** Plain text. */
  readonly text: string;
  /** The local model reads it, and is calibrated for it; `null` if unknown. */
  readonly category: NewsCategory | null;
  /** The instrument to score for: good news for gold may be bad news for the dollar. `null`: the subject of the text. */
  readonly symbol: MarketSymbol | null;
  /**
   * Who wrote the text. Texts of different origins never share a prompt, because one may contain instructions that change the
   * scores of the others. Default: the caller trusts all texts without an origin.
   */
  readonly origin?: string;
}

/** The category of a text about an instrument of this type. */
export const CATEGORY_OF_TYPE: Readonly<Record<InstrumentSpec['type'], NewsCategory>> = {
  forex: 'forex',
  metal: 'gold',
  crypto: 'crypto',
  index: 'macro',
  energy: 'macro',
  equity: 'macro',
};

/** Indexes of the requests, by origin. */
export const indexesByOrigin = (requests: readonly ScoreRequest[]): number[][] => [
  ...Map.groupBy(requests.keys(), (index) => requests[index]!.origin).values(),
];

export interface Score {
  readonly sentiment: SentimentLabel;
  /** −1 to 1. */
  readonly score: number;
  /** The model and its version. */
  readonly model: string;
  /** `null` for a model that returns only scores. */
  readonly certainty: SentimentCertainty | null;
}

export interface Scorer {
  /** As in `GET /api/ai/models`. */
  readonly id: string;
  readonly kind: 'local' | 'llm';
  /** As in the `model` of its scores. */
  readonly version: string;
  /** Whether it can take requests now. */
  available(): boolean;
  /** One score per request, in the same order; throws if it cannot score all of them. */
  score(requests: readonly ScoreRequest[], signal?: AbortSignal): Promise<Score[]>;
  stop(): Promise<void>;
}

export type ScorerFault =
  /** Too many requests are waiting; none of this one was accepted. */
  | 'queue_full'
  | 'timed_out'
  /** It failed, or could not be started or reached. */
  | 'failed'
  /** Its response was invalid, or it refused the request. */
  | 'bad_response'
  /** It is not called for a while, after failures or because it asked for it. */
  | 'circuit_open'
  /** It is not called for this origin for a while, after failures with its texts. */
  | 'origin_paused'
  /** It got as many requests today as the operator allows. */
  | 'day_used_up'
  | 'aborted'
  | 'stopped';

/** Why a model returned no scores. */
export class ScorerError extends Error {
  override name = 'ScorerError';
  readonly fault: ScorerFault;

  constructor(fault: ScorerFault, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.fault = fault;
  }
}

const LABELS = { positive: 'bullish', neutral: 'neutral', negative: 'bearish' } as const;

/** The score of a model that returns nothing else. Rounded first, so that the label follows from the published score. */
export function toScore(value: number, model: string): Score {
  const score = rounded(value);
  return { sentiment: LABELS[labelOfScore(score)], score, model, certainty: null };
}

/** The score of a model that returns probabilities, which are calibrated for the category. */
export function withProbabilities(given: TextSentiment, category: NewsCategory | null, model: string): Score {
  const { label, undecided } = judge(given, category ?? undefined);
  const { negative, neutral, positive, score } = given;
  const certainty: SentimentCertainty = {
    confidence: rounded(given[label]),
    undecided,
    probabilities: { bearish: rounded(negative), neutral: rounded(neutral), bullish: rounded(positive) },
  };
  return { sentiment: LABELS[label], score: rounded(score), model, certainty };
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 + 0;
