// Keeps a given number of signals active, at various distances from the market: a closed signal is replaced by a new one.
// Seeded: the same market gives the same signals.
import {
  acceptSignal,
  asEpochMs,
  fromTicks,
  type InstrumentSpec,
  MINUTE_MS,
  type Order,
  type QuoteEvidence,
  type SignalTerms,
  toTicks,
  type Verdict,
  type Verifier,
  type VerifierBatch,
} from '@tickwire/engine';

/** Distances of stops, targets and pending entries, as fractions of the price, uniform on a log scale between the two. */
export interface Distances {
  readonly nearest: number;
  readonly farthest: number;
  /** Fraction of entries that are pending; the others are market entries. */
  readonly waiting: number;
  /** Maximum time to `expires_at`, in minutes, for the third of signals that has one; 0: none has. */
  readonly expiryMinutes: number;
}

/** Day trading. */
export const NEAR_TO_FAR: Distances = { nearest: 0.0002, farthest: 0.01, waiting: 0.5, expiryMinutes: 240 };
/** Scalping. */
export const NEAR: Distances = { nearest: 0.0003, farthest: 0.001, waiting: 0, expiryMinutes: 0 };
/** Farther than the market moves during a measurement. */
export const OUT_OF_REACH: Distances = { nearest: 0.05, farthest: 0.19, waiting: 0.5, expiryMinutes: 0 };

export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A signal that could be published now, at the market or on either side of it. */
function randomTerms(
  roll: () => number,
  { digits }: InstrumentSpec,
  quote: QuoteEvidence,
  { nearest, farthest, waiting, expiryMinutes }: Distances,
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
    targets: thirds(entry, sign * distance()).map(({ at, fraction }) => ({ price: price(at), fraction })),
    breakevenAfter: 1,
    expiresAt: expires ? asEpochMs(quote.time + MINUTE_MS * Math.ceil(roll() * expiryMinutes)) : null,
  };
}

/** Three targets on the way to the last one, as many as signals usually have. */
const thirds = (entry: number, distance: number) =>
  [0.3333, 0.3333, 0.3334].map((fraction, index) => ({
    at: entry + Math.round((distance * (index + 1)) / 3),
    fraction,
  }));

export interface SignalPoolOptions {
  readonly verifier: Verifier;
  /** Signals are spread over these instruments; each must have a quote. */
  readonly instruments: readonly InstrumentSpec[];
  /** Number of active signals to keep. */
  readonly mark: number;
  readonly reach: Distances;
  readonly seed: number;
}

export class SignalPool {
  closings = 0;
  readonly #options: SignalPoolOptions;
  readonly #roll: () => number;
  #published = 0;

  constructor(options: SignalPoolOptions) {
    this.#options = options;
    this.#roll = seededRandom(options.seed);
  }

  /** Judges a batch of the journal and replaces the signals that closed. */
  readonly read = (batch: VerifierBatch): void => {
    const verdicts: Verdict[] = [];
    this.#options.verifier.read(batch, verdicts);
    for (const { kind } of verdicts) if (kind === 'closed') this.closings++;
    if (this.missing > 0) for (const order of this.orders()) this.#options.verifier.add(order);
  };

  /** Number of signals to publish. */
  get missing(): number {
    return this.#options.mark - (this.#published - this.closings);
  }

  /** The missing signals, accepted against the newest quotes. The caller adds them to the verifier. */
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
        randomTerms(this.#roll, spec, quote, reach),
        quote.time,
      );
      // Too close to the market for its spread: try another one.
      if ('rejected' in order) continue;
      this.#published++;
      return order;
    }
  }
}
