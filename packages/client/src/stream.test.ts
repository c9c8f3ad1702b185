import { describe, expect, test } from 'bun:test';
import { MAX_CEILING_MS } from './backoff.ts';
import { TickwireClient } from './client.ts';
import { ANSWER_WITHIN_MS } from './connection.ts';
import { acknowledge, fakeService, type Socket, until } from './fake-service.fixture.ts';
import { HeldTiming } from './held-timing.fixture.ts';
import { STABLE_AFTER_MS, type StateDetail, type StreamState } from './link.ts';

/** Asked from nowhere, the service says where it stands. */
const FRESH = { seq: true };
const FIRST = { api_key: 'k', heartbeat: 5 };
const SILENCE_MS = 6_000;

const tick = { symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001, time: 1_700_000_000, volume: 1 };

function setup(onMessage: (socket: Socket, message: Record<string, unknown>) => void, timing = new HeldTiming()) {
  const service = fakeService({ onMessage });
  const client = new TickwireClient({ url: service.url, apiKey: 'k', timing });
  const states: [StreamState, StateDetail][] = [];
  return {
    service,
    client,
    timing,
    states,
    onState: (state: StreamState, detail: StateDetail) => void states.push([state, detail]),
    names: () => states.map(([state]) => state),
    last: () => states.at(-1)?.[1],
  };
}

test('a stream subscribes with the key in the message, turns live on the answer and hands on what comes', async () => {
  const desk = setup((socket, message) => {
    acknowledge(socket, message.symbols);
    socket.send(JSON.stringify(tick));
  });
  await using service = desk.service;
  const bids: number[] = [];
  const notices: string[] = [];
  const stream = desk.client.stream(
    'market',
    { symbols: ['EURUSD'] },
    {
      onMessage: (message) => bids.push(message.bid),
      onNotice: (notice) => notices.push(notice.event),
      onState: desk.onState,
    },
  );
  await until(() => bids.length > 0, 'a tick');
  expect(service.paths).toEqual(['/ws/market']);
  expect(service.heard).toEqual([{ action: 'subscribe', symbols: ['EURUSD'], ...FIRST, ...FRESH }]);
  expect(bids).toEqual([1.1]);
  expect(notices).toEqual(['subscribed']);
  expect(desk.names()).toEqual(['connecting', 'live']);
  stream.close();
  expect(desk.names()).toEqual(['connecting', 'live', 'closed']);
  expect(desk.timing.pending).toBe(0);
});

test('after a drop the stream connects and subscribes again, with the symbols as they are by then', async () => {
  const sockets: Socket[] = [];
  const desk = setup((socket, message) => {
    if (!sockets.includes(socket)) sockets.push(socket);
    acknowledge(socket, message.symbols);
  });
  await using service = desk.service;
  const stream = desk.client.stream('orderflow', { symbols: ['EURUSD'] }, { onMessage() {}, onState: desk.onState });
  await until(() => stream.state === 'live', 'live');

  stream.setSymbols(['XAUUSD']);
  await until(() => service.heard.length === 3, 'the change of symbols');
  expect(service.heard.slice(1)).toEqual([
    { action: 'unsubscribe', symbols: ['EURUSD'] },
    { action: 'subscribe', symbols: ['XAUUSD'], ...FRESH },
  ]);

  sockets[0]?.terminate();
  await until(() => stream.state === 'connecting', 'the drop');
  expect(desk.last()).toEqual({ end: { code: 1006, reason: expect.any(String) }, retryInMs: 250 });
  desk.timing.advance(250);
  await until(() => stream.state === 'live', 'live again');
  const resume_from = { epoch: 'fake', seq: 0 };
  expect(service.heard.at(-1)).toEqual({ action: 'subscribe', symbols: ['XAUUSD'], ...FIRST, ...FRESH, resume_from });
  expect(sockets).toHaveLength(2);
  stream.close();
});

test('leaving "*" takes the whole subscription back before asking for single symbols', async () => {
  const desk = setup((socket, message) => acknowledge(socket, message.symbols));
  await using service = desk.service;
  const stream = desk.client.stream('signals', { closes: true }, { onMessage() {} });
  await until(() => stream.state === 'live', 'live');
  stream.setSymbols(['EURUSD']);
  await until(() => service.heard.length === 3, 'the change of symbols');
  expect(service.heard).toEqual([
    { action: 'subscribe', symbols: ['*'], closes: true, ...FIRST, ...FRESH },
    { action: 'unsubscribe' },
    { action: 'subscribe', symbols: ['EURUSD'], closes: true, ...FRESH },
  ]);
  stream.close();
});

test('the news stream needs no symbols, and hands on items and their revisions', async () => {
  const item = { id: 'news_1', title: 'Gold holds', revision: 0 };
  const desk = setup((socket, message) => {
    acknowledge(socket, message.symbols);
    socket.send(JSON.stringify(item));
    socket.send(JSON.stringify({ ...item, title: 'Gold rises', revision: 1, revised: true }));
  });
  await using service = desk.service;
  const seen: [string, boolean][] = [];
  const stream = desk.client.stream(
    'news',
    {},
    { onMessage: (message) => seen.push([message.title, 'revised' in message]) },
  );
  await until(() => seen.length === 2, 'two messages');
  expect(service.paths).toEqual(['/ws/news']);
  expect(service.heard).toEqual([{ action: 'subscribe', symbols: ['*'], ...FIRST, ...FRESH }]);
  expect(seen).toEqual([
    ['Gold holds', false],
    ['Gold rises', true],
  ]);
  stream.close();
});

