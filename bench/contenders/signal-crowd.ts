// Signals from near to far around the market, as many as are wanted at any time: what closes is published anew. Seeded: the
// same market makes the same signals.
import type { SignalRequest } from '@tickwire/contract';
import {
  acceptSignal,
  asEpochMs,
  fromTicks,
  type InstrumentSpec,
  type JudgedBatch,
  type Order,
  type QuoteEvidence,
  type SignalTerms,
  toTicks,
  type Verdict,
  type Verifier,
} from '@tickwire/engine';

const MINUTE_MS = 60_000;

/** How far stops, targets and waiting entries lie, as shares of the price: evenly between the two on a scale of ratios. */
export interface Reach {
  readonly nearest: number;
  readonly farthest: number;
  /** Share of the entries that wait; the others are at the market. */
  readonly waiting: number;
  /** The longest `expires_at` of the third that has one, in minutes; 0: none has. */
  readonly expiryMinutes: number;
}

/** Of people who trade within the day. */
export const NEAR_TO_FAR: Reach = { nearest: 0.0002, farthest: 0.01, waiting: 0.5, expiryMinutes: 240 };
/** Of those who are in and out within minutes: a hundred of them close nearly twice as often as 10,000 from near to far. */
export const NEAR: Reach = { nearest: 0.0003, farthest: 0.001, waiting: 0, expiryMinutes: 0 };
/** Farther than the market goes while it is measured. */
export const OUT_OF_REACH: Reach = { nearest: 0.05, farthest: 0.19, waiting: 0.5, expiryMinutes: 0 };

export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A signal somebody could publish now, at the market or on either side of it. */
export function rollTerms(
  roll: () => number,
  { digits }: InstrumentSpec,
  quote: QuoteEvidence,
  { nearest, farthest, waiting, expiryMinutes }: Reach,
): SignalTerms {
  const direction = roll() < 0.5 ? 'buy' : 'sell';
  const sign = direction === 'buy' ? 1 : -1;
  const side = toTicks(sign === 1 ? quote.ask : quote.bid, digits);
  const spread = toTicks(quote.ask, digits) - toTicks(quote.bid, digits);
  const distance = (): number => Math.max(2 * spread, Math.round(side * nearest * (farthest / nearest) ** roll()));
  const waits = roll() < waiting ? (roll() < 0.5 ? 1 : -1) : 0;
  const entry = side + waits * distance();
  const price = (ticks: number): number => fromTicks(ticks, digits);
  const expires = expiryMinutes > 0 && roll() < 1 / 3;
  return {
    direction,
    entry: price(entry),
    stopLoss: price(entry - sign * distance()),
    takeProfit: price(entry + sign * distance()),
    expiresAt: expires ? asEpochMs(quote.time + MINUTE_MS * Math.ceil(roll() * expiryMinutes)) : null,
  };
}

/** The same as it is sent. */
export const requestOf = ({ symbol }: InstrumentSpec, terms: SignalTerms): SignalRequest => ({
  symbol,
  direction: terms.direction,
  entry: terms.entry,
  stop_loss: terms.stopLoss,
  take_profit: terms.takeProfit,
  ...(terms.expiresAt !== null && { expires_at: new Date(terms.expiresAt).toISOString() }),
});

export interface CrowdOptions {
  readonly verifier: Verifier;
  /** Signals are spread over all of them; each must have had a quote. */
  readonly instruments: readonly InstrumentSpec[];
  /** How many are active. */
  readonly mark: number;
  readonly reach: Reach;
  readonly seed: number;
}

export class Crowd {
  closings = 0;
  fills = 0;
  readonly #options: CrowdOptions;
  readonly #roll: () => number;
  #published = 0;

  constructor(options: CrowdOptions) {
    this.#options = options;
    this.#roll = dice(options.seed);
  }

  /** Judges what the journal says, and publishes as many as closed. */
  readonly read = (batch: JudgedBatch): void => {
    const verdicts: Verdict[] = [];
    this.#options.verifier.read(batch, verdicts);
    this.count(verdicts);
    if (this.missing > 0) for (const order of this.orders()) this.#options.verifier.add(order);
  };

  /** How many there are to be published. */
  get missing(): number {
    return this.#options.mark - (this.#published - this.closings);
  }

  count(verdicts: readonly Verdict[]): void {
    for (const { kind } of verdicts) {
      if (kind === 'closed') this.closings++;
      else if (kind === 'filled') this.fills++;
    }
  }

  /** Those that are missing, accepted against the newest quotes. They are to be added to the verifier. */
  orders(): Order[] {
    return Array.from({ length: this.missing }, () => this.#accepted());
  }

  #accepted(): Order {
    const { verifier, instruments, reach, seed } = this.#options;
    for (;;) {
      const spec = instruments[this.#published % instruments.length]!;
      const quote = verifier.quote(spec.symbol)!;
      const order = acceptSignal(
        `sig_${seed}_${this.#published}`,
        spec,
        quote,
        rollTerms(this.#roll, spec, quote, reach),
        quote.time,
      );
      // Too near to the market for its spread: another one.
      if ('refused' in order) continue;
      this.#published++;
      return order;
    }
  }
}
