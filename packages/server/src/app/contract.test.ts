// The contract over a real socket: every endpoint returns exactly what its schema says, with the fields of the interface
// document in their order.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API_VERSION, ENDPOINTS, type Endpoint, type EndpointName, REQUEST_EXAMPLES } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import { serveBareApi } from '../../testing/bare-api.fixture.ts';
import { readCurl } from '../../testing/curl-command.fixture.ts';
import { FAKE_BOT_TOKEN, FakeTelegram } from '../../testing/delivery/fake-telegram.fixture.ts';
import { newsDetail, newsEvent } from '../../testing/news.fixture.ts';
import { figuresEvent, liquidationEvent, withPerpetuals } from '../../testing/perpetual.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { atMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { newReplay } from '../../testing/replay/new-replay.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { chatEdit, chatMessage } from '../../testing/store/chat-samples.fixture.ts';
import { move, news } from '../../testing/store/news-samples.fixture.ts';
import { callSample } from '../pages/reference/client-samples.ts';

let telegram: FakeTelegram;
let service: RunningService;
let key: string;
/** Signals that are published and closed for these tests. */
let open: string;
let done: string;
let paths: Readonly<Record<EndpointName, string>>;
beforeAll(async () => {
  telegram = await FakeTelegram.open();
  service = await startService({
    ...{ telegram_api_url: telegram.url, telegram_bot_token: FAKE_BOT_TOKEN },
    sim_rate: '500',
    news: 'sim',
    calendar: 'sim',
    public_records: 'on',
    delivery_allow_private: 'true',
    ...withPerpetuals(),
  });
  key = (await service.key('premium', ['read', 'publish', 'alerts', 'admin'])).key;
  const publisher = await TestPublisher.of(service);
  const { id } = await publisher.published({ ...(await atMarket(publisher, 'XAUUSD')), note: 'over by hand' });
  done = (await publisher.closed(id)).id;
  open = (await publisher.published(await atMarket(publisher))).id;
  service.app.journal.append([newsEvent('n'), figuresEvent(), liquidationEvent()]);
  const today = newsDetail('today', { timestamp: new Date().toISOString() });
  await service.app.store.news.put([
    news('n', 0),
    { item: today, seenAt: Date.now(), knownAt: Date.now(), guid: null },
  ]);
  await service.app.store.news.putMoves([move('n', 0.25)]);
  const invitation = { id: 'inv_1', hash: new Uint8Array([1]), tier: 'free', owner: false, createdAt: Date.now() };
  const unused = { expiresAt: Date.now() + MINUTE_MS, usedAt: null, revokedAt: null, accountId: null };
  await service.app.store.access.addInvitation({ ...invitation, ...unused });
  await service.app.store.heads.keep({ n: 0, hash: '0'.repeat(64), at: Date.now(), signature: 'ab' });
  await service.app.store.heads.addToken(0, { authority: 'https://tsa.example/', at: Date.now(), token: 'AQI=' });
  const channel = (await post('/api/chat-channels', { platform: 'telegram' })).id;
  await service.app.store.chat.addMessage(chatMessage(channel, '1', { outcome: 'published', signal: open }));
  await service.app.store.chat.addEdit(chatEdit(channel, '1', 1));
  const alert = await firedAlert();
  const replay = await newReplay(service.url, key);
  paths = {
    ...REQUEST_EXAMPLES,
    calendar: '/api/calendar',
    alert: `/api/alerts/${alert}`,
    replaySession: `/api/replays/${replay.id}`,
    practiceRecord: `/api/replays/${replay.id}/record`,
    newsItem: '/api/news/n',
    signalHeads: '/api/signals/heads',
    publicSignalHeads: '/public/signals/heads',
    signal: `/api/signals/${open}`,
    signalProof: `/api/signals/${done}/proof`,
    signalEdits: `/api/signals/${open}/edits`,
    chatMessages: `/api/chat-channels/${channel}/messages`,
    signalLog: '/api/signals/log',
    publisher: `/api/publishers/${encodeURIComponent(publisher.name)}`,
    publisherSignals: `/api/publishers/${encodeURIComponent(publisher.name)}/signals.csv`,
    publisherEquity: `/api/publishers/${publisher.id}/equity.csv`,
    publisherFollowers: `/api/publishers/${publisher.id}/followers`,
    publicPublisher: `/public/publishers/${encodeURIComponent(publisher.name)}`,
    publicRecords: `/public/publishers/${publisher.id}/records`,
  };
});
afterAll(async () => {
  await service.stop();
  await telegram[Symbol.asyncDispose]();
});

