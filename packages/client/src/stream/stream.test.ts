import { describe, expect, test } from 'bun:test';
import { confirm, fakeService, type Socket, until } from '../../testing/fake-service.ts';
import { ManualTiming } from '../../testing/manual-timing.ts';
import { TickwireClient } from '../client.ts';
import { MAX_CEILING_MS } from './backoff.ts';
import { PONG_TIMEOUT_MS } from './connection.ts';
import { STABLE_AFTER_MS, type StateDetail, type StreamState } from './reconnecting-socket.ts';

const FRESH = { seq: true };
const FIRST = { api_key: 'k', heartbeat: 5 };
const SILENCE_MS = 6_000;

const tick = { symbol: 'EURUSD', bid: 1.1, ask: 1.1001, spread: 0.0001, time: 1_700_000_000, volume: 1 };

function createContext(
  onMessage: (socket: Socket, message: Record<string, unknown>) => void,
  timing = new ManualTiming(),
) {
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

test('subscribes with the key, becomes live on confirmation and delivers messages', async () => {
  const context = createContext((socket, message) => {
    confirm(socket, message.symbols);
    socket.send(JSON.stringify(tick));
  });
  await using service = context.service;
  const bids: number[] = [];
  const notices: string[] = [];
  const stream = context.client.stream(
    'market',
    { symbols: ['EURUSD'] },
    {
      onMessage: (message) => bids.push(message.bid),
      onNotice: (notice) => notices.push(notice.event),
      onState: context.onState,
    },
  );
  await until(() => bids.length > 0, 'a tick');
  expect(service.paths).toEqual(['/ws/market']);
  expect(service.received).toEqual([{ action: 'subscribe', symbols: ['EURUSD'], ...FIRST, ...FRESH }]);
  expect(bids).toEqual([1.1]);
  expect(notices).toEqual(['subscribed']);
  expect(context.names()).toEqual(['connecting', 'live']);
  stream.close();
  expect(context.names()).toEqual(['connecting', 'live', 'closed']);
  expect(context.timing.pending).toBe(0);
});

test('reconnects after a drop with the current symbols', async () => {
  const sockets: Socket[] = [];
  const context = createContext((socket, message) => {
    if (!sockets.includes(socket)) sockets.push(socket);
    confirm(socket, message.symbols);
  });
  await using service = context.service;
  const stream = context.client.stream(
    'orderflow',
    { symbols: ['EURUSD'] },
    { onMessage() {}, onState: context.onState },
  );
  await until(() => stream.state === 'live', 'live');

  stream.setSymbols(['XAUUSD']);
  await until(() => service.received.length === 3, 'the change of symbols');
  expect(service.received.slice(1)).toEqual([
    { action: 'unsubscribe', symbols: ['EURUSD'] },
    { action: 'subscribe', symbols: ['XAUUSD'], ...FRESH },
  ]);

  sockets[0]?.terminate();
  await until(() => stream.state === 'connecting', 'the drop');
  expect(context.last()).toEqual({ end: { code: 1006, reason: expect.any(String) }, retryInMs: 250 });
  context.timing.advance(250);
  await until(() => stream.state === 'live', 'live again');
  const resume_from = { epoch: 'fake', seq: 0 };
  expect(service.received.at(-1)).toEqual({
    action: 'subscribe',
    symbols: ['XAUUSD'],
    ...FIRST,
    ...FRESH,
    resume_from,
  });
  expect(sockets).toHaveLength(2);
  stream.close();
});

test('unsubscribes from everything before it replaces "*" with symbols', async () => {
  const context = createContext((socket, message) => confirm(socket, message.symbols));
  await using service = context.service;
  const stream = context.client.stream('signals', { closes: true }, { onMessage() {} });
  await until(() => stream.state === 'live', 'live');
  stream.setSymbols(['EURUSD']);
  await until(() => service.received.length === 3, 'the change of symbols');
  expect(service.received).toEqual([
    { action: 'subscribe', symbols: ['*'], closes: true, ...FIRST, ...FRESH },
    { action: 'unsubscribe' },
    { action: 'subscribe', symbols: ['EURUSD'], closes: true, ...FRESH },
  ]);
  stream.close();
});

test('delivers headlines and revisions without symbols', async () => {
  const item = { id: 'news_1', title: 'Gold holds', revision: 0 };
  const context = createContext((socket, message) => {
    confirm(socket, message.symbols);
    socket.send(JSON.stringify(item));
    socket.send(JSON.stringify({ ...item, title: 'Gold rises', revision: 1, revised: true }));
  });
  await using service = context.service;
  const seen: [string, boolean][] = [];
  const stream = context.client.stream(
    'news',
    {},
    { onMessage: (message) => seen.push([message.title, 'revised' in message]) },
  );
  await until(() => seen.length === 2, 'two messages');
  expect(service.paths).toEqual(['/ws/news']);
  expect(service.received).toEqual([{ action: 'subscribe', symbols: ['*'], ...FIRST, ...FRESH }]);
  expect(seen).toEqual([
    ['Gold holds', false],
    ['Gold rises', true],
  ]);
  stream.close();
});

test('resumes firings of alerts at one position across symbols, and misses none', async () => {
  const time = '2026-03-02T10:14:07.312Z';
  const firing = (seq: number, prev: number, symbol: string | null) =>
    JSON.stringify({ id: `fir_${seq}`, symbol, time, event_seq: seq - 1, seq, prev, epoch: 'fake' });
  const context = createContext((socket, message) => {
    confirm(socket, message.symbols);
    if ('resume_from' in message) {
      // 12 is repeated, and 13 is lost.
      for (const [seq, prev] of [
        [12, 11],
        [14, 13],
      ] as const)
        socket.send(firing(seq, prev, 'XAUUSD'));
      return;
    }
    socket.send(firing(11, 7, 'EURUSD'));
    socket.send(firing(12, 11, null));
    socket.close(1012);
  });
  await using service = context.service;
  const seen: unknown[] = [];
  const stream = context.client.stream(
    'alerts',
    {},
    {
      onMessage: ({ id, event_seq, seq }) => seen.push([id, event_seq, seq]),
      onGap: ({ reason, fromSeq, toSeq, since }) => seen.push([reason, fromSeq, toSeq, since]),
      onState: context.onState,
    },
  );
  await until(() => context.last()?.end?.code === 1012, 'the close');
  context.timing.advance(MAX_CEILING_MS);
  await until(() => seen.length === 4, 'the firing after the reconnect');
  expect(service.paths).toEqual(['/ws/alerts', '/ws/alerts']);
  expect(service.received[1]).toMatchObject({ symbols: ['*'], resume_from: { epoch: 'fake', seq: 12 } });
  expect(seen).toEqual([
    ['fir_11', 10, undefined],
    ['fir_12', 11, undefined],
    ['undeclared', 13, 13, Date.parse(time) / 1_000 - 0.312],
    ['fir_14', 13, undefined],
  ]);
  stream.close();
});

describe('close codes', () => {
  for (const code of [1009, 4400, 4401, 4408, 4413]) {
    test(`${code} ends the stream`, async () => {
      const context = createContext((socket) => socket.close(code, 'no'));
      await using service = context.service;
      const stream = context.client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState: context.onState });
      await until(() => stream.state === 'closed', 'the end');
      expect(context.last()).toEqual({ end: { code, reason: 'no' }, retryInMs: null });
      context.timing.advance(10 * MAX_CEILING_MS);
      expect(context.timing.pending).toBe(0);
      expect(service.paths).toHaveLength(1);
    });
  }

  for (const code of [1011, 1012, 4409, 4429]) {
    test(`${code} is followed by a reconnect`, async () => {
      const context = createContext((socket) => socket.close(code));
      await using service = context.service;
      const stream = context.client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState: context.onState });
      await until(() => context.last()?.end?.code === code, 'the close');
      context.timing.advance(MAX_CEILING_MS);
      await until(() => service.paths.length === 2, 'another attempt');
      stream.close();
    });
  }
});

