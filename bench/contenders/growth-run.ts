// Costs at several sizes in a process of its own that can be pinned to one core: growth-run.ts JOB. Sizes take turns in each round, so
// that a disturbance affects all of them. Times are CPU time, because other programs may run.
import { readFileSync } from 'node:fs';
import {
  asEpochMs,
  asSymbol,
  CATALOGUE,
  DAY_MS,
  type InstrumentSpec,
  MINUTE_MS,
  type PriceEvent,
} from '@tickwire/engine';
import { streamTicks } from '../../packages/server/src/history/tick-stream.ts';
import { SimMarket } from '../../packages/server/src/market/feeds/sim/sim-market.ts';
import type { TapeBlock } from '../../packages/server/src/store/market-store.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts';
import { encodeBlock } from '../../packages/server/src/store/tape-block.ts';
import { writeLargeLog } from '../../packages/server/testing/signals/large-log.fixture.ts';
import { runWith } from './alerts-run.ts';
import { runStage, toBatches } from './engine-pipeline.ts';
import { seededRandom } from './signal-pool.ts';

export interface GrowthJob {
  readonly what: keyof typeof RUNS;
  readonly folder: string;
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Ticks of each instrument, ticks per run with alerts, or reads of the tape. */
  readonly count: number;
}

/** Of each size, one value per round: seconds per million ticks, or milliseconds per read. */
export type GrowthResult = Readonly<Record<number, readonly number[]>>;

const START = Date.UTC(2026, 0, 15);
/** Quotes per second of each instrument. */
const RATE = 20;
const SYMBOL = asSymbol('BTCUSD');
const TICKS_A_MINUTE = 10;
const WARM_UP_ROUNDS = 2;

const instruments = (count: number): InstrumentSpec[] =>
  Array.from({ length: count }, (_, index) => {
    const spec = CATALOGUE[index % CATALOGUE.length]!;
    const copy = Math.floor(index / CATALOGUE.length);
    return copy === 0 ? spec : { ...spec, symbol: asSymbol(`${spec.symbol}${copy}`) };
  });

/** `ticks` of each instrument: what its first one costs is then the same share at every size. */
async function instrumentsRun(count: number, ticks: number): Promise<number> {
  const specs = instruments(count);
  const market = new SimMarket(specs, { seed: 1, rate: RATE * count, hours: 'always' });
  // There are two quotes per trade.
  const span = (ticks / (RATE * 1.5)) * 1_000;
  const events: PriceEvent[] = market.collect(asEpochMs(START), asEpochMs(START + span));
  Bun.gc(true);
  const { cpuSeconds } = await runStage('recorder', toBatches(events), specs);
  return (cpuSeconds * 1e6) / events.length;
}

async function alertsRun(count: number, wanted: number): Promise<number> {
  const { seconds, ticks } = await runWith({ count, mostlyFar: true }, wanted);
  return (seconds * 1e6) / ticks;
}

/** A tape that ends at `START` and is made longer when a size asks for it. */
class Tape {
  readonly #store: ReturnType<typeof openSqliteStore>;
  readonly #random = seededRandom(1);
  #days = 0;

  constructor(folder: string) {
    this.#store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  }

  async grow(days: number): Promise<void> {
    for (; this.#days < days; this.#days++) {
      const day = START - (this.#days + 1) * DAY_MS;
      const minutes = Array.from({ length: DAY_MS / MINUTE_MS }, (_, index) => blockOf(day + index * MINUTE_MS));
      await this.#store.market.writeTape(minutes);
    }
  }

  /** Milliseconds per read of a random minute. The day is another one each time, so that its file must be opened. */
  async read(reads: number): Promise<number> {
    Bun.gc(true);
    const before = process.cpuUsage();
    for (let read = 0; read < reads; read++) {
      const day = START - DAY_MS * (1 + (read % this.#days));
      const from = day + MINUTE_MS * Math.floor(this.#random() * (DAY_MS / MINUTE_MS));
      const range = { symbol: SYMBOL, kind: 'quotes', from, to: from + MINUTE_MS - 1 } as const;
      let found = 0;
      for await (const ticks of streamTicks(this.#store.market, range)) found += ticks.length;
      if (found !== TICKS_A_MINUTE) throw new Error(`a minute has ${found} ticks`);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / reads;
  }
}

function blockOf(minute: number): TapeBlock {
  const firstSeq = (minute / MINUTE_MS) * TICKS_A_MINUTE;
  const records = Array.from({ length: TICKS_A_MINUTE }, (_, index) => {
    const time = asEpochMs(minute + (index * MINUTE_MS) / TICKS_A_MINUTE);
    const event = { kind: 'quote', symbol: SYMBOL, time, bid: 60_000 + index, ask: 60_001 + index } as const;
    return { seq: firstSeq + index, event: { ...event, bidSize: 1, askSize: 2 }, source: 'bench' };
  });
  const bytes = encodeBlock(records, minute, 2);
  const about = { symbol: SYMBOL, minute: asEpochMs(minute), firstSeq, count: TICKS_A_MINUTE };
  return { ...about, bidVolume: 0, askVolume: 0, bytes };
}

/** One after the other, because the tape only grows. */
async function tapeCosts({ folder, sizes, rounds, count }: GrowthJob): Promise<GrowthResult> {
  const tape = new Tape(folder);
  const costs: Record<number, number[]> = {};
  for (const days of sizes) {
    await tape.grow(days);
    costs[days] = [];
    for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
      const cost = await tape.read(count);
      if (round > 0) costs[days].push(cost);
    }
  }
  return costs;
}

const inTurns =
  (run: (size: number, count: number) => Promise<number>) =>
  async ({ sizes, rounds, count }: GrowthJob): Promise<GrowthResult> => {
    const costs: Record<number, number[]> = Object.fromEntries(sizes.map((size) => [size, []]));
    for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++)
      for (const size of sizes) {
        const cost = await run(size, count);
        if (round > 0) costs[size]!.push(cost);
      }
    return costs;
  };

/** Writes a log of signals and measures nothing. */
async function writeLog({ folder, sizes }: GrowthJob): Promise<GrowthResult> {
  const [signals] = sizes as [number];
  const symbols = CATALOGUE.filter(({ digits }) => digits === 5).map(({ symbol }) => symbol);
  await writeLargeLog({ folder, signals, publishers: 100, active: 100, symbols });
  return {};
}

const RUNS = { instruments: inTurns(instrumentsRun), alerts: inTurns(alertsRun), tape: tapeCosts, log: writeLog };

const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as GrowthJob;
console.log(JSON.stringify(await RUNS[job.what](job)));
process.exit(0);
