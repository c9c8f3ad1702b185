import { expect, test } from 'bun:test';
import type { SignalRequest } from '@tickwire/contract';
import { TickwireClient } from './client.ts';
import { fakeService } from './fake-service.fixture.ts';

const REQUEST: SignalRequest = {
  symbol: 'EURUSD',
  direction: 'buy',
  entry: 1.084,
  stop_loss: 1.081,
  take_profit: 1.09,
  note: 'Zwölf €',
};

interface Heard {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly type: string | null;
  readonly body: string;
}

/** A service that writes down what it is sent, and gives the answers in turn. */
function listening(answers: (() => Response | Promise<Response>)[]) {
  const heard: Heard[] = [];
  const service = fakeService({
    rest: async (request) => {
      expect(request.headers.get('X-API-Key')).toBe('k');
      heard.push({
        method: request.method,
        path: new URL(request.url).pathname,
        key: request.headers.get('Idempotency-Key'),
        type: request.headers.get('Content-Type'),
        body: await request.text(),
      });
      return (answers.shift() ?? (() => Response.json({ id: 'sig_1' }, { status: 201 })))();
    },
  });
  return { service, heard, client: new TickwireClient({ url: service.url, apiKey: 'k', timeoutMs: 200 }) };
}

const refusal = (status: number, code: string) => () =>
  Response.json({ status, code, title: 'T', detail: 'D', request_id: 'req-7', type: 'about:blank' }, { status });
const never = () => Bun.sleep(1_000).then(() => new Response());

test('a signal is posted as JSON and its answer comes back', async () => {
  const { service, heard, client } = listening([]);
  await using _ = service;
  const signal = await client.publishSignal(REQUEST);
  expect(signal.id).toBe('sig_1');
  expect(heard).toMatchObject([{ method: 'POST', path: '/api/signals', type: 'application/json' }]);
  expect(JSON.parse(heard[0]?.body ?? '')).toEqual(REQUEST);
});

test('a signal is closed by a post without a body', async () => {
  const { service, heard, client } = listening([]);
  await using _ = service;
  await client.closeSignal('sig/1');
  expect(heard).toMatchObject([{ method: 'POST', path: '/api/signals/sig%2F1/close', type: null, body: '' }]);
  expect(heard[0]?.key).not.toBeNull();
});

test('every call has an idempotency key of its own, unless the caller has one', async () => {
  const { service, heard, client } = listening([]);
  await using _ = service;
  await client.publishSignal(REQUEST);
  await client.publishSignal(REQUEST);
  await client.publishSignal(REQUEST, { idempotencyKey: 'order-17' });
  await client.closeSignal('sig_1', { idempotencyKey: 'close-17' });
  const keys = heard.map(({ key }) => key);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).not.toBe(keys[0]!);
  expect(keys.slice(2)).toEqual(['order-17', 'close-17']);
});

test('a request whose answer never came is sent once more, with the same key and body', async () => {
  const { service, heard, client } = listening([never]);
  await using _ = service;
  expect((await client.publishSignal(REQUEST)).id).toBe('sig_1');
  expect(heard).toHaveLength(2);
  expect(heard[1]).toEqual(heard[0]!);
});

test('a second silence is a failure', async () => {
  const { service, heard, client } = listening([never, never]);
  await using _ = service;
  await expect(client.publishSignal(REQUEST)).rejects.toMatchObject({
    name: 'TickwireError',
    status: 0,
    code: 'timeout',
  });
  expect(heard).toHaveLength(2);
});

test('a refusal is a TickwireError and is not sent again', async () => {
  const { service, heard, client } = listening([refusal(422, 'levels_out_of_order'), refusal(503, 'stale_quote')]);
  await using _ = service;
  await expect(client.publishSignal(REQUEST)).rejects.toMatchObject({ status: 422, code: 'levels_out_of_order' });
  await expect(client.closeSignal('sig_1')).rejects.toMatchObject({ status: 503, code: 'stale_quote' });
  expect(heard).toHaveLength(2);
});

test('a caller who aborts is obeyed: nothing is sent again', async () => {
  const { service, heard, client } = listening([never]);
  await using _ = service;
  const abort = new AbortController();
  const call = client.publishSignal(REQUEST, { signal: abort.signal });
  await Bun.sleep(50);
  abort.abort();
  await expect(call).rejects.toHaveProperty('name', 'AbortError');
  await Bun.sleep(50);
  expect(heard).toHaveLength(1);
});
