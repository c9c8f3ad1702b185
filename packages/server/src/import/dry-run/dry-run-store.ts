// The store of a dry run: counts what an import would write and keeps a few rows of it to show. Memory is bounded: of each
// timeframe it remembers the bars and minutes written last, which is what an import reads again.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import type { Bar, PriceEvent } from '@tickwire/engine';
import type { BarRange, BarRow, ImportedWrite, LastPrices, MarketStore, TapeBlock } from '../../store/store.ts';
import { decodeMinuteBlocks } from '../write/minute-blocks.ts';

const REMEMBERED_BARS = 100_000;
const REMEMBERED_MINUTES = 10_000;
/** Rows shown of each end. */
const SHOWN_ROWS = 3;

export interface WrittenSeries {
  count: number;
  from: number;
  to: number;
  /** The oldest and the newest bars, ascending. */
  readonly first: Bar[];
  readonly last: Bar[];
}

const unused = (): never => {
  throw new Error('a dry run does not use this part of the store');
};

export class DryRunStore implements MarketStore {
  readonly series = new Map<string, WrittenSeries>();
  readonly #bars = new Map<string, Map<number, Bar>>();
  readonly #minutes = new Map<number, TapeBlock[]>();
  #firstMinute: TapeBlock[] = [];
  #lastMinute: TapeBlock[] = [];

  /** The first and the last ticks, by minute. */
  get ticks(): { readonly first: PriceEvent[]; readonly last: PriceEvent[] } {
    const ticksOf = (blocks: TapeBlock[]): PriceEvent[] => decodeMinuteBlocks(blocks).map(({ event }) => event);
    return {
      first: ticksOf(this.#firstMinute).slice(0, SHOWN_ROWS),
      last: ticksOf(this.#lastMinute).slice(-SHOWN_ROWS),
    };
  }

  async bars({ timeframe, from, to }: BarRange): Promise<Bar[]> {
    const known = this.#bars.get(timeframe);
    if (!known) return [];
    const step = TIMEFRAME_MS[timeframe as Timeframe];
    if (!step) {
      return [...known.values()].filter(({ time }) => time >= from && time <= to).sort((a, b) => a.time - b.time);
    }
    const found: Bar[] = [];
    for (let time = from; time <= to; time += step) {
      const bar = known.get(time);
      if (bar) found.push(bar);
    }
    return found;
  }

  async tapeOf(_symbol: string, from: number, to: number): Promise<TapeBlock[]> {
    return [...this.#minutes].flatMap(([minute, blocks]) => (minute >= from && minute < to ? blocks : []));
  }

  async writeImported({ bars }: ImportedWrite): Promise<void> {
    for (const { symbol: _symbol, timeframe, ...bar } of bars) this.#addBar(timeframe, bar);
  }

  async writeTape(blocks: readonly TapeBlock[]): Promise<void> {
    for (const block of blocks) this.#addBlocks(block.minute, [...(this.#minutes.get(block.minute) ?? []), block]);
  }

  async replaceTape(blocks: readonly TapeBlock[]): Promise<void> {
    for (const [minute, list] of Map.groupBy(blocks, (block) => block.minute)) this.#addBlocks(minute, list);
  }

  #addBar(timeframe: BarRow['timeframe'], bar: Bar): void {
    const known = this.#bars.get(timeframe) ?? new Map<number, Bar>();
    const series = this.series.get(timeframe) ?? { count: 0, from: bar.time, to: bar.time, first: [], last: [] };
    this.#bars.set(timeframe, known);
    this.series.set(timeframe, series);
    if (!known.has(bar.time)) series.count++;
    series.from = Math.min(series.from, bar.time);
    series.to = Math.max(series.to, bar.time);
    keepEnds(series, bar);
    remember(known, bar.time, bar, REMEMBERED_BARS);
  }

  #addBlocks(minute: number, blocks: TapeBlock[]): void {
    remember(this.#minutes, minute, blocks, REMEMBERED_MINUTES);
    if (!(minute > (this.#firstMinute[0]?.minute ?? Number.POSITIVE_INFINITY))) this.#firstMinute = blocks;
    if (!(minute < (this.#lastMinute[0]?.minute ?? Number.NEGATIVE_INFINITY))) this.#lastMinute = blocks;
  }

  lastPrices = async (): Promise<LastPrices[]> => [];
  number = async (): Promise<undefined> => undefined;
  firstTradeBar = async (): Promise<undefined> => undefined;
  addedInstruments = unused;
  addInstrument = unused;
  firstTapeOf = unused;
  gatherTape = unused;
  damagedTape = unused;
  recentBars = unused;
  histograms = unused;
  watched = unused;
  fetched = unused;
  write = unused;
  syncTape = unused;
  tape = unused;
  tapeDays = unused;
  flow = unused;
  pruneTape = unused;
  setNumber = unused;
}

/** Adds an entry and forgets the oldest one. */
function remember<Value>(map: Map<number, Value>, key: number, value: Value, limit: number): void {
  map.set(key, value);
  if (map.size > limit) map.delete(map.keys().next().value!);
}

function keepEnds({ first, last }: WrittenSeries, bar: Bar): void {
  if (first.length < SHOWN_ROWS || bar.time <= first.at(-1)!.time) insert(first, bar).splice(SHOWN_ROWS);
  if (last.length < SHOWN_ROWS || bar.time >= last[0]!.time) insert(last, bar).splice(0, last.length - SHOWN_ROWS);
}

/** Inserts a bar into a short ascending list, in place of one with the same time. */
function insert(bars: Bar[], bar: Bar): Bar[] {
  const at = bars.findIndex(({ time }) => time >= bar.time);
  if (at < 0) bars.push(bar);
  else bars.splice(at, bars[at]!.time === bar.time ? 1 : 0, bar);
  return bars;
}
