// The last trade of each symbol on the tape: from there the first connection bridges what an earlier run did not see.
//
// Last prices are stored once a minute, so they tell where to look; the tape itself holds the newest. Ids are a venue's own:
// where another source had the symbol last, they tell nothing about this one. A run that ended while it bridged left trades
// of a long stretch on the tape, whose minutes were not stored as ended: so the tape is read from the last one that was.
import { type EpochMs, LATE_WINDOW_MS, type MarketSymbol } from '@tickwire/engine';
import type { MarketStore } from '../store/store.ts';
import { isAside } from '../store/tape-aside.ts';
import { decodeBlock } from '../store/tape-block.ts';
import { isMinute } from '../store/tape-minute.ts';
import type { EarlierRun } from './repair.ts';
import type { KnownTrade, Source } from './source.ts';

const MINUTE = 60_000;

type SourcedTrade = KnownTrade & { readonly source: string };

/** What an earlier run that ended at `until` knew of each of the sources. */
export async function earlierRuns(
  store: MarketStore,
  sources: readonly Source[],
  until: EpochMs,
): Promise<(source: Source) => EarlierRun> {
  const ended = (await store.number('bars_until')) ?? until;
  const from = Math.min(ended, until - (until % MINUTE)) - LATE_WINDOW_MS;
  const prices = new Map((await store.lastPrices()).map((each) => [each.symbol, each]));
  const last = new Map<MarketSymbol, SourcedTrade>();
  for (const symbol of new Set(sources.flatMap(({ symbols }) => symbols))) {
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
  const minute = storedAt - (storedAt % MINUTE);
  const blocks = [
    // The run in which it was stored may have gone on for a little.
    ...(minute < from ? await store.tapeOf(symbol, minute, Math.min(from, minute + LATE_WINDOW_MS)) : []),
    ...(await store.tapeOf(symbol, from, until + 1)),
  ];
  const trades = blocks
    .filter((block) => !isAside(block) && !isMinute(block))
    .flatMap((block) => decodeBlock(block.bytes, block.symbol, block.minute))
    .sort((a, b) => a.seq - b.seq)
    .flatMap(({ event, source }) =>
      event.kind === 'trade' && event.id !== undefined ? { id: event.id, time: event.time, source } : [],
    );
  const newest = trades.at(-1);
  if (!newest) return null;
  // Of trades that were fetched late the newest is not the one with the highest number.
  return trades.reduce((best, each) => (each.source === newest.source && each.id > best.id ? each : best), newest);
}
