// Every error code, provoked over a real socket: it looks as documented, over REST and over WebSocket.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  type ErrorEntry,
  ErrorNotice,
  Problem,
  SAVED_RECORDS_PER_REPLAY,
  TIERS,
} from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { accountErrors } from '../../testing/account-errors.fixture.ts';
import { alertErrors } from '../../testing/alert-errors.fixture.ts';
import { serveBareApi } from '../../testing/bare-api.fixture.ts';
import { chatChannelErrors } from '../../testing/chat-channel-errors.fixture.ts';
import { serveClosedMarket, serveQuietMarket } from '../../testing/closed-market.fixture.ts';
import { connected } from '../../testing/metric.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { atMarket, BUY, EURO, LIMIT, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { RawSocket } from '../../testing/raw-socket.fixture.ts';
import { handshake, readResponse, tryHandshake } from '../../testing/rfc6455/handshake.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { SigningPublisher } from '../../testing/signals/signing.fixture.ts';
import { lastMessages, stalledConsumer } from '../../testing/stalled-consumer.fixture.ts';
import { isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';
import { VENUE_ERRORS } from '../../testing/venue-errors.fixture.ts';
import { MAX_OPEN_BODIES } from '../access/address-limits.ts';
import { IngestProxy } from '../cluster/link/ingest-proxy.ts';
import { StoreError } from '../errors/store-error.ts';

let service: RunningService;
let pushService: RunningService;
let pushKey: { key: string };
let market: TestMarket;
let small: RunningService;
beforeAll(async () => {
  // Behind a proxy, so that each request can come from a different address.
  service = await startService({ sim_rate: '500', trusted_proxies: '127.0.0.1', key_creations_per_day: '110' });
  // Nothing listens at this address.
  const llm = { llm_url: 'http://127.0.0.1:9/v1', llm_model: 'example-llm', llm_timeout_ms: '300' };
  pushService = await startService({ feeds: 'push', max_active_signals: '2', ...llm });
  pushKey = await pushService.key('free', ['ingest']);
  market = await TestMarket.of(pushService);
  const data = temporaryFolder();
  const none = { requests_per_minute: 60, streams: 1, ai_calls_per_day: 0, export_rows_per_day: 0 };
  writeFileSync(join(data, 'tickwire.json'), JSON.stringify({ tiers: { none } }));
  small = await startService({
    data,
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

/** How a code appeared: as a response, as a notice and close of a connection, or as a rejected symbol. */
type Provoked =
  | { readonly response: Response }
  | { readonly notice: Message; readonly close?: number }
  | { readonly rejected: unknown };

const get = async (path: string, tier = 'premium', scopes = ['read']): Promise<Provoked> => ({
  response: await fetch(service.url + path, { headers: { 'X-API-Key': (await service.key(tier, scopes)).key } }),
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

/** Makes a part that the service depends on fail for one request. */
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

/** Sends a body to the service that accepts ticks. */
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
  response: await post(body, headers, pushKey, pushService.url),
});

/** Requests a sentiment. */
const scored = async ({ key }: { key: string }, changes: object = {}): Promise<Provoked> => ({
  response: await fetch(`${pushService.url}/api/ai/sentiment`, {
    method: 'POST',
    body: JSON.stringify({ text: 'Gold rises', ...changes }),
    headers: { 'X-API-Key': key },
  }),
});

const publisher = (): Promise<TestPublisher> => TestPublisher.of(pushService);

/** Publishes a buy in a known market with changed fields. */
async function published(changes: object): Promise<Provoked> {
  await market.quote(...EURO);
  return { response: await (await publisher()).publish({ ...BUY, ...changes }) };
}

/** A signal, and a request about it by another account. */
async function withSignal(act: (id: string, owner: TestPublisher) => Promise<Response>): Promise<Provoked> {
  await market.quote(...EURO);
  const owner = await publisher();
  return { response: await act((await owner.published(BUY)).id, owner) };
}

/** A publisher with a signing key. */
async function withSigner(
  act: (owner: TestPublisher, signer: SigningPublisher) => Promise<Provoked>,
): Promise<Provoked> {
  await market.quote(...EURO);
  const owner = await publisher();
  return act(owner, await SigningPublisher.of(pushService, owner));
}

/** Opens a connection from each address; returns the response to the last, which is rejected. */
async function crowded(...addresses: string[]): Promise<Provoked> {
  const handshakes = addresses.map((from) => handshake({ 'X-Forwarded-For': from }));
  const last = handshakes.pop()!;
  const sockets = await Promise.all(handshakes.map(() => RawSocket.connect(small.url)));
  try {
    for (const [at, socket] of sockets.entries()) {
      socket.write(handshakes[at]!);
      expect((await readResponse(socket)).status).toBe(101);
    }
    const { status, headers, body } = await tryHandshake(small.url, last);
    return { response: new Response(body, { status, headers }) };
  } finally {
    for (const socket of sockets) socket.destroy();
    await connected(small, 0);
  }
}

const PROVOCATIONS: Readonly<Record<ErrorCode, () => Promise<Provoked>>> = {
  ...accountErrors(() => service),
  ...alertErrors(() => service),
  ...VENUE_ERRORS,
  ...chatChannelErrors(),
  replay_not_found: () => get('/api/replays/rpl_none', 'free'),
  not_in_replay: () => get('/api/usage?replay=rpl_none', 'free'),
  too_many_replays: async () => {
    const { key } = await service.key('free');
    const body = JSON.stringify({ symbols: ['EURUSD'], from: '2026-03-02', to: '2026-03-03' });
    const create = () => fetch(`${service.url}/api/replays`, { method: 'POST', body, headers: { 'X-API-Key': key } });
    expect((await create()).status).toBe(201);
    return { response: await create() };
  },
  saved_record_not_found: async () => {
    const { key } = await service.key('free', ['publish']);
    const init = { method: 'DELETE', headers: { 'X-API-Key': key } };
    return { response: await fetch(`${service.url}/api/practice-records/rec_none`, init) };
  },
  too_many_saved_records: async () => {
    const { key } = await service.key('free', ['read', 'publish']);
    const post = (path: string, body: object) =>
      fetch(service.url + path, { method: 'POST', body: JSON.stringify(body), headers: { 'X-API-Key': key } });
    const range = { symbols: ['EURUSD'], from: '2026-03-02', to: '2026-03-03' };
    const { id } = (await (await post('/api/replays', range)).json()) as { id: string };
    const save = () => post(`/api/replays/${id}/save`, { name: 'Saved' });
    for (let count = 0; count < TIERS.free.replays * SAVED_RECORDS_PER_REPLAY; count++)
      expect((await save()).status).toBe(201);
    return { response: await save() };
  },
  missing_key: async () => ({ response: await fetch(`${service.url}/api/session`) }),
  invalid_key: async () => ({ response: await withKey('tw_bad', '192.0.2.1') }),
  missing_scope: () => get('/api/session', 'free', ['publish']),
  rate_limited: async () => {
    const { key } = await service.key('free');
    for (let count = 0; count < 60; count++) await withKey(key, '192.0.2.2');
    return { response: await withKey(key, '192.0.2.2') };
  },
  too_many_failures: async () => {
    for (let count = 0; count < 20; count++) expect((await withKey('tw_bad', '192.0.2.3')).status).toBe(401);
    const response = await withKey('tw_bad', '192.0.2.3');
    expect(Number(response.headers.get('retry-after'))).toBeWithin(58, 61);
    const { key } = await service.key();
    expect((await withKey(key, '192.0.2.3')).status).toBe(200);
    return { response };
  },
  too_many_requests: async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.8' };
    const open = Array.from({ length: MAX_OPEN_BODIES }, () => RawSocket.connect(service.url));
    const start =
      'POST /api/account/sign-in HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.8\r\nContent-Length: 5\r\n\r\n';
    for (const socket of await Promise.all(open)) socket.write(start);
    await Bun.sleep(100);
    const response = await fetch(`${service.url}/api/account/sign-in`, { method: 'POST', body: '{}', headers });
    for (const socket of await Promise.all(open)) socket.destroy();
    return { response };
  },
  ai_calls_exhausted: async () => {
    const key = await pushService.key('free');
    for (let count = 0; count < 5; count++)
      expect(await scored(key, { model: 'local' })).toMatchObject({ response: { status: 200 } });
    return scored(key, { model: 'local' });
  },
  export_rows_exhausted: async () => {
    const headers = { 'X-API-Key': (await small.key('none')).key };
    return { response: await fetch(`${small.url}/api/bars/EURUSD?format=csv`, { headers }) };
  },
  precondition_failed: async () => {
    const { key } = await service.key();
    const headers = { 'X-API-Key': key, 'If-Match': '"another"' };
    return { response: await fetch(`${service.url}/api/bars/EURUSD?format=csv`, { headers }) };
  },
  range_not_satisfiable: async () => {
    const { key } = await service.key();
    const headers = { 'X-API-Key': key, Range: 'bytes=1000000000-' };
    return { response: await fetch(`${service.url}/api/bars/EURUSD?format=csv`, { headers }) };
  },
  no_evidence: () => get('/api/evidence/2020-01-01/EURUSD'),
  too_many_downloads: async () => {
    await market.quote(...EURO);
    const today = new Date().toISOString().slice(0, 10);
    const { key } = await pushService.key();
    const headers = { 'X-API-Key': key };
    // The tape of the day is written five times a second.
    await eventually('the day has a tape', async () => {
      const response = await fetch(`${pushService.url}/api/evidence/${today}/EURUSD`, { headers });
      await response.body?.cancel();
      return response.status === 200;
    });
    const path = `/api/evidence/${today}/EURUSD`;
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${pushService.url}${path}`, { headers })),
    );
    const rejected = responses.find(({ status }) => status === 429);
    for (const response of responses) if (response !== rejected) await response.body?.cancel();
    return { response: rejected! };
  },
  model_not_found: async () => scored(await pushService.key(), { model: 'none-such' }),
  model_unavailable: async () => scored(await pushService.key(), { model: 'example-llm' }),
  ingest_disabled: async () => ({ response: await post('{}', {}, await service.key('free', ['ingest'])) }),
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
    const response = await stream.ask({ action: 'subscribe', symbols: ['EURUSD', 'GBPUSD'] });
    expect(response).toMatchObject({ event: 'subscribed', symbols: ['EURUSD'] });
    stream.close();
    return { rejected: response.rejected };
  },
  invalid_parameter: () => get('/api/market/EURUSD?bars=0'),
  repeated_parameter: () => get('/api/market/EURUSD?bars=1&bars=2'),
  unknown_parameter: () => get('/api/bars/EURUSD?intervall=1m'),
  malformed_path: () => get('/api/market/%zz'),
  symbol_not_found: () => get('/api/market/NOSUCH'),
  not_found: () => get('/none-such'),
  signal_not_found: () => get('/api/signals/sig_none'),
  news_not_found: () => get('/api/news/none'),
  publisher_not_found: () => get('/api/publishers/nobody'),
  not_your_signal: () => withSignal(async (id) => (await publisher()).close(id)),
  signal_closed: () =>
    withSignal(async (id, owner) => {
      await owner.closed(id, market);
      return owner.close(id);
    }),
  close_requested: () =>
    withSignal(async (id, owner) => {
      const first = owner.close(id);
      await owner.once(id, ({ close_requested_at }) => close_requested_at !== null);
      const second = await owner.close(id);
      for (const _ of ['fill', 'close']) await market.repeat('EURUSD');
      await first;
      return second;
    }),
  signal_voided: () =>
    withSignal(async (id) => {
      const operator = await TestPublisher.of(pushService, ['admin']);
      const attempt = () => operator.post(`/api/admin/signals/${id}/void`, JSON.stringify({ reason: 'a bad tick' }));
      await attempt();
      return attempt();
    }),
  unclear_signal: async () => {
    await market.quote(...EURO);
    return { response: await (await publisher()).publish({ text: 'EURUSD buy 1.0840 TP 1.0900' }) };
  },
  invalid_targets: () => published({ take_profit: undefined, targets: [{ price: 1.088, fraction: 0.5 }] }),
  stop_not_tighter: () => withSignal((id, owner) => owner.amend(id, { stop_loss: 1.08 })),
  too_many_amendments: () =>
    withSignal(async (id, owner) => {
      for (let count = 1; count <= 100; count++) await owner.amended(id, Number((1.082 + count / 100_000).toFixed(5)));
      return owner.amend(id, { stop_loss: 1.0835 });
    }),
  signature_required: () => withSigner(async (owner) => ({ response: await owner.publish(BUY) })),
  invalid_signature: () =>
    withSigner(async (owner, signer) => ({
      response: await owner.publish({ ...signer.publication(BUY), note: 'not signed' }),
    })),
  stale_signature: () =>
    withSigner(async (owner, signer) => ({
      response: await owner.publish(signer.publication(BUY, Date.now() - 60_000)),
    })),
  too_many_signals: () =>
    withSignal(async (_, owner) => {
      await owner.published(LIMIT);
      return owner.publish(BUY);
    }),
  too_many_signals_of_symbol: async () => {
    const owner = new TestPublisher(service, await service.key('free', ['publish']));
    const terms = await atMarket(await TestPublisher.of(service));
    for (let count = 0; count < 5; count++) await owner.published(terms);
    return { response: await owner.publish(terms) };
  },
  signals_exhausted: async () => {
    const owner = new TestPublisher(service, await service.key('free', ['publish']));
    const terms = await atMarket(await TestPublisher.of(service));
    const reader = await TestPublisher.of(service);
    for (let count = 0; count < 20; count++) {
      const { id } = await owner.published(terms);
      await owner.close(id);
      await reader.ended(id);
    }
    return { response: await owner.publish(terms) };
  },
  no_active_ingest: async () => {
    // A gateway of a cluster without an active ingest node.
    const api = await serveBareApi({
      ingestProxy: new IngestProxy({ active: () => null, now: Date.now, retryForMs: 200 }),
    });
    const response = await api.post('/api/signals', BUY);
    expect(response.headers.get('retry-after')).toBe('5');
    await api.stop();
    return { response };
  },
  market_closed: async () => {
    const api = await serveClosedMarket();
    const response = await api.post('/api/signals', BUY);
    await api.stop();
    return { response };
  },
  stale_quote: async () => {
    const api = await serveQuietMarket();
    const response = await api.post('/api/signals', BUY);
    await api.stop();
    return { response };
  },
  price_unconfirmed: async () => {
    await market.quote(...EURO);
    await market.held('EURUSD', 1.15, 1.1501);
    return { response: await (await publisher()).publish(BUY) };
  },
  finer_than_digits: () => published({ stop_loss: 1.082001 }),
  levels_out_of_order: () => published({ direction: 'sell' }),
  entry_too_far: () => published({ entry: 1.4, stop_loss: 1.39, take_profit: 1.41 }),
  distance_out_of_range: () => published({ stop_loss: 1.08401 }),
  // The entry is the ask, one spread above the bid, where the signal could be closed.
  level_reached: () => published({ stop_loss: 1.084 }),
  expiry_out_of_range: () => published({ expires_at: new Date(Date.now() + 31 * DAY_MS).toISOString() }),
  method_not_allowed: async () => ({ response: await fetch(`${service.url}/api/session`, { method: 'POST' }) }),
  uri_too_long: () => get(`/api/symbols?${'x'.repeat(9_000)}`),
  upgrade_required: () => get('/ws/market'),
  internal: () => broken(new TypeError('undefined is not a function at /srv/secret/place.ts:12')),
  no_conversion: () => get('/api/position-size?symbol=EURUSD&entry=1.084&stop_loss=1.081&balance=1000&currency=SEK'),
  not_perpetual: () => get('/api/market/EURUSD/perpetual'),
  no_trades: async () => {
    await market.quote(...EURO);
    const headers = { 'X-API-Key': (await pushService.key()).key };
    return { response: await fetch(`${pushService.url}/api/profile/EURUSD`, { headers }) };
  },
  no_quote: async () => {
    const api = await serveBareApi();
    const response = await api.get('/api/market/EURUSD/quote');
    expect(await (await api.get('/api/market/EURUSD')).json()).toMatchObject({ ohlcv: [], quote: null });
    expect(await (await api.get('/api/quotes')).json()).toEqual({ items: [], count: 0 });
    await api.stop();
    return { response };
  },
  store_unavailable: () => broken(new StoreError('/srv/secret/market.db is locked by another process (SQLITE_BUSY)')),
  shutting_down: async () => {
    const other = await startService({ sim_rate: '500' });
    const { key } = await other.key();
    const stream = await StreamClient.open(`${other.wsUrl}/ws/signals`, key);
    // The service is stopping while it waits for this client to drain.
    const stuck = await stalledConsumer(other, key);
    const stopped = other.stop();
    const response = await fetch(`${other.url}/api/session`, { headers: { 'X-API-Key': key } });
    expect(await (await fetch(`${other.url}/healthz`)).json()).toEqual({ status: 'stopping' });
    expect((await fetch(`${other.url}/readyz`)).status).toBe(503);
    await expect(StreamClient.open(`${other.wsUrl}/ws/market`, key)).rejects.toThrow('not opened');
    await stream.next(isEvent('shutdown'));
    expect((await stream.closed).code).toBe(1012);
    stuck.destroy();
    await stopped;
    return { response };
  },
  malformed_json: () => say('{'),
  invalid_message: () => say('{"action":"subscribe","symbols":5}'),
  unknown_channel: async () => {
    const stream = await StreamClient.open(`${service.wsUrl}/ws`, (await service.key()).key);
    const notice = await stream.ask({ action: 'subscribe', channel: 'quotes', symbols: ['EURUSD'] });
    expect(await stream.ask({ action: 'ping' })).toMatchObject({ event: 'pong' });
    stream.close();
    const { id: _, ...rest } = notice;
    return { notice: rest };
  },
  unknown_action: () => say('{"action":"buy"}'),
  bad_messages: () => say(new Uint8Array([1, 2, 3])),
  too_slow: async () => lastMessages(service, (await service.key()).key),
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

async function expectProblem(response: Response, code: ErrorCode): Promise<void> {
  const entry: ErrorEntry = ERRORS[code];
  const body = await response.json();
  expect(Problem.parse(body)).toStrictEqual(body as never);
  expect(body).toMatchObject({ code, title: entry.title, status: entry.status, type: `/docs#error-${code}` });
  expect(response.status).toBe(entry.status!);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect((body as Problem).request_id).toBe(response.headers.get('x-request-id')!);
  expect(response.headers.has('retry-after') || code === 'internal' || code === 'store_unavailable').toBe(
    entry.retryable,
  );
}

function expectNotice(notice: Message, close: number | undefined, code: ErrorCode): void {
  const entry: ErrorEntry = ERRORS[code];
  expect(ErrorNotice.parse(notice)).toStrictEqual(notice as never);
  expect(notice).toMatchObject({ code, retryable: entry.retryable, fatal: entry.close !== undefined });
  expect(close).toBe(entry.close);
}

describe('the error catalogue', () => {
  test('has a test for exactly the codes in the catalogue', () => {
    expect(Object.keys(PROVOCATIONS).sort()).toEqual([...ERROR_CODES].sort());
  });

  test.each(ERROR_CODES)('%s', async (code) => {
    const provoked = await PROVOCATIONS[code]();
    if ('response' in provoked) await expectProblem(provoked.response, code);
    else if ('notice' in provoked) expectNotice(provoked.notice, provoked.close, code);
    else expect(provoked.rejected).toEqual([{ symbol: 'GBPUSD', code }]);
  });

  test('an internal error shows its request id and no internals', async () => {
    for (const code of ['internal', 'store_unavailable'] as const) {
      const provoked = await PROVOCATIONS[code]();
      const text = 'response' in provoked ? await provoked.response.text() : '';
      expect(text).toContain(code);
      expect(text).not.toMatch(/secret|place|undefined|TypeError|SQLITE|locked|\.ts/);
    }
    expect((await get('/api/market/EURUSD?before=2026-01-01')) as { response: Response }).toHaveProperty(
      'response.status',
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

  test('an invalid key', async () => {
    const [notice, close] = await say({ action: 'subscribe', api_key: 'tw_bad' });
    expect([notice.code, close]).toEqual(['invalid_key', 4401]);
  });

  test('a key without the scope', async () => {
    const { key } = await service.key('free', ['publish', 'ingest']);
    const [notice, close] = await say({ action: 'subscribe', api_key: key });
    expect([notice.code, close]).toEqual(['missing_scope', 4401]);
  });

  test('too many invalid keys, while a valid one still works', async () => {
    const codes = new Set<unknown>();
    for (let count = 0; count < 25; count++) codes.add((await say({ action: 'ping', api_key: 'tw_bad' }))[0].code);
    expect([...codes]).toEqual(['invalid_key', 'too_many_failures']);
    const stream = await StreamClient.open(`${service.wsUrl}/ws/signals`);
    expect(await stream.ask({ action: 'ping', api_key: (await service.key()).key })).toMatchObject({ event: 'pong' });
    stream.close();
  });

  test('an internal error closes only its own connection with 1011 and shows no internals', async () => {
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
