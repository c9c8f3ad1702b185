// The lists of instruments of venues, kept for a while: they are long, and their requests count in the venue's rate limit.

import { SYMBOL_PATTERN } from '@tickwire/contract';
import { MINUTE_MS, plainSpelling, SymbolIndex } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import type { ListedVenue } from './feeds/open-feeds.ts';
import { MAX_DIGITS } from './feeds/venues/configured-venues.ts';
import type { VenueListing } from './feeds/venues/venue.ts';

const KEPT_MS = 10 * MINUTE_MS;
/** A gateway waits ten seconds for the ingest node. The list arrives later and is kept then. */
const WAIT_MS = 8_000;

/** A usable listing, with its symbols as they are compared. */
export interface KnownListing extends VenueListing {
  readonly codes: readonly string[];
}

interface KeptList {
  readonly listings: Promise<readonly KnownListing[]>;
  readAt: number;
}

export class VenueLists {
  readonly #lists = new Map<string, KeptList>();
  readonly #now: () => number;
  readonly #waitMs: number;

  constructor(now: () => number, waitMs = WAIT_MS) {
    this.#now = now;
    this.#waitMs = waitMs;
  }

  /** Throws `venue_unavailable` if the venue does not answer in time. */
  async of({ name, listInstruments }: Pick<ListedVenue, 'name' | 'listInstruments'>): Promise<readonly KnownListing[]> {
    let list = this.#lists.get(name);
    if (!list || this.#now() - list.readAt >= KEPT_MS) {
      // While it is read, others wait for the same response.
      const reading: KeptList = {
        readAt: Number.POSITIVE_INFINITY,
        listings: listInstruments().then((listings) => {
          reading.readAt = this.#now();
          return listings.filter(isUsable).map((each) => ({ ...each, codes: codesOf(each) }));
        }),
      };
      reading.listings.catch(() => this.#lists.delete(name));
      this.#lists.set(name, reading);
      list = reading;
    }
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`no answer within ${this.#waitMs / 1_000} s`)), this.#waitMs);
    try {
      return await Promise.race([list.listings, late.promise]);
    } catch (error) {
      throw new ServiceError('venue_unavailable', `${name} did not send its list: ${(error as Error).message}`, {
        retryAfterSeconds: 10,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

const isUsable = ({ symbol, digits }: VenueListing): boolean => SYMBOL_PATTERN.test(symbol) && digits <= MAX_DIGITS;

const codesOf = ({ symbol, venueSymbol }: VenueListing): string[] => [symbol, venueSymbol].map(plainSpelling);

/** The listings that match what was typed, the best ones first. */
export function searchListings(listings: readonly KnownListing[], typed: string, limit: number): KnownListing[] {
  const text = typed.trim();
  const [plain, lower] = [plainSpelling(text), text.toLowerCase()];
  return listings
    .flatMap((listing) => {
      const rank = rankOf(listing, plain, lower);
      return rank === null ? [] : [{ listing, rank }];
    })
    .sort((a, b) => a.rank - b.rank || (a.listing.symbol < b.listing.symbol ? -1 : 1))
    .slice(0, limit)
    .map(({ listing }) => listing);
}

function rankOf({ codes, name }: KnownListing, typed: string, lower: string): number | null {
  if (codes.includes(typed)) return 0;
  if (codes.some((code) => code.startsWith(typed))) return 1;
  if (codes.some((code) => code.includes(typed))) return 2;
  return name.toLowerCase().includes(lower) ? 3 : null;
}

/** The listing with this symbol, in any usual spelling, or with this spelling of the venue. */
export function findListing(listings: readonly KnownListing[], code: string): VenueListing | undefined {
  const symbol = new SymbolIndex(listings).resolve(code);
  const found = listings.find((each) => each.venueSymbol === code || each.symbol === symbol);
  if (!found) return undefined;
  const { codes: _, ...listing } = found;
  return listing;
}
