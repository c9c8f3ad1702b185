// The WebSocket contract over a real socket: every request on every channel, every answer checked against its schema.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  CHANNEL_STREAMS,
  CHANNELS,
  type Channel,
  MarketTick,
  MESSAGES,
  Notice,
  OrderFlowTick,
  SubscriptionNotice,
} from '@tickwire/contract';
import { CATALOGUE } from '@tickwire/engine';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, type Message, ofSymbol, StreamClient } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ sim_rate: '2000' });
  key = (await service.key('premium')).key;
});
afterAll(() => service.stop());

const ALL = CATALOGUE.map(({ symbol }): string => symbol);
const opened: StreamClient[] = [];
async function open(channel: Channel, withKey = true): Promise<StreamClient> {
  const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, withKey ? key : undefined);
  opened.push(stream);
  return stream;
}

/** Checks that every message fits the schema of its channel, without extra fields. */
function expectContract(channel: Channel, messages: readonly Message[]): void {
  const data = CHANNEL_STREAMS[channel].data.map((name) => MESSAGES[name].schema);
  for (const message of messages) {
    if (!isData(message)) {
      expect(Notice.parse(message)).toStrictEqual(message as never);
      continue;
    }
    const parsed = data.map((schema) => schema.safeParse(message)).find(({ success }) => success);
    expect(parsed?.data).toStrictEqual(message);
  }
}

// Simulated markets have no perpetuals; market/streams/perpetual-stream.test.ts has theirs.
describe.each(CHANNELS.filter((channel) => channel !== 'perpetual'))('/ws/%s', (channel) => {
  test('answers every request with the whole current set and the id of the request', async () => {
    const stream = await open(channel, false);
    const first = await stream.ask({
      action: 'subscribe',
      symbols: ['eurUSD', 'EURUSD', 'BTCUSD'],
      api_key: key,
      id: 1,
    });
    expect(first).toEqual({
      event: 'subscribed',
      symbols: ['EURUSD', 'BTCUSD'],
      rejected: [],
      source: 'simulated',
      id: 1,
    });
    expect(
      await stream.ask({ action: 'subscribe', symbols: ['XAUUSD', 'NOSUCH', 'nosuch', 'NOSUCH'], id: 'two' }),
    ).toEqual({
      event: 'subscribed',
      symbols: ['EURUSD', 'BTCUSD', 'XAUUSD'],
      rejected: [
        { symbol: 'NOSUCH', code: 'symbol_not_found' },
        { symbol: 'nosuch', code: 'symbol_not_found' },
      ],
      source: 'simulated',
      id: 'two',
    });
    const left = await stream.ask({ action: 'unsubscribe', symbols: ['btcusd', 'GER40', 'NOSUCH'] });
    expect(left).toMatchObject({ event: 'unsubscribed', symbols: ['EURUSD', 'XAUUSD'] });
    expect(left.rejected).toEqual([{ symbol: 'NOSUCH', code: 'symbol_not_found' }]);
    expect(await stream.ask({ action: 'list' })).toMatchObject({
      event: 'subscriptions',
      symbols: ['EURUSD', 'XAUUSD'],
    });
    expect(await stream.ask({ action: 'ping', id: 0 })).toEqual({ event: 'pong', id: 0 });
    expect(await stream.ask({ action: 'unsubscribe' })).toMatchObject({ event: 'unsubscribed', symbols: [] });
    expectContract(channel, stream.messages);
    stream.close();
  });

  test('accepts "*" for all symbols', async () => {
    const stream = await open(channel);
    const { symbols } = SubscriptionNotice.parse(await stream.ask({ action: 'subscribe', symbols: ['*'] }));
    // This includes news and firings without an instrument.
    expect(symbols).toEqual(channel === 'news' || channel === 'alerts' ? ['*'] : ALL);
    expect(await stream.ask({ action: 'unsubscribe', symbols: ['*'] })).toMatchObject({ symbols: [] });
    stream.close();
  });

  test('accepts a key in the header of the upgrade; later messages need none', async () => {
    const stream = await open(channel);
    expect(await stream.ask({ action: 'list' })).toMatchObject({ event: 'subscriptions', symbols: [] });
    stream.close();
  });

  test('rejects an invalid key in the header with 401 before the upgrade', async () => {
    const answer = await fetch(`${service.url}/ws/${channel}`, {
      headers: {
        Upgrade: 'websocket',
        Connection: 'Upgrade',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version': '13',
        'X-API-Key': 'tw_bad',
      },
    });
    expect([answer.status, ((await answer.json()) as Message).code]).toEqual([401, 'invalid_key']);
    await expect(StreamClient.open(`${service.wsUrl}/ws/${channel}`, 'tw_bad')).rejects.toThrow('not opened');
  });
});

