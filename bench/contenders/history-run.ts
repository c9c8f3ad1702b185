// Writes a year of minutes and a million ticks of a store as files, in a separate process that can be pinned to one core. Times
// are CPU time, because other programs may run.
import { asEpochMs, asSymbol, CATALOGUE, MINUTE_MS } from '@tickwire/engine';
import { streamBars } from '../../packages/server/src/history/bar-stream.ts';
import { LATEST, parseChart } from '../../packages/server/src/history/chart-reader.ts';
import { barColumns } from '../../packages/server/src/history/tables/bar-columns.ts';
import type { FileFormat } from '../../packages/server/src/history/tables/table.ts';
import { tickColumns } from '../../packages/server/src/history/tables/tick-columns.ts';
import { writeTable } from '../../packages/server/src/history/tables/write-table.ts';
import { streamTicks } from '../../packages/server/src/history/tick-stream.ts';
import { MarketView } from '../../packages/server/src/market/market-view.ts';
import type { TapeBlock } from '../../packages/server/src/store/market-store.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts';
import { encodeBlock } from '../../packages/server/src/store/tape-block.ts';
import { FIRST_MINUTE as START, writeMinutes } from './year-of-minutes.ts';

const CASES = ['csv', 'parquet', 'ticks', 'ticks to csv'] as const;
export type HistoryCase = (typeof CASES)[number];

export interface HistoryResult {
  readonly bars: number;
  readonly ticks: number;
  /** CPU seconds per round. */
  readonly seconds: Readonly<Record<HistoryCase, number[]>>;
}

const SYMBOL = asSymbol('EURUSD');
const CHART = parseChart({ interval: '1m', align: 'utc' });
const [folder, wantedBars, wantedTicks, rounds] = [process.argv[2]!, ...process.argv.slice(3).map(Number)] as [
  string,
  number,
  number,
  number,
];

const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
await writeMinutes(store, SYMBOL, wantedBars);

const TICKS_A_MINUTE = 600;
const blocks: TapeBlock[] = [];
for (let minute = START, seq = 0; seq < wantedTicks; minute += MINUTE_MS) {
  const records = Array.from({ length: TICKS_A_MINUTE }, (_, index) => ({
    seq: seq++,
    event: {
      kind: 'quote' as const,
      symbol: SYMBOL,
      time: asEpochMs(minute + index * 100),
      bid: (108_000 + ((seq * 7) % 500)) / 1e5,
      ask: (108_010 + ((seq * 7) % 500)) / 1e5,
      bidSize: 1 + (seq % 5),
      askSize: 2 + (seq % 3),
    },
    source: 'bench',
  }));
  const bytes = encodeBlock(records, minute, 5);
  const firstSeq = records[0]!.seq;
  blocks.push({
    symbol: SYMBOL,
    minute: asEpochMs(minute),
    firstSeq,
    count: TICKS_A_MINUTE,
    bidVolume: 0,
    askVolume: 0,
    bytes,
  });
}
await store.market.writeTape(blocks);
const ticks = blocks.length * TICKS_A_MINUTE;

const sources = { store: store.market, view: new MarketView(CATALOGUE) };
const whole = { symbol: SYMBOL, from: 0, to: LATEST };
const barBatches = () => streamBars(sources, CHART, { ...whole, pricesOnly: true });
const tickBatches = () => streamTicks(store.market, { ...whole, kind: 'quotes' });

/** Reads everything and discards it. */
async function drain(pieces: AsyncIterable<unknown>): Promise<void> {
  let count = 0;
  for await (const _ of pieces) count++;
  if (count === 0) throw new Error('nothing was read');
}
const barFile = (format: FileFormat) =>
  writeTable(format, { columns: barColumns([], null), batches: barBatches(), metadata: () => ({}) });

const RUNS: Readonly<Record<HistoryCase, () => Promise<void>>> = {
  csv: () => drain(barFile('csv')),
  parquet: () => drain(barFile('parquet')),
  ticks: () => drain(tickBatches()),
  'ticks to csv': () =>
    drain(writeTable('csv', { columns: tickColumns('quotes'), batches: tickBatches(), metadata: () => ({}) })),
};

const seconds = Object.fromEntries(CASES.map((name) => [name, [] as number[]])) as Record<HistoryCase, number[]>;
// The first round warms up the JIT compiler and is discarded.
for (let round = 0; round <= rounds; round++) {
  for (const name of CASES) {
    Bun.gc(true);
    const before = process.cpuUsage();
    await RUNS[name]();
    const { user, system } = process.cpuUsage(before);
    if (round > 0) seconds[name].push((user + system) / 1e6);
  }
}
await store.close();
const result: HistoryResult = { bars: wantedBars, ticks, seconds };
console.log(JSON.stringify(result));
