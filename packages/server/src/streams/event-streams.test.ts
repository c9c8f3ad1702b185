// `/sse`: channels as server-sent events, with the limits and guarantees of WebSocket streams.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { Problem, STREAM_CHANNELS, type StreamChannel } from '@tickwire/contract';
import { revoke } from '../../testing/access.fixture.ts';
import { alertEvent } from '../../testing/alerts.fixture.ts';
import { EventClient } from '../../testing/event-client.fixture.ts';
import { flowEvents, tickEvents } from '../../testing/market-events.fixture.ts';
import { connected } from '../../testing/metric.fixture.ts';
import { newsEvent } from '../../testing/news.fixture.ts';
import { BTC_PERPETUAL, figuresEvent, liquidationEvent, withPerpetuals } from '../../testing/perpetual.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { storeAndPublishSignals } from '../../testing/stored-signals.fixture.ts';
import { isData, isEvent, type Message, StreamClient } from '../../testing/stream-client.fixture.ts';

const SYMBOLS = ['EURUSD', 'XAUUSD'];
const ALL =
  `channels=market,bars,orderflow,footprint,perpetual,signals,news,alerts&symbols=EURUSD,XAUUSD,${BTC_PERPETUAL}` +
  '&timeframe=1m&closes=true';

let service: RunningService;
let key: string;
let account: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', metrics_port: '0', silence_seconds: '3', ...withPerpetuals() });
  const issued = await service.key('premium');
  ({ key } = issued);
  account = issued.account.publicId;
  await happen();
});
afterAll(() => service.stop());

