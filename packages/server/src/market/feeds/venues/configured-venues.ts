// The crypto venues of a configuration, in its order, each with its symbols.
import { asSymbol, CATALOGUE, type InstrumentSpec } from '@tickwire/engine';
import { type Config, ConfigError } from '../../../config/config.ts';
import type { SymbolMap } from '../mapper.ts';
import { VENUES } from './registry.ts';
import type { Venue } from './venue.ts';
import { VENUE_INSTRUMENTS } from './venue-instruments.ts';

const PREFIX = 'crypto:';

export interface ConfiguredVenue {
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
        throw new ConfigError(`TICKWIRE_FEEDS: unknown venue ${name}. Known venues: ${known}`);
      }
      const venue = VENUES[name]!;
      const spelling = Object.entries(venues[name]?.symbols ?? venue.symbols);
      return { venue, symbols: new Map(spelling.map(([code, venueSymbol]) => [venueSymbol, asSymbol(code)])) };
    });
}

/** The catalogue with the instruments of the venues, each with enough digits for every venue that offers it. */
export function withVenueInstruments(configured: readonly ConfiguredVenue[]): InstrumentSpec[] {
  const known = new Map(CATALOGUE.map((spec) => [spec.symbol, spec]));
  const added = new Map(VENUE_INSTRUMENTS.map((spec) => [spec.symbol, spec]));
  for (const { venue, symbols } of configured) {
    for (const symbol of symbols.values()) {
      const spec = known.get(symbol) ?? added.get(symbol);
      if (spec) known.set(symbol, { ...spec, digits: Math.max(spec.digits, venue.digits?.[symbol] ?? 0) });
    }
  }
  return [...known.values()];
}
