// Stores fetched bars, with the longer ones that follow from them, and publishes those that memory keeps.
import { TIMEFRAME_MS, TIMEFRAMES } from '@tickwire/contract';
import {
  aggregateBars,
  type Bar,
  DAY_MS,
  type HistoryEvent,
  LATE_WINDOW_MS,
  type MarketSymbol,
  MINUTE_MS,
} from '@tickwire/engine';
import { KEPT_BARS } from '../../market/closed-bars.ts';
import type { Intake } from '../../market/intake.ts';
import type { MarketView } from '../../market/market-view.ts';
import type { Recorder } from '../../market/recorder.ts';
import type { MarketStore } from '../../store/store.ts';
import type { ChangedBars } from '../write/longer-bars.ts';
import { type FetchedBars, writeFetched } from './write-fetched.ts';

export interface FetchedSink {
  readonly store: MarketStore;
  readonly view: MarketView;
  readonly recorder: Pick<Recorder, 'drain'>;
  readonly intake: Pick<Intake, 'history'>;
}

export async function publishFetched(
  { store, view, recorder, intake }: FetchedSink,
  fetched: Omit<FetchedBars, 'closedUntil'>,
): Promise<void> {
  const { symbol } = fetched.spec;
  await recorder.drain();
  const closedUntil = closedUntilOf(view, symbol);
  const rows = await writeFetched(store, { ...fetched, closedUntil });
  const byTimeframe: ChangedBars = new Map(TIMEFRAMES.map((timeframe) => [timeframe, new Map()]));
  for (const { symbol: _symbol, timeframe, ...bar } of rows) byTimeframe.get(timeframe)!.set(bar.time, bar);
  const event = eventOf(view, symbol, byTimeframe, closedUntil);
  if (event) intake.history(event);
}

/** What has changed among the newest bars; `null` if nothing has. Nothing waits from here until the event is in the journal. */
function eventOf(view: MarketView, symbol: MarketSymbol, changed: ChangedBars, before: number): HistoryEvent | null {
  const now = closedUntilOf(view, symbol);
  const day = before - (before % DAY_MS);
  const bars: { [K in (typeof TIMEFRAMES)[number]]?: Bar[] } = {};
  let shorter: Map<number, Bar> = new Map();
  const touchesDay = [...changed.values()].some((fresh) => [...fresh.keys()].some((time) => time >= day));
  for (const timeframe of TIMEFRAMES) {
    const length = TIMEFRAME_MS[timeframe];
    const fresh = changed.get(timeframe)!;
    const known = new Map(fresh);
    // The bars of the day make the forming ones; those of the late window can still change.
    const from = Math.min(day, now - LATE_WINDOW_MS - length);
    const kept = view.closedBars(symbol, timeframe).newest(KEPT_BARS);
    if (touchesDay) for (const bar of kept) if (bar.time >= from && !known.has(bar.time)) known.set(bar.time, bar);
    // A longer bar that closed while the bars were stored lacks them.
    const bucket = before - (before % length);
    if (touchesDay && length > MINUTE_MS && bucket < before && bucket + length <= now) {
      const made = aggregateBars(
        bucket,
        sorted(shorter).filter(({ time }) => time >= bucket && time < bucket + length),
      );
      if (made) known.set(bucket, made);
    }
    shorter = known;
    const oldest = kept.length < KEPT_BARS ? 0 : kept[0]!.time;
    const newest = sorted(known).filter(({ time }) => time >= oldest && time + length <= now);
    if (newest.length > 0) bars[timeframe] = newest.slice(-KEPT_BARS);
  }
  return Object.keys(bars).length === 0 ? null : { kind: 'history', symbol, bars };
}

/** Start of the forming minute: bars that end by then are closed. */
const closedUntilOf = (view: MarketView, symbol: MarketSymbol): number =>
  Math.max(view.time - (view.time % MINUTE_MS), view.forming(symbol, '1m')?.time ?? 0);

const sorted = (bars: ReadonlyMap<number, Bar>): Bar[] => [...bars.values()].sort((a, b) => a.time - b.time);
