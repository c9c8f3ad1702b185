// Every life again from the tape. One pass over an instrument's days judges all of its signals.
import type { MarketSymbol } from '@tickwire/engine';
import { daysBetween } from '../../store/tape-day.ts';
import type { Findings } from './finding.ts';
import type { Closing, Life, Publication } from './life.ts';
import { mergeDays } from './merge-days.ts';
import { Retrial } from './retrial.ts';
import type { Missing, TapeShelf } from './tape-shelf.ts';

/** Kept of those that cannot be checked; the rest is counted. */
const KEPT = 1_000;

export interface Unchecked {
  readonly signal: string;
  readonly symbol: string;
  /** The first day that is missing. */
  readonly day: string;
  readonly why: Missing;
}

export interface TapeCheckOptions {
  readonly shelf: TapeShelf;
  readonly findings: Findings;
  readonly lives: readonly Life[];
  readonly active: readonly Publication[];
  /** Everything that ticks up to this seq decided must be in the log; null where that is not known. */
  readonly judgedUntil: number | null;
  /** Milliseconds: the last day that active signals are looked at. */
  readonly now: number;
  readonly onProgress?: (days: number, of: number, ticks: number) => void;
}

export interface TapeChecked {
  readonly confirmed: number;
  /** Lives whose ticks are gone, by why. */
  readonly unchecked: ReadonlyMap<Missing, number>;
  readonly firstUnchecked: readonly Unchecked[];
  readonly ticks: number;
}

type OnTrial = { readonly publication: Publication; readonly closing: Closing | null };

export async function checkTape(options: TapeCheckOptions): Promise<TapeChecked> {
  const { shelf, findings, judgedUntil } = options;
  const unchecked = new Map<Missing, number>();
  const firstUnchecked: Unchecked[] = [];
  const onTrial: OnTrial[] = [];
  const days = new Map<OnTrial, readonly string[]>();
  const take = (life: OnTrial, needed: readonly string[]): void => {
    onTrial.push(life);
    days.set(life, needed);
  };
  for (const life of options.lives) {
    const needed = daysOf(life);
    const gone = await firstMissing(shelf, life.publication.symbol, needed);
    if (!gone) {
      take(life, needed);
      continue;
    }
    unchecked.set(gone.why, (unchecked.get(gone.why) ?? 0) + 1);
    if (firstUnchecked.length < KEPT)
      firstUnchecked.push({ ...gone, signal: life.publication.signal, symbol: life.publication.symbol });
  }
  for (const publication of judgedUntil === null ? [] : options.active) {
    const needed = await untilMissing(shelf, publication, options.now);
    if (needed.length > 0) take({ publication, closing: null }, needed);
  }

  const groups = Map.groupBy(onTrial, ({ publication }) => `${publication.symbol} ${publication.digits}`);
  const plans = [...groups.values()].map((lives) => ({
    lives,
    days: [...new Set(lives.flatMap((life) => days.get(life)!))].sort(),
  }));
  const of = plans.reduce((sum, plan) => sum + plan.days.length, 0);
  let [confirmed, ticks, done] = [0, 0, 0];
  for (const plan of plans) {
    const { symbol } = plan.lives[0]!.publication;
    const retrial = new Retrial(plan.lives, { findings, judgedUntil: judgedUntil ?? -1 });
    const streams = plan.days.map(
      (day) =>
        async function* () {
          yield* shelf.day(symbol, day);
          done++;
        },
    );
    for await (const lines of mergeDays(streams)) {
      retrial.read(lines);
      ticks += lines.length;
      options.onProgress?.(done, of, ticks);
    }
    retrial.end();
    confirmed += retrial.confirmed;
  }
  return { confirmed, unchecked, firstUnchecked, ticks };
}

/** Signals go by order, not by clocks: what decided may bear an earlier time than what it was accepted against. */
function daysOf({ publication, closing }: OnTrial): string[] {
  const times = [publication.quote.time, closing!.decided.time, closing!.filled?.time ?? publication.quote.time];
  return daysBetween(Math.min(...times), Math.max(...times));
}

async function firstMissing(
  shelf: TapeShelf,
  symbol: MarketSymbol,
  days: readonly string[],
): Promise<{ readonly day: string; readonly why: Missing } | null> {
  for (const day of days) {
    const why = await shelf.missing(symbol, day);
    if (why) return { day, why };
  }
  return null;
}

/** The days of an active signal as far as they are there without a break. */
async function untilMissing(shelf: TapeShelf, { symbol, quote }: Publication, now: number): Promise<string[]> {
  const days: string[] = [];
  for (const day of daysBetween(quote.time, now)) {
    if (await shelf.missing(symbol, day)) break;
    days.push(day);
  }
  return days;
}