async function post(path: string, body: object): Promise<{ id: string }> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const response = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(201);
  return (await response.json()) as { id: string };
}

/** Id of an alert that has fired and written a message, in an account that also has a subscription and a data link. */
async function firedAlert(): Promise<string> {
  const deliver = [{ channel: 'webhook', url: 'http://127.0.0.1:9/' }];
  await post('/api/subscriptions', { category: 'gold', deliver });
  await post('/api/links', { name: 'sheet', path: '/api/quotes' });
  const condition = { type: 'move', percent: 0.0001, direction: 'either', minutes: 1 };
  const { id } = await post('/api/alerts', { symbol: 'EURUSD', condition, deliver });
  await eventually('a firing', async () => (await bodyOf<{ fired: number }>(`/api/alerts/${id}`)).fired > 0);
  return id;
}

const get = (path: string): Promise<Response> => fetch(service.url + path, { headers: { 'X-API-Key': key } });
/** Endpoints that only read and accept a key. Those with lines, events or a session have their own tests. */
const names = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => {
  const { method, auth, lineResponse, eventStream }: Endpoint = ENDPOINTS[name];
  return method === 'GET' && auth !== 'session' && !lineResponse && !eventStream;
});

const INSTRUMENT = ['symbol', 'name', 'type', 'pip_size', 'contract_size', 'margin_rate', 'min_lot', 'max_lot'];
const QUOTE = ['bid', 'ask', 'spread', 'timestamp'];
const PUBLISHED = ['id', 'user', 'symbol', 'direction', 'entry', 'stop_loss', 'take_profit'];
const CLOSING = ['pnl', 'pnl_percent', 'pnl_r', 'entry_price', 'exit_price', 'closed_at', 'close_reason'];

const bodyOf = async <T>(path: string): Promise<T> => (await (await get(path)).json()) as T;

