// The available sentiment models. The language model is used if one is configured and works, else the local model. Every
// score names its model.
import type { AiModel } from '@tickwire/contract';
import { ServiceError } from '../errors/service-error.ts';
import { LLM_BATCH } from './llm-scorer.ts';
import {
  indexesByOrigin,
  type Score,
  type ScoreRequest,
  type Scorer,
  ScorerError,
  type ScorerFault,
} from './scorer.ts';

export interface ModelsOptions {
  readonly local: Scorer;
  readonly llm: Scorer | null;
}

export interface ScoreOptions {
  /** Id or version of a model, without fallback. Default: the best available model. */
  readonly model?: string | undefined;
  readonly signal?: AbortSignal;
  /** Called before a model is asked. */
  readonly onAsked?: () => void;
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

  /** Ids of the models that are available now. */
  available(): string[] {
    return this.#all()
      .filter((scorer) => scorer.available())
      .map(({ id }) => id);
  }

  async score(requests: readonly ScoreRequest[], options: ScoreOptions = {}): Promise<Score[]> {
    const { model } = options;
    if (model === undefined) return this.#scoreBest(requests, options);
    const scorer = this.#all().find(({ id, version }) => id === model || version === model);
    if (!scorer)
      throw new ServiceError(
        'model_not_found',
        `There is no model ${JSON.stringify(model.slice(0, 128))}. GET /api/ai/models lists the models.`,
      );
    return scoreWith(scorer, requests, options);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all().map((scorer) => scorer.stop()));
  }

  #all(): Scorer[] {
    return this.#llm ? [this.#local, this.#llm] : [this.#local];
  }

  /** One batch of the language model at a time: if one fails, the scores of the others are kept. */
  async #scoreBest(requests: readonly ScoreRequest[], options: ScoreOptions): Promise<Score[]> {
    const scores: Score[] = [];
    for (const indexes of indexesByOrigin(requests)) {
      const fault = await this.#scoreOrigin(requests, indexes, scores, options);
      // No further attempt: the caller has waited long enough. An invalid response is a matter of its origin.
      if (fault !== null && fault !== 'bad_response' && fault !== 'origin_paused') break;
    }
    const missing = [...requests.keys()].filter((index) => !scores[index]);
    if (missing.length === 0) return scores;
    const rest = missing.map((index) => requests[index]!);
    const local = await scoreWith(this.#local, rest, options);
    for (const [place, index] of missing.entries()) scores[index] = local[place]!;
    return scores;
  }

  /** Scores requests of one origin with the language model. Returns why it ended early, `null` if it did not. */
  async #scoreOrigin(
    requests: readonly ScoreRequest[],
    indexes: readonly number[],
    scores: Score[],
    { signal, onAsked }: ScoreOptions,
  ): Promise<ScorerFault | null> {
    for (let at = 0; at < indexes.length; at += LLM_BATCH) {
      if (!this.#llm?.available()) return 'circuit_open';
      const batch = indexes.slice(at, at + LLM_BATCH);
      try {
        const asked = batch.map((index) => requests[index]!);
        onAsked?.();
        const given = await this.#llm.score(asked, signal);
        for (const [place, score] of given.entries()) scores[batch[place]!] = score;
      } catch (error) {
        if (!(error instanceof ScorerError)) throw error;
        return error.fault;
      }
    }
    return null;
  }
}

async function scoreWith(
  scorer: Scorer,
  requests: readonly ScoreRequest[],
  { signal, onAsked }: ScoreOptions,
): Promise<Score[]> {
  if (!scorer.available())
    throw new ServiceError('model_unavailable', `The model ${scorer.id} is not available now.`, RETRY);
  try {
    onAsked?.();
    return await scorer.score(requests, signal);
  } catch (error) {
    if (!(error instanceof ScorerError)) throw error;
    throw new ServiceError('model_unavailable', `The model ${scorer.id} failed: ${REASONS[error.fault]}.`, RETRY);
  }
}

const RETRY = { retryAfterSeconds: 5 };

/** Public wording, without internals and without messages of other servers. */
const REASONS = {
  queue_full: 'too many requests are waiting',
  timed_out: 'it timed out',
  failed: 'internal error',
  bad_response: 'invalid response',
  circuit_open: 'it is paused after failures',
  origin_paused: 'it is paused for you after failures',
  day_used_up: 'its requests of this day are used up',
  aborted: 'the request was aborted',
  stopped: 'the service is stopping',
} as const;
