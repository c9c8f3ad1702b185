// How stream options become subscribe messages.
import { expect, test } from 'bun:test';
import { confirm, fakeService, until } from '../../testing/fake-service.ts';
import { TickwireClient } from '../client.ts';

const FRESH = { seq: true };
const FIRST = { api_key: 'k', heartbeat: 5 };
const accepting = () => fakeService({ onMessage: (socket, { symbols }) => confirm(socket, symbols) });

test('sends the options of a stream in the subscribe message', async () => {
  await using service = accepting();
  const client = new TickwireClient({ url: service.url, apiKey: 'k' });
  const byPlace: Record<string, unknown> = {};
  /** Opens streams one after the other, so that messages can be told apart. */
  const opened = async <S extends { close(): void }>(stream: S): Promise<S> => {
    const count = service.received.length + 1;
    await until(() => service.received.length === count, 'the subscription');
    byPlace[service.paths.at(-1)! + (service.received.at(-1)?.channel ?? '')] = service.received.at(-1);
    return stream;
  };
  const onMessage = (): void => {};
  const bars = await opened(
    client.stream(
      'bars',
      { symbols: ['eur/usd'], timeframe: '1m', maxRate: 2, indicators: ['rsi(14)'] },
      { onMessage },
    ),
  );
  const open = [
    bars,
    await opened(client.stream('market', { symbols: ['*'], delivery: 'latest', heartbeatSeconds: 2 }, { onMessage })),
    await opened(client.stream('orderflow', { symbols: ['*'], maxRate: 0.5, seq: true }, { onMessage })),
    await opened(client.stream('news', { resume: false }, { onMessage })),
    await opened(client.stream('perpetual', { ms: true }, { onMessage })),
  ];
  expect(byPlace).toEqual({
    '/ws/marketbars': {
      action: 'subscribe',
      channel: 'bars',
      timeframe: '1m',
      indicators: ['rsi(14)'],
      symbols: ['EURUSD'],
      max_rate: 2,
      ...FIRST,
    },
    '/ws/market': { action: 'subscribe', symbols: ['*'], delivery: 'latest', ...FIRST, ...FRESH, heartbeat: 2 },
    '/ws/orderflow': { action: 'subscribe', symbols: ['*'], max_rate: 0.5, seq: true, ...FIRST },
    '/ws/news': { action: 'subscribe', symbols: ['*'], ...FIRST },
    '/ws/perpetual': { action: 'subscribe', symbols: ['*'], ms: true, ...FIRST, ...FRESH },
  });
  bars.setSymbols(['XAUUSD']);
  await until(() => service.received.length === open.length + 2, 'the change');
  expect(service.received.slice(-2)).toEqual([
    { action: 'unsubscribe', symbols: ['EURUSD'], channel: 'bars', timeframe: '1m' },
    {
      action: 'subscribe',
      symbols: ['XAUUSD'],
      channel: 'bars',
      timeframe: '1m',
      indicators: ['rsi(14)'],
      max_rate: 2,
    },
  ]);
  for (const stream of open) stream.close();
});

test('sends no key without a key', async () => {
  await using service = accepting();
  const stream = new TickwireClient({ url: service.url }).stream('signals', {}, { onMessage() {} });
  await until(() => stream.state === 'live', 'live');
  expect(service.received[0]).not.toHaveProperty('api_key');
  stream.close();
});

test('throws a clear error in a runtime without a WebSocket', () => {
  const { WebSocket } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, 'WebSocket');
    const client = new TickwireClient({ url: 'http://127.0.0.1:1', apiKey: 'k' });
    expect(() => client.live.signals()).toThrow(/Use Node 22 or newer, Bun, Deno or a browser/);
  } finally {
    globalThis.WebSocket = WebSocket;
  }
});

test.each([
  ['an empty list of symbols', 'ticks', { symbols: [] }, '`symbols`'],
  ['ticks without symbols', 'ticks', {}, '`symbols`'],
  ['a text as symbols', 'ticks', { symbols: 'EURUSD' }, '`symbols`'],
  ['a symbol that is no text', 'news', { symbols: [1] }, '`symbols`'],
  ['bars without a timeframe', 'bars', { symbols: ['EURUSD'] }, '`timeframe`'],
  ['an unknown overflow policy', 'ticks', { symbols: ['*'], overflow: 'drop' }, '`overflow`'],
  ['an empty buffer', 'ticks', { symbols: ['*'], buffer: 0 }, '`buffer`'],
] as const)('rejects %s before it connects, and names the option', (_, method, options, name) => {
  const { live } = new TickwireClient({ url: 'http://127.0.0.1:1', apiKey: 'k' });
  expect(() => live[method](options as never)).toThrow(name);
});

test('uses wss for an https address', () => {
  const urls: string[] = [];
  class NoSocket {
    readyState = 0;
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
  client.live.signals({ share: false }).close();
  expect(urls).toEqual(['wss://example.com/ticks/ws', 'wss://example.com/ticks/ws/signals']);
});
