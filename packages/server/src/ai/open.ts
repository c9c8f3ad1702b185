// The models as the settings have them.
import type { Log } from '../ops/log.ts';
import type { LlmClient } from './llm-client.ts';
import { LlmScorer } from './llm-scorer.ts';
import type { LlmSettings } from './llm-settings.ts';
import { LocalScorer, type LocalScorerOptions } from './local-scorer.ts';
import { Models } from './models.ts';

/** By then a service has started, on one core too. */
const LOAD_AFTER_MS = 1_000;

export interface OpenModelsOptions {
  readonly settings: LlmSettings;
  readonly targetsOf?: LocalScorerOptions['targetsOf'];
  readonly now: () => number;
  readonly log: Log;
}

export interface OpenModels {
  readonly models: Models;
  readonly local: LocalScorer;
  /** null where no language model is configured. */
  readonly llm: LlmClient | null;
}

export async function openModels({ settings, targetsOf, now, log }: OpenModelsOptions): Promise<OpenModels> {
  const llm = await openLlm(settings, now, log);
  const local = new LocalScorer({ log, loadAfterMs: LOAD_AFTER_MS, ...(targetsOf && { targetsOf }) });
  return { models: new Models({ local, llm: llm && new LlmScorer(llm) }), local, llm };
}

/** Both the address and the model must be named. */
async function openLlm(settings: LlmSettings, now: () => number, log: Log): Promise<LlmClient | null> {
  const { llm_url: url, llm_model: model } = settings;
  if (url === null || model === null) {
    if (url !== model)
      log.warn('no language model is asked: llm_url and llm_model must both be set', {
        missing: url === null ? 'llm_url' : 'llm_model',
      });
    return null;
  }
  // Only who configured one waits for the library.
  const { LlmClient } = await import('./llm-client.ts');
  return new LlmClient({
    url,
    model,
    key: settings.llm_key,
    timeoutMs: settings.llm_timeout_ms,
    priceIn: settings.llm_price_in,
    priceOut: settings.llm_price_out,
    now,
    log,
  });
}