test('grows the backoff until a connection has been stable', async () => {
  const sockets: Socket[] = [];
  const context = createContext((socket, message) => {
    sockets.push(socket);
    confirm(socket, message.symbols);
  });
  await using _service = context.service;
  const stream = context.client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState: context.onState });
  const dropAfter = async (ms: number): Promise<number> => {
    await until(() => stream.state === 'live', 'live');
    context.timing.advance(ms);
    sockets.at(-1)?.terminate();
    await until(() => stream.state === 'connecting', 'the drop');
    const wait = context.last()?.retryInMs ?? -1;
    context.timing.advance(wait);
    return wait;
  };
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) waits.push(await dropAfter(0));
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  expect(await dropAfter(STABLE_AFTER_MS)).toBe(250);
  stream.close();
});

test('failed attempts during one restart do not slow down the next', async () => {
  let isDown = true;
  const sockets: Socket[] = [];
  const context = createContext((socket, message) => {
    sockets.push(socket);
    if (isDown) socket.close(1012);
    else confirm(socket, message.symbols);
  });
  await using _service = context.service;
  const stream = context.client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState: context.onState });
  const nextWait = async (count: number): Promise<number> => {
    await until(() => sockets.length === count && context.last()?.retryInMs != null, 'a scheduled attempt');
    return context.last()!.retryInMs!;
  };
  for (let count = 1; count <= 6; count++) {
    const wait = await nextWait(count);
    if (count === 6) {
      expect(wait).toBe(8_000);
      isDown = false;
    }
    context.timing.advance(wait);
  }
  await until(() => stream.state === 'live', 'live');
  sockets.at(-1)?.terminate();
  expect(await nextWait(7)).toBe(250);
  stream.close();
});

