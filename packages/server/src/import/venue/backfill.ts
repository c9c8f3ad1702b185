// Fetches more of the past of one instrument, for a command: the service must not run meanwhile.
import { asEpochMs, type InstrumentSpec } from '@tickwire/engine';
import type { VenueConnector } from '../../market/feeds/connector.ts';
import type { VenueBarLength } from '../../market/feeds/venues/venue.ts';
import { VENUE_BAR_MS } from '../../market/feeds/venues/venue-bars.ts';
import type { MarketStore } from '../../store/store.ts';
import { ImportError } from '../import-error.ts';
import type { TimeRange } from '../write/covered-ranges.ts';
import { recoverBars } from '../write/recover-bars.ts';
import { StoreWatermarks } from '../write/store-watermarks.ts';
import {
  CLOCK_TOLERANCE_MS,
  countBars,
  HISTORY_LEVELS,
  missingRanges,
  nextRequest,
  provesStart,
  within,
} from './plan.ts';
import { writeFetched } from './write-fetched.ts';

/** A market may be closed for some days. After more days without a bar, the venue has no older minutes. */
const EMPTY_DAYS = 5;

export interface BackfillPlan {
  readonly connector: VenueConnector;
  readonly instrument: InstrumentSpec;
  readonly instruments: readonly InstrumentSpec[];
  readonly length: VenueBarLength;
  readonly from: number;
  readonly now: number;
  readonly store: MarketStore;
  /** Stops after the current request. What was fetched stays, and the command can be repeated. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number, bars: number) => void;
}

export interface BackfillOutcome extends TimeRange {
  readonly bars: number;
  /** The venue has no older bars than from this time on; `null` if it had everything. */
  readonly beginsAt: number | null;
}

export async function backfill(plan: BackfillPlan): Promise<BackfillOutcome> {
  const { connector, instrument, length, store, signal } = plan;
  const { symbol } = instrument;
  await recoverBars(store, plan.instruments);
  const unit = VENUE_BAR_MS[length];
  const closed = plan.now - CLOCK_TOLERANCE_MS;
  const range = { from: Math.floor(plan.from / unit) * unit, to: Math.floor(closed / unit) * unit };
  const oldest = connector.oldestBar?.(length, asEpochMs(plan.now)) ?? range.from;
  const from = Math.max(range.from, Math.ceil(oldest / unit) * unit);
  const shorter = HISTORY_LEVELS.slice(0, HISTORY_LEVELS.indexOf(length) + 1);
  const fetched = (await store.fetched(symbol, from, range.to)).filter(({ timeframe }) => shorter.includes(timeframe));
  const known: TimeRange[] = [...(await store.watched(symbol, from, range.to)), ...fetched];
  const watermarks = await StoreWatermarks.read(store, instrument);
  const total = countBars(missingRanges({ from, to: range.to }, length, known), length);
  let beginsAt = from > range.from ? from : null;
  let bars = 0;
  let empty = 0;
  while (!signal?.aborted) {
    const missing = missingRanges({ from, to: range.to }, length, known);
    const request = nextRequest(missing, length, connector.barsPerRequest);
    if (!request) break;
    const [first, end] = [asEpochMs(request.from), asEpochMs(request.to)];
    const found = await connector.fetchBars!({ symbol, length, from: first, to: end }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ImportError(
        'venue_failed',
        `${connector.name}: ${reason}; the bars from before are stored, try again later`,
      );
    });
    const ranges = within(missing, request);
    // An answer without bars may be a fault of the venue: it is not stored, so that the service and a later command ask again.
    if (found.length > 0)
      await writeFetched(store, {
        ...{ spec: instrument, length, bars: found, ranges, closedUntil: plan.now },
        watermarks: watermarks.take(request.to, plan.now),
      });
    known.push(...ranges);
    bars += found.length;
    plan.onProgress?.(total - countBars(missingRanges({ from, to: range.to }, length, known), length), total, bars);
    empty = found.length > 0 ? 0 : empty + 1;
    if (!provesStart(request, length, found.length) && (length !== '1m' || empty < EMPTY_DAYS)) continue;
    beginsAt = request.to;
    break;
  }
  return { ...range, bars, beginsAt };
}
