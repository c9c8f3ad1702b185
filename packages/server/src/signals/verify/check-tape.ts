// Judges every signal again from the tape. One pass over the days of an instrument judges all of its signals.
import type { EpochMs, MarketSymbol } from '@tickwire/engine';
import { daysBetween } from '../../store/tape-day.ts';
import { EvidenceError } from './evidence-file.ts';
import type { Findings } from './findings.ts';
import { mergeDays } from './merge-days.ts';
import type { ParsedPublication, ParsedSignal } from './parsed-signal.ts';
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
  readonly ended: readonly ParsedSignal[];
  readonly active: readonly ParsedSignal[];
  /** Everything decided by ticks up to this seq must be in the log; `null` if unknown. */
  readonly judgedUntil: number | null;
  /** Time in milliseconds; active signals are checked up to its day. */
  readonly now: number;
  readonly onProgress?: (days: number, of: number, ticks: number) => void;
}

export interface TapeCheckResult {
  readonly confirmed: number;
  /** Number of closed signals whose ticks are missing, by reason. */
  readonly unchecked: ReadonlyMap<MissingReason, number>;
  readonly firstUnchecked: readonly Unchecked[];
  readonly ticks: number;
}

export async function checkTape(options: TapeCheckOptions): Promise<TapeCheckResult> {
  const { ticksByDay, findings, judgedUntil } = options;
  const unchecked = new Map<MissingReason, number>();
  const firstUnchecked: Unchecked[] = [];
  const replayed: ParsedSignal[] = [];
  const days = new Map<ParsedSignal, readonly string[]>();
  const take = (signal: ParsedSignal, needed: readonly string[]): void => {
    replayed.push(signal);
    days.set(signal, needed);
  };
  for (const signal of options.ended) {
    const needed = daysOf(signal);
    const missing = await firstMissing(ticksByDay, signal.publication.symbol, needed);
    if (!missing) {
      take(signal, needed);
      continue;
    }
    unchecked.set(missing.why, (unchecked.get(missing.why) ?? 0) + 1);
    if (firstUnchecked.length < KEPT)
      firstUnchecked.push({ ...missing, signal: signal.publication.signal, symbol: signal.publication.symbol });
  }
  for (const signal of judgedUntil === null ? [] : options.active) {
    const needed = await untilMissing(ticksByDay, signal.publication, options.now);
    if (needed.length > 0) take(signal, needed);
  }

  const groups = Map.groupBy(replayed, ({ publication }) => `${publication.symbol} ${publication.digits}`);
  const plans = [...groups.values()].map((signals) => ({
    signals,
    days: [...new Set(signals.flatMap((signal) => days.get(signal)!))].sort(),
  }));
  const of = plans.reduce((sum, plan) => sum + plan.days.length, 0);
  let [confirmed, ticks, done] = [0, 0, 0];
  for (const plan of plans) {
    const { symbol } = plan.signals[0]!.publication;
    const replay = new ReplayCheck(plan.signals, { findings, judgedUntil: judgedUntil ?? -1 });
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
  return { confirmed, unchecked, firstUnchecked, ticks };
}

/** Signals are judged by seq, not by time: the deciding tick may have an earlier time than the accepted quote. */
function daysOf({ publication, fill, exits, amendments, request, closing }: ParsedSignal): string[] {
  const quotes = [publication, ...amendments, ...(request ? [request] : [])].map(({ quote }) => quote);
  const events = [fill?.evidence, ...exits.map(({ evidence }) => evidence), closing?.filled, closing?.decided];
  const times = [...quotes, ...events].flatMap((evidence) => evidence?.time ?? []);
  // Ticks between the last price and the deadline could have decided.
  if (closing && publication.rules > 1) times.push((closing.closedAt - 1) as EpochMs);
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

/** The days of an active signal up to the first missing one. */
async function untilMissing(
  ticksByDay: TickSource,
  { symbol, quote }: ParsedPublication,
  now: number,
): Promise<string[]> {
  const days: string[] = [];
  for (const day of daysBetween(quote.time, now)) {
    if (await ticksByDay.missingReason(symbol, day)) break;
    days.push(day);
  }
  return days;
}
