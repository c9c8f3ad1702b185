// `delivery` and `max_rate`: fewer messages, but no volume is lost.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Channel } from '@tickwire/contract';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { appendEvents, flowEvents, tickEvents } from '../../testing/market-events.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { RawClient } from '../../testing/raw-client.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, isEvent, type Message, ofSymbol, StreamClient } from '../../testing/stream-client.fixture.ts';
import { publishedVolumes, receivedVolumes } from '../../testing/volumes.fixture.ts';
import { silentLog } from '../ops/log.ts';

const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'] as const;

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', max_subscriptions: '4', messages_per_second: '1000' });
  key = (await service.key('premium')).key;
  await appendEvents(service, [...tickEvents(3, SYMBOLS), ...flowEvents(3, SYMBOLS)]);
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
/** A stream after its snapshots. */
async function subscribed(channel: Channel, options: Message, symbols: readonly string[] = ['EURUSD']) {
  const stream = await open(channel);
  await stream.ask({ action: 'subscribe', symbols, seq: true, ...options });
  await stream.take(symbols.length, isData);
  return stream;
}
async function stalled(channel: Channel, options: Message): Promise<RawClient> {
  const client = await RawClient.open(service, channel, key);
  opened.push({ close: () => client.leave(true) });
  await client.ask({ action: 'subscribe', symbols: SYMBOLS, seq: true, ...options });
  await client.until(() => client.messages.filter(isData).length >= SYMBOLS.length, 'the snapshots');
  client.pause();
  return client;
}

const noticesOf = ({ messages }: { messages: readonly Message[] }): unknown[] =>
  messages.filter((message) => !isData(message)).map(({ event }) => event);
const MAKERS = { market: tickEvents, orderflow: flowEvents } as const;
/** Twice the size of the buffers of both sockets. */
const MANY = { market: 100_000, orderflow: 70_000 } as const;

/** The messages of a client that stalls while the market continues, and then reads again. */
async function afterStall(channel: 'market' | 'orderflow', options: Message) {
  const client = await stalled(channel, options);
  const events = MAKERS[channel](MANY[channel], SYMBOLS);
  await appendEvents(service, events);
  client.resume();
  // Once it is live again, the next messages are sent in full.
  const last = MAKERS[channel](SYMBOLS.length, SYMBOLS);
  const caughtUp = (): boolean => client.messages.some(({ seq }) => Number(seq) > service.app.journal.lastSeq - 3);
  await client.until(caughtUp, 'the newest');
  service.app.journal.append(last);
  const { lastSeq } = service.app.journal;
  const seen = (seq: number): boolean => client.messages.some((message) => message.seq === seq);
  await client.until(() => [0, 1, 2].every((at) => seen(lastSeq - at)), 'the newest of each symbol');
  return { client, events: [...events, ...last], data: client.messages.filter(isData) };
}

describe('"delivery":"latest"', () => {
  test.each(['market', 'orderflow'] as const)(
    'sends a stalled client of /ws/%s the newest message of each symbol, and volumes add up',
    async (channel) => {
      const { client, events, data } = await afterStall(channel, { delivery: 'latest' });
      expect(noticesOf(client)).toEqual(['subscribed']);
      expect(data.length).toBeLessThan(events.length);
      // prev is the previous message that was sent to this client.
      expectContinuity(data);
      for (const symbol of SYMBOLS) expect(receivedVolumes(data, symbol)).toEqual(publishedVolumes(events, symbol));
      for (const event of events.slice(-3)) {
        const newest = data.findLast(ofSymbol(event.symbol))!;
        if (event.kind === 'tick') expect(newest).toMatchObject({ bid: event.bid, ask: event.ask });
        else expect(newest).toMatchObject({ price: event.price, cumulative_delta: event.cumulativeDelta });
      }
    },
  );

  test('sends everything to a client that keeps up', async () => {
    const stream = await subscribed('market', { delivery: 'latest' }, SYMBOLS);
    const events = tickEvents(5_000, SYMBOLS);
    await appendEvents(service, events);
    const data = await stream.take(events.length, isData);
    expect(data.map(({ bid }) => bid)).toEqual(events.map(({ bid }) => bid));
    expectContinuity(data);
  });
});

describe('"delivery":"all"', () => {
  test.each(['market', 'orderflow'] as const)(
    'declares what was dropped for a stalled client of /ws/%s, and adds its volume to the next message',
    async (channel) => {
      const { client, events } = await afterStall(channel, { delivery: 'all' });
      await client.until(() => client.messages.some(isEvent('gap')), 'the gap');
      const data = client.messages.filter(isData);
      expect(noticesOf(client)).toEqual(['subscribed', 'slow', 'gap']);
      // All but the snapshots are published messages.
      const got = new Set(data.slice(SYMBOLS.length).map(({ seq }) => seq));
      expect(got.size).toBe(data.length - SYMBOLS.length);
      expect(client.messages.find(isEvent('gap'))).toMatchObject({ dropped: events.length - got.size });
      for (const symbol of SYMBOLS) expect(receivedVolumes(data, symbol)).toEqual(publishedVolumes(events, symbol));
    },
  );
});

