// The venues of a configuration, in its order, each with its symbols.
import { asSymbol, CATALOGUE, type InstrumentSpec } from '@tickwire/engine';
import { type Config, ConfigError } from '../../../config/config.ts';
import { LIVE, PLAIN_FEEDS } from '../../../config/feeds.ts';
import type { AddedInstrument } from '../../../store/store.ts';
import type { SymbolMap } from '../mapper.ts';
import { VENUES } from './registry.ts';
import type { Venue, VenueListing } from './venue.ts';
import { listedInstruments, specOfListing, VENUE_INSTRUMENTS } from './venue-instruments.ts';

const CURRENCY_PAIRS: ReadonlySet<string> = new Set(
  CATALOGUE.flatMap(({ type, symbol }) => (type === 'forex' ? symbol : [])),
);
const KNOWN = Object.keys(VENUES).join(', ');

export interface ConfiguredVenue {
  readonly venue: Venue;
  readonly symbols: SymbolMap;
  /** How many of the symbols are configured; the others were added from the list of the venue. */
  readonly configured: number;
}

/** The settings of venues. `added`: instruments that were added from their lists; without a configured venue they are not delivered. */
export type VenueSettings = Pick<Config, 'feeds' | 'venues'> & { readonly added?: readonly AddedInstrument[] };
/** Of prices, as in the instruments file. */
export const MAX_DIGITS = 10;

export type ServiceConfig = Config & VenueSettings;

export function configuredVenues({ feeds, venues, added = [] }: VenueSettings): ConfiguredVenue[] {
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
      const symbols = new Map(spelling.map(([code, venueSymbol]) => [venueSymbol, asSymbol(code)]));
      const configured = symbols.size;
      for (const each of added) if (each.venue === name) symbols.set(listingOf(each).venueSymbol, each.symbol);
      return { venue, symbols, configured };
    });
}

/** Currency pairs come from an exchange by default only if there is no OANDA account for them. */
const defaultSymbols = ({ symbols }: Venue, feeds: readonly string[]): Venue['symbols'] =>
  feeds.includes('oanda')
    ? Object.fromEntries(Object.entries(symbols).filter(([code]) => !CURRENCY_PAIRS.has(code)))
    : symbols;

const listingOf = ({ listing }: AddedInstrument): VenueListing => JSON.parse(listing) as VenueListing;

/** The catalogue with the instruments of the venues, each with enough digits for every venue that offers it. */
export function withVenueInstruments(
  configured: readonly ConfiguredVenue[],
  addedFromLists: readonly AddedInstrument[] = [],
): InstrumentSpec[] {
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
  for (const each of addedFromLists) {
    const listing = listingOf(each);
    const spec = known.get(each.symbol) ?? added.get(each.symbol) ?? specOfListing(listing, each.venue);
    // One more than listed: the venue may make its ticks smaller, and prices would be rounded.
    const digits = Math.min(listing.digits + 1, MAX_DIGITS);
    known.set(each.symbol, { ...spec, digits: Math.max(spec.digits, digits) });
  }
  return [...known.values()];
}
