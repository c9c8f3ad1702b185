import { expect, test } from 'bun:test';
import { TickwireClient } from '@tickwire/client';
import { breakingOut, type Desk, type DeskOptions, fakeDesk, OWN_NAME, problem, until } from './fake-desk.fixture.ts';
import { HeldTiming } from './held-timing.fixture.ts';
import { Publisher, type Trouble } from './publisher.ts';

/** Twenty seconds into a minute. */
const NOW = Date.parse('2026-03-02T11:24:20.000Z');

interface Scene extends AsyncDisposable {
  readonly desk: Desk;
  readonly timing: HeldTiming;
  readonly publisher: Publisher;
  readonly troubles: Trouble[];
  /** Starts it, and waits until it sleeps. */
  started(): Promise<void>;
  /** Moves on to its next look, and waits until it sleeps again. */
  nextLook(): Promise<void>;
}

function scene(options: Partial<DeskOptions> = {}, random = () => 0): Scene {
  const timing = new HeldTiming(NOW, random);
  const desk = fakeDesk({ now: timing.now, ...options });
  const troubles: Trouble[] = [];
  const publisher = new Publisher({
    client: new TickwireClient({ url: desk.url, apiKey: 'k', timeoutMs: 500 }),
    strategy: 'breakout',
    onTrouble: (trouble) => troubles.push(trouble),
    timing,
  });
  const asleep = (): Promise<void> => until(() => timing.due.length === 1, 'the end of the look');
  return {
    desk,
    timing,
    publisher,
    troubles,
    async started() {
      publisher.start();
      await asleep();
    },
    async nextLook() {
      timing.advance(timing.due[0]!);
      await asleep();
    },
    async [Symbol.asyncDispose]() {
      await publisher.stop();
      expect(timing.due).toEqual([]);
      await desk[Symbol.asyncDispose]();
    },
  };
}

const codes = (troubles: readonly Trouble[]): string[] => troubles.map(({ error }) => (error as { code: string }).code);

test('it looks right at the start, decides on minutes that have ended, and publishes', async () => {
  await using at = scene({ symbols: [{ symbol: 'EURUSD', type: 'forex' }] });
  await at.started();
  expect(at.desk.heard.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/usage',
    'GET /api/signals',
    'GET /api/symbols',
    'GET /api/market/EURUSD',
    'POST /api/signals',
  ]);
  expect(new Set(at.desk.heard.map(({ key }) => key))).toEqual(new Set(['k']));
  expect(at.desk.heard[3]!.query).toBe('?timeframe=1m&bars=61');
  // The forming minute is far below: had it counted, this would be a sell.
  expect(at.desk.posts()[0]!.body).toEqual({
    symbol: 'EURUSD',
    direction: 'buy',
    entry: 1.1007,
    stop_loss: expect.any(Number),
    take_profit: expect.any(Number),
    note: expect.stringContaining('Breakout'),
    // Half an hour from the end of the minute that decided.
    expires_at: '2026-03-02T11:54:00.000Z',
  });
  expect(at.publisher.counts).toEqual({ published: 1, refused: {} });
  expect(at.troubles).toEqual([]);
});

test('it never has more than six active, nor two of one symbol, and fills up as they close', async () => {
  await using at = scene();
  await at.started();
  expect(at.desk.signals).toHaveLength(6);
  expect(new Set(at.desk.signals.map(({ symbol }) => symbol)).size).toBe(6);
  await at.nextLook();
  expect(at.desk.signals).toHaveLength(6);
  for (const signal of at.desk.signals.slice(0, 2)) signal.active = false;
  await at.nextLook();
  const active = at.desk.signals.filter(({ active }) => active).map(({ symbol }) => symbol);
  expect(active).toHaveLength(6);
  expect(new Set(active).size).toBe(6);
});

test('it knows its signals by its own name, as the service tells it', async () => {
  await using at = scene();
  await at.started();
  const asked = new URLSearchParams(at.desk.heard.find(({ path }) => path === '/api/signals')!.query);
  expect(Object.fromEntries(asked)).toMatchObject({ status: 'active', user: OWN_NAME });
});

