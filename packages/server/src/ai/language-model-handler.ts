// Handler of /api/admin/language-model: the requests of the day.
import { iso, type LanguageModelReport } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import type { LlmClient } from './llm-client.ts';

export interface LanguageModelOptions {
  /** `null` if no language model is configured. */
  readonly llm: Pick<LlmClient, 'model' | 'available' | 'today'> | null;
  readonly requestsPerDay: number;
}

export function languageModelReport({ llm, requestsPerDay }: LanguageModelOptions, now: number): string {
  const midnight = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  const { used, limit, resetsAt } = llm?.today ?? { used: 0, limit: requestsPerDay, resetsAt: midnight };
  const report: LanguageModelReport = {
    model: llm?.model ?? null,
    available: llm?.available() ?? false,
    requests_today: used,
    requests_per_day: limit,
    resets_at: iso(resetsAt),
  };
  return JSON.stringify(report);
}
