// Which models there are, and which one answers: the language model where there is one that answers in time, else the local
// one. Every score says which it was.
import type { AiModel } from '@tickwire/contract';
import { ApiError } from '../http/api-error.ts';
import { LLM_BATCH } from './llm-scorer.ts';
import type { Score, ScoreRequest, Scorer } from './scorer.ts';
import { ScorerError } from './scorer-error.ts';

export interface ModelsOptions {
  readonly local: Scorer;
  readonly llm: Scorer | null;
}

export interface ScoreOptions {
  /** Id of a model, and no other may answer; the best there is where left out. */
  readonly model?: string | undefined;
  readonly signal?: AbortSignal;
}

export class Models {
  readonly #local: Scorer;
  readonly #llm: Scorer | null;

  constructor({ local, llm }: ModelsOptions) {
    this.#local = local;
    this.#llm = llm;
  }

  list(): AiModel[] {
    const chosen = this.#llm?.available() ? this.#llm : this.#local;
    return this.#all().map((scorer) => ({
      id: scorer.id,
      kind: scorer.kind,
      tasks: scorer.kind === 'llm' ? ['sentiment', 'brief'] : ['sentiment'],
      available: scorer.available(),
      version: scorer.version,
      default: scorer === chosen,
    }));
  }

  /** Ids of those that answer now. */
  available(): string[] {
    return this.#all()
      .filter((scorer) => scorer.available())
      .map(({ id }) => id);
  }

  async score(requests: readonly ScoreRequest[], { model, signal }: ScoreOptions = {}): Promise<Score[]> {
    if (model === undefined) return this.#best(requests, signal);
    const scorer = this.#all().find(({ id, version }) => id === model || version === model);
    if (!scorer)
      throw new ApiError(
        'model_not_found',
        `No model is called ${JSON.stringify(model.slice(0, 128))}; /api/ai/models lists them.`,
      );
    return from(scorer, requests, signal);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all().map((scorer) => scorer.stop()));
  }

  #all(): Scorer[] {
    return this.#llm ? [this.#local, this.#llm] : [this.#local];
  }

  /** A question of the language model at a time: what one batch lost to it is not lost for the others. */
  async #best(requests: readonly ScoreRequest[], signal?: AbortSignal): Promise<Score[]> {
    const scores: Score[] = [];
    while (this.#llm?.available() && scores.length < requests.length) {
      try {
        scores.push(...(await this.#llm.score(requests.slice(scores.length, scores.length + LLM_BATCH), signal)));
      } catch (error) {
        if (!(error instanceof ScorerError)) throw error;
        // Whoever waits has waited long enough for it.
        break;
      }
    }
    return scores.length === requests.length
      ? scores
      : [...scores, ...(await from(this.#local, requests.slice(scores.length), signal))];
  }
}

async function from(scorer: Scorer, requests: readonly ScoreRequest[], signal?: AbortSignal): Promise<Score[]> {
  if (!scorer.available())
    throw new ApiError('model_unavailable', `The model ${scorer.id} does not answer now.`, RETRY);
  try {
    return await scorer.score(requests, signal);
  } catch (error) {
    if (!(error instanceof ScorerError)) throw error;
    throw new ApiError('model_unavailable', `The model ${scorer.id} gave no answer: ${REASONS[error.fault]}.`, RETRY);
  }
}

const RETRY = { headers: { 'Retry-After': '5' } };

/** Nothing of the inside, and nothing of what a server of others said. */
const REASONS = {
  queue_full: 'it has too much to do',
  timed_out: 'it took too long',
  failed: 'it failed',
  bad_answer: 'it did not answer as it should',
  resting: 'it is left alone after failures',
  aborted: 'nobody waited',
  stopped: 'the service is stopping',
} as const;
