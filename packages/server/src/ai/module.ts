// Models for sentiment, and briefs of instruments.
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { Caller } from '../access/caller.ts';
import { writerRoutes } from '../http/handler.ts';
import type { Module } from '../module/module.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { AccessStore } from '../store/store.ts';
import { AiCalls } from './ai-calls.ts';
import { AiHandlers } from './ai-handlers.ts';
import { type BriefSources, Briefs } from './brief.ts';
import { languageModelReport } from './language-model-handler.ts';
import type { LlmClient } from './llm-client.ts';
import type { OpenModels } from './open-models.ts';

/** Checking the model takes a while: a service that has just started answers its first requests before that. */
const CHECK_AFTER_MS = 100;

export interface AiModuleOptions {
  readonly models: OpenModels;
  readonly store: AccessStore;
  /** What briefs are made of. */
  readonly sources: BriefSources;
  /** The canonical symbol for a code, or `undefined` if there is no such instrument. */
  readonly resolve: (code: string) => MarketSymbol | undefined;
  readonly spec: (symbol: MarketSymbol) => InstrumentSpec;
  /** Adds a call to the usage history of the caller. */
  readonly recordCall: (caller: Caller) => void;
  readonly requestsPerDay: number;
  /** Whether this process scores headlines. */
  readonly isWriter: boolean;
  readonly now: () => number;
}

export function aiModule(options: AiModuleOptions): Module {
  const { models, store, sources, resolve, spec, recordCall, requestsPerDay, isWriter, now } = options;
  const { llm } = models;
  const calls = new AiCalls({ store, now });
  const briefs = new Briefs({ sources, llm });
  const handlers = new AiHandlers({ calls, models: models.models, briefs, resolve, spec });
  const report = { llm, requestsPerDay };
  let checking: ReturnType<typeof setTimeout> | undefined;
  return {
    routes: {
      aiSentiment: ({ request, caller, now: at }) =>
        handlers.sentiment(request, caller!, at, () => recordCall(caller!)),
      aiBrief: ({ params, caller, now: at }) => handlers.brief(params.symbol!, caller!, at, () => recordCall(caller!)),
      aiModels: () => handlers.models(),
      ...writerRoutes(isWriter ? report : null, { languageModel: (of, { now: at }) => languageModelReport(of, at) }),
    },
    metrics(metrics) {
      metrics.counter('tickwire_ai_calls_total', 'AI calls counted against allowances', () => calls.counted);
      if (isWriter && llm) observe(metrics, llm);
    },
    start() {
      checking = setTimeout(() => models.local.check(), CHECK_AFTER_MS);
    },
    stop() {
      clearTimeout(checking);
      return models.models.stop();
    },
  };
}

function observe(metrics: Metrics, llm: LlmClient): void {
  metrics.counter('tickwire_llm_calls_total', 'Requests to the language model', () => llm.counts.calls);
  metrics.counter('tickwire_llm_failures_total', 'Failed requests to the language model', () => llm.counts.failures);
  metrics.counter('tickwire_llm_tokens_in_total', 'Tokens sent to the language model', () => llm.counts.tokensIn);
  metrics.counter(
    'tickwire_llm_tokens_out_total',
    'Tokens received from the language model',
    () => llm.counts.tokensOut,
  );
  metrics.counter(
    'tickwire_llm_cost_total',
    'Cost of the language model at the configured prices',
    () => llm.counts.cost,
  );
}
