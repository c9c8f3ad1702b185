// Bars from history into live, against a real service over a failing network.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eventually } from 'tickwire/testing/process.fixture.ts';
import { type RunningService, startService } from 'tickwire/testing/service.fixture.ts';
import { TcpProxy } from '../../testing/tcp-proxy.ts';
import { TickwireClient } from '../client.ts';
import type { Interval } from '../common/contract.ts';
import { TickwireError } from '../common/tickwire-error.ts';
import { realTiming } from '../common/timing.ts';
import type { FollowBarsOptions, FollowedBar } from './follow-bars.ts';

const timing = { ...realTiming, random: () => 0.05 };
let service: RunningService;
let proxy: TcpProxy;
let client: TickwireClient;
beforeAll(async () => {
  service = await startService({ feeds: 'push', spike_percent: '1000' });
  proxy = new TcpProxy(service.url);
  const { key } = await service.key('premium', ['read', 'ingest']);
  client = new TickwireClient({ url: proxy.url, apiKey: key, timing });
});
afterAll(async () => {
  proxy.stop();
  await service.stop();
});

/** Quotes of the last minutes, in any order: they form, close and amend bars. */
async function push(symbol: string, ...agesInMinutes: number[]): Promise<void> {
  const lines = agesInMinutes.map((age, at) => {
    const bid = 1 + ((age * 7919 + at * 13 + Math.floor(performance.now())) % 1_000) / 10_000;
    return { symbol, time: Date.now() - age * 60_000, bid, ask: Number((bid + 0.001).toFixed(4)) };
  });
  expect(await client.ingestTicks(lines)).toMatchObject({ accepted: lines.length });
}

/** The bars that a chart shows after these events. */
const chartOf = (events: readonly FollowedBar[]): unknown[] => {
  const bars = new Map<number, unknown>();
  for (const event of events)
    if (event.type !== 'gap') bars.set(event.time, [event.open, event.high, event.low, event.close, event.volume]);
  return [...bars].sort(([one], [other]) => one - other);
};
async function truth(symbol: string, interval: Interval = '1m'): Promise<unknown[]> {
  const { items } = await client.bars(symbol, { interval, limit: 10_000 });
  return items.map(({ time, open, high, low, close, volume }) => [
    Date.parse(time) / 1_000,
    [open, high, low, close, volume],
  ]);
}

/** Follows in the background until the signal is aborted. */
function follow(symbol: string, options: FollowBarsOptions = {}) {
  const events: FollowedBar[] = [];
  const controller = new AbortController();
  const done = (async () => {
    const bars = client.followBars(symbol, { timeframe: '1m', ...options, signal: controller.signal });
    for await (const event of bars) events.push(event);
  })();
  return { events, controller, done };
}
const isChart = async (events: readonly FollowedBar[], symbol: string, interval?: Interval): Promise<boolean> =>
  JSON.stringify(chartOf(events)) === JSON.stringify(await truth(symbol, interval));

