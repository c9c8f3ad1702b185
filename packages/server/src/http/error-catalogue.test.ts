// Every code of the catalogue, provoked over a real socket: it looks as documented, over REST and over WebSocket.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type CatalogueEntry, ERROR_CODES, ERRORS, type ErrorCode, ErrorNotice, Problem } from '@tickwire/contract';
import { PassOn } from '../cluster/pass-on.ts';
import { handshake, knock, reply } from '../gateway/rfc6455/handshake.fixture.ts';
import { StoreError } from '../store/store.ts';
import { accountProvocations } from '../testing/account-provocations.fixture.ts';
import { serveBareApi } from '../testing/bare-api.fixture.ts';
import { serveClosedMarket, serveQuietMarket } from '../testing/closed-market.fixture.ts';
import { connected } from '../testing/metric.fixture.ts';
import { BUY, EURO, LIMIT, TestMarket, TestPublisher } from '../testing/publisher.fixture.ts';
import { RawSocket } from '../testing/raw-socket.fixture.ts';
import { type RunningService, startService } from '../testing/service.fixture.ts';
import { lastWords, stuckReader } from '../testing/slow-signals.fixture.ts';
import { isEvent, type Message, StreamClient } from '../testing/stream-client.fixture.ts';

let service: RunningService;
let pushService: RunningService;
let pushKey: { key: string };
let market: TestMarket;
let small: RunningService;
beforeAll(async () => {
  // Behind a proxy, so that each provocation can come from an address of its own.
  service = await startService({ sim_rate: '500', trusted_proxies: '127.0.0.1' });
  // Nobody listens at this address for a language model.
  const llm = { llm_url: 'http://127.0.0.1:9/v1', llm_model: 'example-llm', llm_timeout_ms: '300' };
  pushService = await startService({ feeds: 'push', max_active_signals: '2', ...llm });
  pushKey = await pushService.key('free', ['ingest']);
  market = await TestMarket.of(pushService);
  small = await startService({
    feeds: 'push',
    metrics_port: '0',
    trusted_proxies: '127.0.0.1',
    max_connections: '2',
    max_connections_per_address: '1',
    max_subscriptions: '1',
  });
});
afterAll(async () => {
  await service.stop();
  await pushService.stop();
  await small.stop();
});

/** What a code looked like: the answer to a request, the notice and close of a connection, or a symbol it was refused. */
type Provoked =
  | { readonly answer: Response }
  | { readonly notice: Message; readonly close?: number }
  | { readonly rejected: unknown };

const get = async (path: string, tier = 'premium', scopes = ['read']): Promise<Provoked> => ({
  answer: await fetch(service.url + path, { headers: { 'X-API-Key': (await service.key(tier, scopes)).key } }),
});

const withKey = async (key: string, from: string): Promise<Response> =>
  fetch(`${service.url}/api/session`, { headers: { 'X-API-Key': key, 'X-Forwarded-For': from } });

async function say(text: string | Uint8Array<ArrayBuffer>, times = 1): Promise<Provoked> {
  const { key } = await service.key();
  const stream = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
  for (let count = 0; count < times; count++) stream.sendRaw(text);
  const notice = await stream.next((message) => message.event === 'error' && (times === 1 || message.fatal === true));
  if (notice.fatal) return { notice, close: (await stream.closed).code };
  stream.close();
  return { notice };
}

/** A fault of a part that the service depends on, for one request. */
async function broken(fault: Error): Promise<Provoked> {
  const { market } = service.app.store;
  const { bars } = market;
  market.bars = () => Promise.reject(fault);
  try {
    return await get('/api/market/EURUSD?before=2026-01-01');
  } finally {
    market.bars = bars;
  }
}

/** Sends a body to the service that takes ticks. */
const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
  { key }: { key: string },
  url = service.url,
) => fetch(`${url}/ingest/ticks`, { method: 'POST', body, headers: { ...headers, 'X-API-Key': key } });

