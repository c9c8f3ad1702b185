// Writes the history of one publisher into a track record, with the record numbers of a log, and computes its evidence a second
// time from the complete list of signals, by the rules of docs/reference/signals.md as they stand there.
import { asSymbol } from '../src/market/instrument.ts';
import { asEpochMs, DAY_MS, type EpochMs } from '../src/market/time.ts';
import type { Evidence } from '../src/statistics/decisions.ts';
import type { IsTrusted, MarkOf, RankingSignal } from '../src/statistics/ranking-signal.ts';
import { type SharedLog, sharedLog, TrackRecord } from '../src/statistics/track-record.ts';
import type { EndedTrial, TrialConditions } from '../src/statistics/trials.ts';
import { closed, TRUSTED } from './track-records.ts';

export const START = Date.UTC(2026, 2, 2);

export class SignalHistory {
  readonly record: TrackRecord;
  /** The newest state of each signal, by id. */
  readonly signals = new Map<string, RankingSignal>();
  /** Marks of open signals in R, by id. */
  readonly marks = new Map<string, number>();
  /** Record numbers of voids after the closing, by id. */
  readonly voids = new Map<string, number>();
  now = START;
  readonly shared: SharedLog;
  #n = 0;

  /** Histories that share a log must be written in the order of their times. */
  constructor(shared: SharedLog = sharedLog(TRUSTED, false)) {
    this.shared = shared;
    this.record = new TrackRecord(shared);
  }

  /** A market order fills at once. */
  publish(over: Partial<RankingSignal> = {}): string {
    const n = this.#nextN();
    const signal: RankingSignal = {
      ...closed(0),
      id: `sig_${n}`,
      publishedN: n,
      symbol: asSymbol('EURUSD'),
      publishedAt: asEpochMs(this.now),
      filledAt: (over.order ?? 'market') === 'market' ? asEpochMs(this.now) : null,
      closedN: null,
      closingAt: null,
      closedAt: null,
      reason: null,
      pnlR: null,
      rankR: null,
      sources: { accepted: 'sim', filled: null, decided: null },
      ...over,
    };
    this.signals.set(signal.id, signal);
    this.record.publish(signal);
    return signal.id;
  }

  fill(id: string, source = 'sim'): void {
    const signal = this.signals.get(id)!;
    this.#set({ ...signal, filledAt: asEpochMs(this.now), sources: { ...signal.sources, filled: source } });
    this.record.update(this.signals.get(id)!);
  }

  /** A pending signal closes as unfilled. */
  close(id: string, r: number, over: Partial<RankingSignal> = {}): void {
    const signal = this.signals.get(id)!;
    const isFilled = signal.filledAt !== null;
    const result = isFilled ? r : 0;
    this.#set({
      ...signal,
      closedN: this.#nextN(),
      closingAt: asEpochMs(this.now),
      closedAt: asEpochMs(this.now),
      reason: !isFilled ? 'unfilled' : r > 0 ? 'take_profit' : 'stop_loss',
      pnlR: result,
      rankR: result,
      sources: { ...signal.sources, decided: 'sim' },
      ...over,
    });
    this.record.close(this.signals.get(id)!);
  }

  /** Declares an active or a closed signal void. */
  void(id: string): void {
    const before = this.signals.get(id)!;
    const n = this.#nextN();
    if (before.closedN === null) {
      const now = asEpochMs(this.now);
      const closing = { closedN: n, closingAt: now, closedAt: now, reason: 'voided', pnlR: 0, rankR: 0, voided: true };
      this.#set({ ...before, ...closing });
      this.record.close(this.signals.get(id)!);
    } else {
      this.#set({ ...before, voided: true });
      this.voids.set(id, n);
      this.record.void(before);
    }
  }

  /** A signal that is published, filled and closed at once. */
  trade(r: number, over: Partial<RankingSignal> = {}, closing: Partial<RankingSignal> = {}): void {
    this.close(this.publish(over), r, closing);
  }

  readonly markOf: MarkOf = ({ id }) => {
    const r = this.marks.get(id);
    return r === undefined ? null : { pnlR: r, rankR: r, worstR: r, isTrusted: true };
  };

  evidence(): Evidence {
    return this.record.marked(this.markOf).evidence;
  }

  #set(signal: RankingSignal): void {
    this.signals.set(signal.id, signal);
  }

  #nextN(): number {
    return ++this.#n;
  }
}

/** Result of a signal as of now, in R; `null` if it has none (CR1 to CR9). */
function resultOf(signal: RankingSignal, markOf: MarkOf, isTrusted: IsTrusted): number | null {
  const { voided, gap, filledAt, selfSourced, sources, closedN } = signal;
  const r = closedN === null ? (filledAt === null ? null : (markOf(signal)?.rankR ?? null)) : signal.rankR;
  if (voided || filledAt === null || r === null) return null;
  if (!isTrusted(sources.accepted)) return selfSourced ? Math.min(r, 0) : null;
  if (signal.acceptedOwn) return Math.min(r, 0);
  const others = [sources.filled, sources.decided].filter((source) => source !== null);
  if (selfSourced || !others.every(isTrusted)) return Math.min(r, -1);
  return gap ? Math.min(r, 0) : r;
}

interface Judged {
  readonly first: RankingSignal;
  readonly units: number | null;
  readonly isComplete: boolean;
  readonly place: number;
  readonly completedAt: EpochMs | null;
}

