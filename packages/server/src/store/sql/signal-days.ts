// Days of the tape that signals were judged by, and which of them are sealed.
import type { MarketSymbol } from '@tickwire/engine';
import type { SealedRow } from '../signal-store.ts';
import { daysBetween } from '../tape-day.ts';
import { rows, rowsFor, runFor, type SharedWork } from './shared-work.ts';
import { put, storedFields } from './stored-fields.ts';
import { SIGNAL_DAYS } from './tables/signal-tables.ts';

const DAYS = storedFields(SIGNAL_DAYS);

export type SignalDay = {
  readonly day: string;
  readonly symbol: MarketSymbol;
};

/** What a closed signal was judged by. */
export interface JudgedSpan {
  readonly symbol: MarketSymbol;
  readonly quoteAt: number;
  readonly decidedAt: number;
}

const nameOf = ({ day, symbol }: SignalDay): string => `${day} ${symbol}`;
const withoutRepeats = (days: readonly SignalDay[]): SignalDay[] => [
  ...new Map(days.map((each) => [nameOf(each), each])).values(),
];

/** Records the days closed signals were judged by. They may already be sealed because of another signal. */
export function* recordJudgedDays(spans: readonly JudgedSpan[]): SharedWork<void> {
  const days = spans.flatMap(({ symbol, quoteAt, decidedAt }) =>
    // Signals are judged by seq, not by time: the deciding tick may have an earlier time than the accepted quote.
    daysBetween(Math.min(quoteAt, decidedAt), Math.max(quoteAt, decidedAt)).map((day) => ({ day, symbol })),
  );
  yield* runFor(
    `${DAYS.insert} ON CONFLICT (day, symbol) DO NOTHING`,
    DAYS.columns,
    withoutRepeats(days).map((day) => ({ ...day, sealed: 0 })),
  );
}

export function* markDaysSealed(days: readonly SealedRow[]): SharedWork<void> {
  yield* put(
    DAYS,
    days.map(({ day, symbol, n }) => ({ day, symbol, sealed: n })),
  );
}

/** Days that are needed and not sealed, ascending. An active signal needs every day from its quote to `until`. */
export function* unsealedDays(until: number): SharedWork<SignalDay[]> {
  const unsealed = yield* rows<SignalDay>('SELECT day, symbol FROM signal_days WHERE sealed = 0');
  const active = yield* rows<{ symbol: MarketSymbol; since: number }>(
    'SELECT symbol, min(quote_at) AS since FROM signals WHERE active = 1 GROUP BY symbol',
  );
  const needed = active.flatMap(({ symbol, since }) => daysBetween(since, until).map((day) => ({ day, symbol })));
  const recorded = yield* rowsFor<SignalDay, 'day' | 'symbol'>(
    'SELECT d.day, d.symbol FROM signal_days d, {records} WHERE d.day = r.day AND d.symbol = r.symbol',
    { day: 'text', symbol: 'text' },
    needed,
  );
  const known = new Set(recorded.map(nameOf));
  return [...unsealed, ...needed.filter((each) => !known.has(nameOf(each)))].sort((a, b) =>
    a.day < b.day || (a.day === b.day && a.symbol < b.symbol) ? -1 : 1,
  );
}
