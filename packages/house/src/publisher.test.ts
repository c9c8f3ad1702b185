import { expect, test } from 'bun:test';
import { TickwireClient } from '@tickwire/client';
import {
  breakoutMarket,
  type FakeService,
  type FakeServiceOptions,
  fakeService,
  OWN_NAME,
  problem,
  until,
} from '../testing/fake-service.ts';
import { ManualTiming } from '../testing/manual-timing.ts';
import { type PublisherFailure, StrategyPublisher } from './publisher.ts';

/** Twenty seconds into a minute. */
const NOW = Date.parse('2026-03-02T11:24:20.000Z');

interface Context extends AsyncDisposable {
  readonly service: FakeService;
  readonly timing: ManualTiming;
  readonly publisher: StrategyPublisher;
  readonly failures: PublisherFailure[];
  /** Starts the publisher and waits for the end of its first scan. */
  start(): Promise<void>;
  /** Advances to the next scan and waits for its end. */
  nextScan(): Promise<void>;
}

function createContext(options: Partial<FakeServiceOptions> = {}, random = () => 0): Context {
  const timing = new ManualTiming(NOW, random);
  const service = fakeService({ now: timing.now, ...options });
  const failures: PublisherFailure[] = [];
  const publisher = new StrategyPublisher({
    client: new TickwireClient({ url: service.url, apiKey: 'k', timeoutMs: 5_000 }),
    strategy: 'breakout',
    onError: (failure) => failures.push(failure),
    timing,
  });
  const asleep = (): Promise<void> => until(() => timing.due.length === 1, 'the end of the scan');
  return {
    service,
    timing,
    publisher,
    failures,
    async start() {
      publisher.start();
      await asleep();
    },
    async nextScan() {
      timing.advance(timing.due[0]!);
      await asleep();
    },
    async [Symbol.asyncDispose]() {
      await publisher.stop();
      expect(timing.due).toEqual([]);
      await service[Symbol.asyncDispose]();
    },
  };
}

const codesOf = (failures: readonly PublisherFailure[]): string[] =>
  failures.map(({ error }) => (error as { code: string }).code);

test('scans immediately, decides on closed bars and publishes', async () => {
  await using at = createContext({ symbols: [{ symbol: 'EURUSD', type: 'forex' }] });
  await at.start();
  expect(at.service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/usage',
    'GET /api/signals',
    'GET /api/symbols',
    'GET /api/market/EURUSD',
    'POST /api/signals',
  ]);
  expect(new Set(at.service.requests.map(({ key }) => key))).toEqual(new Set(['k']));
  expect(at.service.requests[3]!.query).toBe('?timeframe=1m&bars=61');
  // The forming bar is far below: if it counted, this would be a sell.
  expect(at.service.posts()[0]!.body).toEqual({
    symbol: 'EURUSD',
    direction: 'buy',
    entry: 1.1007,
    stop_loss: expect.any(Number),
    take_profit: expect.any(Number),
    note: expect.stringContaining('Breakout'),
    // 30 minutes after the end of the last closed bar.
    expires_at: '2026-03-02T11:54:00.000Z',
  });
  expect(at.publisher.counts).toEqual({ published: 1, refused: {} });
  expect(at.failures).toEqual([]);
});

test('keeps at most six active signals, one per symbol, and replaces closed ones', async () => {
  await using at = createContext();
  await at.start();
  expect(at.service.signals).toHaveLength(6);
  expect(new Set(at.service.signals.map(({ symbol }) => symbol)).size).toBe(6);
  await at.nextScan();
  expect(at.service.signals).toHaveLength(6);
  for (const signal of at.service.signals.slice(0, 2)) signal.active = false;
  await at.nextScan();
  const active = at.service.signals.filter(({ active }) => active).map(({ symbol }) => symbol);
  expect(active).toHaveLength(6);
  expect(new Set(active).size).toBe(6);
});