test('with six active it asks for no prices', async () => {
  await using at = scene();
  await at.started();
  at.desk.heard.length = 0;
  await at.nextLook();
  expect(at.desk.heard.map(({ path }) => path)).toEqual(['/api/usage', '/api/signals']);
});

test('a dozen symbols of every type are looked at, four at a time at most', async () => {
  await using at = scene({ instead: ({ method }) => (method === 'POST' ? problem(409, 'market_closed') : undefined) });
  await at.started();
  const asked = at.desk.heard.flatMap(({ path }) => /^\/api\/market\/SYM(\d+)$/.exec(path)?.[1] ?? []).map(Number);
  expect(asked.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(new Set(asked.map((each) => each % 4)).size).toBe(4);
  expect(at.desk.busiest).toBe(4);
});

test('where room is short, the dice say who comes first', async () => {
  await using at = scene({}, () => 0.5);
  await at.started();
  expect(at.desk.signals[0]!.symbol).toBe('SYM6');
});

test('the idempotency key is the strategy, the symbol and the minute: started again, it publishes nothing twice', async () => {
  await using at = scene({ symbols: [{ symbol: 'EURUSD', type: 'forex' }] });
  await at.started();
  expect(at.desk.posts()[0]!.idempotencyKey).toBe('breakout:EURUSD:2026-03-02T11:23:00.000Z');
  // It has closed at once, and a second publisher starts in the same minute.
  at.desk.signals[0]!.active = false;
  const again = new Publisher({
    client: new TickwireClient({ url: at.desk.url, apiKey: 'k' }),
    strategy: 'breakout',
    onTrouble: (trouble) => at.troubles.push(trouble),
    timing: at.timing,
  });
  again.start();
  await until(() => at.desk.posts().length === 2 && at.timing.due.length === 2, 'the second publisher');
  expect(at.desk.posts()[1]).toEqual(at.desk.posts()[0]!);
  expect(at.desk.signals).toHaveLength(1);
  await again.stop();
  // A minute later it may.
  await at.nextLook();
  expect(at.desk.posts()[2]!.idempotencyKey).toBe('breakout:EURUSD:2026-03-02T11:24:00.000Z');
  expect(at.desk.signals).toHaveLength(2);
});

test('a look follows a second after each minute, and up to two later by the dice', async () => {
  for (const [dice, seconds] of [
    [0, 41],
    [0.999, 42.998],
  ] as const) {
    await using at = scene({ symbols: [] }, () => dice);
    await at.started();
    expect(at.timing.due).toEqual([seconds * 1000]);
    await at.nextLook();
    expect(at.timing.due[0]).toBe(60_000);
  }
});

test('rate limited, it waits as long as it is told, and looks again', async () => {
  let limited = true;
  await using at = scene({
    symbols: [{ symbol: 'EURUSD', type: 'forex' }],
    instead: ({ path }) =>
      limited && path.startsWith('/api/market') ? problem(429, 'rate_limited', { 'Retry-After': '7' }) : undefined,
  });
  await at.started();
  expect(at.timing.due).toEqual([7_000]);
  expect(at.desk.posts()).toEqual([]);
  limited = false;
  await at.nextLook();
  expect(at.desk.signals).toHaveLength(1);
  expect(at.troubles).toEqual([]);
});

test('rate limited while it publishes, it publishes the rest after the wait', async () => {
  let posts = 0;
  await using at = scene({
    instead: ({ method }) =>
      method === 'POST' && ++posts === 3 ? problem(429, 'rate_limited', { 'Retry-After': '0' }) : undefined,
  });
  await at.started();
  // Nothing is free yet, whatever the service says: not at once.
  expect(at.timing.due).toEqual([1_000]);
  expect(at.desk.signals).toHaveLength(2);
  await at.nextLook();
  expect(at.desk.signals).toHaveLength(6);
});

test('a refusal is counted, not reported, and the next symbol has its turn', async () => {
  const refusals = ['market_closed', 'level_reached', 'stale_quote', 'market_closed'];
  await using at = scene({
    instead: ({ method }) => {
      const code = method === 'POST' ? refusals.shift() : undefined;
      return code ? problem(409, code) : undefined;
    },
  });
  await at.started();
  expect(at.publisher.counts).toEqual({
    published: 6,
    refused: { market_closed: 2, level_reached: 1, stale_quote: 1 },
  });
  expect(at.troubles).toEqual([]);
});

test('trouble with one symbol is reported, and the others have their turn', async () => {
  await using at = scene({ instead: ({ path }) => (path.endsWith('/SYM0') ? problem(500, 'internal') : undefined) });
  await at.started();
  expect(at.troubles).toMatchObject([{ strategy: 'breakout', symbol: 'SYM0' }]);
  expect(codes(at.troubles)).toEqual(['internal']);
  expect(at.desk.signals).toHaveLength(6);
});

test('trouble that concerns all ends the look, is reported once, and the next minute is tried again', async () => {
  let broken = true;
  await using at = scene({
    instead: ({ path }) => (broken && path.startsWith('/api/market') ? problem(401, 'invalid_key') : undefined),
  });
  await at.started();
  expect(codes(at.troubles)).toEqual(['invalid_key']);
  expect(at.troubles[0]!.symbol).toBeNull();
  expect(at.desk.posts()).toEqual([]);
  broken = false;
  await at.nextLook();
  expect(at.desk.signals).toHaveLength(6);
  expect(at.troubles).toHaveLength(1);
});

test('a service that is away is trouble, and nothing more', async () => {
  await using at = scene();
  await at.desk[Symbol.asyncDispose]();
  await at.started();
  expect(codes(at.troubles)).toEqual(['network']);
  await at.nextLook();
  expect(codes(at.troubles)).toEqual(['network', 'network']);
});

test('prices from before a pause decide nothing, nor does a market without a quote or bars', async () => {
  const answers = [
    { ...breakingOut('A', NOW - 4 * 60_000) },
    { ...breakingOut('A', NOW), quote: null },
    { ...breakingOut('A', NOW), ohlcv: [] },
  ];
  for (const answer of answers) {
    await using at = scene({
      symbols: [{ symbol: 'A', type: 'forex' }],
      instead: ({ path }) => (path.startsWith('/api/market') ? Response.json(answer) : undefined),
    });
    await at.started();
    expect(at.desk.heard.at(-1)!.path).toBe('/api/market/A');
    expect([at.desk.posts(), at.troubles]).toEqual([[], []]);
  }
});

test('stop breaks off what is only read, and leaves no timer', async () => {
  await using at = scene({
    instead: ({ path }) => (path.startsWith('/api/market') ? Bun.sleep(400).then(() => undefined) : undefined),
  });
  at.publisher.start();
  await until(() => at.desk.heard.some(({ path }) => path.startsWith('/api/market')), 'a request for prices');
  const began = performance.now();
  await at.publisher.stop();
  expect(performance.now() - began).toBeLessThan(300);
  await Bun.sleep(450);
  expect([at.desk.posts(), at.troubles, at.timing.due]).toEqual([[], [], []]);
});

test('stop waits for the signal that is being published, and begins no other', async () => {
  let answered = 0;
  await using at = scene({
    instead: async ({ method }) => {
      if (method === 'POST') await Bun.sleep(100).then(() => answered++);
      return undefined;
    },
  });
  at.publisher.start();
  await until(() => at.desk.posts().length === 1, 'a signal');
  await at.publisher.stop();
  expect(answered).toBe(1);
  expect(at.publisher.counts.published).toBe(1);
  await Bun.sleep(50);
  expect(at.desk.posts()).toHaveLength(1);
});

test('stopped before it was started, or twice, it stays stopped', async () => {
  await using at = scene();
  await at.publisher.stop();
  await at.publisher.stop();
  at.publisher.start();
  await Bun.sleep(20);
  expect(at.desk.heard).toEqual([]);
});