const pushed = async (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Provoked> => ({
  answer: await post(body, headers, pushKey, pushService.url),
});

/** Asks for a sentiment. */
const scored = async ({ key }: { key: string }, changes: object = {}): Promise<Provoked> => ({
  answer: await fetch(`${pushService.url}/api/ai/sentiment`, {
    method: 'POST',
    body: JSON.stringify({ text: 'Gold rises', ...changes }),
    headers: { 'X-API-Key': key },
  }),
});

const publisher = (): Promise<TestPublisher> => TestPublisher.of(pushService);

/** Publishes a buy at a known market with something changed. */
async function published(changes: object): Promise<Provoked> {
  await market.quote(...EURO);
  return { answer: await (await publisher()).publish({ ...BUY, ...changes }) };
}

/** A signal, and what another does with it. */
async function withSignal(act: (id: string, owner: TestPublisher) => Promise<Response>): Promise<Provoked> {
  await market.quote(...EURO);
  const owner = await publisher();
  return { answer: await act((await owner.published(BUY)).id, owner) };
}

/** Has as many connections as it is given addresses, each from its own; what the last is answered where it is refused. */
async function crowded(...addresses: string[]): Promise<Provoked> {
  const handshakes = addresses.map((from) => handshake({ 'X-Forwarded-For': from }));
  const last = handshakes.pop()!;
  const sockets = await Promise.all(handshakes.map(() => RawSocket.connect(small.url)));
  try {
    for (const [at, socket] of sockets.entries()) {
      socket.write(handshakes[at]!);
      expect((await reply(socket)).status).toBe(101);
    }
    const { status, headers, body } = await knock(small.url, last);
    return { answer: new Response(body, { status, headers }) };
  } finally {
    for (const socket of sockets) socket.destroy();
    await connected(small, 0);
  }
}

const PROVOCATIONS: Readonly<Record<ErrorCode, () => Promise<Provoked>>> = {
  ...accountProvocations(() => service),
  missing_key: async () => ({ answer: await fetch(`${service.url}/api/session`) }),
  invalid_key: async () => ({ answer: await withKey('tw_bad', '192.0.2.1') }),
  missing_scope: () => get('/api/session', 'free', ['publish']),
  rate_limited: async () => {
    const { key } = await service.key('free');
    for (let count = 0; count < 60; count++) await withKey(key, '192.0.2.2');
    return { answer: await withKey(key, '192.0.2.2') };
  },
  too_many_failures: async () => {
    for (let count = 0; count < 20; count++) expect((await withKey('tw_bad', '192.0.2.3')).status).toBe(401);
    const answer = await withKey('tw_bad', '192.0.2.3');
    expect(Number(answer.headers.get('retry-after'))).toBeWithin(58, 61);
    const { key } = await service.key();
    expect((await withKey(key, '192.0.2.3')).status).toBe(200);
    return { answer };
  },
  ai_calls_exhausted: async () => {
    const key = await pushService.key('free');
    for (let count = 0; count < 5; count++)
      expect(await scored(key, { model: 'local' })).toMatchObject({ answer: { status: 200 } });
    return scored(key, { model: 'local' });
  },
  model_not_found: async () => scored(await pushService.key(), { model: 'none-such' }),
  model_unavailable: async () => scored(await pushService.key(), { model: 'example-llm' }),
  ingest_disabled: async () => ({ answer: await post('{}', {}, await service.key('free', ['ingest'])) }),
  malformed_body: () => pushed(new Uint8Array([0xff, 0xfe, 0xfd])),
  payload_too_large: () => pushed(Bun.gzipSync(new Uint8Array(65 * 1024 * 1024)), { 'Content-Encoding': 'gzip' }),
  unsupported_encoding: () => pushed('{}', { 'Content-Encoding': 'br' }),
  idempotency_conflict: async () => {
    await pushed('{}', { 'Idempotency-Key': 'once' });
    return pushed('{"other":1}', { 'Idempotency-Key': 'once' });
  },
  too_many_connections: () => crowded('192.0.2.4', '192.0.2.4'),
  service_full: () => crowded('192.0.2.5', '192.0.2.6', '192.0.2.7'),
  subscription_limit: async () => {
    const stream = await StreamClient.open(`${small.wsUrl}/ws/market`, (await small.key()).key);
    const answer = await stream.ask({ action: 'subscribe', symbols: ['EURUSD', 'GBPUSD'] });
    expect(answer).toMatchObject({ event: 'subscribed', symbols: ['EURUSD'] });
    stream.close();
    return { rejected: answer.rejected };
  },
  invalid_parameter: () => get('/api/market/EURUSD?bars=0'),
  malformed_path: () => get('/api/market/%zz'),
  symbol_not_found: () => get('/api/market/NOSUCH'),
  not_found: () => get('/none-such'),
  signal_not_found: () => get('/api/signals/sig_none'),
  publisher_not_found: () => get('/api/publishers/nobody'),
  not_your_signal: () => withSignal(async (id) => (await publisher()).close(id)),
  signal_closed: () =>
    withSignal(async (id, owner) => {
      await owner.closed(id);
      return owner.close(id);
    }),
  too_many_signals: () =>
    withSignal(async (_, owner) => {
      await owner.published(LIMIT);
      return owner.publish(BUY);
    }),
  no_active_ingest: async () => {
    // A gateway of a cluster in which nobody is active.
    const api = await serveBareApi({ floor: new PassOn({ active: () => null, patienceMs: 200 }).answers });
    const answer = await api.post('/api/signals', BUY);
    expect(answer.headers.get('retry-after')).toBe('5');
    await api.stop();
    return { answer };
  },
  market_closed: async () => {
    const api = await serveClosedMarket();
    const answer = await api.post('/api/signals', BUY);
    await api.stop();
    return { answer };
  },
  stale_quote: async () => {
    const api = await serveQuietMarket();
    const answer = await api.post('/api/signals', BUY);
    await api.stop();
    return { answer };
  },
  finer_than_digits: () => published({ stop_loss: 1.082001 }),
  levels_out_of_order: () => published({ direction: 'sell' }),
  entry_too_far: () => published({ entry: 1.4, stop_loss: 1.39, take_profit: 1.41 }),
  distance_out_of_range: () => published({ stop_loss: 1.08401 }),
  // The entry is the ask, a spread above the bid that one could leave at.
  level_reached: () => published({ stop_loss: 1.084 }),
  expiry_out_of_range: () => published({ expires_at: new Date(Date.now() + 31 * 86_400_000).toISOString() }),
  method_not_allowed: async () => ({ answer: await fetch(`${service.url}/api/session`, { method: 'POST' }) }),
  uri_too_long: () => get(`/api/symbols?${'x'.repeat(9_000)}`),
  upgrade_required: () => get('/ws/market'),
  internal: () => broken(new TypeError('undefined is not a function at /srv/secret/place.ts:12')),
  no_quote: async () => {
    const api = await serveBareApi();
    const answer = await api.get('/api/market/EURUSD/quote');
    expect(await (await api.get('/api/market/EURUSD')).json()).toMatchObject({ ohlcv: [], quote: null });
    expect(await (await api.get('/api/quotes')).json()).toEqual({ items: [], count: 0 });
    await api.stop();
    return { answer };
  },
  store_unavailable: () => broken(new StoreError('/srv/secret/market.db is locked by another process (SQLITE_BUSY)')),
  shutting_down: async () => {
    const other = await startService({ sim_rate: '500' });
    const { key } = await other.key();
    const stream = await StreamClient.open(`${other.wsUrl}/ws/signals`, key);
    // While this reader is given its time to drain, the service is stopping.
    const stuck = await stuckReader(other, key);
    const stopped = other.stop();
    const answer = await fetch(`${other.url}/api/session`, { headers: { 'X-API-Key': key } });
    expect(await (await fetch(`${other.url}/healthz`)).json()).toEqual({ status: 'stopping' });
    expect((await fetch(`${other.url}/readyz`)).status).toBe(503);
    await expect(StreamClient.open(`${other.wsUrl}/ws/market`, key)).rejects.toThrow('not opened');
    await stream.next(isEvent('shutdown'));
    expect((await stream.closed).code).toBe(1012);
    stuck.destroy();
    await stopped;
    return { answer };
  },
  malformed_json: () => say('{'),
  invalid_message: () => say('{"action":"subscribe","symbols":5}'),
  unknown_action: () => say('{"action":"buy"}'),
  bad_messages: () => say(new Uint8Array([1, 2, 3])),
  too_slow: async () => lastWords(service, (await service.key()).key),
  message_too_large: () => say(' '.repeat(65_537)),
  stream_limit: async () => {
    const { key } = await service.key('free');
    const [one, two, three] = await Promise.all(
      [1, 2, 3].map(() => StreamClient.open(`${service.wsUrl}/ws/market`, key)),
    );
    const refused = await Promise.race([one!, two!, three!].map(async (each) => ({ each, ...(await each.closed) })));
    for (const stream of [one!, two!, three!]) stream.close();
    return { notice: refused.each.messages.at(-1)!, close: refused.code };
  },
  too_many_messages: () => say('{"action":"ping"}', 201),
};

async function expectProblem(answer: Response, code: ErrorCode): Promise<void> {
  const entry: CatalogueEntry = ERRORS[code];
  const body = await answer.json();
  expect(Problem.parse(body)).toStrictEqual(body as never);
  expect(body).toMatchObject({ code, title: entry.title, status: entry.status, type: `/docs#error-${code}` });
  expect(answer.status).toBe(entry.status!);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect((body as Problem).request_id).toBe(answer.headers.get('x-request-id')!);
  expect(answer.headers.has('retry-after') || code === 'internal' || code === 'store_unavailable').toBe(
    entry.retryable,
  );
}

function expectNotice(notice: Message, close: number | undefined, code: ErrorCode): void {
  const entry: CatalogueEntry = ERRORS[code];
  expect(ErrorNotice.parse(notice)).toStrictEqual(notice as never);
  expect(notice).toMatchObject({ code, retryable: entry.retryable, fatal: entry.close !== undefined });
  expect(close).toBe(entry.close);
}

describe('the catalogue of errors', () => {
  test('has a provocation for every code, and for none that is not in it', () => {
    expect(Object.keys(PROVOCATIONS).sort()).toEqual([...ERROR_CODES].sort());
  });

  test.each(ERROR_CODES)(
    '%s',
    async (code) => {
      const provoked = await PROVOCATIONS[code]();
      if ('answer' in provoked) await expectProblem(provoked.answer, code);
      else if ('notice' in provoked) expectNotice(provoked.notice, provoked.close, code);
      else expect(provoked.rejected).toEqual([{ symbol: 'GBPUSD', code }]);
    },
    15_000,
  );

  test('a fault shows its request id and nothing of the inside', async () => {
    for (const code of ['internal', 'store_unavailable'] as const) {
      const provoked = await PROVOCATIONS[code]();
      const text = 'answer' in provoked ? await provoked.answer.text() : '';
      expect(text).toContain(code);
      expect(text).not.toMatch(/secret|place|undefined|TypeError|SQLITE|locked|\.ts/);
    }
    expect((await get('/api/market/EURUSD?before=2026-01-01')) as { answer: Response }).toHaveProperty(
      'answer.status',
      200,
    );
  });
});

describe('errors over WebSocket that REST has too', () => {
  const say = async (message: Message): Promise<[Message, number]> => {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/signals`);
    stream.send(message);
    return [await stream.next(), (await stream.closed).code];
  };

  test('a bad key', async () => {
    const [notice, close] = await say({ action: 'subscribe', api_key: 'tw_bad' });
    expect([notice.code, close]).toEqual(['invalid_key', 4401]);
  });

  test('a key without the scope', async () => {
    const { key } = await service.key('free', ['publish', 'ingest']);
    const [notice, close] = await say({ action: 'subscribe', api_key: key });
    expect([notice.code, close]).toEqual(['missing_scope', 4401]);
  });

  test('too many bad keys, while a good one still works', async () => {
    const codes = new Set<unknown>();
    for (let count = 0; count < 25; count++) codes.add((await say({ action: 'ping', api_key: 'tw_bad' }))[0].code);
    expect([...codes]).toEqual(['invalid_key', 'too_many_failures']);
    const stream = await StreamClient.open(`${service.wsUrl}/ws/signals`);
    expect(await stream.ask({ action: 'ping', api_key: (await service.key()).key })).toMatchObject({ event: 'pong' });
    stream.close();
  });

  test('a fault ends the connection it came up on with 1011, shows nothing of the inside, and ends no other', async () => {
    const { key } = await service.key();
    const bystander = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
    const { keyring } = service.app;
    const authenticate = keyring.authenticate.bind(keyring);
    keyring.authenticate = () => {
      keyring.authenticate = authenticate;
      throw new Error('/srv/secret/place.ts');
    };
    const [notice, close] = await say({ action: 'subscribe', api_key: key });
    expectNotice(notice, close, 'internal');
    expect(JSON.stringify(notice)).not.toContain('secret');
    expect(await bystander.ask({ action: 'ping' })).toMatchObject({ event: 'pong' });
    bystander.close();
  });
});
