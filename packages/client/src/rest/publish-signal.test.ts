import { expect, test } from 'bun:test';
import type { SignalRequest } from '@tickwire/contract';
import { fakeService, until } from '../../testing/fake-service.ts';
import { TickwireClient } from '../client.ts';

const REQUEST: SignalRequest = {
  symbol: 'EURUSD',
  direction: 'buy',
  entry: 1.084,
  stop_loss: 1.081,
  take_profit: 1.09,
  note: 'Zwölf €',
};

interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly type: string | null;
  readonly body: string;
}

/** A service that records requests and returns the scripted responses in turn. */
function recording(responses: (() => Response | Promise<Response>)[], timeoutMs = 60_000) {
  const requests: RecordedRequest[] = [];
  const service = fakeService({
    rest: async (request) => {
      expect(request.headers.get('X-API-Key')).toBe('k');
      requests.push({
        method: request.method,
        path: new URL(request.url).pathname,
        key: request.headers.get('Idempotency-Key'),
        type: request.headers.get('Content-Type'),
        body: await request.text(),
      });
      return (responses.shift() ?? (() => Response.json({ id: 'sig_1' }, { status: 201 })))();
    },
  });
  return { service, requests, client: new TickwireClient({ url: service.url, apiKey: 'k', timeoutMs }) };
}

const rejection = (status: number, code: string) => () =>
  Response.json({ status, code, title: 'T', detail: 'D', request_id: 'req-7', type: 'about:blank' }, { status });
const never = () => new Promise<Response>(() => {});

test('posts a signal as JSON and returns the response', async () => {
  const { service, requests, client } = recording([]);
  await using _ = service;
  const signal = await client.publishSignal(REQUEST);
  expect(signal.id).toBe('sig_1');
  expect(requests).toMatchObject([{ method: 'POST', path: '/api/signals', type: 'application/json' }]);
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual(REQUEST);
});

test('posts a message instead of fields', async () => {
  const { service, requests, client } = recording([]);
  await using _ = service;
  await client.publishSignal({ text: 'Gold sell now SL 3343 TP 3320' });
  await client.parseSignal('Gold sell now SL 3343 TP 3320');
  const [published, parsed] = requests;
  expect([published!.path, parsed!.path]).toEqual(['/api/signals', '/api/signals/parse']);
  expect(parsed!.body).toBe(published!.body);
});

test('closes a signal with a POST without a body', async () => {
  const { service, requests, client } = recording([]);
  await using _ = service;
  await client.closeSignal('sig/1');
  expect(requests).toMatchObject([{ method: 'POST', path: '/api/signals/sig%2F1/close', type: null, body: '' }]);
  expect(requests[0]?.key).not.toBeNull();
});

test('sends a new idempotency key with each call, unless the caller passes one', async () => {
  const { service, requests, client } = recording([]);
  await using _ = service;
  await client.publishSignal(REQUEST);
  await client.publishSignal(REQUEST);
  await client.publishSignal(REQUEST, { idempotencyKey: 'order-17' });
  await client.closeSignal('sig_1', { idempotencyKey: 'close-17' });
  const keys = requests.map(({ key }) => key);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).not.toBe(keys[0]!);
  expect(keys.slice(2)).toEqual(['order-17', 'close-17']);
});

test('repeats a request without a response once, with the same key and body', async () => {
  const { service, requests, client } = recording([never], 2_000);
  await using _ = service;
  expect((await client.publishSignal(REQUEST)).id).toBe('sig_1');
  expect(requests).toHaveLength(2);
  expect(requests[1]).toEqual(requests[0]!);
});

test('throws after a second request without a response', async () => {
  const { service, requests, client } = recording([never, never], 1_000);
  await using _ = service;
  await expect(client.publishSignal(REQUEST)).rejects.toMatchObject({
    name: 'TickwireError',
    status: 0,
    code: 'timeout',
  });
  expect(requests).toHaveLength(2);
});

test('throws a TickwireError for a rejection and does not repeat it', async () => {
  const { service, requests, client } = recording([
    rejection(422, 'levels_out_of_order'),
    rejection(503, 'stale_quote'),
  ]);
  await using _ = service;
  await expect(client.publishSignal(REQUEST)).rejects.toMatchObject({ status: 422, code: 'levels_out_of_order' });
  await expect(client.closeSignal('sig_1')).rejects.toMatchObject({ status: 503, code: 'stale_quote' });
  expect(requests).toHaveLength(2);
});

test('does not repeat a request that the caller aborted', async () => {
  const { service, requests, client } = recording([never]);
  await using _ = service;
  const abort = new AbortController();
  const call = client.publishSignal(REQUEST, { signal: abort.signal });
  await until(() => requests.length === 1, 'the request');
  abort.abort();
  await expect(call).rejects.toHaveProperty('name', 'AbortError');
  await Bun.sleep(50);
  expect(requests).toHaveLength(1);
});