/** Decisions of a complete list, with their results as of now. */
function judge(all: Iterable<RankingSignal>, markOf: MarkOf): Judged[] {
  const decisions: RankingSignal[][] = [];
  for (const signal of [...all].sort((a, b) => a.publishedN - b.publishedN)) {
    const joined = decisions.find(
      ([first]) =>
        first!.symbol === signal.symbol &&
        first!.direction === signal.direction &&
        (first!.closedN === null || signal.publishedN < first!.closedN),
    );
    if (joined) joined.push(signal);
    else decisions.push([signal]);
  }
  return decisions.map((members) => {
    const results = members.map((signal) => resultOf(signal, markOf, TRUSTED));
    const counted = results.filter((r) => r !== null);
    const mean = counted.reduce((sum, r) => sum + Math.round(r * 1e4), 0) / counted.length;
    const isComplete = members.every(({ closedN }) => closedN !== null);
    const last = members.reduce((a, b) => ((b.closedN ?? 0) > (a.closedN ?? 0) ? b : a));
    return {
      first: members[0]!,
      units: counted.length === 0 ? null : Math.min(Math.round((results[0] ?? 0) * 1e4), Math.floor(mean)),
      isComplete,
      place: isComplete ? last.closedN! : Number.POSITIVE_INFINITY,
      completedAt: isComplete ? last.closedAt! : null,
    };
  });
}

const capped = ({ units }: Judged): number => Math.min(units! / 1e4, 10);
const sumUnits = (judged: readonly Judged[]): number =>
  Math.round(judged.reduce((sum, each) => sum + capped(each), 0) * 1e4);
const daysOf = (judged: readonly Judged[]): number =>
  new Set(judged.map(({ first }) => Math.floor(first.publishedAt / DAY_MS))).size;
const conditionsOf = (judged: readonly Judged[]): TrialConditions => {
  const complete = judged.filter(({ units, isComplete }) => isComplete && units !== null);
  return { decisions: complete.length, days: daysOf(complete), sumUnits: sumUnits(complete) };
};

/** The record that ends the trial, found by looking at the list as it was after every closing record. */
function trialOf({ signals, voids }: SignalHistory): EndedTrial | null {
  const all = [...signals.values()];
  const closings = all.flatMap(({ closedN, closingAt }) => (closedN === null ? [] : { n: closedN, at: closingAt! }));
  for (const { n, at } of closings.sort((a, b) => a.n - b.n)) {
    const then = all
      .filter(({ publishedN, closedN }) => publishedN < n && closedN !== null && closedN <= n)
      .map((signal) => ((voids.get(signal.id) ?? 0) > n ? { ...signal, voided: false } : signal));
    // Signals that were open then make their decisions incomplete.
    const open = all
      .filter(({ publishedN, closedN }) => publishedN < n && (closedN === null || closedN > n))
      .map((signal) => ({ ...signal, closedN: null }));
    if (then.length < 30) continue;
    const { decisions, days, sumUnits: sum } = conditionsOf(judge([...then, ...open], () => null));
    if (decisions >= 30 && days >= 20 && sum > 0) return { n, at, number: 1 };
  }
  return null;
}

/** Replays all bets of one fraction in the order of the records; open bets count if they lose. */
function wealthOf(fraction: number, judged: readonly Judged[]): number {
  let wealth = 1;
  const open = new Map<Judged, number>();
  const reserve = ({ first }: Judged): number => first.maxR + 2;
  const gain = (decision: Judged, stake: number): number => stake * (decision.units === null ? 0 : capped(decision));
  const events = judged.flatMap((decision) => [
    { n: decision.first.publishedN, decision, isOpening: true },
    ...(decision.isComplete ? [{ n: decision.place, decision, isOpening: false }] : []),
  ]);
  for (const { decision, isOpening } of events.sort((a, b) => a.n - b.n)) {
    if (isOpening) {
      const reserved = [...open].reduce((sum, [each, stake]) => sum + reserve(each) * stake, 0);
      open.set(decision, Math.max(0, Math.min(fraction * wealth, (wealth - reserved) / reserve(decision))));
    } else {
      wealth += gain(decision, open.get(decision)!);
      open.delete(decision);
      if (wealth < 0) return 0;
    }
  }
  for (const [decision, stake] of open) wealth += Math.min(0, gain(decision, stake));
  return Math.max(0, wealth);
}

/** Recomputes everything from the complete list. */
export function naiveEvidence(history: SignalHistory): Evidence {
  const judged = judge(history.signals.values(), history.markOf);
  const counting = judged.filter(({ units, isComplete }) => units !== null && (isComplete || units < 0));
  const trial = trialOf(history);
  const isSince = ({ first }: Judged): boolean => trial !== null && first.publishedN > trial.n;
  const staked = judged.filter(isSince);
  const wealth = Array.from({ length: 10 }, (_, index) => wealthOf((index + 1) / 50, staked));
  const times = counting.map(({ first }) => first.publishedAt);
  const completions = counting.flatMap(({ completedAt }) => completedAt ?? []);
  return {
    decisions: counting.length,
    sumUnits: sumUnits(counting),
    eValue: wealth.reduce((sum, each) => sum + each, 0) / 10,
    maxWealth: Math.max(...wealth),
    days: daysOf(counting),
    firstAt: times.length > 0 ? asEpochMs(Math.min(...times)) : null,
    lastCompletedAt: completions.length > 0 ? asEpochMs(Math.max(...completions)) : null,
    trial,
    complete: conditionsOf(judged),
    sinceTrial: counting.filter(isSince).length,
  };
}