test('cancels a scheduled attempt when it is closed', async () => {
  const context = createContext((socket) => socket.close(1012));
  await using service = context.service;
  const stream = context.client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState: context.onState });
  await until(() => context.last()?.end?.code === 1012, 'the close');
  stream.close();
  context.timing.advance(MAX_CEILING_MS);
  expect(context.timing.pending).toBe(0);
  expect(service.paths).toHaveLength(1);
  expect(context.names().at(-1)).toBe('closed');
});

test('ends the stream if the subscription is rejected permanently', async () => {
  const refusal = { event: 'error', code: 'invalid_message', message: 'symbols', fatal: false, retryable: false };
  const context = createContext((socket) => void socket.send(JSON.stringify(refusal)));
  await using service = context.service;
  const notices: string[] = [];
  const stream = context.client.stream(
    'market',
    { symbols: ['*'] },
    { onMessage() {}, onNotice: (notice) => notices.push(notice.event), onState: context.onState },
  );
  await until(() => stream.state === 'closed', 'the end');
  expect(notices).toEqual(['error']);
  expect(context.last()?.end).toEqual({ code: 4400, reason: 'symbols' });
  expect(service.paths).toHaveLength(1);
});

test('pings a silent connection and abandons it if there is no response', async () => {
  let responding = true;
  const context = createContext((socket, message) => {
    if (message.action === 'subscribe') confirm(socket, message.symbols);
    else if (responding) socket.send('{"event":"pong"}');
  });
  await using service = context.service;
  const notices: string[] = [];
  const stream = context.client.stream(
    'market',
    { symbols: ['*'] },
    { onMessage() {}, onNotice: (notice) => notices.push(notice.event), onState: context.onState },
  );
  const pings = () => service.received.filter(({ action }) => action === 'ping').length;
  await until(() => stream.state === 'live', 'live');
  context.timing.advance(SILENCE_MS);
  expect(stream.state).toBe('stale');
  // The pong makes it live again.
  await until(() => stream.state === 'live', 'the pong');
  expect(pings()).toBe(1);
  expect(notices).toEqual(['subscribed']);

  responding = false;
  context.timing.advance(PONG_TIMEOUT_MS);
  context.timing.advance(SILENCE_MS);
  await until(() => pings() === 2, 'another ping');
  expect(stream.state).toBe('stale');
  context.timing.advance(PONG_TIMEOUT_MS);
  expect(context.last()?.end).toEqual({ code: 1006, reason: 'no response to a ping' });
  expect(stream.state).toBe('connecting');
  stream.close();
});

test('waits at least two seconds after a close with 4429', async () => {
  const context = createContext((socket) => socket.close(4429));
  await using _service = context.service;
  const stream = context.client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState: context.onState });
  await until(() => context.last()?.end?.code === 4429, 'the close');
  expect(context.last()?.retryInMs).toBe(2_250);
  stream.close();
});