test('finds its active signals by its account name', async () => {
  await using at = createContext();
  await at.start();
  const requested = new URLSearchParams(at.service.requests.find(({ path }) => path === '/api/signals')!.query);
  expect(Object.fromEntries(requested)).toMatchObject({ status: 'active', user: OWN_NAME });
});

test('requests no prices with six active signals', async () => {
  await using at = createContext();
  await at.start();
  at.service.requests.length = 0;
  await at.nextScan();
  expect(at.service.requests.map(({ path }) => path)).toEqual(['/api/usage', '/api/signals']);
});

test('scans twelve symbols of all types with at most four requests in flight', async () => {
  await using at = createContext({
    override: ({ method }) => (method === 'POST' ? problem(409, 'market_closed') : undefined),
  });
  await at.start();
  const requested = at.service.requests
    .flatMap(({ path }) => /^\/api\/market\/SYM(\d+)$/.exec(path)?.[1] ?? [])
    .map(Number);
  expect(requested.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(new Set(requested.map((each) => each % 4)).size).toBe(4);
  expect(at.service.maxConcurrent).toBe(4);
});

test('starts at a random symbol', async () => {
  await using at = createContext({}, () => 0.5);
  await at.start();
  expect(at.service.signals[0]!.symbol).toBe('SYM6');
});

test('uses strategy, symbol and minute as idempotency key, so a restart publishes nothing twice', async () => {
  await using at = createContext({ symbols: [{ symbol: 'EURUSD', type: 'forex' }] });
  await at.start();
  expect(at.service.posts()[0]!.idempotencyKey).toBe('breakout:EURUSD:2026-03-02T11:23:00.000Z');
  // The signal has closed, and a second publisher starts in the same minute.
  at.service.signals[0]!.active = false;
  const second = new StrategyPublisher({
    client: new TickwireClient({ url: at.service.url, apiKey: 'k' }),
    strategy: 'breakout',
    onError: (failure) => at.failures.push(failure),
    timing: at.timing,
  });
  second.start();
  await until(() => at.service.posts().length === 2 && at.timing.due.length === 2, 'the second publisher');
  expect(at.service.posts()[1]).toEqual(at.service.posts()[0]!);
  expect(at.service.signals).toHaveLength(1);
  await second.stop();
  // A minute later it may publish again.
  await at.nextScan();
  expect(at.service.posts()[2]!.idempotencyKey).toBe('breakout:EURUSD:2026-03-02T11:24:00.000Z');
  expect(at.service.signals).toHaveLength(2);
});

test('scans one to three seconds after each minute', async () => {
  for (const [random, seconds] of [
    [0, 41],
    [0.999, 42.998],
  ] as const) {
    await using at = createContext({ symbols: [] }, () => random);
    await at.start();
    expect(at.timing.due).toEqual([seconds * 1000]);
    await at.nextScan();
    expect(at.timing.due[0]).toBe(60_000);
  }
});

test('waits for Retry-After if it is rate limited, then scans again', async () => {
  let limited = true;
  await using at = createContext({
    symbols: [{ symbol: 'EURUSD', type: 'forex' }],
    override: ({ path }) =>
      limited && path.startsWith('/api/market') ? problem(429, 'rate_limited', { 'Retry-After': '7' }) : undefined,
  });
  await at.start();
  expect(at.timing.due).toEqual([7_000]);
  expect(at.service.posts()).toEqual([]);
  limited = false;
  await at.nextScan();
  expect(at.service.signals).toHaveLength(1);
  expect(at.failures).toEqual([]);
});

test('publishes the rest after a rate limit during publication', async () => {
  let posts = 0;
  await using at = createContext({
    override: ({ method }) =>
      method === 'POST' && ++posts === 3 ? problem(429, 'rate_limited', { 'Retry-After': '0' }) : undefined,
  });
  await at.start();
  // A Retry-After of 0 still waits a second.
  expect(at.timing.due).toEqual([1_000]);
  expect(at.service.signals).toHaveLength(2);
  await at.nextScan();
  expect(at.service.signals).toHaveLength(6);
});

test('counts an expected rejection without reporting it and continues', async () => {
  const rejections = ['market_closed', 'level_reached', 'stale_quote', 'market_closed'];
  await using at = createContext({
    override: ({ method }) => {
      const code = method === 'POST' ? rejections.shift() : undefined;
      return code ? problem(409, code) : undefined;
    },
  });
  await at.start();
  expect(at.publisher.counts).toEqual({
    published: 6,
    refused: { market_closed: 2, level_reached: 1, stale_quote: 1 },
  });
  expect(at.failures).toEqual([]);
});

test('reports an error of one symbol and continues with the others', async () => {
  await using at = createContext({
    override: ({ path }) => (path.endsWith('/SYM0') ? problem(500, 'internal') : undefined),
  });
  await at.start();
  expect(at.failures).toMatchObject([{ strategy: 'breakout', symbol: 'SYM0' }]);
  expect(codesOf(at.failures)).toEqual(['internal']);
  expect(at.service.signals).toHaveLength(6);
});

test('reports an error that affects all symbols once and tries again in the next minute', async () => {
  let broken = true;
  await using at = createContext({
    override: ({ path }) => (broken && path.startsWith('/api/market') ? problem(401, 'invalid_key') : undefined),
  });
  await at.start();
  expect(codesOf(at.failures)).toEqual(['invalid_key']);
  expect(at.failures[0]!.symbol).toBeNull();
  expect(at.service.posts()).toEqual([]);
  broken = false;
  await at.nextScan();
  expect(at.service.signals).toHaveLength(6);
  expect(at.failures).toHaveLength(1);
});

test('reports an unreachable service and keeps trying', async () => {
  await using at = createContext();
  await at.service[Symbol.asyncDispose]();
  await at.start();
  expect(codesOf(at.failures)).toEqual(['network']);
  await at.nextScan();
  expect(codesOf(at.failures)).toEqual(['network', 'network']);
});

test('ignores old prices and markets without a quote or bars', async () => {
  const responses = [
    { ...breakoutMarket('A', NOW - 4 * 60_000) },
    { ...breakoutMarket('A', NOW), quote: null },
    { ...breakoutMarket('A', NOW), ohlcv: [] },
  ];
  for (const response of responses) {
    await using at = createContext({
      symbols: [{ symbol: 'A', type: 'forex' }],
      override: ({ path }) => (path.startsWith('/api/market') ? Response.json(response) : undefined),
    });
    await at.start();
    expect(at.service.requests.at(-1)!.path).toBe('/api/market/A');
    expect([at.service.posts(), at.failures]).toEqual([[], []]);
  }
});

test('aborts read requests on stop and leaves no timer', async () => {
  const held = Promise.withResolvers<undefined>();
  await using at = createContext({
    override: ({ path }) => (path.startsWith('/api/market') ? held.promise : undefined),
  });
  at.publisher.start();
  await until(() => at.service.requests.some(({ path }) => path.startsWith('/api/market')), 'a request for prices');
  await at.publisher.stop();
  held.resolve(undefined);
  await Bun.sleep(20);
  expect([at.service.posts(), at.failures, at.timing.due]).toEqual([[], [], []]);
});

test('waits on stop for a publication in flight and starts no other', async () => {
  let completed = 0;
  await using at = createContext({
    override: async ({ method }) => {
      if (method === 'POST') await Bun.sleep(100).then(() => completed++);
      return undefined;
    },
  });
  at.publisher.start();
  await until(() => at.service.posts().length === 1, 'a signal');
  await at.publisher.stop();
  expect(completed).toBe(1);
  expect(at.publisher.counts.published).toBe(1);
  await Bun.sleep(50);
  expect(at.service.posts()).toHaveLength(1);
});

test('stays stopped if it is stopped before the start, or twice', async () => {
  await using at = createContext();
  await at.publisher.stop();
  await at.publisher.stop();
  at.publisher.start();
  await Bun.sleep(20);
  expect(at.service.requests).toEqual([]);
});
