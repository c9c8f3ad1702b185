// The last trade of each symbol on the tape: the first connection after a restart fetches the trades that followed it.
//
// Last prices are stored once a minute; they say where on the tape to look for a newer trade. Trade ids belong to a venue,
// so a trade of another source cannot be resumed from. A run that ended during a backfill left trades of a long period on
// the tape whose minutes were not marked as complete, so the tape is read from the last complete minute.
import { type EpochMs, LATE_WINDOW_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import type { MarketStore } from '../../store/store.ts';
import { ticksOf } from '../../store/tape-records.ts';
import type { TradePosition, VenueConnector } from './connector.ts';

/** Where the last run ended, for one connector. */
export interface ResumePoint {
  readonly until: EpochMs;
  /** The last trade of each symbol; symbols whose last trade came from another source are left out. */
  readonly trades: ReadonlyMap<MarketSymbol, TradePosition>;
}

type SourcedTrade = TradePosition & { readonly source: string };

/** Reads the resume points of all connectors after a run that ended at `until`. */
export async function loadResumePoints(
  store: MarketStore,
  connectors: readonly VenueConnector[],
  until: EpochMs,
): Promise<(connector: VenueConnector) => ResumePoint> {
  const completeUntil = (await store.number('bars_until')) ?? until;
  const from = Math.min(completeUntil, until - (until % MINUTE_MS)) - LATE_WINDOW_MS;
  const prices = new Map((await store.lastPrices()).map((each) => [each.symbol, each]));
  const last = new Map<MarketSymbol, SourcedTrade>();
  for (const symbol of new Set(connectors.flatMap(({ symbols }) => symbols))) {
    const trade = await lastTrade(store, symbol, prices.get(symbol)?.trade?.time ?? until, { from, until });
    if (trade) last.set(symbol, trade);
  }
  return ({ name }) => ({ until, trades: new Map([...last].filter(([, { source }]) => source === name)) });
}

async function lastTrade(
  store: MarketStore,
  symbol: MarketSymbol,
  storedAt: number,
  { from, until }: { readonly from: number; readonly until: EpochMs },
): Promise<SourcedTrade | null> {
  const minute = storedAt - (storedAt % MINUTE_MS);
  const blocks = [
    // The run may have continued for a little after it stored the last price.
    ...(minute < from ? await store.tapeOf(symbol, minute, Math.min(from, minute + LATE_WINDOW_MS)) : []),
    ...(await store.tapeOf(symbol, from, until + 1)),
  ];
  const trades = blocks
    .flatMap(ticksOf)
    .sort((a, b) => a.seq - b.seq)
    .flatMap(({ event, source }) =>
      event.kind === 'trade' && event.id !== undefined ? { id: event.id, time: event.time, source } : [],
    );
  const newest = trades.at(-1);
  if (!newest) return null;
  // With trades that were fetched late, the newest record does not have the highest id.
  return trades.reduce((best, each) => (each.source === newest.source && each.id > best.id ? each : best), newest);
}
