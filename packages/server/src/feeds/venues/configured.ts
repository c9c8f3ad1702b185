// The crypto venues of a configuration, in its order, each with the symbols it is asked for.
import { asSymbol, CATALOGUE, type InstrumentSpec } from '@tickwire/engine';
import { type Config, ConfigError } from '../../config.ts';
import { VENUE_INSTRUMENTS } from './instruments.ts';
import { VENUES } from './registry.ts';
import type { SymbolMap, Venue } from './venue.ts';

const PREFIX = 'crypto:';

export interface ConfiguredVenue {
  readonly name: string;
  readonly venue: Venue;
  readonly symbols: SymbolMap;
}

export function configuredVenues({ feeds, venues }: Pick<Config, 'feeds' | 'venues'>): ConfiguredVenue[] {
  return feeds
    .filter((feed) => feed.startsWith(PREFIX))
    .map((feed) => {
      const name = feed.slice(PREFIX.length);
      if (!Object.hasOwn(VENUES, name)) {
        const known = Object.keys(VENUES).join(', ');
        throw new ConfigError(`TICKWIRE_FEEDS names ${name}, which is no venue: there are ${known}`);
      }
      const venue = VENUES[name]!;
      const spelling = Object.entries(venues[name]?.symbols ?? venue.defaults);
      return { name, venue, symbols: new Map(spelling.map(([code, spelt]) => [spelt, asSymbol(code)])) };
    });
}

/** The catalogue with what the venues bring along, and with digits enough for every one of them. */
export function withVenueInstruments(configured: readonly ConfiguredVenue[]): InstrumentSpec[] {
  const known = new Map(CATALOGUE.map((spec) => [spec.symbol, spec]));
  const brought = new Map(VENUE_INSTRUMENTS.map((spec) => [spec.symbol, spec]));
  for (const { venue, symbols } of configured) {
    for (const symbol of symbols.values()) {
      const spec = known.get(symbol) ?? brought.get(symbol);
      if (spec) known.set(symbol, { ...spec, digits: Math.max(spec.digits, venue.digits[symbol] ?? 0) });
    }
  }
  return [...known.values()];
}
