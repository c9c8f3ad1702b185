// Which bars of a stretch are not there, and why: the market was closed, nothing traded, or nobody recorded it.
import { type Absence, type Coverage, type CoverageQuery, MAX_COVERAGE_BARS, TIMEFRAME_MS } from '@tickwire/contract';
import { asEpochMs, type InstrumentSpec, isOpen, nextChange } from '@tickwire/engine';
import type { MarketStore } from '../store/store.ts';
import type { MarketView } from '../views/market-view.ts';
import { ApiError } from './api-error.ts';

const DAY_MS = 86_400_000;

export interface CoverageOptions {
  readonly store: Pick<MarketStore, 'bars' | 'watched'>;
  readonly view: MarketView;
  /** Simulated markets are a function of time: their source is never away, and keeps hours only where it is told to. */
  readonly simulated: boolean;
  readonly alwaysOpen: boolean;
}

export async function coverageOf(
  { store, view, simulated, alwaysOpen }: CoverageOptions,
  { symbol, hours }: InstrumentSpec,
  query: CoverageQuery,
  now: number,
): Promise<Coverage> {
  const { timeframe } = query;
  const length = TIMEFRAME_MS[timeframe];
  const to = Math.min(query.to ?? now, now);
  const from = query.from ?? to - DAY_MS;
  const start = Math.ceil(from / length) * length;
  // The bar that is forming is neither there nor missing.
  const end = Math.floor(to / length) * length;
  if (start > end || (end - start) / length > MAX_COVERAGE_BARS) {
    const allowed = `a stretch of at most ${MAX_COVERAGE_BARS} bars that does not end before it begins`;
    const errors = [{ parameter: 'from', value: new Date(from).toISOString(), allowed }];
    throw new ApiError('invalid_parameter', `from and to must name ${allowed}`, { errors });
  }
  const stored = await store.bars({
    symbol,
    timeframe,
    from: start,
    to: end - 1,
    limit: MAX_COVERAGE_BARS,
    first: 'oldest',
  });
  const present = new Set(stored.map(({ time }) => time as number));
  for (const { time } of view.recent(symbol, timeframe, start, end - 1)) present.add(time);
  const watched = simulated ? [{ from: start, to: end }] : await store.watched(symbol, start, end);

  const reasonOf = (time: number): Absence => {
    const at = asEpochMs(time);
    if (!alwaysOpen && !isOpen(hours, at) && nextChange(hours, at) >= time + length) return 'market_closed';
    return watched.some((stretch) => stretch.from <= time && stretch.to >= time + length) ? 'no_trades' : 'missing';
  };
  const absent: { from: number; to: number; reason: Absence }[] = [];
  for (let time = start; time < end; time += length) {
    if (present.has(time)) continue;
    const reason = reasonOf(time);
    const last = absent.at(-1);
    if (last?.to === time && last.reason === reason) last.to = time + length;
    else absent.push({ from: time, to: time + length, reason });
  }
  const iso = (time: number): string => new Date(time).toISOString();
  return {
    symbol,
    timeframe,
    from: iso(start),
    to: iso(end),
    bars: present.size,
    absent: absent.map((stretch) => ({
      from: iso(stretch.from),
      to: iso(stretch.to),
      bars: (stretch.to - stretch.from) / length,
      reason: stretch.reason,
    })),
  };
}
