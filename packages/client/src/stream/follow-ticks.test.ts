// Ticks from history into live, against a real service over a failing network.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventually } from 'tickwire/testing/process.fixture.ts';
import { type RunningService, startService, temporaryFolder } from 'tickwire/testing/service.fixture.ts';
import { TcpProxy } from '../../testing/tcp-proxy.ts';
import { TickwireClient } from '../client.ts';
import { realTiming } from '../common/timing.ts';
import { type FollowedTick, type FollowTicksOptions, followTicks, type TickSource } from './follow-ticks.ts';
import type { Gap } from './gap.ts';

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
  for (const { events } of followed) await eventually('all quotes', () => bidsOf(events).length >= expected.length);
  for (const { events, controller, done } of followed) {
    controller.abort();
    await done.catch(() => {});
    expect(bidsOf(events)).toEqual(expected);
    expect(events.some(({ type }) => type === 'gap')).toBe(false);
  }
});

test('without from, the history has the newest quotes, and an abort ends the loop', async () => {
  const { events, controller, done } = follow({ limit: 3 });
  await eventually('history', () => events.length >= 3);
  expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['history', 'history', 'history']);
  await push(1);
  await eventually('a live tick', () => events.some(({ type }) => type === 'live'));
  controller.abort();
  await done;
});

test('ticks that the stream has lost in a restart are fetched, once each and without a gap', async () => {
  const settings = { feeds: 'push', spike_percent: '1000', data: temporaryFolder() };
  let restarted = await startService(settings);
  const { key } = await restarted.key('premium', ['read', 'ingest']);
  const network = new TcpProxy(restarted.url);
  const reader = new TickwireClient({ url: network.url, apiKey: key, timing: { ...realTiming, random: () => 0.05 } });
  let count = 0;
  const pushTo = async (url: string, quotes: number): Promise<void> => {
    const lines = Array.from({ length: quotes }, () => {
      const bid = Number((1 + ++count / 1_000).toFixed(5));
      return { symbol: 'EURUSD', time: Date.now() - (count % 3 === 0 ? 5_000 : 0), bid, ask: bid };
    });
    expect(await new TickwireClient({ url, apiKey: key }).ingestTicks(lines)).toMatchObject({ accepted: quotes });
  };
  await pushTo(restarted.url, 10);
  const events: FollowedTick[] = [];
  const controller = new AbortController();
  const done = (async () => {
    for await (const event of reader.followTicks('EURUSD', { limit: 5, signal: controller.signal })) events.push(event);
  })();
  await eventually('history', () => events.length === 5);
  await pushTo(restarted.url, 3);
  await eventually('live ticks', () => events.length === 8);
  network.refuse();
  network.cut();
  await pushTo(restarted.url, 4);
  await restarted.stop();
  restarted = await startService(settings);
  await pushTo(restarted.url, 4);
  network.retarget(restarted.url);
  network.accept();
  await eventually('the lost ticks', () => events.length >= 16);
  await pushTo(restarted.url, 2);
  await eventually('live ticks again', () => events.length >= 18);
  controller.abort();
  await done.catch(() => {});
  expect(events.some(({ type }) => type === 'gap')).toBe(false);
  // The first five are the newest by time; every third quote is late.
  const bids = bidsOf(events.slice(5));
  expect(bids).toEqual(Array.from({ length: count - 10 }, (_, at) => Number((1 + (at + 11) / 1_000).toFixed(5))));
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['live', 'live']);
  network.stop();
  await restarted.stop();
});

test('a gap is declared if the tape no longer has the tick before it', async () => {
  const quote = (seq: number) => ({ time: new Date(seq * 1_000).toISOString(), bid: seq, ask: seq, seq });
  const gap: Gap = {
    type: 'gap',
    reason: 'resume',
    symbols: ['EURUSD'],
    fromSeq: 3,
    toSeq: 8,
    dropped: null,
    since: null,
    fill: null,
  };
  async function* events() {
    yield gap;
  }
  for (const [kept, isDeclared] of [
    [[2, 3, 7], false],
    [[6, 7], true],
    [[], true],
  ] as const) {
    const pages = [[1, 2], kept].map((seqs) => ({
      symbol: 'EURUSD',
      kind: 'quotes',
      items: seqs.map(quote),
      next: null,
    }));
    const source = {
      page: async () => ({ body: pages.shift(), position: { epoch: 'a', seq: 2 } }),
      open: () => ({ events, close() {} }),
    } as unknown as TickSource;
    const found: FollowedTick[] = [];
    for await (const event of followTicks(source, 'EURUSD')) found.push(event);
    expect(found.some(({ type }) => type === 'gap')).toBe(isDeclared);
    expect(bidsOf(found)).toEqual([1, 2, ...kept.filter((seq) => seq > 2)]);
  }
});