describe('every endpoint', () => {
  test.each(names)('%s returns exactly what its schema says', async (name) => {
    const { response, csv = false }: Endpoint = ENDPOINTS[name];
    const answer = await get(paths[name]);
    const body: unknown = csv ? await answer.text() : await answer.json();
    expect(answer.status).toBe(200);
    // Parsing drops unknown fields, so extra ones would show as a difference.
    expect(response.parse(body)).toStrictEqual(body);
    // No stream is open here, nothing was saved, and simulated markets have no venue.
    const { items } = body as { items?: unknown[] };
    if (items && name !== 'streams' && name !== 'venueInstruments' && name !== 'savedPractice')
      expect(items).not.toBeEmpty();
  });

  test('a closed signal is exactly what its schema says, too', async () => {
    const { signal, signalProof } = ENDPOINTS;
    const [detail, proof] = [await bodyOf(`/api/signals/${done}`), await bodyOf(`/api/signals/${open}/proof`)];
    expect(signal.response.parse(detail)).toStrictEqual(detail as never);
    expect(signalProof.response.parse(proof)).toStrictEqual(proof as never);
  });

  test.each(names)('%s succeeds with the curl command of the reference, and carries its headers', async (name) => {
    const { auth, etag, csv = false }: Endpoint = ENDPOINTS[name];
    const origin = { http: service.url, ws: service.url.replace('http', 'ws'), cookie: 'tickwire' };
    const command = readCurl(callSample('curl', name, origin, paths[name]), { TICKWIRE_API_KEY: key });
    const { status, headers } = await fetch(command.url, { headers: command.headers });
    expect([command.method, status]).toEqual(['GET', 200]);
    expect(headers.get('content-type')).toBe(csv ? 'text/csv; charset=utf-8' : 'application/json');
    expect(headers.get('cache-control')).toBe(etag ? 'private, no-cache' : 'no-store');
    expect(headers.has('etag')).toBe(etag === true);
    expect(headers.get('api-version')).toBe(API_VERSION);
    expect(headers.get('data-source')).toBe('simulated');
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
    if (auth === 'none') {
      for (const [header] of headers) expect(header).not.toContain('ratelimit');
      return;
    }
    expect(headers.get('ratelimit-policy')).toBe('"minute";q=300;w=60');
    const [, left, reset] = /^"minute";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
    expect(headers.get('x-ratelimit-limit')).toBe('300');
    expect(headers.get('x-ratelimit-remaining')).toBe(left!);
    const resetAt = Number(headers.get('x-ratelimit-reset'));
    expect(resetAt - Number(reset) - Date.now() / 1000).toBeWithin(-10, 1);
    expect(Number(reset)).toBeWithin(1, 61);
  });

  test('a key may be sent as a bearer token, on REST, streams and the tools of agents', async () => {
    const send = async (path: string, authorization: string, init: RequestInit = {}) =>
      (await fetch(service.url + path, { ...init, headers: { ...init.headers, Authorization: authorization } })).status;
    expect(await send('/api/session', `Bearer ${key}`)).toBe(200);
    expect(await send('/api/session', `bearer  ${key}`)).toBe(200);
    expect(await send('/api/session', 'Bearer tw_wrong')).toBe(401);
    expect(await send('/api/session', `Basic ${btoa(`user:${key}`)}`)).toBe(401);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_quote', arguments: { symbol: 'EURUSD' } },
    });
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    expect(await send('/mcp', `Bearer ${key}`, { method: 'POST', body, headers })).toBe(200);
    const socket = new WebSocket(`${service.wsUrl}/ws/market`, {
      headers: { Authorization: `Bearer ${key}` },
    } as never);
    const answer = new Promise<string>((resolve) => {
      socket.onmessage = ({ data }) => resolve(String(data));
    });
    socket.onopen = () => socket.send('{"action":"list"}');
    expect(JSON.parse(await answer)).toMatchObject({ event: 'subscriptions' });
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
    socket.close();
    await closed;
  });

  test('every response has a unique request id', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await get('/healthz')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(20);
  });
});

