// Groups the signals of one publisher into decisions, rules E1 to E6 of docs/reference/signals.md, "Track records". A decision is a
// signal and every later one on the same symbol and in the same direction that was published before the first one closed.
// R is in units of 1e-4. The cost of a publication, a fill and a closing does not depend on the number of decisions.
import type { MarketSymbol } from '../market/instrument.ts';
import { DAY_MS, type EpochMs } from '../market/time.ts';
import { type Bet, cappedUnits, EProcess } from './e-value.ts';
import type { CompletedDecision } from './months.ts';
import {
  countedUnits,
  countingOf,
  countingOfMark,
  type IsTrusted,
  type MarkOf,
  type RankingSignal,
} from './ranking-signal.ts';
import type { EndedTrial, TrialConditions, Trials } from './trials.ts';

class Decision {
  readonly firstId: string;
  readonly firstN: number;
  readonly firstAt: EpochMs;
  firstClosedN: number | null = null;
  /** Of the first signal; `null` without a result. */
  firstUnits: number | null = null;
  /** Sum and number of the results of its closed signals. */
  sum = 0;
  results = 0;
  /** Its signals that are not closed, by id, in order of publication. */
  open = new Map<string, RankingSignal>();
  readonly maxR: number;
  /** `null` if it began before the end of the trial, and once it is complete. */
  bet: Bet | null = null;
  /** Number of its last closing record. */
  place: number | null = null;
  /** `closed_at` of that record. */
  completedAt: EpochMs | null = null;

  constructor({ id, publishedN, publishedAt, maxR }: RankingSignal) {
    this.maxR = maxR;
    this.firstId = id;
    this.firstN = publishedN;
    this.firstAt = publishedAt;
  }

  addResult(id: string, units: number | null): void {
    if (units === null) return;
    this.sum += units;
    this.results++;
    if (id === this.firstId) this.firstUnits = units;
  }

  removeResult(id: string, units: number): void {
    this.sum -= units;
    this.results--;
    if (id === this.firstId) this.firstUnits = null;
  }
}

/** The smaller of the first result (0 if there is none) and the mean of all; `null` without any result. */
function decisionUnits(first: number | null, sum: number, results: number): number | null {
  return results === 0 ? null : Math.min(first ?? 0, Math.floor(sum / results));
}

const unitsOf = ({ firstUnits, sum, results }: Decision): number | null => decisionUnits(firstUnits, sum, results);

/** What the ranking needs of one publisher. */
export interface Evidence {
  /** Counted decisions: complete ones with a result, and incomplete ones that are negative as of now. */
  readonly decisions: number;
  /** Sum of their R, each at most 10 R. */
  readonly sumUnits: number;
  /** Unrounded. 1 during the trial. */
  readonly eValue: number;
  /** Greatest wealth of the ten gamblers. */
  readonly maxWealth: number;
  /** UTC days on which a counted decision began. */
  readonly days: number;
  /** Publication of the first counted decision; `null` without any. */
  readonly firstAt: EpochMs | null;
  /** Latest completion of a counted decision; `null` without any. */
  readonly lastCompletedAt: EpochMs | null;
  /** `null` during the trial. */
  readonly trial: EndedTrial | null;
  /** Over the whole record. */
  readonly complete: TrialConditions;
  /** Counted decisions that began after the trial. */
  readonly sinceTrial: number;
}

export class Decisions {
  readonly #isTrusted: IsTrusted;
  readonly #trials: Trials;
  /** Once it has ended, a void does not change it. */
  #trial: EndedTrial | null = null;
  /** By direction and symbol, in order of publication. Their signals were published in disjoint ranges of records. */
  readonly #decisions = { buy: new Map<MarketSymbol, Decision[]>(), sell: new Map<MarketSymbol, Decision[]>() };
  /** In the order of their last closing records, those without a result included. */
  readonly #complete: Decision[] = [];
  /** In order of publication. */
  readonly #incomplete = new Set<Decision>();
  #bets = new EProcess();
  /** Figures of the complete decisions that count. */
  #count = 0;
  #sum = 0;
  #sinceTrial = 0;
  #firstAt: EpochMs | null = null;
  #lastCompletedAt: EpochMs | null = null;
  /** Number of complete decisions that count, by UTC day of their first publication. */
  readonly #days = new Map<number, number>();

