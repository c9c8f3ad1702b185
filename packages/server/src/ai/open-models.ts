// The models as the settings have them.

import type { LlmSettings } from '../config/llm-settings.ts';
import type { Log } from '../ops/log.ts';
import type { LlmClient } from './llm-client.ts';
import { LlmScorer } from './llm-scorer.ts';
import { LocalScorer, type LocalScorerOptions } from './local-scorer.ts';
import { modelProblem } from './model-problem.ts';
import { Models } from './models.ts';

export interface OpenModelsOptions {
  readonly settings: LlmSettings;
  readonly targetsOf?: LocalScorerOptions['targetsOf'];
  readonly now: () => number;
  readonly log: Log;
}

export interface OpenModels {
  readonly models: Models;
  readonly local: LocalScorer;
  /** `null` if no language model is configured. */
  readonly llm: LlmClient | null;
}

export async function openModels({ settings, targetsOf, now, log }: OpenModelsOptions): Promise<OpenModels> {
  const llm = await openLlm(settings, now, log);
  const local = new LocalScorer({ log, problem: () => modelProblem(), ...(targetsOf && { targetsOf }) });
  return { models: new Models({ local, llm: llm && new LlmScorer(llm) }), local, llm };
}

/** Both URL and model must be set. */
async function openLlm(settings: LlmSettings, now: () => number, log: Log): Promise<LlmClient | null> {
  const { llm_url: url, llm_model: model } = settings;
  if (url === null || model === null) {
    if (url !== model)
      log.warn('no language model is used: llm_url and llm_model must both be set', {
        missing: url === null ? 'llm_url' : 'llm_model',
      });
    return null;
  }
  // The SDK is loaded only if a language model is configured.
  const { LlmClient } = await import('./llm-client.ts');
  return new LlmClient({
    url,
    model,
    key: settings.llm_key,
    timeoutMs: settings.llm_timeout_ms,
    requestsPerDay: settings.llm_requests_per_day,
    priceIn: settings.llm_price_in,
    priceOut: settings.llm_price_out,
    now,
    log,
  });
}
