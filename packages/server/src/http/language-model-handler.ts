// Handler of /api/admin/language-model: requests of the day, and where the labels of the language model and the local model differ.
import type { AiSentiment, LanguageModelReport } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import type { LlmClient } from '../ai/llm-client.ts';
import type { ModelAgreement } from '../ai/model-agreement.ts';
import type { Score } from '../ai/scorer.ts';

export interface LanguageModelOptions {
  /** `null` if no language model is configured. */
  readonly llm: Pick<LlmClient, 'model' | 'available' | 'today'> | null;
  readonly agreement: Pick<ModelAgreement, 'counts' | 'since' | 'recent'> | null;
  readonly requestsPerDay: number;
  readonly startedAt: number;
}

export function languageModelReport(
  { llm, agreement, requestsPerDay, startedAt }: LanguageModelOptions,
  now: number,
): string {
  const midnight = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  const { used, limit, resetsAt } = llm?.today ?? { used: 0, limit: requestsPerDay, resetsAt: midnight };
  const report: LanguageModelReport = {
    model: llm?.model ?? null,
    available: llm?.available() ?? false,
    requests_today: used,
    requests_per_day: limit,
    resets_at: iso(resetsAt),
    since: iso(agreement?.since ?? startedAt),
    agreement: [...(agreement?.counts ?? [])].map(([category, counts]) => ({
      category: category === 'none' ? null : category,
      ...counts,
    })),
    disagreements: (agreement?.recent() ?? []).map(({ at, text, category, llm: theirs, local }) => ({
      timestamp: iso(at),
      text,
      category,
      language_model: sentimentOf(theirs),
      local_model: sentimentOf(local),
    })),
  };
  return JSON.stringify(report);
}

const sentimentOf = ({ sentiment, score, model }: Score): AiSentiment => ({ sentiment, sentiment_score: score, model });
const iso = (time: number): string => new Date(time).toISOString();
