// Determines the length of a file's bars from the steps between all of its rows. A step is the time between a row and the
// next, in local time, so that a change of the clocks does not show, and in either direction.
import { type BarInterval, DAY_MS, intervalMs, intervalOfLength, MINUTE_MS } from '@tickwire/engine';
import { ImportError } from '../import-error.ts';
import { durationText, SHORTEST_MONTH_MS, timeframeOfLength } from '../rows/bar-interval.ts';
import { timeframeOfName } from './interval-in-name.ts';

/** Different steps that are counted; a file with more has no regular bars. */
const MAX_STEPS = 10_000;
/** Thin markets leave bars out. In this many steps the length itself must appear. */
const ENOUGH_STEPS = 10;
/** Share of the steps that may not be multiples of the length: those rows are then skipped and reported. */
const STRAY_SHARE = 0.01;
/** In a thin market most steps are longer than the bars, but not all. */
const THIN_SHARE = 0.05;

/** Consecutive rows that are so far apart, or a multiple of it. Half of the steps are exactly so long. */
interface StepRun {
  readonly length: number;
  readonly count: number;
  readonly fromLine: number;
  readonly toLine: number;
}

/** A run of this many steps of another length is no coincidence. */
const LONG_RUN = 20;
const RUN_LENGTHS = [5, 15, 30, 60, 240, 1_440, 10_080].map((minutes) => minutes * MINUTE_MS);

/** Looks for runs of steps of one length. */
class StepRuns {
  readonly longest = new Map<number, StepRun>();
  readonly #running = RUN_LENGTHS.map((length) => ({ length, count: 0, exact: 0, fromLine: 0 }));

  add(step: number, lineBefore: number, line: number): void {
    for (const run of this.#running) {
      if (step % run.length !== 0) {
        run.count = 0;
        run.exact = 0;
        continue;
      }
      if (run.count++ === 0) run.fromLine = lineBefore;
      if (step === run.length) run.exact++;
      if (run.count >= LONG_RUN && run.exact * 2 >= run.count && run.count > (this.longest.get(run.length)?.count ?? 0))
        this.longest.set(run.length, { length: run.length, count: run.count, fromLine: run.fromLine, toLine: line });
    }
  }
}

export class BarSteps {
  count = 0;
  readonly #counts = new Map<number, number>();
  #gcd = 0;
  #last = Number.NaN;
  #lastLine = 0;
  #inMonths = true;
  readonly #runs = new StepRuns();

