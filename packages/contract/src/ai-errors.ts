// Why a model does not answer: a part of the catalogue of errors.
import { type CatalogueEntry, entry } from './catalogue-entry.ts';

export const AI_ERRORS = {
  ai_calls_exhausted: entry({
    title: 'AI calls used up',
    status: 429,
    retryable: true,
    when: "The account's AI calls of the UTC day are used up; Retry-After says when the next day begins.",
  }),
  model_not_found: entry({
    title: 'Model not found',
    status: 404,
    retryable: false,
    when: 'There is no model with this id, or it does not do what was asked; `GET /api/ai/models` lists them. The call is not counted.',
  }),
  model_unavailable: entry({
    title: 'Model unavailable',
    status: 503,
    retryable: true,
    when: 'The model that was asked for does not answer now. The call is not counted; another model may answer.',
  }),
} as const satisfies Record<string, CatalogueEntry>;
