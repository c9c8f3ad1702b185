// Indicators that follow the market have the values of a whole history, whatever happened on the way.
import { describe, expect, test } from 'bun:test';
import { type IndicatorSpec, parseIndicator, type Timeframe } from '@tickwire/contract';
import {
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  chartContext,
  DAY_MS,
  definitionOf,
  INDICATORS,
  IndicatorSeries,
  MINUTE_MS,
  type TickEvent,
  UTC_DAY,
} from '@tickwire/engine';
import fc from 'fast-check';
import { eventually } from '../../testing/process.fixture.ts';
import { MarketView } from '../market/market-view.ts';
import type { BarRange } from '../store/store.ts';
import { LiveIndicators } from './live-indicators.ts';

const SYMBOL = asSymbol('BTCUSD');
const START = Date.UTC(2026, 2, 2);
const SPECS: readonly IndicatorSpec[] = [...INDICATORS.keys(), 'rsi(3)', 'sma(2)', 'vwap(first)'].map(parseIndicator);

const barAt = (at: number, random: number): Bar => {
  const price = 100 + Math.round(Math.sin(at / 7) * 500 + random * 300) / 100;
  return {
    time: asEpochMs(START + at * MINUTE_MS),
    open: price,
    high: price + Math.round(random * 100) / 100,
    low: price - Math.round((1 - random) * 100) / 100,
    close: price + Math.round((random - 0.5) * 100) / 100,
    volume: 1 + Math.round(random * 10),
    bidVolume: 1,
    askVolume: Math.round(random * 10),
    basis: 'trade',
  };
};

const READER = { caller: null, closed: false };

class Market {
  readonly bars: Bar[] = [];
  readonly view = new MarketView(CATALOGUE);
  /** How often the store was read. */
  reads = 0;
  readonly store = {
    bars: async ({ timeframe, from, to, limit, first }: BarRange) => {
      this.reads++;
      if (timeframe !== '1m') return [];
      const inside = this.bars.filter(({ time }) => time >= from && time <= to);
      return first === 'oldest' ? inside.slice(0, limit) : inside.slice(-limit);
    },
  };
  readonly live = new LiveIndicators(this, { queue: (_account, _signal, work) => work() }, {});

  /** The market is at the start of this minute. */
  moveTo(at: number): void {
    this.view.time = START + at * MINUTE_MS;
  }

  put(bar: Bar): void {
    const at = this.bars.findIndex(({ time }) => time >= bar.time);
    if (at < 0) this.bars.push(bar);
    else this.bars.splice(at, this.bars[at]!.time === bar.time ? 1 : 0, bar);
  }

  close(bar: Bar, amended = false): void {
    this.put(bar);
    this.live.startBatch();
    this.live.close({ kind: 'bar', symbol: SYMBOL, timeframe: '1m', bar, amended });
  }

  /** Values of the whole history and of a forming bar. */
  expected(spec: IndicatorSpec, forming: Bar): { value?: number | null; values?: object; settled: boolean } {
    const series = new IndicatorSeries(definitionOf(spec), spec.inputs, chartContext(UTC_DAY, true));
    for (const bar of this.bars) series.add(bar);
    return wire(spec, series.preview(forming));
  }
}

function wire(
  spec: IndicatorSpec,
  { values, settled }: { readonly values: readonly number[]; readonly settled: boolean },
) {
  const numbers = values.map((value) => (Number.isFinite(value) ? value : null));
  const { lines } = definitionOf(spec);
  if (lines.length === 1) return { value: numbers[0]!, settled };
  return { values: Object.fromEntries(lines.map((line, at) => [line, numbers[at]])), settled };
}

const load = async (market: Market, specs = SPECS, timeframe: Timeframe = '1m') => {
  const { release } = await market.live.load(SYMBOL, timeframe, specs, READER);
  const set = market.live.open(SYMBOL, timeframe, specs);
  release();
  return set;
};

