// Footprints on /ws/orderflow equal those of GET /api/footprint, and the profile is their sum.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { type Channel, FootprintMessage, type FootprintPage, type Profile } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { expectContinuity } from '../../../testing/continuity.fixture.ts';
import { eventually } from '../../../testing/process.fixture.ts';
import { type RunningService, startService } from '../../../testing/service.fixture.ts';
import { type Message, StreamClient } from '../../../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', spike_percent: '1000' });
  key = (await service.key('premium', ['read', 'ingest'])).key;
});
afterAll(() => service.stop());

const opened: StreamClient[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
async function open(channel: Channel = 'orderflow'): Promise<StreamClient> {
  const stream = await StreamClient.open(`${service.wsUrl}/ws/${channel}`, key);
  opened.push(stream);
  return stream;
}
const footprints = (timeframe: string, symbols: readonly string[], options: Message = {}): Message => ({
  action: 'subscribe',
  channel: 'footprint',
  timeframe,
  symbols,
  ...options,
});
const isFootprint = (message: Message): boolean => message.channel === 'footprint';

async function push(...lines: readonly object[]): Promise<void> {
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const answer = await fetch(`${service.url}/ingest/ticks`, { method: 'POST', body, headers: { 'X-API-Key': key } });
  expect(await answer.json()).toMatchObject({ accepted: lines.length });
}
const trade = (symbol: string, time: number, price: number, size: number, side: 'buy' | 'sell'): object => ({
  symbol,
  time,
  price,
  size,
  side,
});
async function get<T>(path: string): Promise<T> {
  const answer = await fetch(`${service.url}${path}`, { headers: { 'X-API-Key': key } });
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as T;
}
/** Day after day, all in the past: the time of ticks never goes back. */
let day = Math.floor(Date.now() / DAY_MS) * DAY_MS - 10 * DAY_MS;
const nextDay = (): number => {
  day += DAY_MS;
  return day;
};

describe('footprints', () => {
  test('of every timeframe are those of GET /api/footprint, late trades included', async () => {
    const start = nextDay() + 9 * 3_600_000;
    const stream = await open();
    await push(trade('BTCUSD', start - 60_000, 50_000, 1, 'buy'));
    for (const timeframe of ['1m', '5m', '1h'])
      await stream.ask(footprints(timeframe, ['BTCUSD'], { seq: true, max_rate: 1_000 }));
    for (let step = 0; step < 60; step++) {
      const side = step % 3 === 0 ? 'sell' : 'buy';
      const time = start + step * 17_000 - (step % 7 === 6 ? 90_000 : 0);
      await push(trade('BTCUSD', time, 50_000 + ((step * 37) % 60) + 0.5, 0.1 + step / 1_000, side));
    }
    for (const timeframe of ['1m', '5m', '1h'] as const) {
      const { items, side_method, level } = await get<FootprintPage>(`/api/footprint/BTCUSD?interval=${timeframe}`);
      expect([side_method, level]).toEqual(['feed', 10]);
      const received = (): FootprintMessage[] =>
        stream.messages.filter(isFootprint).filter((message) => message.timeframe === timeframe) as never;
      const shown = items.at(-1)!;
      await eventually(
        `the newest of ${timeframe}`,
        () => JSON.stringify(received().at(-1)?.levels) === JSON.stringify(shown.levels),
      );
      const last = new Map(received().map((message) => [message.time, message]));
      for (const message of received()) FootprintMessage.strict().parse(message);
      for (const { time, volume, delta, levels, uncovered_volume } of items.slice(1)) {
        const message = last.get(Date.parse(time) / 1000)!;
        expect(message).toMatchObject({ volume, delta, levels, uncovered_volume, level: 10, side_method: 'feed' });
        expect(message.closed).toBe(time !== shown.time);
      }
      expectContinuity(received() as never);
    }
    const minutes = await get<FootprintPage>('/api/footprint/BTCUSD?interval=1m');
    const profile = await get<Profile>(`/api/profile/BTCUSD?from=${start - 60_000}&to=${start + 3_600_000}`);
    const total = minutes.items.reduce((sum, { volume }) => sum + volume, 0);
    expect(profile.volume).toBeCloseTo(total, 8);
    expect(profile).toMatchObject({ uncovered_volume: 0, side_method: 'feed' });
  });

  test('the first message is the current bar, and the set of subscriptions names them', async () => {
    const start = nextDay();
    await push(trade('ETHUSD', start, 3_000, 2, 'sell'));
    const stream = await open();
    const notice = await stream.ask(footprints('5m', ['ETHUSD'], { id: 1 }));
    expect(notice).toMatchObject({
      event: 'subscribed',
      symbols: [],
      footprints: [{ timeframe: '5m', symbols: ['ETHUSD'] }],
    });
    const first = await stream.next(isFootprint);
    expect(first).toMatchObject({ time: start / 1000, poc: 3_000, levels: [{ price: 3_000, buy: 0, sell: 2 }] });
    const left = await stream.ask({ action: 'unsubscribe', channel: 'footprint', symbols: ['ETHUSD'] });
    expect(left).toMatchObject({ event: 'unsubscribed', symbols: [], rejected: [] });
    expect(left.footprints).toBeUndefined();
  });

  test('a bar with very many prices has higher levels', async () => {
    const start = nextDay();
    const lines = Array.from({ length: 600 }, (_, at) => trade('SOLUSD', start + at, 100 + at / 100, 1, 'buy'));
    await push(...lines);
    const stream = await open();
    await stream.ask(footprints('1m', ['SOLUSD']));
    const { level, levels, volume } = (await stream.next(isFootprint)) as unknown as FootprintMessage;
    expect([level, levels.length, volume]).toEqual([0.02, 300, 600]);
  });

  test.each([
    ['market', footprints('1m', ['BTCUSD']), '/ws/orderflow only'],
    ['orderflow', footprints('4h', ['BTCUSD']), '1m, 5m, 15m, 1h'],
    ['orderflow', { ...footprints('1m', ['BTCUSD']), timeframe: undefined }, 'timeframe: required'],
    ['orderflow', footprints('1m', ['BTCUSD'], { resume_from: { epoch: 'a', seq: 1 } }), 'GET /api/footprint'],
    ['orderflow', { action: 'subscribe', symbols: ['BTCUSD'], timeframe: '1m' }, 'only valid with'],
  ] as const)('on %s %p is rejected', async (channel, message, reason) => {
    const stream = await open(channel);
    const answer = await stream.ask(message);
    expect(answer).toMatchObject({ event: 'error', code: 'invalid_message' });
    expect(answer.message).toContain(reason);
  });
});
