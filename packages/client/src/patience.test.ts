import { describe, expect, test } from 'bun:test';
import { TickwireClient } from './client.ts';
import { fakeService, until } from './fake-service.fixture.ts';
import { HeldTiming } from './held-timing.fixture.ts';

const REQUEST = { symbol: 'EURUSD', direction: 'buy', entry: 1.1, stop_loss: 1, take_profit: 1.2 } as const;

/** Refuses so often with this status and wait, then answers. */
function refusing(times: number, status: number, seconds: string | null) {
  const asked: { readonly method: string; readonly key: string | null; readonly body: string }[] = [];
  const service = fakeService({
    rest: async (request) => {
      asked.push({
        method: request.method,
        key: request.headers.get('Idempotency-Key'),
        body: await request.text(),
      });
      if (asked.length > times) return Response.json({});
      const problem = { status, code: 'rate_limited', title: 'T', detail: 'D', request_id: 'r', type: 'about:blank' };
      return Response.json(problem, { status, headers: seconds === null ? {} : { 'Retry-After': seconds } });
    },
  });
  const timing = new HeldTiming(() => 0);
  return { service, asked, timing, options: { url: service.url, apiKey: 'k', timing } };
}

test.each([429, 503])('a call that was answered %d waits as long as it was told, and is sent again', async (status) => {
  const { service, asked, timing, options } = refusing(2, status, '2');
  await using _ = service;
  const answer = new TickwireClient(options).session();
  for (const attempt of [1, 2]) {
    await until(() => timing.pending === 1, 'the wait');
    timing.advance(1_999);
    expect([asked.length, timing.pending]).toEqual([attempt, 1]);
    timing.advance(1);
  }
  expect(await answer).toEqual({} as never);
  expect(asked).toHaveLength(3);
});

test('a signal that is sent again has the same key and body: it is published once', async () => {
  const { service, asked, timing, options } = refusing(1, 429, '1');
  await using _ = service;
  const answer = new TickwireClient(options).publishSignal(REQUEST);
  await until(() => timing.pending === 1, 'the wait');
  timing.advance(1_000);
  await answer;
  expect(asked).toHaveLength(2);
  expect(asked[1]).toEqual(asked[0]!);
});

describe('is thrown at once', () => {
  const thrown = async (
    { service, asked, timing, options }: ReturnType<typeof refusing>,
    call: (client: TickwireClient) => Promise<unknown>,
    more = {},
  ): Promise<void> => {
    await using _ = service;
    await expect(call(new TickwireClient({ ...options, ...more }))).rejects.toMatchObject({ code: 'rate_limited' });
    expect([asked.length, timing.pending]).toEqual([1, 0]);
  };

  test('what asks for a longer wait than the call may take', () => thrown(refusing(9, 429, '6'), (it) => it.session()));
  test('what names no wait, or none worth the name', async () => {
    await thrown(refusing(9, 503, null), (it) => it.session());
    await thrown(refusing(9, 503, '0'), (it) => it.session());
  });
  test('anything where the caller wants no waits', async () => {
    await thrown(refusing(9, 429, '1'), (it) => it.session(), { retryWaitMs: 0 });
    await thrown(refusing(9, 429, '1'), (it) => it.session({ retry: false }));
  });
  test('what must not be sent twice', () => thrown(refusing(9, 429, '1'), (it) => it.aiSentiment({ text: 'Gold' })));
});

test('the waits of a call are bounded together', async () => {
  const { service, asked, timing, options } = refusing(9, 429, '2');
  await using _ = service;
  const answer = new TickwireClient(options).session();
  for (const _wait of [1, 2]) {
    await until(() => timing.pending === 1, 'the wait');
    timing.advance(2_000);
  }
  await expect(answer).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 });
  expect(asked).toHaveLength(3);
});

test('who aborts while it waits is obeyed', async () => {
  const { service, asked, timing, options } = refusing(9, 429, '2');
  await using _ = service;
  const abort = new AbortController();
  const answer = new TickwireClient(options).session({ signal: abort.signal });
  await until(() => timing.pending === 1, 'the wait');
  abort.abort();
  await expect(answer).rejects.toHaveProperty('name', 'AbortError');
  expect([asked.length, timing.pending]).toEqual([1, 0]);
});
