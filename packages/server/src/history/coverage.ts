// The bars that are absent from a time range, and why: history begins later, the market was closed, nothing traded, the bars
// were not recorded, or the venue was not connected.
import {
  type Absence,
  type Coverage,
  type CoverageQuery,
  iso,
  MAX_COVERAGE_BARS,
  TIMEFRAME_MS,
} from '@tickwire/contract';
import {
  asEpochMs,
  DAY_MS,
  type InstrumentSpec,
  isMarketOpen,
  type MarketSymbol,
  nextSessionChange,
} from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import type { MarketView } from '../market/market-view.ts';
import { pauses } from '../ops/pauses.ts';
import type { MarketStore } from '../store/store.ts';
import { fetchedPeriods, knownPeriods } from './known-periods.ts';
import { barsByTime, historyStart, proofOfTrading } from './recorded-history.ts';

export interface CoverageOptions {
  readonly store: Pick<MarketStore, 'bars' | 'watched' | 'fetched'>;
  readonly view: MarketView;
  /** Simulated markets are a function of time: their feed never fails, and has trading hours only if configured. */
  readonly simulated: boolean;
  readonly alwaysOpen: boolean;
  /** Instruments that a live venue delivers. Nobody promised the bars of pushed and imported ones. */
  readonly venueSymbols: ReadonlySet<MarketSymbol>;
}

export async function coverageOf(
  { store, view, simulated, alwaysOpen, venueSymbols }: CoverageOptions,
  { symbol, hours }: InstrumentSpec,
  query: CoverageQuery,
  now: number,
): Promise<Coverage> {
  const { timeframe } = query;
  const length = TIMEFRAME_MS[timeframe];
  const to = Math.min(query.to ?? now, now);
  const from = query.from ?? to - DAY_MS;
  const start = Math.ceil(from / length) * length;
  // The forming bar is neither present nor absent.
  const end = Math.floor(to / length) * length;
  if (start > end || (end - start) / length > MAX_COVERAGE_BARS) {
    const allowed = `a range of at most ${MAX_COVERAGE_BARS} bars that does not end before it starts`;
    const errors = [{ parameter: 'from', value: iso(from), allowed }];
    throw new ServiceError('invalid_parameter', `from and to must be ${allowed}`, { errors });
  }
  const sources = { store, view };
  const present = await barsByTime(sources, symbol, timeframe, start, end);
  const began = await historyStart(sources, symbol);
  const proofOf = await proofOfTrading(sources, symbol, timeframe, start, end);
  const range = { from: start, to: end };
  const known = simulated ? [] : await knownPeriods(store, symbol, timeframe, range);
  const fetched = simulated ? [] : await fetchedPeriods(store, symbol, timeframe, range);

  const reasonOf = (time: number): Absence => {
    if (began !== null && time + length <= began) return 'before_history';
    const at = asEpochMs(time);
    if (!alwaysOpen && !isMarketOpen(hours, at) && nextSessionChange(hours, at) >= time + length)
      return 'market_closed';
    const proof = proofOf(time);
    if (proof === 'traded') return 'not_recorded';
    // A simulated market that is open always trades: without any bar, it was not generated.
    if (simulated) return proof === 'silent' ? 'no_trades' : 'not_recorded';
    if (known.some((period) => period.from <= time && period.to >= time + length)) return 'no_trades';
    return venueSymbols.has(symbol) ? 'missing' : 'not_recorded';
  };
  const absent: { from: number; to: number; reason: Absence }[] = [];
  const pause = pauses();
  for (let time = start; time < end; time += length) {
    await pause();
    if (present.has(time)) continue;
    const reason = reasonOf(time);
    const last = absent.at(-1);
    if (last?.to === time && last.reason === reason) last.to = time + length;
    else absent.push({ from: time, to: time + length, reason });
  }
  return {
    symbol,
    timeframe,
    from: iso(start),
    to: iso(end),
    bars: present.size,
    absent: absent.map((range) => ({
      from: iso(range.from),
      to: iso(range.to),
      bars: (range.to - range.from) / length,
      reason: range.reason,
    })),
    fetched: fetched.map((period) => ({
      from: iso(Math.max(start, period.from)),
      to: iso(Math.min(end, period.to)),
    })),
  };
}
