// What a stream is asked for, and what it needs to be asked.
import { expect, test } from 'bun:test';
import { TickwireClient } from './client.ts';
import { acknowledge, fakeService, until } from './fake-service.fixture.ts';

/** Asked from nowhere, the service says where it stands. */
const FRESH = { seq: true };
const FIRST = { api_key: 'k', heartbeat: 5 };
const accepting = () => fakeService({ onMessage: (socket, { symbols }) => acknowledge(socket, symbols) });

test('the options of a stream reach the service in its own words', async () => {
  await using service = accepting();
  const client = new TickwireClient({ url: service.url, apiKey: 'k' });
  const byPlace: Record<string, unknown> = {};
  /** One after the other, so that it is clear which said what. */
  const opened = async <S extends { close(): void }>(stream: S): Promise<S> => {
    const count = service.heard.length + 1;
    await until(() => service.heard.length === count, 'the subscription');
    byPlace[service.paths.at(-1)! + (service.heard.at(-1)?.channel ?? '')] = service.heard.at(-1);
    return stream;
  };
  const onMessage = (): void => {};
  const bars = await opened(client.stream('bars', { symbols: ['eurusd'], timeframe: '1m', maxRate: 2 }, { onMessage }));
  const open = [
    bars,
    await opened(client.stream('market', { symbols: ['*'], delivery: 'latest', heartbeatSeconds: 2 }, { onMessage })),
    await opened(client.stream('orderflow', { symbols: ['*'], maxRate: 0.5, seq: true }, { onMessage })),
    await opened(client.stream('news', { resume: false }, { onMessage })),
  ];
  expect(byPlace).toEqual({
    '/ws/marketbars': {
      action: 'subscribe',
      channel: 'bars',
      timeframe: '1m',
      symbols: ['EURUSD'],
      max_rate: 2,
      ...FIRST,
    },
    '/ws/market': { action: 'subscribe', symbols: ['*'], delivery: 'latest', ...FIRST, ...FRESH, heartbeat: 2 },
    '/ws/orderflow': { action: 'subscribe', symbols: ['*'], max_rate: 0.5, seq: true, ...FIRST },
    '/ws/news': { action: 'subscribe', symbols: ['*'], ...FIRST },
  });
  bars.setSymbols(['XAUUSD']);
  await until(() => service.heard.length === open.length + 2, 'the change');
  expect(service.heard.slice(-2)).toEqual([
    { action: 'unsubscribe', symbols: ['EURUSD'], channel: 'bars', timeframe: '1m' },
    { action: 'subscribe', symbols: ['XAUUSD'], channel: 'bars', timeframe: '1m', max_rate: 2 },
  ]);
  for (const stream of open) stream.close();
});

test('in a page of the service no key is sent', async () => {
  await using service = accepting();
  const stream = new TickwireClient({ url: service.url }).stream('signals', {}, { onMessage() {} });
  await until(() => stream.state === 'live', 'live');
  expect(service.heard[0]).not.toHaveProperty('api_key');
  stream.close();
});

test('a runtime without a WebSocket is told what to do', () => {
  const { WebSocket } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, 'WebSocket');
    const client = new TickwireClient({ url: 'http://127.0.0.1:1', apiKey: 'k' });
    expect(() => client.live.signals()).toThrow(/pass one as the `WebSocket` option/);
  } finally {
    globalThis.WebSocket = WebSocket;
  }
});

test('a stream without symbols is refused at once', () => {
  const client = new TickwireClient({ url: 'http://127.0.0.1:1', apiKey: 'k' });
  expect(() => client.stream('market', { symbols: [] }, { onMessage() {} })).toThrow(RangeError);
});

test('a secure address gives secure streams', () => {
  const urls: string[] = [];
  class NoSocket {
    onopen = null;
    onmessage = null;
    onclose = null;
    onerror = null;
    constructor(url: string) {
      urls.push(url);
    }
    send() {}
    close() {}
  }
  const client = new TickwireClient({ url: 'https://example.com/ticks/', apiKey: 'k', WebSocket: NoSocket });
  client.stream('signals', {}, { onMessage() {} }).close();
  expect(urls).toEqual(['wss://example.com/ticks/ws/signals']);
});
