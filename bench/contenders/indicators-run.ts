// Measures indicators in a separate process that can be pinned to one core: over a history, and behind each tick of a stream.
// All figures are CPU time, so that other programs do not count.
import { INDICATOR_NAMES, type IndicatorSpec, parseIndicator } from '@tickwire/contract';
import {
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  chartContext,
  definitionOf,
  HOUR_MS,
  IndicatorSeries,
  MINUTE_MS,
  type TickEvent,
  UTC_DAY,
} from '@tickwire/engine';
import { parseChart } from '../../packages/server/src/history/chart-reader.ts';
import { readIndicators } from '../../packages/server/src/history/indicator-reader.ts';
import { LiveIndicators } from '../../packages/server/src/history/live-indicators.ts';
import { indicatorFields } from '../../packages/server/src/http/indicator-json.ts';
import { MemoryJournal } from '../../packages/server/src/journal/memory-journal.ts';
import { MarketView } from '../../packages/server/src/market/market-view.ts';
import { silentLog } from '../../packages/server/src/ops/log.ts';
import type { BarRange } from '../../packages/server/src/store/store.ts';
import { Hub } from '../../packages/server/src/ws/hub.ts';
import type { Subscriber } from '../../packages/server/src/ws/subscriber.ts';

export interface IndicatorsResult {
  readonly bars: number;
  readonly indicators: number;
  readonly ticks: number;
  /** Milliseconds per round. */
  readonly historyMs: number[];
  /** The same with reading of 10,000 bars and what is before them from memory, and JSON. */
  readonly pageMs: number[];
  /** Microseconds per tick and subscription of one indicator, per round. */
  readonly rsiMicros: number[];
  /** The same with all indicators in one subscription, per indicator. */
  readonly allMicros: number[];
}

const SYMBOL = asSymbol('BTCUSD');
const START = Date.UTC(2026, 0, 15);
const BARS = 10_000;
const WARM_UP = 5_000;

let seed = 1;
const random = (): number => {
  seed = (seed * 16_807) % 2_147_483_647;
  return seed / 2_147_483_647;
};
const bars: Bar[] = [];
for (let at = 0, price = 60_000; at < BARS + WARM_UP; at++) {
  const open = price;
  price = Math.round((price + (random() - 0.5) * 100) * 100) / 100;
  const [high, low] = [Math.max(open, price) + random() * 20, Math.min(open, price) - random() * 20];
  const [askVolume, bidVolume] = [random() * 5, random() * 5];
  const volume = askVolume + bidVolume;
  const time = asEpochMs(START - (BARS + WARM_UP - at) * MINUTE_MS);
  bars.push({ time, open, high, low, close: price, volume, askVolume, bidVolume, basis: 'trade' });
}
const store = {
  bars: async ({ timeframe, from, to, limit, first }: BarRange) => {
    const inside = timeframe === '1m' ? bars.filter(({ time }) => time >= from && time <= to) : [];
    return first === 'oldest' ? inside.slice(0, limit) : inside.slice(-limit);
  },
};

const ALL: readonly IndicatorSpec[] = [...INDICATOR_NAMES, 'ema(50)'].map(parseIndicator);

/** CPU time in milliseconds. */
async function cpuOf(work: () => unknown): Promise<number> {
  Bun.gc(true);
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function history(): void {
  for (const spec of ALL) {
    const series = new IndicatorSeries(definitionOf(spec), spec.inputs, chartContext(UTC_DAY));
    for (let at = WARM_UP; at < bars.length; at++) series.add(bars[at]!);
  }
}

async function page(): Promise<void> {
  const range = { symbol: SYMBOL, from: 0, to: START + HOUR_MS, limit: BARS, first: 'newest' } as const;
  const chart = parseChart({ interval: '1m', align: 'utc' });
  const table = await readIndicators({ store, view: new MarketView(CATALOGUE) }, chart, ALL, range);
  indicatorFields(table);
}

/** CPU milliseconds of ticks, each a batch that is sent at once to a subscriber of bars with indicators. */
async function streamMs(ticks: readonly TickEvent[], specs: readonly IndicatorSpec[]): Promise<number> {
  const market = new MarketView(CATALOGUE);
  const indicators = new LiveIndicators({ store, view: market });
  let now = 0;
  const hub = new Hub({
    instruments: CATALOGUE,
    journal: await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog),
    market,
    signals: { epoch: 'bench', newest: 0, lastOf: () => ({ published: 0, filled: 0, changed: 0, closed: 0 }) },
    indicators,
    capacity: 1_000,
    now: () => now,
    publish: () => {},
    audienceOf: () => 1,
    sockets: () => 1,
  });
  market.read({ firstSeq: 1, source: 'bench', events: [ticks[0]!] });
  const { release } = await indicators.load(SYMBOL, '1m', specs);
  const topic = hub.bars(SYMBOL, '1m', 1_000, specs);
  release();
  const socket = { subscribe() {}, unsubscribe() {} };
  const plain = { sequenced: false, ms: false, naming: false, latest: false };
  hub.join({ socket } as unknown as Subscriber, topic.subscription(plain));
  const taken = await cpuOf(() => {
    for (let at = 0; at < ticks.length; at++) {
      now += 1;
      const batch = { firstSeq: at + 2, source: 'bench', events: [ticks[at]!] };
      market.read(batch);
      hub.read(batch);
    }
  });
  if (hub.published < ticks.length) throw new Error(`only ${hub.published} of ${ticks.length} messages were published`);
  return taken;
}

const [count, rounds] = [Number(process.argv[2]), Number(process.argv[3])];
const ticks = Array.from({ length: count }, (_, at): TickEvent => {
  const bid = 60_000 + Math.round(random() * 1_000) / 10;
  const time = asEpochMs(START + Math.floor((at * MINUTE_MS) / count));
  return { kind: 'tick', symbol: SYMBOL, time, bid, ask: bid + 1, bidSize: 1, askSize: 1, volume: 1 };
});
const result: IndicatorsResult = {
  bars: BARS,
  indicators: ALL.length,
  ticks: count,
  historyMs: [],
  pageMs: [],
  rsiMicros: [],
  allMicros: [],
};
const micros = (ms: number): number => (ms * 1000) / count;
// The first three rounds warm up the JIT compiler and are discarded.
for (let round = -2; round <= rounds; round++) {
  const measured = {
    history: await cpuOf(history),
    page: await cpuOf(page),
    plain: await streamMs(ticks, []),
    rsi: await streamMs(ticks, [parseIndicator('rsi(14)')]),
    all: await streamMs(ticks, ALL),
  };
  if (round <= 0) continue;
  result.historyMs.push(measured.history);
  result.pageMs.push(measured.page);
  result.rsiMicros.push(Math.max(0, micros(measured.rsi - measured.plain)));
  result.allMicros.push(Math.max(0, micros(measured.all - measured.plain) / ALL.length));
}
console.log(JSON.stringify(result));
process.exit(0);
