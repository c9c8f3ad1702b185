import { expect, test } from 'bun:test';
import { TickwireClient } from './client.ts';
import { fakeService } from './fake-service.fixture.ts';

const ANSWER = { sentiment: 'bullish', sentiment_score: 0.62, model: 'news-sentiment' } as const;

test('a text is posted as JSON, without a key that would promise a first answer again', async () => {
  const request = { text: 'Gold holds – “near its high”', symbol: 'XAUUSD', model: 'news-sentiment' };
  await using service = fakeService({
    rest: async (sent) => {
      expect([sent.method, new URL(sent.url).pathname]).toEqual(['POST', '/api/ai/sentiment']);
      expect(sent.headers.get('X-API-Key')).toBe('k');
      expect(sent.headers.get('Content-Type')).toBe('application/json');
      expect(sent.headers.has('Idempotency-Key')).toBe(false);
      expect(await sent.json()).toEqual(request);
      return Response.json(ANSWER);
    },
  });
  expect(await new TickwireClient({ url: service.url, apiKey: 'k' }).aiSentiment(request)).toEqual(ANSWER);
});

test('a question without an answer is not asked again: it might be counted twice', async () => {
  let asked = 0;
  await using service = fakeService({
    rest: async () => {
      asked++;
      await Bun.sleep(300);
      return Response.json(ANSWER);
    },
  });
  const client = new TickwireClient({ url: service.url, apiKey: 'k', timeoutMs: 50 });
  await expect(client.aiSentiment({ text: 'Gold' })).rejects.toMatchObject({ status: 0, code: 'timeout' });
  await Bun.sleep(100);
  expect(asked).toBe(1);
});

test('used-up AI calls say when the next day begins', async () => {
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
