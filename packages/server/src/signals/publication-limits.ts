// How many signals an account may publish: active ones in all, active ones per instrument, and publications per UTC day.
// Counts are exact: a publication is counted before it is stored, and given back if it cannot be stored. The store has the
// count of the day after a restart.
import type { Tier } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { Counts } from '../work/counts.ts';
import { PeriodCounts, secondsToMidnight } from '../work/period-counts.ts';

export interface Publisher {
  /** Public id of the account. */
  readonly publicId: string;
  readonly name: string;
}

/** A publisher with the limits of its account. */
export interface LimitedPublisher extends Publisher {
  readonly tierName: string;
  readonly tier: Pick<Tier, 'signals_per_day' | 'active_signals_per_symbol'>;
  /** Whether it is an example publisher, which has no daily limit. */
  readonly house: boolean;
}

export class PublicationLimits {
  readonly #maxActive: number;
  /** Active signals by publisher. */
  readonly #active = new Counts();
  /** Active signals by publisher and symbol. */
  readonly #activeOfSymbol = new Counts();
  /** Publications of the day by publisher. */
  readonly #published = new PeriodCounts(DAY_MS);

  /** `maxActive`: active signals of an account, whatever its tier. */
  constructor(maxActive: number) {
    this.#maxActive = maxActive;
  }

  /** Restores the publications of a day, by publisher. */
  restoreDay(day: number, published: ReadonlyMap<string, number>): void {
    this.#published.restore(published, day);
  }

  restoreActive(publisher: string, symbol: string): void {
    this.#addActive(publisher, symbol, 1);
  }

  /** Throws if the account may not publish another signal of this instrument now. */
  check({ publicId, tierName, tier, house }: LimitedPublisher, symbol: string, at: number): void {
    const active = this.#active.get(publicId);
    if (active >= this.#maxActive)
      throw new ServiceError(
        'too_many_signals',
        `An account can have at most ${this.#maxActive} active signals; this one has ${active}.`,
      );
    const ofSymbol = this.#activeOfSymbol.get(`${publicId} ${symbol}`);
    if (ofSymbol >= tier.active_signals_per_symbol)
      throw new ServiceError(
        'too_many_signals_of_symbol',
        `The ${tierName} tier allows ${tier.active_signals_per_symbol} active signals of an instrument; this account has ${ofSymbol} of ${symbol}.`,
      );
    if (!house && this.#published.get(publicId, at) >= tier.signals_per_day) throw exhausted(tierName, tier, at);
  }

  /** Counts a publication. Call it right after `check`. */
  add(publisher: string, symbol: string, at: number): void {
    this.#published.add(publisher, 1, at);
    this.#addActive(publisher, symbol, 1);
  }

  /** A publication could not be stored, so it does not count for its day. */
  giveBack(publisher: string, at: number): void {
    this.#published.giveBack(publisher, 1, at);
  }

  /** A signal is no longer active. */
  close(publisher: string, symbol: string): void {
    this.#addActive(publisher, symbol, -1);
  }

  #addActive(publisher: string, symbol: string, change: 1 | -1): void {
    this.#active.add(publisher, change);
    this.#activeOfSymbol.add(`${publisher} ${symbol}`, change);
  }
}

function exhausted(tierName: string, tier: LimitedPublisher['tier'], at: number): ServiceError {
  const seconds = secondsToMidnight(at);
  return new ServiceError(
    'signals_exhausted',
    `The ${tierName} tier allows ${tier.signals_per_day} signals per day. The count resets in ${seconds} s, at 00:00 UTC.`,
    { retryAfterSeconds: seconds },
  );
}
