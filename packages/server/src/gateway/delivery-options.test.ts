// `delivery` and `max_rate`: less than everything, and yet nothing lost of what the volumes add up to.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Channel } from '@tickwire/contract';
import { silentLog } from '../ops/log.ts';
import { expectChain } from '../testing/chain.fixture.ts';
import { bring, flowEvents, tickEvents } from '../testing/market-events.fixture.ts';
import { eventually } from '../testing/process.fixture.ts';
import { RawReader } from '../testing/raw-reader.fixture.ts';
import { type RunningService, startService } from '../testing/service.fixture.ts';
import { isData, isEvent, type Message, ofSymbol, StreamClient } from '../testing/stream-client.fixture.ts';
import { published, received } from '../testing/volumes.fixture.ts';

const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'] as const;

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', max_subscriptions: '4', messages_per_second: '1000' });
  key = (await service.key('premium')).key;
  await bring(service, [...tickEvents(3, SYMBOLS), ...flowEvents(3, SYMBOLS)]);
});
afterAll(() => service.stop());

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});
async function open(channel: Channel, of = service): Promise<StreamClient> {
  const stream = await StreamClient.open(`${of.wsUrl}/ws/${channel}`, key);
  opened.push(stream);
  return stream;
}
/** A stream past its snapshots. */
async function subscribed(channel: Channel, options: Message, symbols: readonly string[] = ['EURUSD']) {
  const stream = await open(channel);
  await stream.ask({ action: 'subscribe', symbols, seq: true, ...options });
  await stream.take(symbols.length, isData);
  return stream;
}
async function stalled(channel: Channel, options: Message): Promise<RawReader> {
  const reader = await RawReader.open(service, channel, key);
  opened.push({ close: () => reader.leave(true) });
  await reader.ask({ action: 'subscribe', symbols: SYMBOLS, seq: true, ...options });
  await reader.until(() => reader.messages.filter(isData).length >= SYMBOLS.length, 'the snapshots');
  reader.pause();
  return reader;
}

const noticesOf = ({ messages }: { messages: readonly Message[] }): unknown[] =>
  messages.filter((message) => !isData(message)).map(({ event }) => event);
const MAKERS = { market: tickEvents, orderflow: flowEvents } as const;
/** Twice what the buffers of both sockets take. */
const MANY = { market: 100_000, orderflow: 70_000 } as const;

/** What comes to a reader that stalls while the market runs away, and then reads again. */
async function afterStall(channel: 'market' | 'orderflow', options: Message) {
  const reader = await stalled(channel, options);
  const events = MAKERS[channel](MANY[channel], SYMBOLS);
  await bring(service, events);
  reader.resume();
  // Once it is back on its topics, what happens next comes as it is.
  const last = MAKERS[channel](SYMBOLS.length, SYMBOLS);
  const caughtUp = (): boolean => reader.messages.some(({ seq }) => Number(seq) > service.app.journal.lastSeq - 3);
  await reader.until(caughtUp, 'the newest');
  service.app.journal.append(last);
  const { lastSeq } = service.app.journal;
  const seen = (seq: number): boolean => reader.messages.some((message) => message.seq === seq);
  await reader.until(() => [0, 1, 2].every((at) => seen(lastSeq - at)), 'the newest of each symbol');
  return { reader, events: [...events, ...last], data: reader.messages.filter(isData) };
}

describe('"delivery":"latest"', () => {
  test.each(['market', 'orderflow'] as const)(
    'gives a reader of /ws/%s that stalls the newest of each symbol, and the volumes add up',
    async (channel) => {
      const { reader, events, data } = await afterStall(channel, { delivery: 'latest' });
      expect(noticesOf(reader)).toEqual(['subscribed']);
      expect(data.length).toBeLessThan(events.length);
      // To it, the previous message is the previous one that it was sent.
      expectChain(data);
      for (const symbol of SYMBOLS) expect(received(data, symbol)).toEqual(published(events, symbol));
      for (const event of events.slice(-3)) {
        const newest = data.findLast(ofSymbol(event.symbol))!;
        if (event.kind === 'tick') expect(newest).toMatchObject({ bid: event.bid, ask: event.ask });
        else expect(newest).toMatchObject({ price: event.price, cumulative_delta: event.cumulativeDelta });
      }
    },
    15_000,
  );

  test('gives a reader that keeps up everything', async () => {
    const stream = await subscribed('market', { delivery: 'latest' }, SYMBOLS);
    const events = tickEvents(5_000, SYMBOLS);
    await bring(service, events);
    const data = await stream.take(events.length, isData);
    expect(data.map(({ bid }) => bid)).toEqual(events.map(({ bid }) => bid));
    expectChain(data);
  });
});

describe('"delivery":"all"', () => {
  test.each(['market', 'orderflow'] as const)(
    'to a reader of /ws/%s that stalls, what is left out is declared and its volume comes with the next',
    async (channel) => {
      const { reader, events } = await afterStall(channel, { delivery: 'all' });
      await reader.until(() => reader.messages.some(isEvent('gap')), 'the gap');
      const data = reader.messages.filter(isData);
      expect(noticesOf(reader)).toEqual(['subscribed', 'slow', 'gap']);
      // All but the snapshots are messages that were published.
      const got = new Set(data.slice(SYMBOLS.length).map(({ seq }) => seq));
      expect(got.size).toBe(data.length - SYMBOLS.length);
      expect(reader.messages.find(isEvent('gap'))).toMatchObject({ dropped: events.length - got.size });
      for (const symbol of SYMBOLS) expect(received(data, symbol)).toEqual(published(events, symbol));
    },
    15_000,
  );
});

