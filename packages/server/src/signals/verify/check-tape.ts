// Judges every signal again from the tape. One pass over the days of an instrument judges all of its signals.
import { DAY_MS, type MarketSymbol } from '@tickwire/engine';
import { daysBetween } from '../../store/tape-day.ts';
import { epoch } from '../log-records.ts';
import { sealName } from './check-log.ts';
import { EvidenceError } from './evidence-file.ts';
import type { Findings } from './findings.ts';
import { mergeDays } from './merge-days.ts';
import type { RecordedSignal } from './recorded-signal.ts';
import { ReplayCheck } from './replay-check.ts';
import type { MissingReason, TickSource } from './tick-source.ts';

/** Unchecked signals kept for the report; the rest are only counted. */
const KEPT = 1_000;

export interface Unchecked {
  readonly signal: string;
  readonly symbol: string;
  /** The first missing day. */
  readonly day: string;
  readonly why: MissingReason;
}

export interface TapeCheckOptions {
  readonly ticksByDay: TickSource;
  readonly findings: Findings;
  /** Signals that were closed, or voided while they were active. */
  readonly ended: readonly RecordedSignal[];
  readonly active: readonly RecordedSignal[];
  /** Everything decided by ticks up to this seq must be in the log. */
  readonly judgedUntil: number;
  /** Time in milliseconds; active signals are checked up to its day. */
  readonly now: number;
  readonly onProgress?: (days: number, of: number, ticks: number) => void;
}

export interface TapeCheckResult {
  readonly confirmed: number;
  /** Number of signals whose ticks are missing, by reason. */
  readonly unchecked: ReadonlyMap<MissingReason, number>;
  readonly firstUnchecked: readonly Unchecked[];
  /** Days of instruments on which a signal was judged, by `sealName`. */
  readonly days: ReadonlySet<string>;
  readonly ticks: number;
}

export async function checkTape(options: TapeCheckOptions): Promise<TapeCheckResult> {
  const { ticksByDay, findings, judgedUntil } = options;
  const unchecked = new Map<MissingReason, number>();
  const firstUnchecked: Unchecked[] = [];
  const allDays = new Set<string>();
  const replayed: RecordedSignal[] = [];
  const days = new Map<RecordedSignal, readonly string[]>();
  const take = (signal: RecordedSignal, needed: readonly string[]): void => {
    replayed.push(signal);
    days.set(signal, needed);
  };
  for (const signal of [...options.ended, ...options.active]) {
    const isActive = !signal.closed && !signal.isVoided;
    const needed = isActive ? await daysSince(ticksByDay, signal, options.now) : daysOf(signal);
    for (const day of needed) allDays.add(sealName(signal.order.symbol, day));
    const missing = await firstMissing(ticksByDay, signal.order.symbol, needed);
    if (!missing) {
      take(signal, needed);
      continue;
    }
    unchecked.set(missing.why, (unchecked.get(missing.why) ?? 0) + 1);
    if (firstUnchecked.length < KEPT)
      firstUnchecked.push({ ...missing, signal: signal.published.signal, symbol: signal.published.symbol });
  }

  const groups = Map.groupBy(replayed, ({ order, published }) => `${order.symbol} ${published.instrument.digits}`);
  const plans = [...groups.values()].map((signals) => ({
    signals,
    days: [...new Set(signals.flatMap((signal) => days.get(signal)!))].sort(),
  }));
  const of = plans.reduce((sum, plan) => sum + plan.days.length, 0);
  let [confirmed, ticks, done] = [0, 0, 0];
  for (const plan of plans) {
    const { symbol } = plan.signals[0]!.order;
    const replay = new ReplayCheck(plan.signals, { findings, judgedUntil });
    const streams = plan.days.map(
      (day) =>
        async function* () {
          yield* ticksByDay.readDay(symbol, day);
          done++;
        },
    );
    try {
      for await (const lines of mergeDays(streams)) {
        replay.read(lines);
        ticks += lines.length;
        options.onProgress?.(done, of, ticks);
      }
    } catch (error) {
      if (!(error instanceof EvidenceError)) throw error;
      findings.add({ n: null, code: 'sealed_file', message: `the ticks of ${symbol} ${error.message}` });
    }
    replay.end();
    confirmed += replay.confirmed;
  }
  return { confirmed, unchecked, firstUnchecked, days: allDays, ticks };
}

/** Signals are judged by seq, not by time: the deciding tick may have an earlier time than the accepted quote. */
function daysOf(signal: RecordedSignal): string[] {
  const times: number[] = [...signal.evidence()].map(({ time }) => epoch(time));
  // Ticks between the last price and the deadline could have decided.
  if (signal.closed) times.push(epoch(signal.closed.closed_at) - 1);
  return daysBetween(Math.min(...times), Math.max(...times));
}

async function firstMissing(
  ticksByDay: TickSource,
  symbol: MarketSymbol,
  days: readonly string[],
): Promise<{ readonly day: string; readonly why: MissingReason } | null> {
  for (const day of days) {
    const why = await ticksByDay.missingReason(symbol, day);
    if (why) return { day, why };
  }
  return null;
}

/** The days of an active signal up to its deadline, or to the last one that has ticks: there may be none yet after it. */
async function daysSince(ticksByDay: TickSource, { order }: RecordedSignal, now: number): Promise<string[]> {
  const { accepted, deadline } = order;
  const days = daysBetween(accepted.time, Math.max(Math.min(now, deadline + DAY_MS), accepted.time));
  while (days.length > 1 && (await ticksByDay.missingReason(order.symbol, days.at(-1)!))) days.pop();
  return days;
}