const opened: { close(): void }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) each.close();
  await connected(service, 0);
});
async function open(query: string, headers: Record<string, string> = {}, own = key): Promise<EventClient> {
  const client = await EventClient.open(`${service.url}/sse?${query}`, { 'X-API-Key': own, ...headers });
  opened.push(client);
  return client;
}
async function openSocket(path = '/ws'): Promise<StreamClient> {
  const stream = await StreamClient.open(service.wsUrl + path, key);
  opened.push(stream);
  return stream;
}
const get = (query: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(`${service.url}/sse${query}`, { method, headers: { 'X-API-Key': key, ...headers } });

let made = 0;
/** Something on every channel. */
async function happen(): Promise<void> {
  const { journal } = service.app;
  journal.append([...tickEvents(6, SYMBOLS), ...flowEvents(6, SYMBOLS), figuresEvent(), liquidationEvent()]);
  await storeAndPublishSignals(service, 3, SYMBOLS);
  for (let at = 0; at < 3; at++) {
    const id = `n${made++}`;
    journal.append([newsEvent(id, { symbols: ['EURUSD'], title: `Größe ${id}` }), alertEvent(`f${id}`, {}, account)]);
  }
}
const of =
  (channel: string) =>
  (message: Message): boolean =>
    message.channel === channel;
const seqsOf = (messages: readonly Message[], channel: string) => messages.filter(of(channel)).map(({ seq }) => seq);

describe('a stream', () => {
  test('sends the messages of /ws, each with the position of all channels as its id', async () => {
    const socket = await openSocket();
    for (const channel of STREAM_CHANNELS)
      await socket.ask({
        action: 'subscribe',
        channel,
        symbols: [...SYMBOLS, BTC_PERPETUAL],
        seq: true,
        ...((channel === 'bars' || channel === 'footprint') && { timeframe: '1m' }),
        ...(channel === 'signals' && { closes: true }),
      });
    const events = await open(ALL);
    await eventually('subscribed', () => events.notices.length === STREAM_CHANNELS.length);
    expect(events.notices.map(({ event, channel }) => [event, channel])).toEqual(
      STREAM_CHANNELS.map((channel) => ['subscribed', channel]),
    );
    const byChannel = ({ messages }: { messages: readonly Message[] }) =>
      STREAM_CHANNELS.map((channel) =>
        messages.filter((each) => isData(each) && of(channel)(each)).map((each) => JSON.stringify(each)),
      );
    const before = byChannel(socket);
    await happen();
    await eventually('messages on all channels', () =>
      byChannel(socket).every((sent, at) => sent.length > before[at]!.length),
    );
    // Bars are sent up to five times a second, so some may still follow.
    await eventually('the same messages', () => Bun.deepEquals(byChannel(events), byChannel(socket)));
    const parts = events.lastId.split(';').map((part) => part.split(':')[0]);
    // Footprints are complete and cannot be resumed.
    expect(parts as StreamChannel[]).toEqual(STREAM_CHANNELS.filter((channel) => channel !== 'footprint'));
    expect(events.retryMs).toBe(3_000);
  });

  test('has the headers of every response, and is not buffered or stored on its way', async () => {
    const { response } = await open('channels=market&symbols=EURUSD');
    const { headers } = response;
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.has('content-encoding')).toBe(false);
    for (const name of ['x-request-id', 'api-version', 'ratelimit-policy']) expect(headers.has(name)).toBe(true);
  });

  test('shows indicators, rates and the latest prices as requested', async () => {
    const events = await open('channels=bars&symbols=EURUSD&timeframe=1m&indicators=rsi(14),macd(12,26,9)&ms=true');
    const { data, id } = await events.next(isData);
    expect(data).toHaveProperty('indicators');
    expect(data).toHaveProperty('time_ms');
    expect(Object.keys(data.indicators as object)).toEqual(['rsi(14)', 'macd(12,26,9)']);
    // Such bars cannot be resumed, so there is no position.
    expect(id).toBe('');
    const slower = await open('channels=market&symbols=EURUSD&max_rate=3&delivery=latest');
    expect(await slower.next(isEvent('subscribed'))).toMatchObject({ id: '', data: { max_rate: 2 } });
  });

  test('works with curl', async () => {
    const curl = Bun.spawn(
      ['curl', '-sN', '-H', `X-API-Key: ${key}`, `${service.url}/sse?channels=market&symbols=EURUSD`],
      { stdout: 'pipe' },
    );
    let text = '';
    for await (const chunk of curl.stdout) {
      text += new TextDecoder().decode(chunk);
      if (text.includes('data: {"channel":"market"')) break;
    }
    curl.kill();
    await curl.exited;
    expect(text).toMatch(/^retry: 3000\n\nid: market:\w+:\d+\nevent: notice\ndata: \{"event":"subscribed",/);
  });
});

describe('a client that reconnects', () => {
  test('gets everything once, in order, however often its connection is lost', async () => {
    const channels = ['market', 'orderflow', 'signals', 'news', 'alerts'];
    const query = `channels=${channels.join(',')}&symbols=EURUSD,XAUUSD&closes=true`;
    const reference = await open(query);
    let events = await open(query);
    await eventually('subscribed', () => [reference, events].every(({ notices }) => notices.length === 5));
    const received: Message[] = [];
    for (let round = 0; round < 6; round++) {
      await happen();
      // In the middle of the messages.
      await events.next(isData);
      events.close();
      await events.closed;
      received.push(...events.messages);
      await happen();
      events = await open(query, { 'Last-Event-ID': events.lastId });
    }
    await happen();
    const lastOf = (messages: readonly Message[]) => channels.map((channel) => seqsOf(messages, channel).at(-1));
    const last = service.app.journal.lastSeq;
    await eventually(
      'the last messages',
      () =>
        lastOf(reference.messages).includes(last) &&
        Bun.deepEquals(lastOf(events.messages), lastOf(reference.messages)),
    );
    received.push(...events.messages);
    for (const channel of channels)
      expect([channel, seqsOf(received, channel)]).toEqual([channel, seqsOf(reference.messages, channel)]);
    expect(received.length).toBeGreaterThan(300);
    expect(events.notices.filter(isEvent('gap'))).toEqual([]);
  });

  test('resumes at the position of its subscription if it has received nothing yet', async () => {
    const events = await open('channels=signals,news');
    await eventually('subscribed', () => events.notices.length === 2);
    events.close();
    await happen();
    const again = await open('channels=signals,news', { 'Last-Event-ID': events.lastId });
    await eventually('what it missed', () => again.messages.length === 6);
    expect(again.messages.filter(of('signals'))).toHaveLength(3);
  });

  test('can start where a REST response ends', async () => {
    const { headers } = await fetch(`${service.url}/api/market/EURUSD/quote`, { headers: { 'X-API-Key': key } });
    const position = `market:${headers.get('stream-epoch')}:${headers.get('stream-seq')}`;
    await happen();
    const events = await open('channels=market&symbols=EURUSD', { 'Last-Event-ID': position });
    const { data } = await events.next(isData);
    expect(Number(data.seq)).toBeGreaterThan(Number(headers.get('stream-seq')));
    expect(data.volume).not.toBe(0);
  });

  test.each([
    ['of another run', 'market:000000000000:5'],
    ['that is no position', 'hello'],
    ['of other channels', 'news:000000000000:5'],
  ])('gets a gap and a snapshot for an id %s, and goes on live', async (_, id) => {
    const events = await open('channels=market&symbols=EURUSD', { 'Last-Event-ID': id });
    const gap = await events.next(isEvent('gap'));
    expect(gap.data).toMatchObject({
      channel: 'market',
      reason: 'resume',
      symbols: ['EURUSD'],
      fill: expect.any(String),
    });
    expect(gap.id).toMatch(/^market:\w+:\d+$/);
    expect(gap.id).not.toContain('000000000000');
    await happen();
    await eventually('live messages', () => events.messages.some(({ volume }) => volume !== 0));
  });

  test('receives a notice that throttled messages and footprints have a gap', async () => {
    const query = 'channels=footprint,signals&symbols=EURUSD&timeframe=1m';
    const events = await open(query);
    await eventually('subscribed', () => events.notices.length === 2);
    events.close();
    const again = await open(query, { 'Last-Event-ID': events.lastId });
    await eventually('all notices', () => again.notices.length === 3);
    expect(again.notices.filter(isEvent('gap'))).toMatchObject([{ channel: 'footprint', reason: 'resume' }]);
  });

  test('continues signals across a restart of the service', async () => {
    const data = temporaryFolder();
    const first = await startService({ feeds: 'push', data });
    const { key: own } = await first.key('premium');
    const url = (of: RunningService) => `${of.url}/sse?channels=signals,market&symbols=EURUSD`;
    const events = await EventClient.open(url(first), { 'X-API-Key': own });
    await events.next((message) => isEvent('subscribed')(message) && of('market')(message));
    await first.stop();
    await events.closed;
    expect(events.notices.at(-1)).toEqual({ event: 'shutdown' });
    const second = await startService({ feeds: 'push', data });
    const again = await EventClient.open(url(second), { 'X-API-Key': own, 'Last-Event-ID': events.lastId });
    await again.next(isEvent('gap'));
    expect(again.notices.filter(isEvent('gap')).map(({ channel }) => channel)).toEqual(['market']);
    again.close();
    await second.stop();
  });
});

describe('limits', () => {
  test('an open response is one stream of the tier, together with WebSocket, and no request', async () => {
    const { key: free } = await service.key('free');
    const usage = async () => {
      const response = await fetch(`${service.url}/api/usage`, { headers: { 'X-API-Key': free } });
      return (await response.json()) as { streams: { open: number }; requests: { used: number } };
    };
    const events = await open('channels=market,signals&symbols=EURUSD', {}, free);
    const socket = await StreamClient.open(`${service.wsUrl}/ws/market`, free);
    opened.push(socket);
    await socket.ask({ action: 'ping' });
    expect(await usage()).toMatchObject({ streams: { open: 2 } });
    const refused = await fetch(`${service.url}/sse?channels=news`, { headers: { 'X-API-Key': free } });
    expect(refused.status).toBe(429);
    expect(Problem.parse(await refused.json())).toMatchObject({ code: 'stream_limit' });
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(events.isOpen).toBe(true);
    events.close();
    await eventually('a free slot', async () => (await usage()).streams.open === 1);
    await open('channels=news', {}, free);
  });

  test('a revoked key ends its stream with the reason', async () => {
    const issued = await service.key('premium');
    const events = await open('channels=market&symbols=EURUSD', {}, issued.key);
    await events.next(isEvent('subscribed'));
    await revoke(service.folder, issued);
    await events.closed;
    expect(events.notices.at(-1)).toMatchObject({ event: 'error', code: 'invalid_key', fatal: true });
    await eventually('401', async () => (await get('?channels=news', { 'X-API-Key': issued.key })).status === 401);
  });

  test('connections of an address are limited as for WebSocket', async () => {
    const small = await startService({ feeds: 'push', max_connections_per_address: '1' });
    const { key: own } = await small.key('premium');
    const url = `${small.url}/sse?channels=news`;
    const events = await EventClient.open(url, { 'X-API-Key': own });
    const refused = await fetch(url, { headers: { 'X-API-Key': own } });
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'too_many_connections' }]);
    events.close();
    await small.stop();
  });

  test('a client that is gone leaves nothing behind', async () => {
    for (let round = 0; round < 5; round++) (await open(ALL)).close();
    await connected(service, 0);
  });
});

