// Several streams on one connection, against a real service over a failing network.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { appendEvents, flowEvents, tickEvents } from 'tickwire/testing/market-events.fixture.ts';
import { eventually } from 'tickwire/testing/process.fixture.ts';
import { type RunningService, startService } from 'tickwire/testing/service.fixture.ts';
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
let proxy: TcpProxy;
let client: TickwireClient;
/** `seq` of every tick by symbol. */
const truth = new Map<string, number[]>();
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  ({ key } = await service.key('premium'));
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
  proxy.stop();
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
  await eventually('both', () => footprints.messages().length > 0 && flow.messages().length > 0, 15_000);
  expect(proxy.connections).toBe(1);
  expect(footprints.messages().every(({ channel, timeframe }) => channel === 'footprint' && timeframe === '1m')).toBe(
    true,
  );
  footprints.stream.close();
  const seen = flow.messages().length;
  await eventually('order flow goes on', () => flow.messages().length > seen, 15_000);
  const bad = read(client.live.bars({ symbols: ['EURUSD'], timeframe: '1m', indicators: ['rsi(0)' as 'rsi(14)'] }));
  const good = read(client.live.bars({ symbols: ['XAUUSD'], timeframe: '1m' }));
  await expect(bad.done).rejects.toThrow();
  await eventually('the other stream', good.live, 15_000);
  for (const stream of open.splice(0)) stream.close();
  await simulated.stop();
}, 60_000);

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
  const flow = read(client.live.orderFlow({ symbols: ['EURUSD'] }));
  await eventually('another channel', flow.live);
  expect(proxy.connections).toBe(2);
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