  /** `line`: its number in the file. */
  add(local: number, line: number): void {
    const lineBefore = this.#lastLine;
    this.#lastLine = line;
    const step = Math.abs(local - this.#last);
    this.#last = local;
    if (this.#inMonths && (local % DAY_MS !== 0 || new Date(local).getUTCDate() !== 1)) this.#inMonths = false;
    if (!(step > 0)) return;
    this.#runs.add(step, lineBefore, line);
    this.count++;
    const known = this.#counts.get(step);
    if (known === undefined && this.#counts.size >= MAX_STEPS) return;
    this.#counts.set(step, (known ?? 0) + 1);
    if (known === undefined) this.#gcd = gcd(step, this.#gcd);
  }

  get isMonthly(): boolean {
    return this.count > 0 && this.#inMonths && Math.min(...this.#counts.keys()) >= SHORTEST_MONTH_MS;
  }

  /** The longest run of steps of a longer standard length. */
  longerRun(length: number): StepRun | null {
    const longer = [...this.#runs.longest.values()].filter((run) => run.length > length);
    return longer.sort((a, b) => b.length - a.length)[0] ?? null;
  }

  get gcd(): number {
    return this.#gcd;
  }

  /** The step that half of all steps do not exceed. */
  get median(): number {
    let seen = 0;
    for (const [step, count] of [...this.#counts].sort((a, b) => a[0] - b[0])) {
      seen += count;
      if (seen * 2 >= this.count) return step;
    }
    return Number.NaN;
  }

  share(matches: (step: number) => boolean): number {
    let count = 0;
    for (const [step, times] of this.#counts) if (matches(step)) count += times;
    return count / this.count;
  }
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** The length that the steps show; `null` if there are none. Throws if they contradict each other. */
function lengthOf(steps: BarSteps): number | null {
  if (steps.count === 0) return null;
  const { median, gcd: divisor } = steps;
  if (median === divisor) return median;
  const isRegular = steps.share((step) => step % median === 0) >= 1 - STRAY_SHARE;
  if (isRegular && steps.share((step) => step === median) >= 0.5) return median;
  if (intervalOfLength(divisor) && steps.share((step) => step === divisor) >= THIN_SHARE) return divisor;
  if (isRegular) return median;
  throw new ImportError(
    'unsupported_timeframe',
    `its bars are irregular: most are ${durationText(median)} apart, but not all steps are multiples of that. Bars of several lengths, or files of several instruments, cannot be imported together`,
  );
}

/** Throws if bars of this length cannot have these steps. `origin`: where the length comes from. */
export function requireNoContradiction(steps: BarSteps, interval: BarInterval, origin: string, advice: string): void {
  if (steps.count === 0) return;
  if (interval === '1M') {
    if (steps.isMonthly) return;
    throw contradiction(origin, interval, durationText(steps.median), advice);
  }
  const length = intervalMs(interval);
  if (steps.isMonthly && steps.count >= ENOUGH_STEPS) throw contradiction(origin, interval, 'a month', advice);
  if (steps.share((step) => step % length !== 0) > STRAY_SHARE)
    throw contradiction(origin, interval, durationText(steps.median), advice);
}

/**
 * Throws if part of the file has longer bars, as exports that go back further with longer ones. A thin market may have such
 * steps for a while, but not of days: `isGiven` tells that the user stated the length.
 */
export function requireOneLength(steps: BarSteps, interval: BarInterval, isGiven: boolean): void {
  if (interval === '1M' || interval === '1w') return;
  const run = steps.longerRun(intervalMs(interval));
  if (!run || (isGiven && run.length < DAY_MS)) return;
  throw new ImportError(
    'unsupported_timeframe',
    `it has bars of several lengths: those of lines ${run.fromLine} to ${run.toLine} are ${durationText(run.length)} apart, others ${interval}. Split the file there, and import each part`,
  );
}

/** Like requireNoContradiction; and in a file of some length, two adjacent bars must appear. */
function requireLength(steps: BarSteps, interval: BarInterval, origin: string, advice: string): void {
  requireNoContradiction(steps, interval, origin, advice);
  if (interval === '1M' || steps.count < ENOUGH_STEPS) return;
  const length = intervalMs(interval);
  if (steps.share((step) => step === length) > 0) return;
  throw contradiction(origin, interval, `at least ${durationText(steps.gcd)}`, advice);
}

const contradiction = (origin: string, interval: BarInterval, found: string, advice: string): ImportError =>
  new ImportError('timeframe_contradiction', `${origin} ${interval}, but the bars are ${found} apart: ${advice}`);

/** The length of a file's bars, from its rows, its name and the option. */
export function decideInterval(steps: BarSteps, name: string, given: BarInterval | undefined): BarInterval {
  if (given !== undefined) {
    requireLength(steps, given, '--timeframe is', 'leave it out, or correct it');
    return given;
  }
  const named = timeframeOfName(name);
  if (named) {
    const month = named === '1M' ? ' (a month; a minute is 1m)' : '';
    requireLength(
      steps,
      named,
      'the name of the file says',
      `rename it${month}, or specify the length of the bars with --timeframe`,
    );
    return named;
  }
  if (steps.isMonthly) return '1M';
  const length = lengthOf(steps);
  if (length !== null) return timeframeOfLength(length);
  throw new ImportError('timeframe_required', 'too few bars to determine their timeframe: specify --timeframe');
}
