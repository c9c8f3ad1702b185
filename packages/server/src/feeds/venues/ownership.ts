// Who delivers what. One venue owns an instrument: the first in the configuration that offers it. The others that offer it
// too stand by, in the order of the configuration, for a fail-over.
import { asSymbol, type MarketSymbol } from '@tickwire/engine';
import { VENUES } from './registry.ts';
import type { SymbolMap } from './venue.ts';

export interface VenueSetting {
  readonly name: string;
  /** Instrument → the venue's own spelling, in place of the defaults. */
  readonly symbols?: Readonly<Record<string, string>>;
}

export interface Ownership {
  readonly owned: ReadonlyMap<string, SymbolMap>;
  readonly standby: ReadonlyMap<MarketSymbol, readonly { readonly venue: string; readonly venueSymbol: string }[]>;
}

export class UnknownVenueError extends Error {
  override name = 'UnknownVenueError';
  constructor(name: string) {
    super(`${name} is no venue; there are ${Object.keys(VENUES).join(', ')}`);
  }
}

export function assignSymbols(settings: readonly VenueSetting[]): Ownership {
  const owned = new Map<string, Map<string, MarketSymbol>>();
  const standby = new Map<MarketSymbol, { venue: string; venueSymbol: string }[]>();
  const taken = new Set<MarketSymbol>();
  for (const { name, symbols } of settings) {
    if (!Object.hasOwn(VENUES, name)) throw new UnknownVenueError(name);
    const mine = owned.get(name) ?? new Map<string, MarketSymbol>();
    owned.set(name, mine);
    for (const [instrument, venueSymbol] of Object.entries(symbols ?? VENUES[name]!.defaults)) {
      const symbol = asSymbol(instrument);
      if (taken.has(symbol)) {
        standby.set(symbol, [...(standby.get(symbol) ?? []), { venue: name, venueSymbol }]);
      } else {
        taken.add(symbol);
        mine.set(venueSymbol, symbol);
      }
    }
  }
  return { owned, standby };
}
