import { describe, expect, test } from 'bun:test';
import { ENDPOINTS, type EndpointName } from '../documents/endpoints.ts';
import { JSON_BODY_EXAMPLES, RESPONSE_EXAMPLES } from '../documents/examples.ts';
import { AI_ENDPOINTS } from './endpoints.ts';
import { AiSentimentRequest, MAX_AI_TEXT } from './schemas.ts';

const wrong = (body: unknown) => [
  ...new Set(AiSentimentRequest.safeParse(body).error?.issues.map(({ path }) => path.join('.'))),
];

describe('a sentiment request', () => {
  test('needs only a text', () => {
    expect(AiSentimentRequest.parse({ text: 'Gold holds', temperature: 2 })).toEqual({ text: 'Gold holds' });
  });

  test('has a text that is measured in code points and is neither too long nor blank', () => {
    for (const text of ['x'.repeat(MAX_AI_TEXT), '😀'.repeat(MAX_AI_TEXT)]) expect(wrong({ text })).toEqual([]);
    for (const text of ['', ' ', 'x'.repeat(MAX_AI_TEXT + 1), '😀'.repeat(MAX_AI_TEXT + 1), null, 5, undefined])
      expect(wrong({ text })).toEqual(['text']);
  });

  test('names the invalid field, and every field states what it allows', () => {
    for (const name of ['symbol', 'model']) {
      for (const value of ['', 'x'.repeat(200), 5, null])
        expect([name, value, ...wrong({ text: 'x', [name]: value })]).toEqual([name, value, name]);
    }
    for (const [name, field] of Object.entries(AiSentimentRequest.shape))
      expect([name, field.meta()?.allowed]).not.toContain(undefined);
  });
});

describe('the example brief', () => {
  const { text, citations } = RESPONSE_EXAMPLES.aiBrief;

  test('cites every figure of its text in order', () => {
    const figures = [...text.matchAll(/\d+(?:\.\d+)?/g)].map(([figure]) => figure);
    expect(citations.map(({ figure }) => figure)).toEqual(figures);
  });

  test('cites figures that appear in the example of the cited endpoint', () => {
    for (const { figure, value, path } of citations) {
      const { pathname } = new URL(path, 'http://localhost');
      const cited = (Object.keys(ENDPOINTS) as EndpointName[]).find(
        (name) => ENDPOINTS[name].method === 'GET' && ENDPOINTS[name].path.replace('{symbol}', 'EURUSD') === pathname,
      );
      expect([path, cited]).not.toEqual([path, undefined]);
      expect(JSON.stringify(RESPONSE_EXAMPLES[cited!])).toContain(`:${figure}`);
      expect(value).toBe(Number(figure));
    }
  });
});

describe('the example models', () => {
  const { items } = RESPONSE_EXAMPLES.aiModels;

  test('the available ones match the session statistics', () => {
    const available = items.filter((model) => model.available).map(({ id }) => id);
    expect(RESPONSE_EXAMPLES.session.ai_models_available).toEqual(available);
  });

  test('exactly one is the default, and it scored the example text', () => {
    const defaults = items.filter((model) => model.default);
    expect(defaults.map(({ id }) => id)).toEqual([RESPONSE_EXAMPLES.aiSentiment.model]);
    expect(JSON_BODY_EXAMPLES.aiSentiment).not.toHaveProperty('model');
  });
});

test('every AI endpoint is under /api/ai/', () => {
  for (const { path } of Object.values(AI_ENDPOINTS)) expect(path).toStartWith('/api/ai/');
});
