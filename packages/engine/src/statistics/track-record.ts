// The track record of one publisher, updated as signals are published and closed, in the order of the log. Requests recompute
// nothing, and no published signal can be omitted.
import type { MarketSymbol } from '../market/instrument.ts';
import { EquityCurve, type EquityPoint } from './equity-curve.ts';
import { classifyOutcome, type SignalOutcome } from './signal-outcome.ts';
import { SignalStatistics, type TrackSummary } from './signal-statistics.ts';

export interface InstrumentRecord extends TrackSummary {
  readonly symbol: MarketSymbol;
}

export class TrackRecord {
  readonly #all = new SignalStatistics();
  readonly #instruments = new Map<MarketSymbol, SignalStatistics>();
  readonly #curve = new EquityCurve();
  /** Number of active signals by symbol and time of publication. */
  readonly #active = new Map<string, number>();

  /**
   * Call it when a signal is published (`closedAt` is `null`) and again when it has closed; symbol and time of publication
   * connect the two. A closed signal that was never added as active, as in a history of outcomes, also counts as published.
   */
  add(outcome: SignalOutcome): void {
    const { symbol, closedAt } = outcome;
    if (closedAt === null) {
      this.#publish(outcome);
      return;
    }
    const result = classifyOutcome(outcome, closedAt);
    if (!this.#active.has(keyOf(outcome))) this.#publish(outcome);
    this.#removeActive(outcome);
    this.#all.close(result);
    this.#statisticsOf(symbol).close(result);
    if (typeof result === 'object') this.#curve.add(result.at, result.units);
  }

  summary(): TrackSummary {
    return this.#all.summary();
  }

  /** Cumulative R after each ranked signal, in order of closing, thinned to at most 500 points. */
  equity(): EquityPoint[] {
    return this.#curve.points();
  }

  /** The same figures per instrument, most ranked signals first. */
  instruments(): InstrumentRecord[] {
    return [...this.#instruments]
      .map(([symbol, statistics]) => ({ symbol, ...statistics.summary() }))
      .sort((a, b) => b.rankedSignals - a.rankedSignals || (a.symbol < b.symbol ? -1 : 1));
  }

  #publish(outcome: SignalOutcome): void {
    const key = keyOf(outcome);
    this.#active.set(key, (this.#active.get(key) ?? 0) + 1);
    this.#all.publish(outcome.publishedAt);
    this.#statisticsOf(outcome.symbol).publish(outcome.publishedAt);
  }

  #removeActive(outcome: SignalOutcome): void {
    const key = keyOf(outcome);
    const remaining = this.#active.get(key)! - 1;
    if (remaining > 0) this.#active.set(key, remaining);
    else this.#active.delete(key);
  }

  #statisticsOf(symbol: MarketSymbol): SignalStatistics {
    const statistics = this.#instruments.get(symbol) ?? new SignalStatistics();
    this.#instruments.set(symbol, statistics);
    return statistics;
  }
}

const keyOf = ({ symbol, publishedAt }: SignalOutcome): string => `${symbol} ${publishedAt}`;