test('a reader that stalls hears of what it wanted all of, and nothing of what it wanted the latest of', async () => {
  const reader = await RawReader.open(service, 'market', key);
  opened.push({ close: () => reader.leave(true) });
  await reader.ask({ action: 'subscribe', symbols: ['EURUSD', 'XAUUSD'], seq: true, delivery: 'latest' });
  await reader.ask({ action: 'subscribe', symbols: ['BTCUSD'], seq: true });
  await reader.until(() => reader.messages.filter(isData).length >= SYMBOLS.length, 'the snapshots');
  reader.pause();
  const events = tickEvents(MANY.market, SYMBOLS);
  await bring(service, events);
  reader.resume();
  const gap = await reader.first(isEvent('gap'));
  const data = reader.messages.slice(0, reader.messages.indexOf(gap)).filter(isData);
  expect(gap).toMatchObject({ reason: 'slow', symbols: ['BTCUSD'] });
  const bitcoins = events.filter(({ symbol }) => symbol === 'BTCUSD').length;
  expect(gap.dropped).toBe(bitcoins + 1 - data.filter(ofSymbol('BTCUSD')).length);
  expectChain(data.filter((message) => message.symbol !== 'BTCUSD'));
  for (const symbol of SYMBOLS) expect(received(data, symbol)).toEqual(published(events, symbol));
}, 15_000);

test('a reader that takes nothing and does not read its answers either is cut, and nobody notices', async () => {
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (...what: unknown[]) => errors.push(what) };
  const own = await startService({ feeds: 'push', messages_per_second: '1000' }, log);
  const { key: ownKey } = await own.key('premium');
  const other = await StreamClient.open(`${own.wsUrl}/ws/market`, ownKey);
  const reader = await RawReader.open(own, 'market', ownKey);
  reader.pause();
  const symbols = Array.from({ length: 1_000 }, (_, at) => `NOSUCH_${at}`.padEnd(60, '_'));
  // Far more than all buffers hold and than may wait for one connection.
  for (let at = 0; at < 300; at++) {
    reader.send({ action: 'subscribe', symbols });
    if (at % 10 === 0) await other.ask({ action: 'ping' });
  }
  const clients = async (): Promise<unknown> => {
    const answer = await fetch(`${own.url}/api/session`, { headers: { 'X-API-Key': ownKey } });
    return ((await answer.json()) as { clients_connected: unknown }).clients_connected;
  };
  await eventually('the reader is cut', async () => (await clients()) === 1);
  expect(await other.ask({ action: 'ping' })).toMatchObject({ event: 'pong' });
  expect(errors).toEqual([]);
  reader.leave(true);
  other.close();
  await own.stop();
}, 15_000);

describe('options that do not fit', () => {
  test.each([
    ['max_rate', [0, 0.05, -1, 1_001, '5', null, true]],
    ['delivery', ['newest', '', 1, null, ['latest']]],
  ] as const)('%s: are refused, and the connection lives on', async (name, values) => {
    const stream = await open('market');
    for (const value of values) {
      const answer = await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], [name]: value });
      expect(answer).toMatchObject({ event: 'error', code: 'invalid_message', fatal: false });
      expect(String(answer.message)).toStartWith(`${name}: `);
    }
    expect(await stream.ask({ action: 'list' })).toMatchObject({ symbols: [] });
  });

  test('every message again and not every message: max_rate with resume_from', async () => {
    const stream = await open('market');
    const resume_from = { epoch: service.app.journal.epoch, seq: service.app.journal.lastSeq };
    const answer = await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], max_rate: 5, resume_from });
    expect(answer).toMatchObject({ event: 'error', code: 'invalid_message', fatal: false });
    expect(await stream.ask({ action: 'list' })).toMatchObject({ symbols: [] });
  });

  test.each(['signals', 'news'] as const)('nothing is left out on /ws/%s', async (channel) => {
    const stream = await open(channel);
    for (const options of [{ max_rate: 5 }, { delivery: 'latest' }])
      expect(await stream.ask({ action: 'subscribe', ...options })).toMatchObject({ code: 'invalid_message' });
    expect(await stream.ask({ action: 'list' })).toMatchObject({ symbols: [] });
    expect(await stream.ask({ action: 'subscribe', delivery: 'all' })).toMatchObject({ event: 'subscribed' });
  });
});

test('past the most subscriptions of a connection, symbols are rejected by that name and the rest is taken', async () => {
  const stream = await open('market');
  const code = 'subscription_limit';
  const symbols = ['EURUSD', 'XAUUSD', 'BTCUSD', 'USDJPY', 'GBPUSD'];
  const first = symbols.slice(0, 4);
  expect(await stream.ask({ action: 'subscribe', symbols: [...symbols, 'NOSUCH'] })).toMatchObject({
    symbols: first,
    rejected: [
      { symbol: 'NOSUCH', code: 'symbol_not_found' },
      { symbol: 'GBPUSD', code },
    ],
  });
  const bars = { action: 'subscribe', channel: 'bars', timeframe: '1m', symbols: ['EURUSD'] };
  expect(await stream.ask(bars)).toMatchObject({ symbols: first, rejected: [{ symbol: 'EURUSD', code }] });
  // What it has can be taken in another way.
  for (const options of [{ seq: true }, { max_rate: 5 }])
    expect(await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], ...options })).toMatchObject({ rejected: [] });
  await stream.ask({ action: 'unsubscribe', symbols: ['USDJPY'] });
  expect(await stream.ask(bars)).toMatchObject({ bars: [{ timeframe: '1m', symbols: ['EURUSD'] }], rejected: [] });
  expect(await stream.ask({ action: 'subscribe', symbols: ['USDJPY'] })).toMatchObject({ rejected: [{ code }] });
});
