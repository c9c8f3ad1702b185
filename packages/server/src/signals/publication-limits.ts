// How many signals an account may publish: active ones in all, active ones per instrument, and publications per UTC day.
// Counts are exact: a publication is counted before it is stored, and given back if it cannot be stored. The store has the
// count of the day after a restart.
import type { Tier } from '@tickwire/contract';
import { DAY_MS, SECOND_MS } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';

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

export const startOfDay = (time: number): number => time - (time % DAY_MS);

export class PublicationLimits {
  readonly #maxActive: number;
  /** Active signals by publisher. */
  readonly #active = new Map<string, number>();
  /** Active signals by publisher and symbol. */
  readonly #activeOfSymbol = new Map<string, number>();
  /** Start of the UTC day that `#published` belongs to. */
  #day = 0;
  /** Publications of the day by publisher. */
  #published = new Map<string, number>();

  /** `maxActive`: active signals of an account, whatever its tier. */
  constructor(maxActive: number) {
    this.#maxActive = maxActive;
  }

  /** Restores the publications of a day, by publisher. */
  restoreDay(day: number, published: ReadonlyMap<string, number>): void {
    this.#day = day;
    this.#published = new Map(published);
  }

  restoreActive(publisher: string, symbol: string): void {
    this.#addActive(publisher, symbol, 1);
  }

  /** Throws if the account may not publish another signal of this instrument now. */
  check({ publicId, tierName, tier, house }: LimitedPublisher, symbol: string, at: number): void {
    const active = this.#active.get(publicId) ?? 0;
    if (active >= this.#maxActive)
      throw new ServiceError(
        'too_many_signals',
        `An account can have at most ${this.#maxActive} active signals; this one has ${active}.`,
      );
    const ofSymbol = this.#activeOfSymbol.get(`${publicId} ${symbol}`) ?? 0;
    if (ofSymbol >= tier.active_signals_per_symbol)
      throw new ServiceError(
        'too_many_signals_of_symbol',
        `The ${tierName} tier allows ${tier.active_signals_per_symbol} active signals of an instrument; this account has ${ofSymbol} of ${symbol}.`,
      );
    this.#advance(at);
    if (!house && (this.#published.get(publicId) ?? 0) >= tier.signals_per_day) throw exhausted(tierName, tier, at);
  }

  /** Counts a publication. Call it right after `check`. */
  add(publisher: string, symbol: string, at: number): void {
    this.#advance(at);
    add(this.#published, publisher, 1);
    this.#addActive(publisher, symbol, 1);
  }

  /** A publication could not be stored, so it does not count for its day. */
  giveBack(publisher: string, at: number): void {
    if (startOfDay(at) === this.#day) add(this.#published, publisher, -1);
  }

  /** A signal is no longer active. */
  close(publisher: string, symbol: string): void {
    this.#addActive(publisher, symbol, -1);
  }

  /** Starts a new day. If the clock is set back over midnight, the later day continues. */
  #advance(at: number): void {
    if (startOfDay(at) <= this.#day) return;
    this.#day = startOfDay(at);
    this.#published.clear();
  }

  #addActive(publisher: string, symbol: string, change: 1 | -1): void {
    add(this.#active, publisher, change);
    add(this.#activeOfSymbol, `${publisher} ${symbol}`, change);
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

function exhausted(tierName: string, tier: LimitedPublisher['tier'], at: number): ServiceError {
  const seconds = Math.ceil((DAY_MS - (at % DAY_MS)) / SECOND_MS);
  return new ServiceError(
    'signals_exhausted',
    `The ${tierName} tier allows ${tier.signals_per_day} signals per day. The count resets in ${seconds} s, at 00:00 UTC.`,
    { retryAfterSeconds: seconds },
  );
}