test('ends the stream with an error if all symbols are unknown', async () => {
  const rejected = [{ symbol: 'EURUSDD', code: 'symbol_not_found' }];
  const context = createContext(
    (socket) => void socket.send(JSON.stringify({ event: 'subscribed', symbols: [], rejected })),
  );
  await using _service = context.service;
  const stream = context.client.stream(
    'market',
    { symbols: ['EURUSDD'] },
    { onMessage() {}, onState: context.onState },
  );
  await until(() => stream.state === 'closed', 'the end');
  expect(stream.error).toMatchObject({ code: 'symbol_not_found', detail: expect.stringContaining('EURUSDD') });
});

const someRejected = (socket: Socket): void => {
  const rejected = [{ symbol: 'EURUSDD', code: 'symbol_not_found' }];
  socket.send(JSON.stringify({ event: 'subscribed', symbols: ['EURUSD'], rejected, epoch: 'e', seq: 1 }));
};

test('ends the stream with an error that names unknown symbols if nobody handles them', async () => {
  const context = createContext(someRejected);
  await using service = context.service;
  const stream = context.client.stream('market', { symbols: ['EURUSD', 'EURUSDD'] }, { onMessage() {} });
  await until(() => stream.state === 'closed', 'the end');
  expect(stream.error).toMatchObject({ code: 'symbol_not_found', detail: expect.stringContaining('EURUSDD') });
  expect(service.paths).toHaveLength(1);
  const loop = async (): Promise<void> => {
    for await (const _ of context.client.live.ticks({ symbols: ['EURUSD', 'EURUSDD'] }));
  };
  await expect(loop()).rejects.toMatchObject({ name: 'TickwireError', code: 'symbol_not_found' });
});

test('reports unknown symbols to onRejected and continues with the others', async () => {
  const context = createContext(someRejected);
  await using _service = context.service;
  const rejected: string[] = [];
  const onRejected = (symbols: readonly { symbol: string }[]): void => {
    rejected.push(...symbols.map(({ symbol }) => symbol));
  };
  const options = { symbols: ['EURUSD', 'EURUSDD'] };
  const stream = context.client.stream('market', options, { onMessage() {}, onRejected });
  await until(() => stream.state === 'live', 'live');
  expect(rejected).toEqual(['EURUSDD']);
  stream.close();
  const ticks = context.client.live.ticks({ ...options, onRejected });
  await until(() => ticks.state === 'live', 'live');
  expect(rejected).toEqual(['EURUSDD', 'EURUSDD']);
  ticks.close();
});

test('delivers a message of 270 KB and reports the error of a final close', async () => {
  const sockets: Socket[] = [];
  const context = createContext((socket, message) => {
    sockets.push(socket);
    confirm(socket, message.symbols);
    socket.ping();
    socket.send(JSON.stringify({ symbol: 'EURUSD', bid: 1, note: 'ü€😀'.repeat(30_000) }));
  });
  await using _service = context.service;
  const bids: number[] = [];
  const stream = context.client.stream('market', { symbols: ['EURUSD'] }, { onMessage: ({ bid }) => bids.push(bid) });
  await until(() => bids.length === 1, 'the message');
  sockets[0]?.close(4401, 'revoked');
  await until(() => stream.state === 'closed', 'the end');
  expect(stream.error).toMatchObject({ code: 'invalid_key', detail: 'revoked' });
});

describe('a handshake that fails', () => {
  const firstRetry = async (url: string): Promise<StateDetail> => {
    const client = new TickwireClient({ url, apiKey: 'k', timing: new ManualTiming() });
    let detail: StateDetail | null = null;
    const onState = (_: StreamState, next: StateDetail): void => {
      if (next.retryInMs !== null) detail = next;
    };
    const stream = client.stream('market', { symbols: ['*'] }, { onMessage() {}, onState });
    await until(() => detail !== null, 'the failure');
    stream.close();
    return detail!;
  };

  test('is retried if the service rejects it', async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(null, { status: 503 }) });
    expect(await firstRetry(server.url.origin)).toMatchObject({ end: { code: expect.any(Number) }, retryInMs: 250 });
    await server.stop(true);
  });

  test('is retried if the service is unreachable', async () => {
    expect(await firstRetry('http://127.0.0.1:1')).toMatchObject({ end: { code: 1006 }, retryInMs: 250 });
  });
});