test('a stalled client gets notices for delivery all, and none for delivery latest', async () => {
  const client = await RawClient.open(service, 'market', key);
  opened.push({ close: () => client.leave(true) });
  await client.ask({ action: 'subscribe', symbols: ['EURUSD', 'XAUUSD'], seq: true, delivery: 'latest' });
  await client.ask({ action: 'subscribe', symbols: ['BTCUSD'], seq: true });
  await client.until(() => client.messages.filter(isData).length >= SYMBOLS.length, 'the snapshots');
  client.pause();
  const events = tickEvents(MANY.market, SYMBOLS);
  await appendEvents(service, events);
  client.resume();
  const gap = await client.first(isEvent('gap'));
  const data = client.messages.slice(0, client.messages.indexOf(gap)).filter(isData);
  expect(gap).toMatchObject({ reason: 'slow', symbols: ['BTCUSD'] });
  const bitcoins = events.filter(({ symbol }) => symbol === 'BTCUSD').length;
  expect(gap.dropped).toBe(bitcoins + 1 - data.filter(ofSymbol('BTCUSD')).length);
  expectContinuity(data.filter((message) => message.symbol !== 'BTCUSD'));
  for (const symbol of SYMBOLS) expect(receivedVolumes(data, symbol)).toEqual(publishedVolumes(events, symbol));
});

test('a client that does not read its responses is disconnected, and others are not affected', async () => {
  const errors: unknown[] = [];
  const log = { ...silentLog, error: (...what: unknown[]) => errors.push(what) };
  const own = await startService({ feeds: 'push', messages_per_second: '1000' }, log);
  const { key: ownKey } = await own.key('premium');
  const other = await StreamClient.open(`${own.wsUrl}/ws/market`, ownKey);
  const client = await RawClient.open(own, 'market', ownKey);
  client.pause();
  const symbols = Array.from({ length: 1_000 }, (_, at) => `NOSUCH_${at}`.padEnd(60, '_'));
  // Far more than all buffers hold and one connection may buffer.
  for (let at = 0; at < 300; at++) {
    client.send({ action: 'subscribe', symbols });
    if (at % 10 === 0) await other.ask({ action: 'ping' });
  }
  const clients = async (): Promise<unknown> => {
    const answer = await fetch(`${own.url}/api/session`, { headers: { 'X-API-Key': ownKey } });
    return ((await answer.json()) as { clients_connected: unknown }).clients_connected;
  };
  await eventually('the client is disconnected', async () => (await clients()) === 1);
  expect(await other.ask({ action: 'ping' })).toMatchObject({ event: 'pong' });
  expect(errors).toEqual([]);
  client.leave(true);
  other.close();
  await own.stop();
});

describe('invalid options', () => {
  test.each([
    ['max_rate', [0, 0.05, -1, 1_001, '5', null, true]],
    ['delivery', ['newest', '', 1, null, ['latest']]],
  ] as const)('%s: are refused, and the connection lives on', async (name, values) => {
    const stream = await open('market');
    for (const value of values) {
      const answer = await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], [name]: value });
      expect(answer).toMatchObject({ event: 'error', code: 'invalid_message', fatal: false });
      expect(String(answer.message)).toStartWith(`${name} must be `);
    }
    expect(await stream.ask({ action: 'list' })).toMatchObject({ symbols: [] });
  });

  test('max_rate cannot be combined with resume_from', async () => {
    const stream = await open('market');
    const resume_from = { epoch: service.app.journal.epoch, seq: service.app.journal.lastSeq };
    const answer = await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], max_rate: 5, resume_from });
    expect(answer).toMatchObject({ event: 'error', code: 'invalid_message', fatal: false });
    expect(await stream.ask({ action: 'list' })).toMatchObject({ symbols: [] });
  });

  test.each(['signals', 'news'] as const)('are rejected on /ws/%s, which is always sent in full', async (channel) => {
    const stream = await open(channel);
    for (const options of [{ max_rate: 5 }, { delivery: 'latest' }])
      expect(await stream.ask({ action: 'subscribe', ...options })).toMatchObject({ code: 'invalid_message' });
    expect(await stream.ask({ action: 'list' })).toMatchObject({ symbols: [] });
    expect(await stream.ask({ action: 'subscribe', delivery: 'all' })).toMatchObject({ event: 'subscribed' });
  });
});

test('beyond the maximum number of subscriptions, symbols are rejected and the rest is accepted', async () => {
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
  // Options of existing subscriptions can still be changed.
  for (const options of [{ seq: true }, { max_rate: 5 }])
    expect(await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], ...options })).toMatchObject({ rejected: [] });
  await stream.ask({ action: 'unsubscribe', symbols: ['USDJPY'] });
  expect(await stream.ask(bars)).toMatchObject({ bars: [{ timeframe: '1m', symbols: ['EURUSD'] }], rejected: [] });
  expect(await stream.ask({ action: 'subscribe', symbols: ['USDJPY'] })).toMatchObject({ rejected: [{ code }] });
});
