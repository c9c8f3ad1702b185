import { describe, expect, test } from 'bun:test';
import { fakeService, until } from '../../testing/fake-service.ts';
import { ManualTiming } from '../../testing/manual-timing.ts';
import { TickwireClient } from '../client.ts';

const REQUEST = { symbol: 'EURUSD', direction: 'buy', entry: 1.1, stop_loss: 1, take_profit: 1.2 } as const;

/** A service that rejects this many requests with this status and Retry-After, then succeeds. */
function rejecting(times: number, status: number, seconds: string | null) {
  const requests: { readonly method: string; readonly key: string | null; readonly body: string }[] = [];
  const service = fakeService({
    rest: async (request) => {
      requests.push({
        method: request.method,
        key: request.headers.get('Idempotency-Key'),
        body: await request.text(),
      });
      if (requests.length > times) return Response.json({});
      const problem = { status, code: 'rate_limited', title: 'T', detail: 'D', request_id: 'r', type: 'about:blank' };
      return Response.json(problem, { status, headers: seconds === null ? {} : { 'Retry-After': seconds } });
    },
  });
  const timing = new ManualTiming(() => 0);
  return { service, requests, timing, options: { url: service.url, apiKey: 'k', timing } };
}

test.each([429, 503])('retries a call after a %d and the delay in Retry-After', async (status) => {
  const { service, requests, timing, options } = rejecting(2, status, '2');
  await using _ = service;
  const response = new TickwireClient(options).session();
  for (const attempt of [1, 2]) {
    await until(() => timing.pending === 1, 'the delay');
    timing.advance(1_999);
    expect([requests.length, timing.pending]).toEqual([attempt, 1]);
    timing.advance(1);
  }
  expect(await response).toEqual({} as never);
  expect(requests).toHaveLength(3);
});

test('repeats a publication with the same idempotency key and body', async () => {
  const { service, requests, timing, options } = rejecting(1, 429, '1');
  await using _ = service;
  const response = new TickwireClient(options).publishSignal(REQUEST);
  await until(() => timing.pending === 1, 'the delay');
  timing.advance(1_000);
  await response;
  expect(requests).toHaveLength(2);
  expect(requests[1]).toEqual(requests[0]!);
});

test('repeats a deletion that the service rejected, but not one without a response', async () => {
  const { service, requests, timing, options } = rejecting(1, 503, '1');
  await using _ = service;
  const response = new TickwireClient(options).deleteAlert('alr_1');
  await until(() => timing.pending === 1, 'the delay');
  timing.advance(1_000);
  await response;
  expect(requests.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  let sent = 0;
  const unreachable = new TickwireClient({
    ...options,
    fetch: () => {
      sent++;
      return Promise.reject(new TypeError('no connection'));
    },
  });
  await expect(unreachable.deleteAlert('alr_1')).rejects.toMatchObject({ code: 'network' });
  expect(sent).toBe(1);
});

test('creates an alert once although the first response is lost', async () => {
  const { service, requests, options } = rejecting(0, 503, '1');
  await using _ = service;
  let lost = false;
  const client = new TickwireClient({
    ...options,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (lost) return response;
      lost = true;
      throw new TypeError('connection lost');
    },
  });
  await client.createAlert({ symbol: 'EURUSD', condition: { type: 'price', cross: 'above', level: 1.2 } });
  expect(requests).toHaveLength(2);
  expect(requests[1]).toEqual(requests[0]!);
});

describe('throws immediately', () => {
  const expectThrown = async (
    { service, requests, timing, options }: ReturnType<typeof rejecting>,
    call: (client: TickwireClient) => Promise<unknown>,
    more = {},
  ): Promise<void> => {
    await using _ = service;
    await expect(call(new TickwireClient({ ...options, ...more }))).rejects.toMatchObject({ code: 'rate_limited' });
    expect([requests.length, timing.pending]).toEqual([1, 0]);
  };

  test('if the delay exceeds the maximum wait', () => expectThrown(rejecting(9, 429, '6'), (it) => it.session()));
  test('if the response names no delay, or a delay of 0', async () => {
    await expectThrown(rejecting(9, 503, null), (it) => it.session());
    await expectThrown(rejecting(9, 503, '0'), (it) => it.session());
  });
  test('if the caller disabled retries', async () => {
    await expectThrown(rejecting(9, 429, '1'), (it) => it.session(), { retryWaitMs: 0 });
    await expectThrown(rejecting(9, 429, '1'), (it) => it.session({ retry: false }));
  });
  test('if the call must not be repeated', async () => {
    await expectThrown(rejecting(9, 429, '1'), (it) => it.aiSentiment({ text: 'Gold' }));
    await expectThrown(rejecting(9, 503, '1'), (it) => it.changeAlert('alr_1', { note: 'Sell half' }));
  });
});

test('limits the total wait of a call', async () => {
  const { service, requests, timing, options } = rejecting(9, 429, '2');
  await using _ = service;
  const response = new TickwireClient(options).session();
  for (const _wait of [1, 2]) {
    await until(() => timing.pending === 1, 'the delay');
    timing.advance(2_000);
  }
  await expect(response).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 });
  expect(requests).toHaveLength(3);
});

test('stops waiting when the caller aborts', async () => {
  const { service, requests, timing, options } = rejecting(9, 429, '2');
  await using _ = service;
  const abort = new AbortController();
  const response = new TickwireClient(options).session({ signal: abort.signal });
  await until(() => timing.pending === 1, 'the delay');
  abort.abort();
  await expect(response).rejects.toHaveProperty('name', 'AbortError');
  expect([requests.length, timing.pending]).toEqual([1, 0]);
});
