// The track record of one publisher, kept as signals come and close: nothing is recomputed for a request, and nothing that was
// published can be left out. Publications and closings are added in the order of the log.
import type { MarketSymbol } from './brands.ts';
import { EquityCurve, type EquityPoint } from './equity-curve.ts';
import { type SignalOutcome, settle } from './signal-outcome.ts';
import { Tally, type TrackSummary } from './tally.ts';

export interface InstrumentRecord extends TrackSummary {
  readonly symbol: MarketSymbol;
}

export class TrackRecord {
  readonly #all = new Tally();
  readonly #instruments = new Map<MarketSymbol, Tally>();
  readonly #curve = new EquityCurve();
  /** How many are active, by symbol and time of publication. */
  readonly #active = new Map<string, number>();

  /**
   * A signal is added when it is published (`closedAt` null) and again when it has closed; the two are one signal by their symbol and
   * time of publication. One that was never added as active, as in a history of outcomes, counts as published by its closing.
   */
  add(outcome: SignalOutcome): void {
    const { symbol, closedAt } = outcome;
    if (closedAt === null) {
      this.#publish(outcome);
      return;
    }
    const result = settle(outcome, closedAt);
    if (!this.#active.has(keyOf(outcome))) this.#publish(outcome);
    this.#forget(outcome);
    this.#all.close(result);
    this.#tally(symbol).close(result);
    if (typeof result === 'object') this.#curve.add(result.at, result.units);
  }

  summary(): TrackSummary {
    return this.#all.summary();
  }

  /** Cumulative R after each ranked signal, in the order of closing, thinned to at most 500 points. */
  equity(): EquityPoint[] {
    return this.#curve.points();
  }

  /** The same figures by instrument, most ranked signals first. */
  instruments(): InstrumentRecord[] {
    return [...this.#instruments]
      .map(([symbol, tally]) => ({ symbol, ...tally.summary() }))
      .sort((a, b) => b.rankedSignals - a.rankedSignals || (a.symbol < b.symbol ? -1 : 1));
  }

  #publish(outcome: SignalOutcome): void {
    const key = keyOf(outcome);
    this.#active.set(key, (this.#active.get(key) ?? 0) + 1);
    this.#all.publish(outcome.publishedAt);
    this.#tally(outcome.symbol).publish(outcome.publishedAt);
  }

  #forget(outcome: SignalOutcome): void {
    const key = keyOf(outcome);
    const left = this.#active.get(key)! - 1;
    if (left > 0) this.#active.set(key, left);
    else this.#active.delete(key);
  }

  #tally(symbol: MarketSymbol): Tally {
    const tally = this.#instruments.get(symbol) ?? new Tally();
    this.#instruments.set(symbol, tally);
    return tally;
  }
}

const keyOf = ({ symbol, publishedAt }: SignalOutcome): string => `${symbol} ${publishedAt}`;
