// Several streams on one connection, against a real service over a failing network.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { alertEvent } from 'tickwire/testing/alerts.fixture.ts';
import { appendEvents, flowEvents, tickEvents } from 'tickwire/testing/market-events.fixture.ts';
import { newsEvent } from 'tickwire/testing/news.fixture.ts';
import { eventually } from 'tickwire/testing/process.fixture.ts';
import { type RunningService, startService } from 'tickwire/testing/service.fixture.ts';
import { signalEvent } from 'tickwire/testing/signals.fixture.ts';
import { storeAndPublishSignals } from 'tickwire/testing/stored-signals.fixture.ts';
import { confirm, fakeService, type Socket } from '../../testing/fake-service.ts';
import { TcpProxy } from '../../testing/tcp-proxy.ts';
import { TickwireClient } from '../client.ts';
import { realTiming } from '../common/timing.ts';
import type { StreamEvent } from './event-queue.ts';
import type { LiveStream } from './live-stream.ts';
import type { MessageOf, StreamKind } from './messages.ts';

const timing = { ...realTiming, random: () => 0.05 };
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD', 'GBPUSD'];
let service: RunningService;
let key: string;
let account: string;
let proxy: TcpProxy;
let client: TickwireClient;
/** `seq` of every tick by symbol. */
const truth = new Map<string, number[]>();
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  const issued = await service.key('premium');
  key = issued.key;
  account = issued.account.publicId;
  service.app.journal.subscribe(({ firstSeq, events }) => {
    for (const [at, event] of events.entries())
      if (event.kind === 'tick') truth.set(event.symbol, [...(truth.get(event.symbol) ?? []), firstSeq + at]);
  });
  await append(4);
});
afterAll(() => service.stop());

const open: LiveStream<StreamKind>[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
  proxy?.stop();
});
function connect(): void {
  proxy = new TcpProxy(service.url);
  client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
}
const append = (count: number): Promise<void> =>
  appendEvents(service, [...tickEvents(count, SYMBOLS), ...flowEvents(count, SYMBOLS)]);

/** Reads a stream in the background. */
function read<K extends StreamKind>(stream: LiveStream<K>, delayMs = 0) {
  open.push(stream as unknown as LiveStream<StreamKind>);
  const events: StreamEvent<MessageOf<K>>[] = [];
  const done = (async () => {
    for await (const event of stream.events()) {
      events.push(event);
      if (delayMs > 0) await Bun.sleep(delayMs);
    }
  })();
  const messages = (): MessageOf<K>[] => events.flatMap((event) => (event.type === 'message' ? [event.message] : []));
  const live = (): boolean => stream.state === 'live';
  return { stream, events, messages, live, done };
}
const ticks = (symbols: string[], options = {}) => client.live.ticks({ symbols, seq: true, ...options });
const seqs = (messages: readonly { readonly symbol: string; readonly seq?: number | undefined }[], symbol: string) =>
  messages.filter((message) => message.symbol === symbol).map(({ seq }) => Number(seq));
const since = (symbol: string, first: number): number[] => truth.get(symbol)!.filter((seq) => seq >= first);

test('footprints and order flow share a connection, and an error reaches only the stream that caused it', async () => {
  const simulated = await startService({ sim_rate: '500', house: 'none' });
  const { key: own } = await simulated.key('premium');
  proxy = new TcpProxy(simulated.url);
  client = new TickwireClient({ url: proxy.url, apiKey: own, timing });
  const footprints = read(client.live.footprints({ symbols: ['BTCUSD'], timeframe: '1m' }));
  const flow = read(client.live.orderFlow({ symbols: ['BTCUSD'] }));
  await eventually('both', () => footprints.messages().length > 0 && flow.messages().length > 0);
  expect(proxy.connections).toBe(1);
  expect(footprints.messages().every(({ channel, timeframe }) => channel === 'footprint' && timeframe === '1m')).toBe(
    true,
  );
  footprints.stream.close();
  const seen = flow.messages().length;
  await eventually('order flow goes on', () => flow.messages().length > seen);
  const bad = read(client.live.bars({ symbols: ['EURUSD'], timeframe: '1m', indicators: ['rsi(0)' as 'rsi(14)'] }));
  const good = read(client.live.bars({ symbols: ['XAUUSD'], timeframe: '1m' }));
  await expect(bad.done).rejects.toThrow();
  await eventually('the other stream', good.live);
  for (const stream of open.splice(0)) stream.close();
  await simulated.stop();
});

