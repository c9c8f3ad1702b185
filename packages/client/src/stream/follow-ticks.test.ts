// Ticks from history into live, against a real service over a failing network.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventually } from 'tickwire/testing/process.fixture.ts';
import { type RunningService, startService } from 'tickwire/testing/service.fixture.ts';
import { TcpProxy } from '../../testing/tcp-proxy.ts';
import { TickwireClient } from '../client.ts';
import { realTiming } from '../common/timing.ts';
import type { FollowedTick, FollowTicksOptions } from './follow-ticks.ts';

let service: RunningService;
let proxy: TcpProxy;
let client: TickwireClient;
beforeAll(async () => {
  service = await startService({ feeds: 'push', spike_percent: '1000' });
  proxy = new TcpProxy(service.url);
  const { key } = await service.key('premium', ['read', 'ingest']);
  client = new TickwireClient({ url: proxy.url, apiKey: key, timing: { ...realTiming, random: () => 0.05 } });
});
afterAll(async () => {
  proxy.stop();
  await service.stop();
});

let pushed = 0;
/** Quotes with prices of their own; every third one is some seconds late. */
async function push(count: number): Promise<void> {
  const lines = Array.from({ length: count }, () => {
    const bid = Number((1 + ++pushed / 1_000).toFixed(5));
    return { symbol: 'EURUSD', time: Date.now() - (pushed % 3 === 0 ? 5_000 : 0), bid, ask: bid };
  });
  expect(await client.ingestTicks(lines)).toMatchObject({ accepted: count });
}

function follow(options: FollowTicksOptions = {}) {
  const events: FollowedTick[] = [];
  const controller = new AbortController();
  const done = (async () => {
    for await (const event of client.followTicks('EURUSD', { ...options, signal: controller.signal }))
      events.push(event);
  })();
  return { events, controller, done };
}

const bidsOf = (events: readonly FollowedTick[]): number[] =>
  events.flatMap((event) => (event.type === 'gap' ? [] : [event.bid])).sort((a, b) => a - b);

test('followTicks yields every quote once, wherever history ends and whatever comes late', async () => {
  await push(20);
  const followed: ReturnType<typeof follow>[] = [];
  for (let round = 0; round < 5; round++) {
    followed.push(follow({ from: Date.now() - 60_000 }));
    await push(1 + (round % 4));
    if (round === 3) proxy.cut();
  }
  const expected = Array.from({ length: pushed }, (_, at) => Number((1 + (at + 1) / 1_000).toFixed(5)));
  for (const { events } of followed)
    await eventually('all quotes', () => bidsOf(events).length >= expected.length, 15_000);
  for (const { events, controller, done } of followed) {
    controller.abort();
    await done.catch(() => {});
    expect(bidsOf(events)).toEqual(expected);
    expect(events.some(({ type }) => type === 'gap')).toBe(false);
  }
}, 60_000);

test('without from, the history has the newest quotes, and an abort ends the loop', async () => {
  const { events, controller, done } = follow({ limit: 3 });
  await eventually('history', () => events.length >= 3, 10_000);
  expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['history', 'history', 'history']);
  await push(1);
  await eventually('a live tick', () => events.some(({ type }) => type === 'live'), 10_000);
  controller.abort();
  await done;
});
