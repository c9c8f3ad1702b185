// Finds instruments in the lists of the configured venues and adds them while the service runs. An instrument is stored, then
// announced: the journal brings it to every node.
import { ALL_VENUES, type VenueInstrument } from '@tickwire/contract';
import { CATALOGUE, type InstrumentSpec, SymbolIndex } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { AddedInstrument, MarketStore } from '../store/store.ts';
import type { Catalogue } from './catalogue.ts';
import type { ListedVenue } from './feeds/open-feeds.ts';
import type { VenueListing } from './feeds/venues/venue.ts';
import { findListing, searchListings, VenueLists } from './venue-lists.ts';

/** All nodes hold the state of each in memory, and restart with them. */
export const MAX_ADDED = 300;
/** Writes the audit record before an instrument of a venue is stored. */
export type RecordAddition = (symbol: string, venue: string) => Promise<void>;

/** Of one venue. */
export const MAX_FOUND = 20;

export interface VenueInstrumentsOptions {
  readonly catalogue: Catalogue;
  readonly venues: () => readonly ListedVenue[];
  readonly store: Pick<MarketStore, 'addInstrument'>;
  /** The instrument is stored. */
  readonly announce: (spec: InstrumentSpec, added: AddedInstrument, venue: ListedVenue, venueSymbol: string) => void;
  readonly now: () => number;
  /** Most instruments that are added. Default: 300. */
  readonly maxAdded?: number;
  readonly lists?: VenueLists;
}

export class VenueInstruments {
  readonly #options: VenueInstrumentsOptions;
  readonly #lists: VenueLists;
  readonly #maxAdded: number;
  /** One is added at a time, so that bounds hold. */
  #adding: Promise<unknown> = Promise.resolve();

  constructor(options: VenueInstrumentsOptions) {
    this.#options = options;
    this.#lists = options.lists ?? new VenueLists(options.now);
    this.#maxAdded = options.maxAdded ?? MAX_ADDED;
  }

  /** What one venue, or each of them, lists. Of several, those that do not answer are named. */
  async search(
    venue: string,
    typed: string,
    limit: number,
  ): Promise<{ readonly items: VenueInstrument[]; readonly unavailable: string[] }> {
    if (venue !== ALL_VENUES)
      return { items: await this.#searchOne(this.#venue(venue), typed, limit), unavailable: [] };
    const venues = this.#options.venues();
    const found = await Promise.allSettled(venues.map((each) => this.#searchOne(each, typed, limit)));
    return {
      items: found.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
      unavailable: venues.flatMap(({ name }, index) => (found[index]!.status === 'rejected' ? name : [])),
    };
  }

  /** Adds the instrument that a venue lists under this symbol, in its spelling or ours. */
  async add(venueName: string, code: string, audit: RecordAddition): Promise<InstrumentSpec> {
    const venue = this.#venue(venueName);
    // A venue that does not answer must not hold up others.
    const listings = await this.#lists.of(venue);
    const adding = this.#adding.then(() => this.#add(venue, findListing(listings, code), code, audit));
    this.#adding = adding.catch(() => {});
    return adding;
  }

  async #add(
    venue: ListedVenue,
    listing: VenueListing | undefined,
    code: string,
    audit: RecordAddition,
  ): Promise<InstrumentSpec> {
    const { catalogue, store, announce, now } = this.#options;
    if (!listing)
      throw new ServiceError('symbol_not_found', `${venue.name} lists no instrument ${JSON.stringify(code)}.`);
    this.#requireFree(listing);
    this.#requireRoom(venue);
    const { symbol, venueSymbol } = listing;
    const added = { symbol, venue: venue.name, listing: JSON.stringify(listing), addedAt: Math.floor(now()) };
    const spec = catalogue.specOf(added);
    await withStoreErrors(async () => {
      // Rather a record of what failed than an instrument without one.
      await audit(symbol, venue.name);
      await store.addInstrument(added);
    });
    announce(spec, added, venue, venueSymbol);
    return spec;
  }

  #requireFree({ symbol, contract, type }: VenueListing): void {
    const { instruments } = this.#options.catalogue;
    const same = [...instruments, ...CATALOGUE].find((spec) => spec.symbol === symbol);
    if (same && (same.contract !== contract || same.type !== type)) throw taken(symbol, same);
    if (this.#options.catalogue.has(symbol))
      throw new ServiceError('instrument_exists', `${symbol} is one of the instruments already.`);
    const alike = new SymbolIndex(instruments).resolve(symbol);
    if (alike) throw taken(symbol, { symbol: alike });
  }

  #requireRoom({ name, symbols, maxSymbols }: ListedVenue): void {
    if (this.#options.catalogue.added.length >= this.#maxAdded)
      throw new ServiceError('too_many_instruments', `A service can have ${this.#maxAdded} added instruments.`);
    if (symbols.length >= maxSymbols)
      throw new ServiceError('too_many_instruments', `A connection to ${name} can have ${maxSymbols} instruments.`);
  }

  async #searchOne(venue: ListedVenue, typed: string, limit: number): Promise<VenueInstrument[]> {
    const { catalogue } = this.#options;
    const listings = searchListings(await this.#lists.of(venue), typed, limit);
    return listings.map(({ symbol, name, type, lastPrice }) => ({
      venue: venue.name,
      symbol,
      name,
      type,
      last_price: lastPrice ?? null,
      added: catalogue.has(symbol),
    }));
  }

  #venue(name: string): ListedVenue {
    const venues = this.#options.venues();
    const venue = venues.find((each) => each.name === name.toLowerCase());
    if (venue) return venue;
    const known =
      venues.length === 0 ? 'None is configured' : `Those with a list: ${venues.map((each) => each.name).join(', ')}`;
    throw new ServiceError('venue_not_found', `There is no venue ${JSON.stringify(name)}. ${known}.`);
  }
}

const taken = (symbol: string, other: { readonly symbol: string; readonly name?: string }): ServiceError =>
  new ServiceError(
    'instrument_exists',
    `${symbol} would be mistaken for ${other.symbol}${other.name ? ` (${other.name})` : ''}.`,
  );