describe('close codes', () => {
  for (const code of [1009, 4400, 4401, 4408, 4413]) {
    test(`${code} ends the stream for good`, async () => {
      const desk = setup((socket) => socket.close(code, 'no'));
      await using service = desk.service;
      const stream = desk.client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState: desk.onState });
      await until(() => stream.state === 'closed', 'the end');
      expect(desk.last()).toEqual({ end: { code, reason: 'no' }, retryInMs: null });
      desk.timing.advance(10 * MAX_CEILING_MS);
      expect(desk.timing.pending).toBe(0);
      expect(service.paths).toHaveLength(1);
    });
  }

  for (const code of [1011, 1012, 4409, 4429]) {
    test(`${code} is followed by another attempt`, async () => {
      const desk = setup((socket) => socket.close(code));
      await using service = desk.service;
      const stream = desk.client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState: desk.onState });
      await until(() => desk.last()?.end?.code === code, 'the close');
      desk.timing.advance(MAX_CEILING_MS);
      await until(() => service.paths.length === 2, 'another attempt');
      stream.close();
    });
  }
});

test('the backoff grows while connections do not last, and starts over after one that did', async () => {
  const sockets: Socket[] = [];
  const desk = setup((socket, message) => {
    sockets.push(socket);
    acknowledge(socket, message.symbols);
  });
  await using _service = desk.service;
  const stream = desk.client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState: desk.onState });
  const dropAfter = async (ms: number): Promise<number> => {
    await until(() => stream.state === 'live', 'live');
    desk.timing.advance(ms);
    sockets.at(-1)?.terminate();
    await until(() => stream.state === 'connecting', 'the drop');
    const wait = desk.last()?.retryInMs ?? -1;
    desk.timing.advance(wait);
    return wait;
  };
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) waits.push(await dropAfter(0));
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  expect(await dropAfter(STABLE_AFTER_MS)).toBe(250);
  stream.close();
});

test('closing while an attempt is waiting cancels it', async () => {
  const desk = setup((socket) => socket.close(1012));
  await using service = desk.service;
  const stream = desk.client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState: desk.onState });
  await until(() => desk.last()?.end?.code === 1012, 'the close');
  stream.close();
  desk.timing.advance(MAX_CEILING_MS);
  expect(desk.timing.pending).toBe(0);
  expect(service.paths).toHaveLength(1);
  expect(desk.names().at(-1)).toBe('closed');
});

test('a subscription refused for what it is ends the stream instead of asking for ever', async () => {
  const refusal = { event: 'error', code: 'invalid_message', message: 'symbols', fatal: false, retryable: false };
  const desk = setup((socket) => void socket.send(JSON.stringify(refusal)));
  await using service = desk.service;
  const notices: string[] = [];
  const stream = desk.client.stream(
    'market',
    { symbols: ['*'] },
    { onMessage() {}, onNotice: (notice) => notices.push(notice.event), onState: desk.onState },
  );
  await until(() => stream.state === 'closed', 'the end');
  expect(notices).toEqual(['error']);
  expect(desk.last()?.end).toEqual({ code: 4400, reason: 'symbols' });
  expect(service.paths).toHaveLength(1);
});

test('a link that fell silent is asked once, and given up when it does not answer', async () => {
  let answering = true;
  const desk = setup((socket, message) => {
    if (message.action === 'subscribe') acknowledge(socket, message.symbols);
    else if (answering) socket.send('{"event":"pong"}');
  });
  await using service = desk.service;
  const notices: string[] = [];
  const stream = desk.client.stream(
    'market',
    { symbols: ['*'] },
    { onMessage() {}, onNotice: (notice) => notices.push(notice.event), onState: desk.onState },
  );
  const pings = () => service.heard.filter(({ action }) => action === 'ping').length;
  await until(() => stream.state === 'live', 'live');
  desk.timing.advance(SILENCE_MS);
  expect(stream.state).toBe('stale');
  // The answer makes it live again.
  await until(() => stream.state === 'live', 'the pong');
  expect(pings()).toBe(1);
  expect(notices).toEqual(['subscribed']);

  answering = false;
  desk.timing.advance(ANSWER_WITHIN_MS);
  desk.timing.advance(SILENCE_MS);
  await until(() => pings() === 2, 'another ping');
  expect(stream.state).toBe('stale');
  desk.timing.advance(ANSWER_WITHIN_MS);
  expect(desk.last()?.end).toEqual({ code: 1006, reason: 'no answer to a ping' });
  expect(stream.state).toBe('connecting');
  stream.close();
});

test('a stream that is stopped with 4429 leaves the service some time', async () => {
  const desk = setup((socket) => socket.close(4429));
  await using _service = desk.service;
  const stream = desk.client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState: desk.onState });
  await until(() => desk.last()?.end?.code === 4429, 'the close');
  expect(desk.last()?.retryInMs).toBe(2_250);
  stream.close();
});

test('symbols of which the service knows none end the stream, and it says why', async () => {
  const rejected = [{ symbol: 'EURUSDD', code: 'symbol_not_found' }];
  const desk = setup((socket) => void socket.send(JSON.stringify({ event: 'subscribed', symbols: [], rejected })));
  await using _service = desk.service;
  const stream = desk.client.stream('market', { symbols: ['EURUSDD'] }, { onMessage() {}, onState: desk.onState });
  await until(() => stream.state === 'closed', 'the end');
  expect(stream.error).toMatchObject({ code: 'symbol_not_found', detail: expect.stringContaining('EURUSDD') });
});
