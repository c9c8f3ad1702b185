// The store as of the clock of a replay: nothing that happened or arrived later can be read from it. Bars that late ticks could
// still have changed come from the memory of the replay, which has all of them.
import { isTimeframe } from '@tickwire/contract';
import { LATE_WINDOW_MS, type Lookup, type MarketSymbol, MINUTE_MS, parseChartInterval } from '@tickwire/engine';
import { longest } from '../history/chart-reader.ts';
import { settledBars } from '../history/settled-bars.ts';
import type { BarSource } from '../market/bar-source.ts';
import type { BarRange, MarketStore, SeriesName, TapeBlock, TapeRecord } from '../store/store.ts';
import { BlockWriter } from '../store/tape-block.ts';
import { dayOf } from '../store/tape-day.ts';
import { IMPORTED, ticksOf } from '../store/tape-records.ts';

export interface AsOfSources {
  readonly bars: BarSource;
  readonly market: Pick<MarketStore, 'tapeOf' | 'tapeDays' | 'histograms' | 'firstTradeBar'>;
  /** Decimals of prices. */
  readonly digits: Lookup<number>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

type Readers = BarSource & Pick<MarketStore, 'tapeOf' | 'tapeDays' | 'histograms' | 'firstTradeBar'>;

export function asOfStore({ bars, market, digits, clock }: AsOfSources): Readers {
  const settled = settledBars(bars, {
    get time() {
      return clock();
    },
  });
  /** The `seq` from which on ticks had not arrived; for the clock that it was found for. */
  const cuts = new Map<MarketSymbol, { readonly clock: number; readonly seq: number }>();
  const cutOf = async (symbol: MarketSymbol): Promise<number> => {
    const now = clock();
    const known = cuts.get(symbol);
    if (known?.clock === now) return known.seq;
    const minute = now - (now % MINUTE_MS);
    let seq = Number.POSITIVE_INFINITY;
    for (const block of await market.tapeOf(symbol, minute, minute + LATE_WINDOW_MS + 2 * MINUTE_MS))
      for (const tick of ticksOf(block))
        if (tick.source !== IMPORTED && tick.event.time > now) seq = Math.min(seq, tick.seq);
    cuts.set(symbol, { clock: now, seq });
    return seq;
  };
  const ended = <P extends { readonly from: number; readonly to: number }>(periods: readonly P[]): P[] =>
    periods.flatMap((each) => (each.from < clock() ? [{ ...each, to: Math.min(each.to, clock()) }] : []));

  return {
    bars: (range) => (isTimeframe(range.timeframe) ? settled(range) : bars.bars(importedBefore(range, clock()))),
    watched: async (...range) => ended(await bars.watched(...range)),
    fetched: async (...range) => ended(await bars.fetched(...range)),
    ...(bars.storedFrom && {
      async storedFrom(symbol: MarketSymbol) {
        const first = await bars.storedFrom!(symbol);
        return first !== null && first < clock() ? first : null;
      },
    }),
    async tapeOf(symbol, from, to) {
      const now = clock();
      const end = Math.min(to, now + 1);
      if (from >= end) return [];
      const blocks = await market.tapeOf(symbol, from, end);
      const cut = await cutOf(symbol);
      return blocks.flatMap((block) => {
        const ticks = ticksOf(block);
        const isKnown = ({ event, seq, source }: TapeRecord): boolean =>
          event.time <= now && (seq < cut || source === IMPORTED);
        const shown = ticks.filter(isKnown);
        if (shown.length === 0) return [];
        return [shown.length === ticks.length ? block : blockOf(block, shown, digits.get(symbol)!)];
      });
    },
    tapeDays: async () => (await market.tapeDays()).filter((day) => day <= dayOf(clock())),
    histograms: (symbols, from, to) =>
      market.histograms(symbols, from, Math.min(to, clock() - LATE_WINDOW_MS - MINUTE_MS)),
    async firstTradeBar(symbol) {
      const first = await market.firstTradeBar(symbol);
      return first !== undefined && first < clock() ? first : undefined;
    },
  };
}

/** A range of an imported series without bars that may not have ended. */
function importedBefore(range: BarRange, clock: number): BarRange {
  return { ...range, to: Math.min(range.to, clock - longestOf(range.timeframe)) };
}

function longestOf(series: SeriesName): number {
  const interval = parseChartInterval(series.split('@')[0]!);
  if (!interval) throw new Error(`a series of bars has the unknown length ${series}`);
  return longest(interval);
}

function blockOf(block: TapeBlock, ticks: readonly TapeRecord[], digits: number): TapeBlock {
  const writer = new BlockWriter(block.minute, digits);
  for (const { seq, event, source } of ticks) writer.append(seq, event, source);
  return { ...block, firstSeq: ticks[0]!.seq, count: ticks.length, bytes: writer.bytes() };
}
