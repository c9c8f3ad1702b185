// Volume at price of minutes that an earlier release recorded without it, from the trades that the tape still has. It runs once
// per store, in the background, one instrument and day at a time. A minute is kept only if its levels add up to its bar.
import { DAY_MS, explainsBar, HOUR_MS, histogramOfTrades, type InstrumentSpec, tradedVolume } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import { pauses } from '../ops/pauses.ts';
import { isCrossedQuotes } from '../store/crossed-quotes.ts';
import type { HistogramRow, MarketStore, TapeBlock } from '../store/market-store.ts';
import { decodeBlock } from '../store/tape-block.ts';
import { isMinute } from '../store/tape-minute.ts';

/** Set when all days are filled. */
const FILLED = 'histograms_filled';
const MINUTES_PER_DAY = 1_440;

export interface HistogramFillOptions {
  readonly store: Pick<
    MarketStore,
    'bars' | 'histograms' | 'tapeDays' | 'tapeOf' | 'number' | 'setNumber' | 'writeImported'
  >;
  readonly instruments: readonly InstrumentSpec[];
  /** Days for which ticks are kept. Older days of the tape were imported, with their volume at price. */
  readonly tapeDays: number;
  readonly log: Log;
  readonly now: () => number;
}

export class HistogramFill {
  readonly #options: HistogramFillOptions;
  /** What is left to do; `null` before the first step. */
  #left: { readonly spec: InstrumentSpec; readonly day: number }[] | null = null;
  #isDone = false;
  #filled = 0;

  constructor(options: HistogramFillOptions) {
    this.#options = options;
  }

  /** Fills the next instrument and day. Does nothing once all are filled. */
  async step(): Promise<void> {
    if (this.#isDone) return;
    this.#left ??= await this.#plan();
    const next = this.#left.pop();
    if (next) return this.#fill(next.spec, next.day);
    const { store, log } = this.#options;
    await store.setNumber(FILLED, 1);
    this.#isDone = true;
    if (this.#filled > 0) log.info('volume at price of earlier minutes is complete', { minutes: this.#filled });
  }

  async #plan(): Promise<{ readonly spec: InstrumentSpec; readonly day: number }[]> {
    const { store, instruments, tapeDays, now } = this.#options;
    if ((await store.number(FILLED)) !== undefined) return [];
    const days = (await store.tapeDays())
      .map((day) => Date.parse(day))
      .filter((day) => day > now() - tapeDays * DAY_MS);
    // The oldest days are filled first: the tape loses them next.
    return days.toReversed().flatMap((day) => instruments.map((spec) => ({ spec, day })));
  }

  async #fill(spec: InstrumentSpec, day: number): Promise<void> {
    const { store } = this.#options;
    const { symbol } = spec;
    // A minute that is recorded now is stored together with its bar, so it is found after the bar.
    const range = { symbol, timeframe: '1m', from: day, to: day + DAY_MS - 1, limit: MINUTES_PER_DAY } as const;
    const bars = (await store.bars({ ...range, first: 'oldest' })).filter((bar) => tradedVolume(bar) > 0);
    const pause = pauses();
    await pause();
    const known = new Set((await store.histograms([symbol], day, day + DAY_MS)).map(({ time }) => time));
    const missing = new Map(bars.flatMap((bar) => (known.has(bar.time) ? [] : [[bar.time as number, bar] as const])));
    for (let start = day; start < day + DAY_MS; start += HOUR_MS) {
      if (![...missing.keys()].some((time) => time >= start && time < start + HOUR_MS)) continue;
      const blocks = Map.groupBy(await store.tapeOf(symbol, start, start + HOUR_MS), ({ minute }) => minute as number);
      const histograms: HistogramRow[] = [];
      for (const [minute, parts] of blocks) {
        const bar = missing.get(minute);
        const histogram = bar && histogramOfTrades(spec, minute, tradesOf(parts));
        if (histogram && explainsBar(histogram, bar)) histograms.push({ symbol, ...histogram });
        await pause();
      }
      if (histograms.length === 0) continue;
      await store.writeImported({ bars: [], prices: [], numbers: {}, days: [], watched: [], histograms });
      this.#filled += histograms.length;
    }
  }
}

const tradesOf = (blocks: readonly TapeBlock[]) =>
  blocks
    .filter((block) => !isMinute(block) && !isCrossedQuotes(block))
    .flatMap(({ bytes, symbol, minute }) => decodeBlock(bytes, symbol, minute))
    .flatMap(({ event }) => (event.kind === 'trade' ? event : []));