test('streams of different topics share a connection, and each gets its own messages', async () => {
  connect();
  const one = read(ticks(['EURUSD']));
  const two = read(ticks(['XAUUSD', 'BTCUSD']));
  const bars = read(client.live.bars({ symbols: ['EURUSD'], timeframe: '1m' }));
  await eventually('live', () => [one, two, bars].every(({ live }) => live()));
  expect(proxy.connections).toBe(1);
  await append(40);
  await eventually(
    'ticks',
    () => one.messages().length > 10 && two.messages().length > 20 && bars.messages().length > 0,
  );
  expect(new Set(one.messages().map(({ symbol }) => symbol))).toEqual(new Set(['EURUSD']));
  expect(new Set(two.messages().map(({ symbol }) => symbol))).toEqual(new Set(['XAUUSD', 'BTCUSD']));
  expect(bars.messages().every(({ channel, symbol }) => channel === 'bars' && symbol === 'EURUSD')).toBe(true);
});

test('all kinds resume after a lost connection, without gaps and duplicates', async () => {
  connect();
  const market = read(ticks(['EURUSD']));
  const signals = read(client.live.signals({ seq: true }));
  const news = read(client.live.news({ seq: true }));
  const all = [market, signals, news];
  await eventually('live', () => all.every(({ live }) => live()));
  const ids: string[] = [];
  const published: number[] = [];
  const happen = async (): Promise<void> => {
    await append(8);
    ids.push(`r${ids.length}`);
    service.app.journal.append([newsEvent(ids.at(-1)!)]);
    const made = await storeAndPublishSignals(service, 4, SYMBOLS);
    published.push(...made.filter(({ kind }) => kind === 'signal').map(({ n }) => n));
  };
  for (let round = 1; round <= 3; round++) {
    await happen();
    proxy.cut();
    await happen();
    await eventually('live again', () => proxy.connections === round + 1 && all.every(({ live }) => live()));
  }
  await happen();
  await eventually('the last headline', () => news.messages().at(-1)?.id === ids.at(-1));
  expect(news.messages().map(({ id }) => id)).toEqual(ids);
  const numbers = (): number[] => signals.messages().map(({ seq }) => Number(seq));
  await eventually('all signals', () => numbers().length >= published.length);
  expect(numbers()).toEqual(published);
  const first = seqs(market.messages(), 'EURUSD')[0]!;
  await eventually('all ticks', () => seqs(market.messages(), 'EURUSD').length >= since('EURUSD', first).length);
  expect(seqs(market.messages(), 'EURUSD')).toEqual(since('EURUSD', first));
  for (const { events } of all) expect(events.filter(({ type }) => type === 'gap')).toEqual([]);
});

test('streams of all kinds share one connection, and messages look as on a connection of their own', async () => {
  connect();
  const shown: Record<string, unknown> = {};
  const streams = {
    market: read(ticks(['EURUSD'], { seq: false })),
    bars: read(client.live.bars({ symbols: ['EURUSD'], timeframe: '1m' })),
    orderflow: read(client.live.orderFlow({ symbols: ['EURUSD'] })),
    footprint: read(client.live.footprints({ symbols: ['EURUSD'], timeframe: '1m' })),
    signals: read(client.live.signals({ symbols: ['EURUSD'] })),
    gold: read(client.live.signals({ symbols: ['XAUUSD'], closes: true })),
    news: read(client.live.news({ symbols: ['XAUUSD'] })),
    alerts: read(client.live.alerts()),
  };
  const stream = client.stream('market', { symbols: ['GBPUSD'] }, { onMessage: (tick) => (shown.callback = tick) });
  const all = Object.values(streams);
  await eventually('live', () => all.every(({ live }) => live()) && stream.state === 'live');
  expect(proxy.connections).toBe(1);
  await append(8);
  service.app.journal.append([
    signalEvent('sig_1', 'EURUSD'),
    signalEvent('sig_2', 'XAUUSD'),
    newsEvent('n1', { symbols: ['XAUUSD'] }),
    newsEvent('n2', { symbols: ['EURUSD'] }),
    alertEvent('f1', {}, account),
  ]);
  await eventually('messages', () => all.every(({ messages }) => messages().length > 0) && 'callback' in shown);
  const fields = ['symbol', 'bid', 'ask', 'spread', 'time', 'volume'];
  expect(Object.keys(streams.market.messages().at(-1)!)).toEqual(fields);
  expect(Object.keys(shown.callback as object)).toEqual(fields);
  expect(streams.bars.messages().at(-1)).toMatchObject({ channel: 'bars', timeframe: '1m' });
  expect(streams.footprint.messages().at(-1)).toMatchObject({ channel: 'footprint' });
  expect(streams.signals.messages()).toEqual([signalEvent('sig_1', 'EURUSD').signal]);
  expect(streams.gold.messages().map(({ id }) => id)).toEqual(['sig_2']);
  expect(streams.news.messages().map(({ id }) => id)).toEqual(['n1']);
  expect(streams.alerts.messages()).toMatchObject([{ id: 'f1', event_seq: 7 }]);
  for (const { messages } of [streams.orderflow, streams.news, streams.alerts])
    for (const message of messages()) expect(message).not.toHaveProperty('channel');
  expect((await client.usage()).streams.open).toBe(1);
  stream.close();
});

