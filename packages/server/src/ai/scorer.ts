// What gives a headline its sentiment, whichever model it is.
import type { NewsCategory, Sentiment } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';

export interface ScoreRequest {
  /** Plain text. */
  readonly text: string;
  /** Sets the thresholds of the label; null where it is not known. */
  readonly category: NewsCategory | null;
  /** Whose view is asked for: good news for gold may be bad news for the dollar. Null: the text's own. */
  readonly symbol: MarketSymbol | null;
}

export interface Score {
  readonly sentiment: Sentiment;
  /** −1…1. */
  readonly score: number;
  /** Which model it was, with its version. */
  readonly model: string;
}

export interface Scorer {
  /** As `GET /api/ai/models` names it. */
  readonly id: string;
  readonly kind: 'local' | 'llm';
  /** As it stands in the `model` of its scores. */
  readonly version: string;
  /** Whether it answers now. */
  available(): boolean;
  /** One score for each request, in their order; throws where it cannot give all of them. */
  score(requests: readonly ScoreRequest[], signal?: AbortSignal): Promise<Score[]>;
  stop(): Promise<void>;
}