describe('bad requests', () => {
  test.each([
    ['', 'channels'],
    ['?channels=', 'channels'],
    ['?channels=market,quotes&symbols=EURUSD', 'channels'],
    ['?channels=market', 'symbols'],
    ['?channels=market&symbols=', 'symbols'],
    ['?channels=bars&symbols=EURUSD', 'timeframe'],
    ['?channels=bars&symbols=EURUSD&timeframe=2m', 'timeframe'],
    ['?channels=footprint&symbols=EURUSD&timeframe=1d', 'timeframe'],
    ['?channels=market&symbols=EURUSD&timeframe=1m', 'timeframe'],
    ['?channels=bars&symbols=EURUSD&timeframe=1m&indicators=rsi(0)', 'indicators'],
    ['?channels=market&symbols=EURUSD&indicators=rsi(14)', 'indicators'],
    ['?channels=market&symbols=EURUSD&closes=true', 'closes'],
    ['?channels=signals&max_rate=5', 'max_rate'],
    ['?channels=market&symbols=EURUSD&max_rate=0', 'max_rate'],
    ['?channels=signals&delivery=latest', 'delivery'],
    ['?channels=market&symbols=EURUSD&delivery=none', 'delivery'],
    ['?channels=signals&closes=1', 'closes'],
  ])('%s names the parameter', async (query, parameter) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    expect(Problem.parse(await response.json())).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter }] });
  });

  test('an unknown symbol, a missing key, a wrong key and a key without the scope', async () => {
    const codeOf = async (response: Promise<Response>) => [
      (await response).status,
      ((await (await response).json()) as Problem).code,
    ];
    expect(await codeOf(get('?channels=market&symbols=EURUSD,NOSUCH'))).toEqual([404, 'symbol_not_found']);
    expect(await codeOf(fetch(`${service.url}/sse?channels=news`))).toEqual([401, 'missing_key']);
    expect(await codeOf(get('?channels=news', { 'X-API-Key': 'tw_bad' }))).toEqual([401, 'invalid_key']);
    const { key: publisher } = await service.key('free', ['publish']);
    expect(await codeOf(get('?channels=news', { 'X-API-Key': publisher }))).toEqual([403, 'missing_scope']);
    // Keys do not belong into addresses.
    expect(await codeOf(fetch(`${service.url}/sse?channels=news&api_key=${key}`))).toEqual([401, 'missing_key']);
  });

  test('HEAD has the headers and opens nothing; other methods are not allowed', async () => {
    const head = await get('?channels=market&symbols=EURUSD', {}, 'HEAD');
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(await head.text()).toBe('');
    await connected(service, 0);
    expect((await get('?channels=market', {}, 'HEAD')).status).toBe(400);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await get('?channels=news', {}, method);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
    expect((await get('?channels=news', {}, 'OPTIONS')).status).toBe(204);
  });
});
