// Endpoints that use a model. A request that a model answers counts as one AI call of the account, except for the list of
// models.
import { endpoint, READ } from '../common/endpoint.ts';
import { AiBrief, AiModelList, AiSentiment, AiSentimentRequest } from './schemas.ts';

const COUNTED = 'A request that succeeds, or that the client aborts after a model was asked, counts as one AI call.';

export const AI_ENDPOINTS = {
  aiSentiment: endpoint({
    method: 'POST',
    path: '/api/ai/sentiment',
    tag: 'AI',
    summary: 'Score the sentiment of a text',
    description:
      'Scores a text like a headline of the news feed. If `model` is omitted and the default model is slow or fails, the local ' +
      `model is used instead; \`model\` in the response names the one that was used. ${COUNTED}`,
    auth: 'key',
    scope: 'read',
    body: AiSentimentRequest,
    response: AiSentiment,
    errors: ['ai_calls_exhausted', 'symbol_not_found', 'model_not_found', 'model_unavailable'],
  }),
  aiBrief: endpoint({
    ...READ,
    path: '/api/ai/brief/{symbol}',
    tag: 'AI',
    summary: 'Get a brief on an instrument',
    description:
      'Returns a short text on price, order flow, active signals and news of one instrument. It is written by a language model ' +
      `if one is configured, otherwise composed by rules. Every figure comes from the data; \`citations\` lists the sources. ${COUNTED}`,
    response: AiBrief,
    errors: ['ai_calls_exhausted'],
  }),
  aiModels: endpoint({
    ...READ,
    path: '/api/ai/models',
    tag: 'AI',
    summary: 'List models',
    description:
      'Returns all models with their tasks and whether they are currently available. This does not count as an AI call.',
    response: AiModelList,
  }),
} as const;