test('headlines of two streams are two sequences, and use two connections', async () => {
  connect();
  const [one, two] = [read(client.live.news({ symbols: ['EURUSD'] })), read(client.live.news({ symbols: ['XAUUSD'] }))];
  await eventually('live', () => one.live() && two.live());
  expect(proxy.connections).toBe(2);
});

test('rejected requests of some streams do not end the others', async () => {
  connect();
  const good = read(ticks(['EURUSD']));
  await eventually('live', good.live);
  for (let at = 0; at < 12; at++) {
    const bad = read(client.live.bars({ symbols: ['EURUSD'], timeframe: '1m', indicators: ['rsi(0)' as 'rsi(14)'] }));
    await expect(bad.done).rejects.toMatchObject({ code: 'invalid_message' });
  }
  const before = good.messages().length;
  await append(4);
  await eventually('ticks', () => good.messages().length > before);
  expect(good.events.filter(({ type }) => type === 'state')).toHaveLength(2);
});

test('a new connection is joined again, however many requests were rejected on the one before', async () => {
  connect();
  const good = read(ticks(['EURUSD']));
  await eventually('live', good.live);
  for (let at = 0; at < 5; at++) {
    const bad = read(client.live.bars({ symbols: ['EURUSD'], timeframe: '1m', indicators: ['rsi(0)' as 'rsi(14)'] }));
    await expect(bad.done).rejects.toMatchObject({ code: 'invalid_message' });
  }
  const states = good.events.length;
  proxy.cut();
  await eventually('live again', () => good.events.length > states && good.live());
  const before = proxy.connections;
  const next = read(ticks(['XAUUSD']));
  await eventually('live', next.live);
  expect(proxy.connections).toBe(before);
});

test('behind a proxy that lets only the channels through, streams get connections of their own', async () => {
  const onMessage = (socket: Socket, { symbols }: Record<string, unknown>): void => confirm(socket, symbols);
  await using proxied = fakeService({ onMessage, sharedStatus: 426 });
  const of = new TickwireClient({ url: proxied.url, apiKey: 'k', timing });
  const [ticks, news] = [of.live.ticks({ symbols: ['XAUUSD'] }), of.live.news()];
  await eventually('live', () => ticks.state === 'live' && news.state === 'live');
  expect([...proxied.paths].sort()).toEqual(['/ws/market', '/ws/news']);
  for (const each of [ticks, news]) each.close();
});

test('behind a proxy without the path of the connection for all channels, each stream gets one', async () => {
  await using proxied = fakeService({ onMessage: (socket, { symbols }) => confirm(socket, symbols) });
  const of = new TickwireClient({ url: proxied.url, apiKey: 'k', timing });
  const states: string[] = [];
  const stream = of.stream(
    'market',
    { symbols: ['EURUSD'] },
    { onMessage() {}, onState: (state) => states.push(state) },
  );
  const [gold, news] = [of.live.ticks({ symbols: ['XAUUSD'] }), of.live.news()];
  const all = [stream, gold, news];
  await eventually('live', () => all.every(({ state }) => state === 'live'));
  expect([...proxied.paths].sort()).toEqual(['/ws/market', '/ws/market', '/ws/news']);
  expect(states).toEqual(['connecting', 'live']);
  expect(proxied.received.every((message) => !('id' in message))).toBe(true);
  stream.pause();
  stream.resume();
  await eventually('live again', () => stream.state === 'live');
  for (const each of all) each.close();
  expect(all.map(({ state }) => state)).toEqual(['closed', 'closed', 'closed']);
});

test('a topic that another stream has, and `share: false`, take a connection of their own', async () => {
  connect();
  const all = [read(ticks(['EURUSD'])), read(ticks(['EURUSD', 'XAUUSD'])), read(ticks(['GBPUSD'], { share: false }))];
  all.push(read(ticks(['*'])));
  await eventually('live', () => all.every(({ live }) => live()));
  expect(proxy.connections).toBe(4);
});

