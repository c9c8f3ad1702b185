// History: bars of any interval, ticks, indicators, volume at price, and what is absent.
import type { Tier } from '@tickwire/contract';
import type { Caller } from '../access/caller.ts';
import type { RowAllowance } from '../access/row-allowance.ts';
import type { ReadWork } from '../http/read-work.ts';
import type { Journal } from '../journal/journal.ts';
import type { FlowChannel } from '../market/streams/flow-channel.ts';
import type { TickChannel } from '../market/streams/tick-channel.ts';
import type { Module } from '../module/module.ts';
import { HistoryFiles } from './history-files.ts';
import { type HistoryHandlerOptions, HistoryHandlers } from './history-handlers.ts';
import { LiveIndicators } from './live-indicators.ts';
import { barsCost, coverageCost, footprintCost, indicatorsCost, profileCost, ticksCost } from './read-cost.ts';
import { BarChannel } from './streams/bar-channel.ts';
import { FootprintChannel } from './streams/footprint-channel.ts';
import { ExportFiles } from './tables/export-files.ts';

export interface HistoryModuleOptions extends Omit<HistoryHandlerOptions, 'files' | 'allowance'> {
  readonly journal: Journal;
  readonly ticks: () => TickChannel;
  readonly flows: () => FlowChannel;
  /** Rows of files per day and account. */
  readonly rows: RowAllowance;
  readonly reads: ReadWork;
  readonly tiers: Readonly<Record<string, Tier>>;
  /** Throws if the caller is a session that must repeat its password first. */
  readonly requireConfirmed: (caller: Caller) => Promise<void>;
}

export function historyModule(options: HistoryModuleOptions): Module {
  const { rows: allowance, store, market, reads, tiers, requireConfirmed, now } = options;
  const files = new ExportFiles(reads, now);
  const historyFiles = new HistoryFiles({ files, allowance, requireConfirmed, now });
  const handlers = new HistoryHandlers({ ...options, allowance, files: historyFiles });
  const costOf = handlers.costOf.bind(handlers);
  const indicators = new LiveIndicators({ store, view: market }, reads, tiers);
  return {
    routes: {
      bars: { cost: costOf(barsCost), handle: (call) => handlers.bars(call) },
      severalBars: { cost: barsCost, handle: (call) => handlers.severalBars(call) },
      ticks: { cost: costOf(ticksCost), handle: (call) => handlers.ticks(call) },
      indicatorList: () => handlers.indicatorList(),
      indicators: { cost: costOf(indicatorsCost), handle: (call) => handlers.indicators(call) },
      profile: { cost: costOf(profileCost), handle: (call) => handlers.profile(call) },
      footprint: { cost: costOf(footprintCost), handle: (call) => handlers.footprint(call) },
      coverage: { cost: costOf(coverageCost), handle: (call) => handlers.coverage(call) },
    },
    channels() {
      const [ticks, flows] = [options.ticks(), options.flows()];
      const bars = new BarChannel({ ...options, indicators, ticks, flows });
      // A footprint is published before the bar that closes with it.
      return [new FootprintChannel({ ...options, flows, bars }), bars];
    },
    metrics: (metrics) =>
      metrics.gauge(
        'tickwire_live_indicators',
        'Indicators that follow the market for subscribers',
        () => indicators.size,
      ),
    drain: async () => files.close(),
  };
}
