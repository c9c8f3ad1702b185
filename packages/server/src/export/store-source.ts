// Rows of an export from the store. A service may run on it meanwhile.
import { type Bar, type InstrumentSpec, MINUTE_MS } from '@tickwire/engine';
import type { Realm } from '../config/config.ts';
import { streamBars } from '../history/bar-stream.ts';
import { LATEST, readChartBars } from '../history/chart-reader.ts';
import { streamTicks, type TickStore } from '../history/tick-stream.ts';
import { openBarSource } from '../market/bar-source.ts';
import { MarketView } from '../market/market-view.ts';
import { isCrossedQuotes } from '../store/crossed-quotes.ts';
import type { MarketStore } from '../store/store.ts';
import { barLength } from './exported-rows.ts';
import type { ExportSource } from './run-export.ts';

/** A watermark that is newer than this is moved by a running service. */
const RUNNING_MS = 10 * MINUTE_MS;

export interface StoreSourceOptions {
  readonly realm: Realm;
  readonly store: Pick<MarketStore, 'bars' | 'watched' | 'fetched' | 'number' | 'tapeDays' | 'tapeOf'>;
  readonly instruments: readonly InstrumentSpec[];
  /** Include quotes whose bid is above the ask, which only imports have. */
  readonly crossed: boolean;
  readonly now: () => number;
}

export function storeSource({ realm, store, instruments, crossed, now }: StoreSourceOptions): ExportSource {
  // The bars in memory are those of the service; a command has none.
  const view = new MarketView(instruments);
  const stored = { store, view };
  const sources = { store: openBarSource({ realm }, instruments, store, now), view };
  /** Bars that end after this time may still change. */
  const closedUntil = async (): Promise<number> => {
    const until = (await store.number('bars_until')) ?? 0;
    return now() - until < RUNNING_MS ? until : now();
  };
  return {
    async bounds(dataset) {
      const range = { symbol: dataset.instrument.symbol, from: 0, to: LATEST };
      if (dataset.kind !== 'bars') {
        const ticks = { ...range, kind: dataset.kind, crossed };
        const [oldest] = (await streamTicks(store, ticks).next()).value ?? [];
        const [newest] = (await streamTicks(store, ticks, 'newest').next()).value ?? [];
        if (!oldest || !newest) return null;
        return { first: oldest.event.time, firstStored: oldest.event.time, last: newest.event.time };
      }
      const { chart } = dataset;
      const oldest = { ...range, limit: 1, first: 'oldest' } as const;
      const first = (await readChartBars(sources, chart, oldest)).bars[0];
      const firstStored = (await readChartBars(stored, chart, oldest)).bars[0] ?? first;
      const lengthOf = barLength(chart);
      const until = await closedUntil();
      let last: Bar | undefined;
      for (let { to } = range; ; to = last.time - 1) {
        const page = await readChartBars(sources, chart, { ...range, to, limit: 1, first: 'newest' });
        last = page.bars[0];
        if (!last || last.time + lengthOf(last) <= until) break;
      }
      if (!first || !firstStored || !last || first.time > last.time) return null;
      return { first: first.time, firstStored: firstStored.time, last: last.time };
    },
    rows(dataset, from, to, onCrossed) {
      const range = { symbol: dataset.instrument.symbol, from, to: to - 1 };
      if (dataset.kind === 'bars') return streamBars(sources, dataset.chart, range);
      const counted = crossed || dataset.kind !== 'quotes' ? store : countingCrossed(store, onCrossed);
      return streamTicks(counted, { ...range, kind: dataset.kind, crossed });
    },
  };
}

/** Tells how many crossed quotes are in the blocks that are read. */
const countingCrossed = (store: TickStore, onCrossed: (count: number) => void): TickStore => ({
  tapeDays: () => store.tapeDays(),
  async tapeOf(symbol, from, to) {
    const blocks = await store.tapeOf(symbol, from, to);
    const crossed = blocks.filter(isCrossedQuotes).reduce((sum, { count }) => sum + count, 0);
    if (crossed > 0) onCrossed(crossed);
    return blocks;
  },
});