  constructor(isTrusted: IsTrusted, trials: Trials) {
    this.#isTrusted = isTrusted;
    this.#trials = trials;
  }

  /** Adds a signal. Publications and closings must come in the order of their records. */
  publish(signal: RankingSignal): void {
    const bySymbol = this.#decisions[signal.direction];
    const decisions = bySymbol.get(signal.symbol) ?? [];
    if (decisions.length === 0) bySymbol.set(signal.symbol, decisions);
    let decision = decisions.at(-1);
    if (!decision || decision.firstClosedN !== null) {
      decision = new Decision(signal);
      this.#betOn(decision);
      decisions.push(decision);
      this.#incomplete.add(decision);
    }
    decision.open.set(signal.id, signal);
  }

  /** Replaces an open signal, which has been filled or amended. */
  update(signal: RankingSignal): void {
    const open = this.#find(signal)?.open;
    if (open?.has(signal.id)) open.set(signal.id, signal);
  }

  /** Closes an open signal. Call it in the order of the closing records. */
  close(signal: RankingSignal): void {
    const decision = this.#find(signal);
    if (!decision?.open.delete(signal.id)) return;
    if (signal.id === decision.firstId) decision.firstClosedN = signal.closedN;
    decision.addResult(signal.id, this.#resultOf(signal));
    if (decision.open.size === 0) {
      decision.open = NONE_OPEN;
      decision.place = signal.closedN;
      decision.completedAt = signal.closedAt;
      this.#incomplete.delete(decision);
      this.#complete.push(decision);
      this.#countComplete(decision);
    }
    if (!this.#trial && this.#trials.areMet(this.#conditions()))
      this.#trial = this.#trials.end(signal.closedN!, signal.closingAt!);
  }

  /** Removes the result of a closed signal that was declared void. `closed` is the signal as it was before. */
  void(closed: RankingSignal): void {
    const decision = this.#find(closed);
    const units = decision ? this.#resultOf(closed) : null;
    if (!decision || units === null || decision.open.has(closed.id)) return;
    decision.removeResult(closed.id, units);
    if (decision.completedAt !== null) this.#recount();
  }

  /** Evidence as of now, with the open signals at their marks. */
  evidence(markOf: MarkOf): Evidence {
    const negative = this.#negative(markOf);
    const bets = negative.flatMap(({ decision: { bet }, units }) => (bet ? { bet, units } : []));
    const firsts = negative.map(({ decision }) => decision.firstAt);
    const newDays = new Set(firsts.map(dayOf).filter((day) => !this.#days.has(day)));
    return {
      decisions: this.#count + negative.length,
      sumUnits: negative.reduce((sum, { units }) => sum + units, this.#sum),
      ...this.#bets.now(bets),
      days: this.#days.size + newDays.size,
      firstAt: firsts.reduce<EpochMs | null>(earlier, this.#firstAt),
      lastCompletedAt: this.#lastCompletedAt,
      trial: this.#trial,
      complete: this.#conditions(),
      sinceTrial: this.#sinceTrial + bets.length,
    };
  }

  /** Counted decisions completed since `time`; stops counting at `enough`. */
  completedSince(time: number, enough: number): number {
    let count = 0;
    for (let index = this.#complete.length - 1; index >= 0 && count < enough; index--) {
      const decision = this.#complete[index]!;
      if (decision.completedAt! >= time && decision.results > 0) count++;
    }
    return count;
  }

  /** Complete decisions with a result, in the order of their last closing records. R is not limited to 10. */
  *completed(): Iterable<CompletedDecision> {
    for (const decision of this.#complete) {
      const units = unitsOf(decision);
      if (units !== null) yield { completedAt: decision.completedAt!, units };
    }
  }

  /** Incomplete decisions that are negative as of now, in order of publication. */
  #negative(markOf: MarkOf): { readonly decision: Decision; readonly units: number }[] {
    const negative: { readonly decision: Decision; readonly units: number }[] = [];
    for (const decision of this.#incomplete) {
      let { firstUnits, sum, results } = decision;
      for (const signal of decision.open.values()) {
        const units = this.#markOf(signal, markOf);
        if (units === null) continue;
        sum += units;
        results++;
        if (signal.id === decision.firstId) firstUnits = units;
      }
      const units = decisionUnits(firstUnits, sum, results);
      if (units !== null && units < 0) negative.push({ decision, units });
    }
    return negative;
  }

  #markOf(signal: RankingSignal, markOf: MarkOf): number | null {
    const mark = markOf(signal);
    return mark && countedUnits(mark.rankR, countingOfMark(signal, mark, this.#isTrusted));
  }

  #resultOf(signal: RankingSignal): number | null {
    return countedUnits(signal.rankR!, countingOf(signal, this.#isTrusted));
  }

  #conditions(): TrialConditions {
    return { decisions: this.#count, days: this.#days.size, sumUnits: this.#sum };
  }

  /** Only what begins after the trial is evidence. */
  #betOn(decision: Decision): void {
    if (this.#trial && decision.firstN > this.#trial.n) decision.bet = this.#bets.open(decision.maxR);
  }

  #countComplete(decision: Decision): void {
    const units = unitsOf(decision);
    if (decision.bet) {
      this.#bets.settle(decision.bet, units);
      decision.bet = null;
      if (units !== null) this.#sinceTrial++;
    }
    if (units === null) return;
    this.#count++;
    this.#sum += cappedUnits(units);
    const day = dayOf(decision.firstAt);
    this.#days.set(day, (this.#days.get(day) ?? 0) + 1);
    this.#firstAt = earlier(this.#firstAt, decision.firstAt);
    if (this.#lastCompletedAt === null || decision.completedAt! > this.#lastCompletedAt)
      this.#lastCompletedAt = decision.completedAt;
  }

  /** Only a void needs this: later bets depend on the results before them. */
  #recount(): void {
    this.#bets = new EProcess();
    this.#days.clear();
    [this.#count, this.#sum, this.#sinceTrial, this.#firstAt, this.#lastCompletedAt] = [0, 0, 0, null, null];
    const opened = [...this.#complete, ...this.#incomplete].sort((a, b) => a.firstN - b.firstN);
    let next = 0;
    const openUntil = (n: number): void => {
      for (; next < opened.length && opened[next]!.firstN < n; next++) this.#betOn(opened[next]!);
    };
    for (const decision of this.#complete) {
      openUntil(decision.place!);
      this.#countComplete(decision);
    }
    openUntil(Number.POSITIVE_INFINITY);
  }

  /** The decision of a signal: the last one of its symbol and direction that began at or before it. */
  #find(signal: RankingSignal): Decision | undefined {
    const decisions = this.#decisions[signal.direction].get(signal.symbol) ?? NONE;
    const last = decisions.at(-1);
    if (!last || last.firstN <= signal.publishedN) return last;
    let low = 0;
    let high = decisions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (decisions[middle]!.firstN <= signal.publishedN) low = middle + 1;
      else high = middle;
    }
    return decisions[low - 1];
  }
}

/** Of all complete decisions: millions of empty maps would fill the memory. */
const NONE_OPEN = new Map<string, RankingSignal>();
const NONE: readonly Decision[] = [];
const dayOf = (time: number): number => Math.floor(time / DAY_MS);
const earlier = (a: EpochMs | null, b: EpochMs): EpochMs => (a === null || b < a ? b : a);
