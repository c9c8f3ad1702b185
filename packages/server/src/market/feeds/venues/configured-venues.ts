// The venues of a configuration, in its order, each with its symbols.
import { asSymbol, CATALOGUE, type InstrumentSpec } from '@tickwire/engine';
import { type Config, ConfigError } from '../../../config/config.ts';
import { LIVE, PLAIN_FEEDS } from '../../../config/feeds.ts';
import type { SymbolMap } from '../mapper.ts';
import { VENUES } from './registry.ts';
import type { Venue } from './venue.ts';
import { listedInstruments, VENUE_INSTRUMENTS } from './venue-instruments.ts';

const CURRENCY_PAIRS: ReadonlySet<string> = new Set(
  CATALOGUE.flatMap(({ type, symbol }) => (type === 'forex' ? symbol : [])),
);
const KNOWN = Object.keys(VENUES).join(', ');

export interface ConfiguredVenue {
  readonly venue: Venue;
  readonly symbols: SymbolMap;
}

export function configuredVenues({ feeds, venues }: Pick<Config, 'feeds' | 'venues'>): ConfiguredVenue[] {
  const unknown = Object.keys(venues).find((name) => !Object.hasOwn(VENUES, name));
  if (unknown !== undefined)
    throw new ConfigError(`venues.${unknown}: unknown venue ${unknown}. Known venues: ${KNOWN}`);
  return feeds
    .filter((feed) => !PLAIN_FEEDS.includes(feed))
    .map((name) => {
      if (!Object.hasOwn(VENUES, name))
        throw new ConfigError(
          `TICKWIRE_FEEDS: unknown venue ${name}. Known venues: ${KNOWN}. Other feeds: ${[LIVE, ...PLAIN_FEEDS].join(', ')}`,
        );
      const venue = VENUES[name]!;
      const spelling = Object.entries(venues[name]?.symbols ?? defaultSymbols(venue, feeds));
      return { venue, symbols: new Map(spelling.map(([code, venueSymbol]) => [venueSymbol, asSymbol(code)])) };
    });
}

/** Currency pairs come from an exchange by default only if there is no OANDA account for them. */
const defaultSymbols = ({ symbols }: Venue, feeds: readonly string[]): Venue['symbols'] =>
  feeds.includes('oanda')
    ? Object.fromEntries(Object.entries(symbols).filter(([code]) => !CURRENCY_PAIRS.has(code)))
    : symbols;

/** The catalogue with the instruments of the venues, each with enough digits for every venue that offers it. */
export function withVenueInstruments(configured: readonly ConfiguredVenue[]): InstrumentSpec[] {
  const known = new Map(CATALOGUE.map((spec) => [spec.symbol, spec]));
  const added = new Map(VENUE_INSTRUMENTS.map((spec) => [spec.symbol, spec]));
  for (const { venue, symbols } of configured) {
    const listed = listedInstruments(venue);
    for (const symbol of symbols.values()) {
      const own = listed.get(symbol);
      const spec = known.get(symbol) ?? added.get(symbol) ?? own;
      const digits = Math.max(own?.digits ?? 0, venue.digits?.[symbol] ?? 0);
      if (spec) known.set(symbol, { ...spec, digits: Math.max(spec.digits, digits) });
    }
  }
  return [...known.values()];
}
