// The track record of one publisher, updated in the order of the log: figures of its signals, and the evidence of its decisions.
// The cost of an update does not depend on the number of signals, except for a void, which rebuilds this one record.
import type { MarketSymbol } from '../market/instrument.ts';
import type { EpochMs } from '../market/time.ts';
import { RecentPublications } from './copies.ts';
import { Decisions, type Evidence } from './decisions.ts';
import { EquityCurve, type EquityPoint } from './equity-curve.ts';
import { type Exposure, exposureOf } from './exposure.ts';
import { type Month, monthsOf } from './months.ts';
import {
  countedUnits,
  countingOf,
  countingOfMark,
  hasUntrustedPrices,
  type IsTrusted,
  type MarkOf,
  type RankingSignal,
  UNITS_PER_R,
} from './ranking-signal.ts';
import { type ClosedOutcome, SignalStatistics, type TrackSummary } from './signal-statistics.ts';
import { Trials } from './trials.ts';
import { type Warning, WarningCounts } from './warnings.ts';

export interface InstrumentRecord extends TrackSummary {
  readonly symbol: MarketSymbol;
}

/** The record with its open signals at their marks, as of now. R as in `pnl_r`, as far as it counts. */
export interface Marked {
  readonly evidence: Evidence;
  /** Sum over the open signals. */
  readonly openR: number;
  /** Lowest R that an open signal has reached since its fill; `null` without one. */
  readonly worstOpenR: number | null;
  /** Fall from the highest total to the total with open signals, ≥ 0. */
  readonly drawdownR: number;
  readonly exposure: readonly Exposure[];
  readonly warnings: readonly Warning[];
}

/** A closed signal, for a filter. */
export interface ClosedTimes {
  readonly symbol: MarketSymbol;
  /** `null` if the entry never filled. */
  readonly filledAt: EpochMs | null;
  readonly closedAt: EpochMs;
}

/** Selects closed signals; active ones are included unless the filter excludes them. */
export interface FigureFilter {
  readonly symbol?: MarketSymbol | undefined;
  /** Closed at or after this time. */
  readonly since?: number | undefined;
  /** Default: all. */
  readonly includes?: (closed: ClosedTimes) => boolean;
  /** Whether active signals are included. Default `true`. */
  readonly active?: boolean;
}

interface ClosedEntry {
  readonly publishedN: number;
  readonly symbol: MarketSymbol;
  readonly publishedAt: EpochMs;
  readonly filledAt: EpochMs | null;
  readonly closedAt: EpochMs;
  readonly outcome: ClosedOutcome;
  /** Other signals that were open at this closing: filled before `closedAt`. */
  readonly open: number;
}

/** What the records of all publishers of one log share. Their updates must come in the order of the log. */
export interface SharedLog {
  readonly isTrusted: IsTrusted;
  readonly trials: Trials;
  readonly publications: RecentPublications;
}

export const sharedLog = (isTrusted: IsTrusted, simulated: boolean): SharedLog => ({
  isTrusted,
  trials: new Trials(simulated),
  publications: new RecentPublications(),
});

export class TrackRecord {
  readonly #isTrusted: IsTrusted;
  readonly #publications: RecentPublications;
  readonly #decisions: Decisions;
  readonly #warnings = new WarningCounts();
  #all = new SignalStatistics();
  readonly #instruments = new Map<MarketSymbol, SignalStatistics>();
  #curve = new EquityCurve();
  readonly #active = new Map<string, RankingSignal>();
  /** In order of closing. */
  readonly #closed: ClosedEntry[] = [];
  #voided = 0;
  #summary: TrackSummary | null = null;

  constructor({ isTrusted, trials, publications }: SharedLog) {
    this.#isTrusted = isTrusted;
    this.#publications = publications;
    this.#decisions = new Decisions(isTrusted, trials);
  }

  /** Signals declared void. */
  get voided(): number {
    return this.#voided;
  }

  /** Whether a signal is active. */
  has(id: string): boolean {
    return this.#active.has(id);
  }

  publish(signal: RankingSignal): void {
    this.#summary = null;
    this.#active.set(signal.id, signal);
    this.#decisions.publish(signal);
    this.#all.publish(signal.publishedAt);
    this.#statisticsOf(signal.symbol).publish(signal.publishedAt);
    this.#warnings.publish(signal, this.#publications.add(this, signal));
    this.#checkSources(signal);
  }

