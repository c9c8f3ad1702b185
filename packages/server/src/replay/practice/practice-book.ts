// The practice signals of a session as of its clock: a judge for each instrument that has some, and the log of what they found.
import type { ActiveOrder, InstrumentSpec, Lookup, MarketSymbol } from '@tickwire/engine';
import { ServiceError } from '../../errors/service-error.ts';
import type { PastStore } from '../symbol-tape.ts';
import { inClockOrder, type PracticeAction } from './practice-actions.ts';
import { PracticeLog } from './practice-log.ts';
import { type CountEvents, SymbolJudge } from './symbol-judge.ts';

const RETRY_SECONDS = 5;

export interface PracticeBookOptions {
  readonly from: number;
  readonly specs: Lookup<InstrumentSpec>;
  readonly store: PastStore;
}

/** The practice signals at a time. */
export interface Practice {
  readonly log: PracticeLog;
  /** An active signal as it is judged; `null` if it is not active. */
  find(symbol: MarketSymbol, id: string): ActiveOrder | null;
}

export class PracticeBook {
  readonly #options: PracticeBookOptions;
  readonly #judges = new Map<MarketSymbol, SymbolJudge>();
  #log: { readonly entries: number; readonly log: PracticeLog } | null = null;

  constructor(options: PracticeBookOptions) {
    this.#options = options;
  }

  /** Judges up to the clock. Throws if no more events may be played; a later call continues. */
  async asOf(actions: readonly PracticeAction[], clock: number, count: CountEvents): Promise<Practice> {
    // Another gateway may be further ahead.
    const known = inClockOrder(actions.filter(({ at }) => at <= clock));
    for (const [symbol, own] of Map.groupBy(known, (action) => action.symbol)) {
      const judge = this.#judgeOf(symbol, own, clock);
      if (!(await judge.judge(own, clock, count)))
        throw new ServiceError(
          'rate_limited',
          'The practice signals are not judged up to the clock: the tier allows no more events in this minute. Try again.',
          { retryAfterSeconds: RETRY_SECONDS },
        );
    }
    return {
      log: this.#logged(),
      find: (symbol, id) => this.#judges.get(symbol)?.verifier.find(id) ?? null,
    };
  }

  #judgeOf(symbol: MarketSymbol, actions: readonly PracticeAction[], clock: number): SymbolJudge {
    const known = this.#judges.get(symbol);
    if (known?.canContinueWith(actions, clock)) return known;
    // Another gateway has added an action before the time up to which this one has judged.
    const { specs, store } = this.#options;
    const judge = new SymbolJudge(specs.get(symbol)!, store);
    this.#judges.set(symbol, judge);
    this.#log = null;
    return judge;
  }

  #logged(): PracticeLog {
    const entries = [...this.#judges.values()].flatMap((judge) => judge.entries);
    if (this.#log?.entries !== entries.length) {
      this.#log = { entries: entries.length, log: new PracticeLog(this.#options.from, entries) };
    }
    return this.#log.log;
  }
}
