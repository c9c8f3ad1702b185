// Readers of `/sse` that are slow or silent: they are treated like those of WebSocket.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { expectContinuity } from '../../testing/continuity.fixture.ts';
import { EventClient } from '../../testing/event-client.fixture.ts';
import { tickEvents } from '../../testing/market-events.fixture.ts';
import { connected, metric } from '../../testing/metric.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { type StallingProxy, stallingProxy } from '../../testing/stalling-proxy.fixture.ts';
import { storeAndPublishSignals } from '../../testing/stored-signals.fixture.ts';
import { isEvent, type Message } from '../../testing/stream-client.fixture.ts';

let service: RunningService;
let key: string;
let proxy: StallingProxy;
beforeAll(async () => {
  service = await startService({ feeds: 'push', metrics_port: '0', silence_seconds: '6' });
  ({ key } = await service.key('premium'));
});
afterAll(() => service.stop());
beforeEach(async () => {
  proxy = await stallingProxy(service.url, 80);
});
afterEach(() => proxy.stop());

const open = (query: string, headers: Record<string, string> = {}): Promise<EventClient> =>
  EventClient.open(`${proxy.url}sse?${query}`, { 'X-API-Key': key, ...headers });
async function burst(): Promise<void> {
  service.app.journal.append(tickEvents(2_000));
  await Bun.sleep(5);
}
const slowCount = (): Promise<number> => metric(service, 'tickwire_ws_slow_total');

/** Publishes ticks until the reader is slow. */
async function fallBehind(): Promise<void> {
  const before = await slowCount();
  proxy.stall();
  for (let round = 0; round < 400 && (await slowCount()) === before; round++) await burst();
}

test('a stream sends comments while nothing happens', async () => {
  const events = await open('channels=news');
  await eventually('comments', () => events.comments >= 2);
  expect(events.isOpen).toBe(true);
});

describe('a slow reader', () => {
  test('of ticks gets a slow notice, the newest prices, and a gap with the number of dropped messages', async () => {
    const published: number[] = [];
    const stop = service.app.journal.subscribe(({ firstSeq, events }) => {
      for (const [at, event] of events.entries()) if (event.kind === 'tick') published.push(firstSeq + at);
    });
    const events = await open('channels=market&symbols=EURUSD');
    await events.next(isEvent('subscribed'));
    await fallBehind();
    for (let round = 0; round < 20; round++) await burst();
    proxy.resume();
    await eventually('the gap', () => events.notices.some(isEvent('gap')), 15_000);
    await burst();
    const last = published.at(-1)!;
    await eventually('live again', () => events.messages.at(-1)?.seq === last, 15_000);
    stop();
    const all = events.events.map(({ data }) => data);
    const slow = all.findIndex(isEvent('slow'));
    const gap = all.findIndex(isEvent('gap'));
    const isTick = ({ event }: Message): boolean => event === undefined;
    expect(all[slow]).toMatchObject({ channel: 'market', delivery: 'latest' });
    expectContinuity(all.slice(1, slow).filter(isTick));
    expectContinuity(all.slice(gap).filter(isTick));
    const received = new Set(events.messages.map(({ seq }) => seq));
    const missing = published.filter((seq) => !received.has(seq)).length;
    expect(missing).toBeGreaterThan(20_000);
    expect(all[gap]).toMatchObject({ reason: 'slow', symbols: ['EURUSD'], dropped: missing });
    // Only the newest prices were kept for it.
    expect(Number(all[slow]!.buffered_bytes)).toBeLessThan(4 * 1024 * 1024);
    events.close();
  });

  test('of signals is disconnected, reads what was sent and the reason, and resumes without loss', async () => {
    const reference = await EventClient.open(`${service.url}/sse?channels=signals&closes=true`, { 'X-API-Key': key });
    const events = await open('channels=signals&closes=true');
    await events.next(isEvent('subscribed'));
    proxy.stall();
    for (let round = 0; round < 60 && (await metric(service, 'tickwire_ws_clients')) > 1; round++)
      await storeAndPublishSignals(service, 1_000, ['EURUSD']);
    expect(await metric(service, 'tickwire_ws_clients')).toBe(1);
    proxy.resume();
    await events.closed;
    expect(events.notices.at(-1)).toMatchObject({ event: 'error', code: 'too_slow', channel: 'signals', fatal: true });
    const again = await open('channels=signals&closes=true', { 'Last-Event-ID': events.lastId });
    const count = (): number => events.messages.length + again.messages.length;
    await eventually('everything', () => count() === reference.messages.length, 20_000);
    const seqs = [...events.messages, ...again.messages].map(({ seq }) => seq);
    expect(seqs).toEqual(reference.messages.map(({ seq }) => seq));
    for (const each of [reference, again]) each.close();
  });

  test('that reads nothing at all is disconnected after the time of silence, and its slot is free', async () => {
    const events = await open('channels=market&symbols=EURUSD');
    await events.next(isEvent('subscribed'));
    await fallBehind();
    await connected(service, 1);
    const at = performance.now();
    await eventually('the end', async () => (await metric(service, 'tickwire_ws_connections')) === 0, 20_000);
    expect(performance.now() - at).toBeWithin(3_000, 12_000);
    expect(await metric(service, 'tickwire_ws_clients')).toBe(0);
    proxy.resume();
    await events.closed;
  });
});
