// `max_rate`: a limited number of messages per second; the newest is always sent, and volumes add up.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import type { TickEvent } from '@tickwire/engine';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { appendEvents, flowEvents, tickEvents } from '../../testing/market-events.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, type Message, ofSymbol, StreamClient } from '../../testing/stream-client.fixture.ts';
import { publishedVolumes, receivedVolumes } from '../../testing/volumes.fixture.ts';

const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'] as const;

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  key = (await service.key('premium')).key;
  await appendEvents(service, [...tickEvents(3, SYMBOLS), ...flowEvents(3, SYMBOLS)]);
});
afterAll(() => service.stop());

const opened: StreamClient[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
/** A stream after its snapshots. */
async function subscribed(channel: 'market' | 'orderflow', options: Message, symbols: readonly string[] = ['EURUSD']) {
  const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);
  opened.push(stream);
  await stream.ask({ action: 'subscribe', symbols, seq: true, ...options });
  await stream.take(symbols.length, isData);
  return stream;
}

test('sends the newest message when its interval has elapsed, at every rate, and volumes add up', async () => {
  const rates = [0.5, 2, 7, 1_000];
  const began = performance.now();
  const clients = await Promise.all(rates.map((max_rate) => subscribed('market', { max_rate }, SYMBOLS)));
  const flow = await subscribed('orderflow', { max_rate: 7 }, SYMBOLS);
  const [ticks, trades] = [tickEvents(600, SYMBOLS), flowEvents(600, SYMBOLS)];
  for (let at = 0; at < 600; at += 30) {
    service.app.journal.append(ticks.slice(at, at + 30));
    service.app.journal.append(trades.slice(at, at + 30));
    await Bun.sleep(15);
  }
  const newest = new Map<string, TickEvent>(ticks.slice(-3).map((tick) => [tick.symbol, tick]));
  for (const [at, stream] of clients.entries()) {
    for (const symbol of SYMBOLS) {
      const { bid } = newest.get(symbol)!;
      const arrived = (): boolean => stream.messages.findLast(ofSymbol(symbol))?.bid === bid;
      while (!arrived()) await stream.next(isData);
      const data = stream.messages.filter(ofSymbol(symbol));
      expectContinuity(data);
      expect(receivedVolumes(data, symbol)).toEqual(publishedVolumes(ticks, symbol));
      // Without the snapshot; the first message need not wait.
      expect(data.length - 1).toBeLessThanOrEqual(1 + ((performance.now() - began) / 1000) * rates[at]!);
    }
  }
  for (const symbol of SYMBOLS) {
    const { cumulativeDelta } = trades.findLast((trade) => trade.symbol === symbol)!;
    const data = flow.messages.filter(ofSymbol(symbol));
    expect(data.at(-1)).toMatchObject({ cumulative_delta: cumulativeDelta });
    expect(receivedVolumes(data, symbol)).toEqual(publishedVolumes(trades, symbol));
    expectContinuity(data);
  }
  // At most one in two seconds: the first of the burst, and the rest as one.
  expect(clients[0]!.messages.filter(ofSymbol('EURUSD')).map(({ volume }) => volume)).toHaveLength(3);
  // Many per second if there were many.
  expect(clients[3]!.messages.filter(ofSymbol('EURUSD')).length).toBeGreaterThan(10);
});

test('is not exceeded in a fast market', async () => {
  const began = performance.now();
  const stream = await subscribed('market', { max_rate: 20 }, SYMBOLS);
  const count = (): number => stream.messages.filter(isData).length;
  while (count() < 60) {
    service.app.journal.append(tickEvents(30, SYMBOLS));
    await Bun.sleep(1);
  }
  const seconds = (performance.now() - began) / 1000;
  for (const symbol of SYMBOLS) {
    const data = stream.messages.filter(ofSymbol(symbol));
    // The snapshot, and the first message, which need not wait.
    expect(data.length).toBeLessThanOrEqual(2 + seconds * 20);
    expect(data.length).toBeGreaterThan(10);
    expectContinuity(data);
  }
});

test('clients with the same rate get the same messages, and one that leaves does not affect the others', async () => {
  const [numbered, plain, leaving] = await Promise.all([
    subscribed('market', { max_rate: 50 }),
    subscribed('market', { max_rate: 50, seq: false }),
    subscribed('market', { max_rate: 50 }),
  ]);
  const events = tickEvents(300);
  for (let at = 0; at < 300; at += 10) {
    service.app.journal.append(events.slice(at, at + 10));
    if (at === 150) leaving.close();
    await Bun.sleep(5);
  }
  const { bid } = events.at(-1)!;
  for (const stream of [numbered, plain]) await stream.next((message) => message.bid === bid);
  const fieldsOf = (stream: StreamClient) =>
    stream.messages.filter(isData).map(({ bid, ask, volume }) => [bid, ask, volume]);
  expect(fieldsOf(plain)).toEqual(fieldsOf(numbered));
  expect(receivedVolumes(plain.messages, 'EURUSD')).toEqual(publishedVolumes(events, 'EURUSD'));
});

test('can be changed for a subscription; each change starts with a snapshot', async () => {
  const stream = await subscribed('market', { max_rate: 0.5 });
  for (const options of [{ max_rate: 1_000 }, {}, { max_rate: 0.1 }, { max_rate: 500 }]) {
    const { length } = stream.messages;
    expect(await stream.ask({ action: 'subscribe', symbols: ['eurusd'], seq: true, ...options })).toMatchObject({
      symbols: ['EURUSD'],
    });
    const snapshot = await stream.next(isData);
    const events = tickEvents(2);
    service.app.journal.append(events);
    const { bid } = options.max_rate === undefined ? events[0]! : events[1]!;
    expect(await stream.next(isData)).toMatchObject({ bid, prev: snapshot.seq });
    await stream.ask({ action: 'ping' });
    const after = stream.messages.slice(length).filter(isData);
    expect(after[0]).toMatchObject({ volume: 0 });
    expect(receivedVolumes(after, 'EURUSD')).toEqual(publishedVolumes(events, 'EURUSD'));
    expectContinuity(after);
  }
});