describe('followBars', () => {
  test('yields history, then live bars, and survives cuts without a gap', async () => {
    await push('EURUSD', 9, 8, 7, 3, 2, 0);
    const { events, controller, done } = follow('EURUSD', { from: new Date(Date.now() - 3_600_000) });
    await eventually('the history', () => events.length >= 6);
    expect(events.every(({ type }) => type === 'history')).toBe(true);
    for (let round = 0; round < 4; round++) {
      proxy.cut();
      await push('EURUSD', 5, 2, 0, 1, round).catch(() => push('EURUSD', 5, 2, 0, 1, round));
      await eventually('the chart', () => isChart(events, 'EURUSD'));
    }
    const types = events.map(({ type }) => type);
    expect(types.slice(types.indexOf('live'))).not.toContain('history');
    expect(types).not.toContain('gap');
    controller.abort();
    await done;
  });

  test.each(['2m', '3m', '3h', '1w', '1M'])(
    'bars of %s, which have no stream, are made of shorter ones',
    async (timeframe) => {
      await push('GBPUSD', 9, 8, 7, 3, 2);
      const { events, controller, done } = follow('GBPUSD', { timeframe, limit: 1_000 });
      await eventually('the history', () => events.length > 0);
      await push('GBPUSD', 0);
      await eventually('a live bar', () => events.some(({ type }) => type === 'live'));
      for (let round = 0; round < 2; round++) {
        proxy.cut();
        await push('GBPUSD', 5, 2, 0, 1, round).catch(() => push('GBPUSD', 5, 2, 0, 1, round));
        await eventually('the chart', () => isChart(events, 'GBPUSD', timeframe));
      }
      expect(events.map(({ type }) => type)).not.toContain('gap');
      controller.abort();
      await done;
    },
  );

  test('refuses intervals and alignments that it cannot follow', async () => {
    const first = (options: object) => client.followBars('EURUSD', options as FollowBarsOptions).next();
    await expect(first({ timeframe: '2d' })).rejects.toThrow('`timeframe` must be minutes or hours up to a day');
    await expect(first({ timeframe: '1d', align: 'ny' })).rejects.toThrow('`align` must be utc: bars of ny');
  });

  test('fetches the bars again after a gap', async () => {
    await push('GBPUSD', 6, 5, 0);
    const { events, controller, done } = follow('GBPUSD');
    await push('GBPUSD', 0);
    await eventually('a live bar', () => events.some(({ type }) => type === 'live'));
    proxy.refuse();
    proxy.cut();
    // More closed bars than the service keeps for clients that resume.
    const bar = {
      time: 60_000,
      open: 1,
      high: 1,
      low: 1,
      close: 1,
      volume: 1,
      bidVolume: 0,
      askVolume: 0,
      basis: 'bid',
    };
    const event = { kind: 'bar', symbol: 'XAUUSD', timeframe: '1m', bar, amended: true } as never;
    service.app.journal.append(Array.from({ length: 40_000 }, () => event));
    proxy.accept();
    await push('GBPUSD', 4, 0);
    await eventually('a gap', () => events.some(({ type }) => type === 'gap'));
    await eventually('the chart', () => isChart(events, 'GBPUSD'));
    const afterGap = events.slice(events.findIndex(({ type }) => type === 'gap') + 1);
    expect(afterGap[0]?.type).toBe('history');
    controller.abort();
    await done;
  });

  test('ends with the error of the service, and with the reason of an aborted history', async () => {
    const first = (bars: AsyncGenerator<FollowedBar>) => bars.next();
    await expect(first(client.followBars('NOSUCH'))).rejects.toBeInstanceOf(TickwireError);
    const reason = new Error('enough');
    const aborted = client.followBars('EURUSD', { signal: AbortSignal.abort(reason) });
    await expect(first(aborted)).rejects.toBe(reason);
  });
});

describe('barHistory', () => {
  test.each([1, 2, 3, 500])('loops over all bars in pages of %d, in both directions', async (pageSize) => {
    await push('AUDUSD', 9, 8, 6, 4, 1, 0);
    const expected = (await client.bars('AUDUSD', { interval: '1m' })).items.slice(0, -1);
    const ascending = [];
    for await (const bar of client.barHistory('AUDUSD', { interval: '1m', from: '1970-01-01', pageSize }))
      ascending.push(bar);
    const descending = [];
    for await (const bar of client.barHistory('AUDUSD', { interval: '1m', pageSize })) descending.push(bar);
    expect(ascending.slice(0, expected.length)).toEqual(expected);
    expect(descending.reverse().slice(0, expected.length)).toEqual(expected);
  });

  test('stops between pages when the signal is aborted', async () => {
    const controller = new AbortController();
    let count = 0;
    const loop = async () => {
      const options = { interval: '1m', pageSize: 1, from: '1970-01-01' } as const;
      for await (const _ of client.barHistory('AUDUSD', options, { signal: controller.signal }))
        if (++count === 2) controller.abort(new Error('enough'));
    };
    await expect(loop()).rejects.toThrow('enough');
    expect(count).toBe(2);
  });
});

describe('download', () => {
  test('has the bars of REST in every format, as bytes or as a stream', async () => {
    await push('USDCHF', 9, 8, 7, 6, 5);
    const range = { interval: '1m', from: '1970-01-01', to: Date.now() - 240_000 } as const;
    const { items } = await client.bars('USDCHF', range);
    expect(items.length).toBeGreaterThan(1);
    const lines = new TextDecoder().decode(
      await (await client.download('USDCHF', { format: 'ndjson', ...range })).bytes(),
    );
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(items);
    const csv = await client.download('USDCHF', { format: 'csv', ...range });
    expect(csv.contentType).toStartWith('text/csv');
    let text = '';
    for await (const chunk of csv.stream) text += new TextDecoder().decode(chunk);
    expect(text.trim().split(/\r?\n/)).toHaveLength(items.length + 1);
    const parquet = await (await client.download('USDCHF', { format: 'parquet', ...range })).bytes();
    expect(new TextDecoder().decode(parquet.slice(0, 4))).toBe('PAR1');
    await expect(client.download('NOSUCH', { format: 'csv' })).rejects.toMatchObject({ code: 'symbol_not_found' });
    const ticks = await client.download('USDCHF', { data: 'ticks', kind: 'quotes', format: 'csv' });
    expect(new TextDecoder().decode(await ticks.bytes())).toStartWith('time,');
  });
});
