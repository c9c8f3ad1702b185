// The service is repeatedly killed in the middle of a minute and restarted: it must continue as if nothing had happened.

import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { eventually, killLeftovers, ServiceProcess } from '../../testing/process.fixture.ts';
import { atScale } from '../../testing/scale.fixture.ts';
import { makeKey, temporaryFolder } from '../../testing/service.fixture.ts';
import { TestStream } from '../../testing/stream.fixture.ts';
import { aggregate, Uninterrupted, type WireBar } from '../../testing/uninterrupted.fixture.ts';

const ROUNDS = atScale(4, 20);
const SYMBOLS = ['EURUSD', 'XAUUSD', 'BTCUSD'];
const BURST = 20;
const AFTERWARDS = 5;
/** Responses may be this old on a busy machine. */
const LAG_MS = 5_000;
/** Quotes per second: so few that the ticks of the first start go back more than ten minutes. */
const RATE = 25;
const data = temporaryFolder();
const SETTINGS = { data, news: 'none', sim_rate: String(RATE) };

afterAll(async () => {
  await killLeftovers();
  rmSync(data, { recursive: true, force: true });
});

/** Everything the service shows of the market, with the times before and after the requests. */
interface Seen {
  readonly from: number;
  readonly to: number;
  readonly bars: ReadonlyMap<string, readonly WireBar[]>;
  readonly deltas: ReadonlyMap<string, number>;
  readonly seq: number;
  readonly epoch: string;
}

async function look(service: ServiceProcess, key: string): Promise<Seen> {
  // All responses must fall into the same minute.
  while (Date.now() % MINUTE_MS > 50_000) await Bun.sleep(20);
  const from = Date.now() - LAG_MS;
  const bars = new Map<string, WireBar[]>();
  await Promise.all(
    SYMBOLS.flatMap((symbol) =>
      TIMEFRAMES.map(async (timeframe) => {
        const answer = await service.get(`/api/market/${symbol}?timeframe=${timeframe}&bars=500`, key);
        expect(answer.status).toBe(200);
        bars.set(`${symbol} ${timeframe}`, ((await answer.json()) as { ohlcv: WireBar[] }).ohlcv);
      }),
    ),
  );
  const flow = new TestStream(service.url, 'orderflow');
  await flow.subscribe(key, SYMBOLS);
  const firstOf = (symbol: string) => flow.messages.find((message) => message.symbol === symbol);
  await eventually('a flow snapshot of each symbol', () => SYMBOLS.every(firstOf));
  const ticks = new TestStream(service.url, 'market');
  await ticks.subscribe(key, ['*'], true);
  // Live messages: a snapshot right after a start has no seq yet.
  const newest = () => Math.max(0, ...ticks.messages.map(({ seq = 0 }) => seq));
  await eventually('a live tick', () => newest() > 0);
  const [seq, epoch] = [newest(), ticks.messages.find((message) => message.epoch)!.epoch!];
  flow.close();
  ticks.close();
  const deltas = new Map(SYMBOLS.map((symbol) => [symbol, firstOf(symbol)!.cumulative_delta!]));
  return { from, to: Date.now(), bars, deltas, seq, epoch };
}

/** The bar of the interval so far: the longest closed bars that fill it up to `minute`, and the minute itself. */
function compose(seen: Seen, symbol: string, timeframe: Timeframe, minute: WireBar): WireBar {
  const now = Date.parse(minute.time);
  const start = now - (now % TIMEFRAME_MS[timeframe]);
  const parts: WireBar[] = [];
  let at = start;
  for (const shorter of TIMEFRAMES.slice(0, TIMEFRAMES.indexOf(timeframe)).reverse()) {
    for (const bar of seen.bars.get(`${symbol} ${shorter}`)!) {
      const end = Date.parse(bar.time) + TIMEFRAME_MS[shorter];
      if (Date.parse(bar.time) !== at || end > now) continue;
      parts.push(bar);
      at = end;
    }
  }
  expect(at).toBe(now);
  return aggregate(start, [...parts, minute]);
}

