// The endpoints that ask a model. All but the list of models count as AI calls of the account once they are answered.
import { AiBrief, AiModelList, AiSentiment, AiSentimentRequest } from './ai.ts';
import { endpoint } from './endpoint.ts';

const COUNTED = 'An answer counts as one AI call of the account, a failure as none.';

export const AI_ENDPOINTS = {
  aiSentiment: endpoint({
    method: 'POST',
    path: '/api/ai/sentiment',
    tag: 'AI',
    summary: 'The sentiment of a text, as the news have it',
    description:
      'Where `model` is left out and the default model is slow or fails, the local one answers; `model` of the answer says which it was. ' +
      COUNTED,
    scope: 'read',
    body: AiSentimentRequest,
    response: AiSentiment,
    errors: [
      'ai_calls_exhausted',
      'malformed_body',
      'payload_too_large',
      'unsupported_encoding',
      'invalid_parameter',
      'symbol_not_found',
      'model_not_found',
      'model_unavailable',
    ],
  }),
  aiBrief: endpoint({
    method: 'GET',
    path: '/api/ai/brief/{symbol}',
    tag: 'AI',
    summary: 'A short brief on one instrument: price, order flow, active signals and news',
    description:
      'A language model writes it where there is one, rules compose it where there is none. ' +
      `Every figure in it is taken from the data, and \`citations\` says where from. ${COUNTED}`,
    scope: 'read',
    response: AiBrief,
    errors: ['ai_calls_exhausted', 'malformed_path', 'symbol_not_found', 'store_unavailable'],
  }),
  aiModels: endpoint({
    method: 'GET',
    path: '/api/ai/models',
    tag: 'AI',
    summary: 'Which models there are, what they do and whether they answer now',
    description: 'Not an AI call.',
    scope: 'read',
    response: AiModelList,
    errors: [],
  }),
} as const;