test('after a lost connection every stream resumes without a gap', async () => {
  connect();
  const all = SYMBOLS.map((symbol) => ({ symbol, ...read(ticks([symbol])) }));
  await eventually('live', () => all.every(({ live, messages }) => live() && messages().length > 0));
  for (let round = 1; round <= 3; round++) {
    proxy.cut();
    await append(20);
    await eventually('live again', () => proxy.connections === round + 1 && all.every(({ live }) => live()));
    await append(8);
  }
  for (const { symbol, messages, events } of all) {
    const first = seqs(messages(), symbol)[0]!;
    await eventually('all ticks', () => seqs(messages(), symbol).length >= since(symbol, first).length);
    expect(seqs(messages(), symbol)).toEqual(since(symbol, first));
    expect(events.filter(({ type }) => type === 'gap')).toEqual([]);
  }
});

test('a stream that closes ends its subscription only; the last one ends the connection', async () => {
  connect();
  const [one, two] = [read(ticks(['EURUSD'])), read(ticks(['XAUUSD']))];
  await eventually('live', () => one.live() && two.live());
  one.stream.close();
  await one.done;
  await append(8);
  await eventually('ticks', () => two.messages().length > 1);
  expect(one.stream.state).toBe('closed');
  // Its topic is free again on the same connection.
  const three = read(ticks(['EURUSD']));
  await eventually('live', three.live);
  expect(proxy.connections).toBe(1);
  for (const { stream } of [two, three]) stream.close();
  await Promise.all([two.done, three.done]);
  const four = read(ticks(['EURUSD']));
  await eventually('live', four.live);
  expect(proxy.connections).toBe(2);
});

test('a stream that adds a symbol of another one moves to a connection of its own, without a gap', async () => {
  connect();
  const [one, two] = [read(ticks(['EURUSD'])), read(ticks(['XAUUSD']))];
  await eventually('live', () => one.live() && two.live() && two.messages().length > 0);
  two.stream.setSymbols(['XAUUSD', 'EURUSD']);
  await append(8);
  await eventually('moved', () => two.live() && seqs(two.messages(), 'EURUSD').length > 0);
  await append(8);
  expect(proxy.connections).toBe(2);
  for (const [{ messages, events }, symbol] of [
    [one, 'EURUSD'],
    [two, 'XAUUSD'],
  ] as const) {
    const first = seqs(messages(), symbol)[0]!;
    await eventually('all ticks', () => seqs(messages(), symbol).length >= since(symbol, first).length);
    expect(seqs(messages(), symbol)).toEqual(since(symbol, first));
    expect(events.filter(({ type }) => type === 'gap')).toEqual([]);
  }
});

test('a slow loop pauses its own stream, loses nothing, and does not delay the others', async () => {
  connect();
  const slow = read(ticks(['EURUSD'], { buffer: 30 }), 1);
  const fast = read(ticks(['XAUUSD']));
  await eventually('live', () => slow.live() && fast.live() && slow.messages().length > 0);
  await append(240);
  await eventually('the fast one', () => seqs(fast.messages(), 'XAUUSD').length > 60);
  const first = seqs(slow.messages(), 'EURUSD')[0]!;
  await eventually('the slow one', () => seqs(slow.messages(), 'EURUSD').length >= since('EURUSD', first).length);
  expect(seqs(slow.messages(), 'EURUSD')).toEqual(since('EURUSD', first));
  expect(slow.events.some((event) => event.type === 'state' && event.state === 'stale')).toBe(true);
  expect(fast.events.every((event) => event.type !== 'state' || event.state !== 'stale')).toBe(true);
  expect(proxy.connections).toBe(1);
});

test('an unknown symbol ends its own stream with an error, and no other', async () => {
  connect();
  const good = read(ticks(['EURUSD']));
  const bad = read(ticks(['NOSUCH']));
  await expect(bad.done).rejects.toMatchObject({ code: 'symbol_not_found' });
  await append(8);
  await eventually('ticks', () => good.messages().length > 1);
  expect(proxy.connections).toBe(1);
});

test('an invalid key ends all of them', async () => {
  proxy = new TcpProxy(service.url);
  client = new TickwireClient({ url: proxy.url, apiKey: 'wrong', timing });
  const all = [read(ticks(['EURUSD'])), read(ticks(['XAUUSD']))];
  const ends = await Promise.allSettled(all.map(({ done }) => done));
  for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'invalid_key' } });
});