function checkAgainst(sim: Uninterrupted, seen: Seen): void {
  sim.advance(seen.to + 1_000);
  for (const symbol of SYMBOLS) {
    const moments = sim.between(symbol, seen.from, seen.to);
    const minutes = sim.minutes.get(symbol)!;
    const shown = seen.bars.get(`${symbol} 1m`)!;
    // Every minute since the first tick, including the one in which the service was killed.
    const whole = shown.slice(0, -1).filter(({ time }) => minutes.has(time));
    const ended = [...minutes.keys()].filter((time) => time < shown.at(-1)!.time);
    expect(ended.length).toBeGreaterThan(10);
    expect(whole.map(({ time }) => time)).toEqual(ended);
    expect(whole).toEqual(whole.map(({ time }) => minutes.get(time)!));
    const gaps = shown
      .slice(1)
      .filter((bar, index) => Date.parse(bar.time) - Date.parse(shown[index]!.time) !== MINUTE_MS);
    expect(gaps).toEqual([]);
    const minute = moments.map(({ bar }) => bar).filter(({ time }) => time === shown.at(-1)!.time);
    for (const timeframe of TIMEFRAMES) {
      const possible = minute.map((bar) => compose(seen, symbol, timeframe, bar));
      expect(possible).toContainEqual(seen.bars.get(`${symbol} ${timeframe}`)!.at(-1)!);
    }
    const nearest = Math.min(...moments.map(({ delta }) => Math.abs(delta - seen.deltas.get(symbol)!)));
    expect(nearest).toBeLessThan(1e-6);
  }
}

/** The delta of the day before the first tick, as the first start recorded it. */
function firstTicks(): { from: number; base: Map<string, number> } {
  const market = new Database(join(data, 'sim', 'market.db'));
  const from = market.query<{ value: number }, []>("SELECT value FROM numbers WHERE name = 'tape_from'").get()!.value;
  market.close();
  const tape = join(data, 'sim', 'tape');
  const sums = readdirSync(tape)
    .filter((name) => name === `${new Date(from).toISOString().slice(0, 10)}.db`)
    .flatMap((name) => {
      const database = new Database(join(tape, name));
      const rows = database
        .query<{ symbol: string; delta: number }, []>(
          'SELECT symbol, ask_volume - bid_volume AS delta FROM tape WHERE count = 0',
        )
        .all();
      database.close();
      return rows;
    });
  return { from, base: new Map(from % DAY_MS === 0 ? [] : sums.map(({ symbol, delta }) => [symbol, delta])) };
}

/** Bars that were closed when they were read. */
const closedBars = (seen: Seen, name: string): readonly WireBar[] => {
  const length = TIMEFRAME_MS[name.split(' ')[1] as Timeframe];
  return seen.bars.get(name)!.filter(({ time }) => Date.parse(time) + length <= seen.from);
};

test(
  `continues after ${ROUNDS} kills in the middle of a minute as if it had never stopped`,
  async () => {
    let service = await ServiceProcess.start(SETTINGS);
    const demoKey = service.demoKey!;
    const { from, base } = firstTicks();
    const sim = new Uninterrupted({ seed: 1, rate: RATE, hours: 'always' }, from, base);
    for (let round = 0; round < ROUNDS; round++) {
      const [reader, spender] = [await makeKey(data, 'premium', ['read']), await makeKey(data, 'free', ['read'])];
      await eventually('the new keys are good', async () => (await service.get('/api/usage', spender.key)).ok);
      await Promise.all(Array.from({ length: BURST - 1 }, () => service.get('/api/symbols', spender.key)));
      const spent = performance.now();
      const before = await look(service, reader.key);
      checkAgainst(sim, before);
      // Usage is saved every second.
      await Bun.sleep(Math.max(0, 1_200 - (performance.now() - spent)));
      await Promise.all(Array.from({ length: AFTERWARDS }, () => service.get('/api/symbols', spender.key)));
      await Bun.sleep(Math.random() * 250);
      await service.kill();

      service = await ServiceProcess.start(SETTINGS);
      expect(service.demoKey).toBeUndefined();
      const usage = await service.get('/api/usage', spender.key);
      const used = 60 - Number(usage.headers.get('x-ratelimit-remaining')) - 1;
      expect(used).toBeGreaterThanOrEqual(BURST);
      expect(used).toBeLessThanOrEqual(BURST + AFTERWARDS);
      expect((await service.get('/api/session', demoKey)).status).toBe(200);
      const after = await look(service, reader.key);
      checkAgainst(sim, after);
      for (const name of before.bars.keys()) {
        const closed = closedBars(before, name);
        const again = after.bars.get(name)!.filter(({ time }) => time <= closed.at(-1)!.time);
        // The window of 500 may have moved by one bar.
        expect(JSON.stringify(again)).toBe(JSON.stringify(closed.slice(-again.length)));
        expect(closed.length - again.length).toBeLessThanOrEqual(2);
      }
      expect(after.seq).toBeGreaterThan(before.seq);
      expect(after.epoch).not.toBe(before.epoch);
    }
    expect((await service.stop()).status).toBe(0);
  },
  60_000 + ROUNDS * 30_000,
);