  /** Replaces an active signal, which has been filled or amended. */
  update(signal: RankingSignal): void {
    if (!this.#active.has(signal.id)) return;
    this.#active.set(signal.id, signal);
    this.#decisions.update(signal);
    this.#checkSources(signal);
  }

  /** Closes an active signal. Throws if a filled signal has no result, so that no loss can be omitted. */
  close(signal: RankingSignal): void {
    if (!this.#active.has(signal.id)) return;
    const outcome = this.#outcomeOf(signal);
    const { publishedN, symbol, publishedAt, filledAt } = signal;
    const closedAt = signal.closedAt!;
    this.#summary = null;
    this.#active.delete(signal.id);
    let open = 0;
    for (const other of this.#active.values()) if (other.filledAt !== null && other.filledAt < closedAt) open++;
    const entry = { publishedN, symbol, publishedAt, filledAt, closedAt, outcome, open };
    this.#closed.push(entry);
    this.#decisions.close(signal);
    this.#count(entry);
    if (signal.voided) this.#voided++;
    this.#warnings.close(signal);
    this.#checkSources(signal);
  }

  /** Removes the result of a closed signal that was declared void. `closed` is the signal as it was before. */
  void(closed: RankingSignal): void {
    const index = this.#closed.findLastIndex(({ publishedN }) => publishedN === closed.publishedN);
    if (index < 0) return;
    this.#closed[index] = { ...this.#closed[index]!, outcome: 'unranked' };
    this.#voided++;
    this.#decisions.void(closed);
    this.#recount();
  }

  /** Figures of all signals. */
  summary(): TrackSummary {
    this.#summary ??= this.#all.summary();
    return this.#summary;
  }

  /** The same figures for some signals. Its cost depends on their number. */
  figures({ symbol, since, includes, active = true }: FigureFilter): TrackSummary {
    if (since === undefined && !includes && active)
      return symbol === undefined
        ? this.summary()
        : (this.#instruments.get(symbol) ?? new SignalStatistics()).summary();
    const statistics = new SignalStatistics();
    for (const entry of this.#closed) {
      if ((since !== undefined && entry.closedAt < since) || (symbol !== undefined && entry.symbol !== symbol))
        continue;
      if (includes && !includes(entry)) continue;
      statistics.publish(entry.publishedAt);
      statistics.close(entry.outcome);
    }
    for (const signal of active ? this.#active.values() : [])
      if (symbol === undefined || signal.symbol === symbol) statistics.publish(signal.publishedAt);
    return statistics.summary();
  }

  hasSymbol(symbol: MarketSymbol): boolean {
    return this.#instruments.has(symbol);
  }

  /** The same figures per instrument, most ranked signals first. */
  instruments(): InstrumentRecord[] {
    return [...this.#instruments]
      .map(([symbol, statistics]) => ({ symbol, ...statistics.summary() }))
      .sort((a, b) => b.rankedSignals - a.rankedSignals || (a.symbol < b.symbol ? -1 : 1));
  }

  /** Cumulative R after each signal with a result, in order of closing, thinned to at most 500 points. */
  equity(): EquityPoint[] {
    return this.#curve.points();
  }

  /** The same without thinning. */
  fullEquity(): EquityPoint[] {
    let total = 0;
    return this.#closed.flatMap(({ closedAt, outcome, open }) => {
      if (typeof outcome === 'string') return [];
      total += outcome.units;
      return [{ at: closedAt, r: outcome.units / UNITS_PER_R, totalR: total / UNITS_PER_R, open }];
    });
  }

  /** Completed decisions by month, at `riskPercent` of the account per decision. */
  months(riskPercent: number): Month[] {
    return monthsOf(this.#decisions.completed(), riskPercent);
  }

  /** Counted decisions completed since `time`; stops counting at `enough`. */
  completedSince(time: number, enough: number): number {
    return this.#decisions.completedSince(time, enough);
  }

  marked(markOf: MarkOf): Marked {
    const open = [...this.#active.values()].filter(({ filledAt }) => filledAt !== null);
    let openUnits = 0;
    let lossUnits = 0;
    let worstOpenR: number | null = null;
    for (const signal of open) {
      const mark = markOf(signal);
      const units = mark && countedUnits(mark.pnlR, countingOfMark(signal, mark, this.#isTrusted));
      if (!mark || units === null) continue;
      openUnits += units;
      lossUnits += Math.max(0, -units);
      const worst = Math.min(mark.worstR, mark.pnlR);
      worstOpenR = worstOpenR === null ? worst : Math.min(worstOpenR, worst);
    }
    const fall = this.#all.peakUnits - this.#all.totalUnits - openUnits;
    return {
      evidence: this.#decisions.evidence(markOf),
      openR: openUnits / UNITS_PER_R,
      worstOpenR,
      drawdownR: Math.max(0, fall) / UNITS_PER_R,
      exposure: exposureOf(open),
      warnings: this.#warnings.warnings({ count: open.length, lossR: lossUnits / UNITS_PER_R }),
    };
  }

  #outcomeOf(signal: RankingSignal): ClosedOutcome {
    const { reason, voided, filledAt, closedAt, pnlR, rankR } = signal;
    if (closedAt !== null && voided) return 'unranked';
    if (closedAt !== null && reason === 'unfilled') return 'unfilled';
    if (closedAt === null || reason === null || filledAt === null || !isNumber(pnlR))
      throw new RangeError('a closed signal needs a reason and, unless it is unfilled, a fill time and a result');
    if (!isNumber(rankR)) throw new RangeError('a closed signal needs a result for ranking');
    const units = countedUnits(pnlR, countingOf(signal, this.#isTrusted));
    return units === null ? 'unranked' : { units, heldMs: Math.max(0, closedAt - filledAt) };
  }

  #count({ symbol, closedAt, outcome, open }: ClosedEntry): void {
    this.#all.close(outcome);
    this.#statisticsOf(symbol).close(outcome);
    if (typeof outcome === 'object') this.#curve.add(closedAt, outcome.units, open);
  }

  #recount(): void {
    this.#summary = null;
    this.#all = new SignalStatistics();
    this.#instruments.clear();
    this.#curve = new EquityCurve();
    for (const { symbol, publishedAt } of [...this.#closed, ...this.#active.values()]) {
      this.#all.publish(publishedAt);
      this.#statisticsOf(symbol).publish(publishedAt);
    }
    for (const entry of this.#closed) this.#count(entry);
  }

  #checkSources(signal: RankingSignal): void {
    if (hasUntrustedPrices(signal, this.#isTrusted)) this.#warnings.addUntrusted(signal);
  }

  #statisticsOf(symbol: MarketSymbol): SignalStatistics {
    const statistics = this.#instruments.get(symbol) ?? new SignalStatistics();
    this.#instruments.set(symbol, statistics);
    return statistics;
  }
}

const isNumber = (value: number | null): value is number => value !== null && Number.isFinite(value);
