// Errors of requests to a model.
import { entry } from '../common/errors.ts';

export const AI_ERRORS = {
  ai_calls_exhausted: entry(
    { status: 429, retryable: true },
    'AI calls used up',
    'The account has used all its AI calls of this UTC day. Retry-After gives the time until the next day.',
  ),
  model_not_found: entry(
    { status: 404 },
    'Model not found',
    'There is no model with this id, or it does not support the task. `GET /api/ai/models` lists the models. The call is not counted.',
  ),
  model_unavailable: entry(
    { status: 503, retryable: true },
    'Model unavailable',
    'The requested model is currently unavailable. The call is not counted. Another model may be available.',
  ),
};
