// GET /api/market/{symbol}/perpetual, from memory.
import { iso, isoOrNull, type Perpetual, type PerpetualQuery } from '@tickwire/contract';
import type { MarketSymbol } from '@tickwire/engine';
import { ServiceError, symbolNotFound } from '../errors/service-error.ts';
import type { PerpetualState } from './streams/perpetual-channel.ts';
import { figuresJson, liquidationJson } from './streams/perpetual-messages.ts';

interface PerpetualSources {
  resolve(code: string): MarketSymbol | undefined;
  /** `null` for an instrument that is not a perpetual. */
  state(symbol: MarketSymbol): PerpetualState | null;
}

export function perpetualJson(code: string, { limit }: PerpetualQuery, { resolve, state }: PerpetualSources): string {
  const symbol = resolve(code);
  if (!symbol) throw symbolNotFound(code);
  const known = state(symbol);
  if (!known)
    throw new ServiceError(
      'not_perpetual',
      `${symbol} is not a perpetual: it has no mark price, funding or open interest.`,
    );
  const { figures, liquidations } = known;
  const newest = limit === 0 ? [] : liquidations.slice(-limit).reverse();
  const answer: Perpetual = {
    symbol,
    ...figuresJson(figures),
    next_funding_time: isoOrNull(figures?.nextFundingTime ?? null),
    open_interest: figures?.openInterest ?? null,
    timestamp: isoOrNull(figures?.time ?? null),
    liquidations: newest.map((each) => ({ timestamp: iso(each.time), ...liquidationJson(each) })),
  };
  return JSON.stringify(answer);
}