describe('ticks', () => {
  test('start with the last known tick of each symbol without volume, then continue live', async () => {
    const stream = await open('market');
    await stream.ask({ action: 'subscribe', symbols: ['EURUSD', 'BTCUSD'] });
    const data = await stream.take(40, isData);
    stream.close();
    expect(data.slice(0, 2).map(({ symbol, volume }) => [symbol, volume])).toEqual([
      ['EURUSD', 0],
      ['BTCUSD', 0],
    ]);
    for (const tick of data) {
      expect(Object.keys(tick)).toEqual(['symbol', 'bid', 'ask', 'spread', 'time', 'volume']);
      const { bid, ask, spread, time } = MarketTick.parse(tick);
      expect(spread).toBeCloseTo(ask - bid, 9);
      expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
    }
    expect(data.some(({ volume }) => Number(volume) > 0)).toBe(true);
  });

  test('have no second snapshot after a repeated subscription, but one after an unsubscribe', async () => {
    const stream = await open('market');
    const snapshots = (): number => stream.messages.filter((message) => isData(message) && message.volume === 0).length;
    await stream.ask({ action: 'subscribe', symbols: ['AUDNZD'] });
    await stream.next(ofSymbol('AUDNZD'));
    const before = snapshots();
    expect(stream.messages.findIndex(isData)).toBe(1);
    await stream.ask({ action: 'unsubscribe' });
    const { length } = stream.messages;
    await stream.ask({ action: 'subscribe', symbols: ['AUDNZD'] });
    await stream.next(ofSymbol('AUDNZD'));
    expect(snapshots()).toBeGreaterThan(before);
    expect(stream.messages.slice(length).findIndex(isData)).toBe(1);
    stream.close();
  });

  test('stop after an unsubscribe', async () => {
    const stream = await open('market');
    await stream.ask({ action: 'subscribe', symbols: ['*'] });
    await stream.take(100, isData);
    await stream.ask({ action: 'unsubscribe' });
    const { length } = stream.messages;
    await Bun.sleep(100);
    expect(stream.messages).toHaveLength(length);
    stream.close();
  });
});

describe('order flow', () => {
  test('has a delta of ask minus bid volume, and a cumulative delta that changes by it', async () => {
    const stream = await open('orderflow');
    await stream.ask({ action: 'subscribe', symbols: ['EURUSD', 'BTCUSD', 'XAUUSD'] });
    const data = (await stream.take(300, isData)).map((message) => OrderFlowTick.parse(message));
    stream.close();
    const cumulative = new Map<string, number>();
    for (const tick of data) {
      expect(tick.delta).toBeCloseTo(tick.ask_volume - tick.bid_volume, 8);
      const before = cumulative.get(tick.symbol);
      if (before === undefined) {
        expect([tick.bid_volume, tick.ask_volume, tick.delta, tick.absorption]).toEqual([0, 0, 0, null]);
      } else {
        expect(tick.delta).not.toBe(0);
        expect(tick.cumulative_delta).toBeCloseTo(before + tick.delta, 6);
      }
      cumulative.set(tick.symbol, tick.cumulative_delta);
    }
    expect(cumulative.size).toBe(3);
    expect(Object.keys(data[0]!)).toEqual([
      'symbol',
      'bid_volume',
      'ask_volume',
      'delta',
      'cumulative_delta',
      'price',
      'time',
      'imbalance',
      'absorption',
    ]);
  });
});

describe('the session', () => {
  test('counts open authenticated connections', async () => {
    const { key: mine } = await service.key('free');
    const clients = async (): Promise<number> => {
      const answer = await fetch(`${service.url}/api/session`, { headers: { 'X-API-Key': mine } });
      return ((await answer.json()) as { clients_connected: number }).clients_connected;
    };
    for (const stream of opened) stream.close();
    await Promise.all(opened.map(({ closed }) => closed));
    const stranger = await open('market', false);
    expect(await clients()).toBe(0);
    const stream = await open('market');
    await stream.ask({ action: 'ping' });
    expect(await clients()).toBe(1);
    stream.close();
    stranger.close();
  });
});
