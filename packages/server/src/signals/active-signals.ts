// The active signals, with the limits of their publishers, and the quotes they can be published, changed and closed against.
import {
  bySymbol,
  type InstrumentSpec,
  type Lookup,
  type MarketSymbol,
  type QuoteEvidence,
  SymbolIndex,
  type Verifier,
} from '@tickwire/engine';
import { ServiceError, symbolNotFound } from '../errors/service-error.ts';
import { FRESH_MS, noQuote, staleQuote } from '../market/stale-quote.ts';
import type { PublicationLimits } from './publication-limits.ts';
import type { Published } from './signal-records.ts';

export interface ActiveSignalRecord {
  readonly spec: InstrumentSpec;
  readonly record: Published;
}

export interface ActiveSignalsOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly verifier: Verifier;
  readonly limits: PublicationLimits;
  /** Whether the market is within its trading hours. The age of the quote is checked separately. */
  readonly isOpen: (spec: InstrumentSpec, quote: QuoteEvidence) => boolean;
  /** Time of the newest quote if it was restored from the store and none has followed, else `null`. Default: `null`. */
  readonly restoredQuoteTime?: (symbol: MarketSymbol) => number | null;
  /** Whether a price jump of the symbol waits for confirmation. Default: no. */
  readonly isQuarantined?: (symbol: MarketSymbol) => boolean;
  /** Market time in milliseconds. */
  readonly now: () => number;
}

export class ActiveSignals {
  readonly #options: ActiveSignalsOptions;
  readonly #specs: Lookup<InstrumentSpec>;
  readonly #index: SymbolIndex;
  readonly #active = new Map<string, ActiveSignalRecord>();

  constructor(options: ActiveSignalsOptions) {
    this.#options = options;
    this.#specs = bySymbol(options.instruments);
    this.#index = new SymbolIndex(options.instruments);
  }

  get(id: string): ActiveSignalRecord | undefined {
    return this.#active.get(id);
  }

  add(signal: ActiveSignalRecord): void {
    this.#active.set(signal.record.signal, signal);
  }

  /** The signal is closed, void, or was not stored. Returns `undefined` if it is not active. */
  remove(id: string): ActiveSignalRecord | undefined {
    const signal = this.#active.get(id);
    if (!signal || !this.#active.delete(id)) return undefined;
    this.#options.limits.close(signal.record.publisher, signal.spec.symbol);
    return signal;
  }

  /** The instrument of a request; throws if there is none. */
  spec(symbol: string): InstrumentSpec {
    const known = this.#index.resolve(symbol);
    if (known) return this.#specs.get(known)!;
    throw symbolNotFound(symbol, this.#index.similar(symbol));
  }

  /** The standing quote for a publication: live, and received since the service started; throws otherwise. */
  freshQuote(spec: InstrumentSpec): QuoteEvidence {
    const { restoredQuoteTime, now } = this.#options;
    const restored = restoredQuoteTime?.(spec.symbol) ?? null;
    if (restored !== null) throw staleQuote(spec.symbol, Math.max(0, now() - restored));
    return this.liveQuote(spec);
  }

  /** The standing quote if the market is open and live; throws otherwise. */
  liveQuote(spec: InstrumentSpec): QuoteEvidence {
    const { verifier, isOpen, isQuarantined, now } = this.#options;
    const { symbol } = spec;
    if (isQuarantined?.(symbol)) throw unconfirmed(symbol);
    const quote = verifier.quote(symbol);
    if (!quote) throw noQuote(symbol);
    if (!isOpen(spec, quote)) throw new ServiceError('market_closed', `The market for ${symbol} is closed.`, LATER);
    if (!verifier.isLive(symbol)) throw disconnected(symbol);
    const age = now() - quote.time;
    if (age > FRESH_MS) throw staleQuote(symbol, age);
    return quote;
  }

  /** The newest quote, however old, unless the source is disconnected: trades missed since may have filled a pending entry. */
  connectedQuote({ symbol }: InstrumentSpec): QuoteEvidence {
    const { verifier, isQuarantined } = this.#options;
    if (isQuarantined?.(symbol)) throw unconfirmed(symbol);
    const quote = verifier.quote(symbol);
    if (!quote) throw noQuote(symbol);
    if (verifier.isDisconnected(symbol)) throw disconnected(symbol);
    return quote;
  }
}

const LATER = { retryAfterSeconds: 60 };
const RETRY = { retryAfterSeconds: 1 };

const disconnected = (symbol: MarketSymbol): ServiceError =>
  new ServiceError('stale_quote', `The source of ${symbol} was disconnected and has sent no quote since.`, RETRY);
const unconfirmed = (symbol: MarketSymbol): ServiceError =>
  new ServiceError(
    'price_unconfirmed',
    `The price of ${symbol} has jumped, and no second quote has confirmed it yet.`,
    RETRY,
  );
