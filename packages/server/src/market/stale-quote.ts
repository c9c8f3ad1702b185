// The rule for old quotes. A quote is stale if it was restored from the store and none has followed, or if it is older than
// 60 s in an open market. A stale quote is served with its age, and no signal is published against it.
import { asEpochMs, type InstrumentSpec, isMarketOpen, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';

/** Age in milliseconds up to which a quote is fresh. A pushed tick keeps its market open for this long, at any hour. */
export const FRESH_MS = MINUTE_MS;

const RETRY = { retryAfterSeconds: 1 };

/** The newest quote of an instrument. Times are epoch milliseconds. */
export interface NewestQuote {
  readonly time: number;
  /** The feed, or `push:` and the id of the account that pushed it. */
  readonly source: string;
  /** Whether it comes from the store and none has followed. */
  readonly restored: boolean;
}

/** Whether a market is within its trading hours. Pushing a tick means that it is, whatever the hours say. */
export const isOpenMarket = (spec: InstrumentSpec, { time, source }: Omit<NewestQuote, 'restored'>, now: number) =>
  (isPushed(source) && now - time <= FRESH_MS) || isMarketOpen(spec.hours, asEpochMs(now));

export const isPushed = (source: string): boolean => source.startsWith('push:');

/** Age of a stale quote in milliseconds; `null` if the quote is not stale. */
export function staleAge(spec: InstrumentSpec, quote: NewestQuote, now: number, alwaysOpen: boolean): number | null {
  const age = now - quote.time;
  if (quote.restored) return Math.max(0, age);
  if (age <= FRESH_MS) return null;
  return alwaysOpen || isOpenMarket(spec, quote, now) ? age : null;
}

export const noQuote = (symbol: MarketSymbol): ServiceError =>
  new ServiceError('no_quote', `There is no quote for ${symbol} yet.`, RETRY);

export const staleQuote = (symbol: MarketSymbol, ageMs: number): ServiceError => {
  const seconds = Math.round(ageMs / 1000);
  const detail = `The last quote for ${symbol} is stale: it is ${seconds} s old, and none has followed.`;
  return new ServiceError('stale_quote', detail, RETRY);
};
