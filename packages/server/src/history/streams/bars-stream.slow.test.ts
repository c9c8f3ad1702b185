// The rate of bars on /ws/market.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { DAY_MS } from '@tickwire/engine';
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
async function open(): Promise<StreamClient> {
  const stream = await StreamClient.open(`${service.wsUrl}/ws/market`, key);
  opened.push(stream);
  return stream;
}
const bars = (timeframe: string, symbols: readonly string[], options: Message = {}): Message => ({
  action: 'subscribe',
  channel: 'bars',
  timeframe,
  symbols,
  ...options,
});
const isBar = (message: Message): boolean => message.channel === 'bars';

/** Pushes lines, all of which must be accepted. */
async function push(...lines: readonly object[]): Promise<void> {
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const answer = await fetch(`${service.url}/ingest/ticks`, { method: 'POST', body, headers: { 'X-API-Key': key } });
  expect(await answer.json()).toMatchObject({ accepted: lines.length });
}
const quote = (symbol: string, time: number, bid: number): object => ({ symbol, time, bid, ask: bid + 0.5 });

test('bars are sent five times per second by default, and the newest is always sent', async () => {
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - 10 * DAY_MS;
  const [usual, fast, slow] = [await open(), await open(), await open()];
  await push(quote('USDJPY', start, 150));
  const began = performance.now();
  await usual.ask(bars('1h', ['USDJPY']));
  await fast.ask(bars('1h', ['USDJPY'], { max_rate: 30 }));
  await slow.ask(bars('1h', ['USDJPY'], { max_rate: 1 }));
  for (let at = 1; at <= 50; at++) {
    await push(quote('USDJPY', start + at * 1_000, 150 + at / 100));
    await Bun.sleep(15);
  }
  const isNewest = ({ close, volume }: Message): boolean => close === 150.5 && volume === 51;
  for (const [stream, rate] of [[usual, 5] as const, [fast, 30] as const, [slow, 1] as const]) {
    await stream.next(isNewest);
    const seconds = (performance.now() - began) / 1000;
    const count = stream.messages.filter(isBar).length;
    // The snapshot, and the first message, which need not wait.
    expect(count).toBeLessThanOrEqual(2 + seconds * rate);
    expect(count).toBeGreaterThanOrEqual(3);
  }
  expect(fast.messages.filter(isBar).length).toBeGreaterThan(usual.messages.filter(isBar).length);
  // A topic with a low rate still sends each closed bar immediately.
  await push(quote('USDJPY', start + 3_600_000, 151), quote('USDJPY', start + 7_200_000, 152));
  const closings = await slow.take(2, (message) => message.closed === true);
  expect(closings.map(({ close }) => close)).toEqual([150.5, 151]);
});