describe('the six documented endpoints', () => {
  test('GET /api/symbols: items and count, each instrument with its eight fields', async () => {
    const body = await bodyOf<{ items: object[]; count: number }>('/api/symbols');
    expect(Object.keys(body)).toEqual(['items', 'count']);
    expect(body.count).toBe(body.items.length);
    for (const item of body.items) expect(Object.keys(item)).toEqual(INSTRUMENT);
  });

  test('GET /api/market/{symbol}: 100 hourly bars and the quote without symbol by default', async () => {
    const body = await bodyOf<{ symbol: string; timeframe: string; ohlcv: object[]; quote: object }>(
      '/api/market/eurusd',
    );
    expect(Object.keys(body)).toEqual(['symbol', 'timeframe', 'ohlcv', 'quote']);
    expect(body).toMatchObject({ symbol: 'EURUSD', timeframe: '1h' });
    expect(body.ohlcv).toHaveLength(100);
    for (const bar of body.ohlcv) expect(Object.keys(bar)).toEqual(['time', 'open', 'high', 'low', 'close', 'volume']);
    expect(Object.keys(body.quote)).toEqual(QUOTE);
  });

  test('GET /api/market/{symbol}/quote: the quote with its symbol, spread rounded to the digits', async () => {
    for (const symbol of ['EURUSD', 'USDJPY', 'BTCUSD', 'NATGAS']) {
      const body = await bodyOf<Record<string, number>>(`/api/market/${symbol}/quote`);
      expect(Object.keys(body)).toEqual(['symbol', ...QUOTE]);
      expect(body.spread).toBeCloseTo(body.ask! - body.bid!, 9);
      expect(String(body.spread).length).toBeLessThan(9);
    }
  });

  test('GET /api/signals: active signals by default, with only the documented fields', async () => {
    const body = await bodyOf<{ items: { id: string }[]; count: number }>('/api/signals');
    expect(Object.keys(body)).toEqual(['items', 'count']);
    expect(body.items.map(({ id }) => id)).toEqual([open]);
    expect(Object.keys(body.items[0]!)).toEqual([...PUBLISHED, 'status', 'timestamp']);
  });

  test('GET /api/signals?status=closed: the verified result after the documented fields', async () => {
    const body = await bodyOf<{ items: object[]; count: number }>('/api/signals?status=closed');
    expect(body.count).toBe(1);
    expect(Object.keys(body.items[0]!)).toEqual([...PUBLISHED, 'status', 'timestamp', ...CLOSING]);
    expect(await bodyOf<object>('/api/signals?status=all&symbol=NOSUCH')).toEqual({ items: [], count: 0 });
    expect(await bodyOf<object>('/api/signals?status=all&symbol=xauusd')).toMatchObject({ count: 1 });
    expect(await bodyOf<object>('/api/signals?status=all&limit=1')).toMatchObject({ count: 1 });
  });

  test('GET /api/news: items without a count, each with its five fields', async () => {
    const api = await serveBareApi();
    const items = (['gold', 'macro', 'gold'] as const).map((category, index) =>
      newsDetail(String(index), { category }),
    );
    api.news.restore(items);
    const body = (await (await api.get('/api/news?category=gold')).json()) as { items: object[] };
    await api.stop();
    expect(ENDPOINTS.news.response.parse(body)).toStrictEqual(body as never);
    expect(Object.keys(body)).toEqual(['items']);
    expect(body.items).toHaveLength(2);
    expect(Object.keys(body.items[0]!)).toEqual(['title', 'category', 'sentiment', 'sentiment_score', 'timestamp']);
  });

  test('GET /api/session: the six statistics, with correct values', async () => {
    const body = await bodyOf<Record<string, number>>('/api/session');
    expect(Object.keys(body)).toEqual([
      'instruments_active',
      'clients_connected',
      'signals_active',
      'ai_models_available',
      'server_time',
      'uptime_seconds',
    ]);
    const { count } = await bodyOf<{ count: number }>('/api/symbols');
    expect(body).toMatchObject({ instruments_active: count, clients_connected: 0, signals_active: 1 });
    expect(Math.abs(Date.parse(String(body.server_time)) - Date.now())).toBeLessThan(60_000);
  });
});

describe('readiness', () => {
  test('a failing part turns /readyz into a 503 that names it, and does not affect /healthz', async () => {
    const api = await serveBareApi();
    expect((await api.get('/readyz')).status).toBe(200);
    api.checks.feed = 'no tick for 94 s';
    const answer = await api.get('/readyz');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({ status: 'degraded', checks: { store: 'ok', feed: 'no tick for 94 s' } });
    expect(await (await api.get('/healthz')).json()).toEqual({ status: 'ok' });
    await api.stop();
  });

  test('a damaged headline model is named by /readyz, which stays 200', async () => {
    const api = await serveBareApi();
    api.checks.model = 'sentiment.bin is damaged';
    for (const path of ['/readyz', '/readyz?detail']) {
      const answer = await api.get(path);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ status: 'degraded', checks: { model: 'sentiment.bin is damaged' } });
    }
    await api.stop();
  });

  test('live data is not marked as simulated', async () => {
    const api = await serveBareApi();
    expect((await api.get('/api/symbols')).headers.get('data-source')).toBeNull();
    await api.stop();
  });
});
