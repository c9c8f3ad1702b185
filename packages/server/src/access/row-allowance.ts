// The rows of files that an account may download per UTC day. A download takes its rows before it starts and gives back those
// that were not sent, so downloads at the same time cannot exceed the limit together.
import { DAY_MS } from '@tickwire/engine';
import { PeriodCounts, secondsToMidnight, startOfDay } from '../work/period-counts.ts';

export interface RowCount {
  /** Whether the rows were counted: none are if they exceed the limit. */
  readonly granted: boolean;
  /** Rows of the day that count now. */
  readonly used: number;
  /** Counted by this process alone, because the shared count could not be reached. */
  readonly isLocal?: boolean;
}

/** Counts rows by account and day, in this process or over all gateways of a cluster. */
export interface RowCounter {
  take(account: string, day: number, rows: number, limit: number): Promise<RowCount>;
  /** `taken`: what `take` returned for them. */
  giveBack(account: string, day: number, rows: number, taken: RowCount): Promise<void>;
}

export interface RowAllowanceState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the count starts again. */
  readonly resetSeconds: number;
}

export interface TakenRows extends RowAllowanceState {
  readonly granted: boolean;
  /** Gives back rows that were not sent. */
  giveBack(rows: number): Promise<void>;
}

export class RowAllowance {
  readonly #counter: RowCounter;

  constructor(counter: RowCounter = new LocalRowCounter()) {
    this.#counter = counter;
  }

  /** Counts all rows, or none if they exceed what is left of the day. With 0 rows, returns what is left. */
  async take(account: string, limit: number, rows: number, now: number): Promise<TakenRows> {
    const day = startOfDay(now);
    const taken = await this.#counter.take(account, day, rows, limit);
    const { granted, used } = taken;
    return {
      granted,
      limit,
      remaining: Math.max(0, limit - used),
      resetSeconds: secondsToMidnight(now),
      giveBack: async (unsent) => {
        if (unsent > 0) await this.#counter.giveBack(account, day, unsent, taken);
      },
    };
  }
}

export class LocalRowCounter implements RowCounter {
  readonly #used = new PeriodCounts(DAY_MS);

  async take(account: string, day: number, rows: number, limit: number): Promise<RowCount> {
    const used = this.#used.get(account, day);
    const granted = used + rows <= limit;
    return { granted, used: granted ? this.#used.add(account, rows, day) : used };
  }

  async giveBack(account: string, day: number, rows: number): Promise<void> {
    this.#used.giveBack(account, rows, day);
  }
}
