// Perpetuals against Tether that a venue streams by default. Digits are those of the tick sizes, plus one if a venue has changed
// them in recent years: too many digits cost nothing, too few would refuse prices.
import { asSymbol } from '@tickwire/engine';
import { underlyingClass } from './underlying-class.ts';
import type { VenueListing } from './venue.ts';

const UNDERLYINGS: readonly (readonly [code: string, name: string, digits: number])[] = [
  ['BTC', 'Bitcoin', 2],
  ['ETH', 'Ethereum', 2],
  ['SOL', 'Solana', 3],
  ['XRP', 'XRP', 5],
  ['XAU', 'Gold', 3],
];

/** `spell('BTC')` is the venue's spelling of the perpetual. */
export const tetherPerpetuals = (
  spell: (underlying: string) => string,
  contractSizes: Readonly<Record<string, number>> = {},
): readonly VenueListing[] =>
  UNDERLYINGS.map(([underlying, name, digits]) => ({
    venueSymbol: spell(underlying),
    symbol: asSymbol(`${underlying}USDT.P`),
    name: `${name} / Tether perpetual`,
    type: underlyingClass(underlying),
    digits,
    contract: 'perpetual',
    underlying,
    quoteCurrency: 'USDT',
    ...(contractSizes[underlying] !== undefined && { contractSize: contractSizes[underlying] }),
  }));
