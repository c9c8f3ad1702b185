import { expect, test } from 'bun:test';
import { fakeService } from '../../testing/fake-service.ts';
import { TickwireClient } from '../client.ts';

const RESPONSE = { sentiment: 'bullish', sentiment_score: 0.62, model: 'news-sentiment' } as const;

test('posts a text as JSON, without an idempotency key', async () => {
  const request = { text: 'Gold holds – “near its high”', symbol: 'XAUUSD', model: 'news-sentiment' };
  await using service = fakeService({
    rest: async (sent) => {
      expect([sent.method, new URL(sent.url).pathname]).toEqual(['POST', '/api/ai/sentiment']);
      expect(sent.headers.get('X-API-Key')).toBe('k');
      expect(sent.headers.get('Content-Type')).toBe('application/json');
      expect(sent.headers.has('Idempotency-Key')).toBe(false);
      expect(await sent.json()).toEqual(request);
      return Response.json(RESPONSE);
    },
  });
  expect(await new TickwireClient({ url: service.url, apiKey: 'k' }).aiSentiment(request)).toEqual(RESPONSE);
});

test('does not repeat a request without a response, which might be counted twice', async () => {
  let requests = 0;
  await using service = fakeService({
    rest: () => {
      requests++;
      return new Promise<Response>(() => {});
    },
  });
  const client = new TickwireClient({ url: service.url, apiKey: 'k', timeoutMs: 1_000 });
  await expect(client.aiSentiment({ text: 'Gold' })).rejects.toMatchObject({ status: 0, code: 'timeout' });
  await Bun.sleep(100);
  expect(requests).toBe(1);
});

test('reports the seconds until the AI allowance resets', async () => {
  const problem = {
    status: 429,
    code: 'ai_calls_exhausted',
    title: 'T',
    detail: 'D',
    request_id: 'r',
    type: 'about:blank',
  };
  await using service = fakeService({
    rest: () => Response.json(problem, { status: 429, headers: { 'Retry-After': '45353' } }),
  });
  const client = new TickwireClient({ url: service.url, apiKey: 'k' });
  await expect(client.aiBrief('EURUSD')).rejects.toMatchObject({
    code: 'ai_calls_exhausted',
    retryAfterSeconds: 45_353,
  });
});