test('streaming equals batch: after any closings and corrections of late ticks', async () => {
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom('close', 'close', 'close', 'amend', 'insert', 'skip' as const),
      back: fc.integer({ min: 1, max: 10 }),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 60 }), steps, async (before, changes) => {
      const market = new Market();
      for (let at = 0; at < before; at++) market.put(barAt(at, (at * 0.37) % 1));
      let next = before;
      market.moveTo(next);
      const set = await load(market);
      for (const { kind, back, random } of changes) {
        if (kind === 'close') market.close(barAt(next++, random));
        else if (kind === 'skip') next++;
        else {
          const at = next - back;
          const known = market.bars.some(({ time }) => time === START + at * MINUTE_MS);
          if (at >= 0 && (kind === 'insert' || known)) market.close(barAt(at, random), true);
        }
        market.moveTo(next);
      }
      // A correction of a bar that is too old is read from the store.
      await Bun.sleep(0);
      const forming = barAt(next, 0.25);
      market.live.startBatch();
      const values = JSON.parse(set.forming(forming));
      for (const spec of SPECS)
        expect([spec.text, values[spec.text]]).toEqual([spec.text, market.expected(spec, forming)]);
      set.release();
      expect(market.live.size).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test('the values of a closed bar are those of its last preview', async () => {
  const market = new Market();
  for (let at = 0; at < 400; at++) market.put(barAt(at, (at * 0.61) % 1));
  market.moveTo(400);
  const set = await load(market);
  for (let at = 400; at < 420; at++) {
    const bar = barAt(at, (at * 0.17) % 1);
    market.live.startBatch();
    market.live.startBatch();
    const preview = set.forming(bar);
    market.close(bar);
    expect(set.closed(bar)).toBe(preview);
  }
  set.release();
});

describe('an indicator with several users', () => {
  test('is computed once, read from the store once, and freed with the last of them', async () => {
    const market = new Market();
    for (let at = 0; at < 50; at++) market.put(barAt(at, 0.5));
    market.moveTo(50);
    const specs = [parseIndicator('sma(3)'), parseIndicator('rsi')];
    const sets = await Promise.all([load(market, specs), load(market, specs), load(market, [specs[1]!])]);
    const { reads } = market;
    expect(market.live.size).toBe(2);
    expect((await load(market, specs)).names).toEqual(['sma(3)', 'rsi(14)']);
    expect(market.reads).toBe(reads);
    const bar = barAt(50, 0.9);
    expect(sets[0]!.forming(bar)).toBe(sets[1]!.forming(bar));
    // Until the next batch, the forming bar is not computed again.
    expect(sets[2]!.forming(barAt(50, 0.1))).toBe(
      `{${JSON.stringify('rsi(14)')}:${JSON.stringify(JSON.parse(sets[0]!.forming(bar))['rsi(14)'])}}`,
    );
    for (const set of sets) set.release();
    expect(market.live.size).toBe(2);
  });

  test('is loaded once for those who ask while it is being read, and bars that close meanwhile count', async () => {
    const market = new Market();
    for (let at = 0; at < 50; at++) market.put(barAt(at, 0.3));
    market.moveTo(50);
    const both = Promise.all([load(market), load(market)]);
    market.close(barAt(50, 0.8));
    market.moveTo(51);
    const [set] = await both;
    const forming = barAt(51, 0.1);
    market.live.startBatch();
    const values = JSON.parse(set.forming(forming));
    for (const spec of SPECS) expect(values[spec.text]).toEqual(market.expected(spec, forming));
  });
});

test('a bar that is older than any late tick is read from the store, and values are not settled until then', async () => {
  const market = new Market();
  for (let at = 0; at < 400; at++) if (at !== 300) market.put(barAt(at, (at * 0.61) % 1));
  market.moveTo(400);
  const spec = parseIndicator('rsi(14)');
  const set = await load(market, [spec]);
  const forming = barAt(400, 0.4);
  const settled = (): boolean => JSON.parse(set.forming(forming))['rsi(14)'].settled;
  expect(settled()).toBe(true);
  market.close(barAt(300, 0.9), true);
  expect(settled()).toBe(false);
  await eventually('the values', () => {
    market.live.startBatch();
    return settled();
  });
  expect(JSON.parse(set.forming(forming))['rsi(14)']).toEqual(market.expected(spec, forming));
});

test('a store that fails is tried again with the next bar', async () => {
  const market = new Market();
  for (let at = 0; at < 400; at++) market.put(barAt(at, (at * 0.61) % 1));
  market.moveTo(400);
  const spec = parseIndicator('ema(5)');
  const set = await load(market, [spec]);
  const { bars } = market.store;
  let failures = 0;
  market.store.bars = async () => {
    failures++;
    throw new Error('the store is gone');
  };
  market.live.reload();
  await eventually('the failure', () => failures > 0);
  await Bun.sleep(0);
  market.store.bars = bars;
  market.close(barAt(400, 0.2));
  market.moveTo(401);
  const forming = barAt(401, 0.4);
  const wanted = market.expected(spec, forming);
  await eventually('the value of the next bar', () => {
    market.live.startBatch();
    return Bun.deepEquals(JSON.parse(set.forming(forming))['ema(5)'], wanted);
  });
  market.store.bars = async () => {
    throw new Error('the store is gone');
  };
  await expect(load(market, [parseIndicator('ema(7)')])).rejects.toThrow('the store is gone');
  expect(market.live.size).toBe(1);
});

test('the delta is refused for an instrument without trades', async () => {
  const market = new Market();
  market.put({ ...barAt(0, 0.5), bidVolume: 0, askVolume: 0, basis: 'bid' });
  market.moveTo(1);
  await expect(load(market, [parseIndicator('cvd')])).rejects.toMatchObject({ code: 'no_trades' });
  expect(market.live.size).toBe(0);
});

test('an average by volume starts again with the day', async () => {
  const market = new Market();
  const minutes = DAY_MS / MINUTE_MS;
  for (let at = minutes - 5; at < minutes; at++) market.put(barAt(at, 0.5));
  market.moveTo(minutes);
  const set = await load(market, [parseIndicator('vwap')]);
  const bar = barAt(minutes, 0.7);
  expect(JSON.parse(set.forming(bar))).toEqual({
    'vwap(day)': { value: (bar.high + bar.low + bar.close) / 3, settled: true },
  });
});

test('reads the forming bar of the market view', async () => {
  const market = new Market();
  market.put(barAt(0, 0.5));
  const tick: TickEvent = {
    kind: 'tick',
    symbol: SYMBOL,
    time: asEpochMs(START + MINUTE_MS + 1),
    bid: 100,
    ask: 101,
    bidSize: 1,
    askSize: 1,
    volume: 1,
  };
  market.view.read({ firstSeq: 1, source: 'push', events: [tick] });
  const set = await load(market, [parseIndicator('sma(2)')]);
  const forming = market.view.forming(SYMBOL, '1m')!;
  expect(JSON.parse(set.forming(forming))).toEqual({
    'sma(2)': { value: (barAt(0, 0.5).close + 100) / 2, settled: true },
  });
});
