// `tickwire instruments search` and `add --venue`: through the running service, or on its store while it is stopped.
import { ALL_VENUES, type Instrument, type VenueInstrumentList } from '@tickwire/contract';
import { apiKey, type Config } from '../config/config.ts';
import { ServiceError } from '../errors/service-error.ts';
import { StoreError } from '../errors/store-error.ts';
import { Catalogue } from '../market/catalogue.ts';
import { createConnectors, listedVenues } from '../market/feeds/open-feeds.ts';
import { MAX_FOUND, VenueInstruments } from '../market/venue-instruments.ts';
import { remoteApi } from '../mcp/remote-api.ts';
import { ServiceReader, ToolError } from '../mcp/service.ts';
import { printRows } from '../ops/table.ts';
import { openStore } from '../store/open-store.ts';
import type { MarketStore } from '../store/store.ts';
import { storedInstruments } from '../store/stored-numbers.ts';
import { UsageError } from './arguments.ts';
import { serviceAddress } from './service-address.ts';

const NEEDS_KEY = 'adding needs a key with the scope admin';

export async function searchVenues(config: Config, text: string, venue = ALL_VENUES, json = false): Promise<number> {
  const { items, unavailable } = await search(config, text, venue);
  printRows(items, json, {
    VENUE: (item) => item.venue,
    SYMBOL: ({ symbol }) => symbol,
    NAME: ({ name }) => name,
    TYPE: ({ type }) => type,
    LAST: ({ last_price }) => (last_price === null ? '-' : String(last_price)),
    ADDED: ({ added }) => (added ? 'yes' : 'no'),
  });
  if (items.length === 0 && unavailable.length === 0)
    process.stderr.write(`tickwire: no configured venue lists an instrument like ${JSON.stringify(text)}\n`);
  for (const name of unavailable) process.stderr.write(`tickwire: ${name} did not send its list\n`);
  return unavailable.length > 0 ? 1 : 0;
}

async function search(
  config: Config,
  text: string,
  venue: string,
): Promise<Pick<VenueInstrumentList, 'items' | 'unavailable'>> {
  if (apiKey() !== null) {
    const path = `/api/venues/${encodeURIComponent(venue)}/instruments`;
    return await withPlainErrors(() => reader(config).get<VenueInstrumentList>(path, { q: text }));
  }
  if (config.realm === 'sim')
    throw new UsageError(
      'markets are simulated, so there is no venue to search; choose real ones with TICKWIRE_FEEDS=live',
    );
  // What was added can be read while a service runs.
  const store = {
    addedInstruments: () => storedInstruments(config, 'live'),
    lastPrices: async () => [],
    number: async () => undefined,
    addInstrument: () => Promise.reject(new Error('a search adds nothing')),
  };
  const direct = await venuesOf(config, store);
  return withPlainErrors(() => direct.search(venue, text, MAX_FOUND));
}

export async function addFromVenue(config: Config, symbol: string, venue: string): Promise<number> {
  if (apiKey() !== null) {
    const body = JSON.stringify({ venue, symbol });
    const request = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } } as const;
    const added = await withPlainErrors(() => reader(config).reply<Instrument>('/api/instruments', request));
    process.stdout.write(`${added.body.symbol} of ${venue} is added. Its prices arrive within seconds.\n`);
    return 0;
  }
  const opening = openStore(config, { role: 'command', realm: 'live', exclusive: true });
  await using store = await opening.catch((error) => {
    if (!(error instanceof StoreError)) throw error;
    throw new StoreError(`${error.message}. To add to a running service, set TICKWIRE_API_KEY; ${NEEDS_KEY}`);
  });
  const direct = await venuesOf(config, store.market);
  const audit = (added: string, of: string): Promise<void> =>
    store.access.audit({
      ...{ at: Date.now(), actor: 'command line', action: 'instrument added' },
      subject: `${added} of ${of}`,
    });
  const spec = await withPlainErrors(() => direct.add(venue, symbol, audit));
  process.stdout.write(`${spec.symbol} of ${venue} is added. The service streams it when it starts.\n`);
  return 0;
}

const reader = (config: Config): ServiceReader => new ServiceReader(remoteApi(serviceAddress(() => config, NEEDS_KEY)));

async function venuesOf(
  config: Config,
  store: Pick<MarketStore, 'addedInstruments' | 'addInstrument' | 'lastPrices' | 'number'>,
): Promise<VenueInstruments> {
  const catalogue = await Catalogue.open(config, store);
  const { instruments, added } = catalogue;
  const connectors = config.realm === 'live' ? createConnectors({ ...config, added }, instruments, Date.now) : [];
  const venues = listedVenues(connectors);
  return new VenueInstruments({ catalogue, venues: () => venues, store, announce: () => {}, now: Date.now });
}

/** A refusal of the service, or of the same code here, is an error of the command. */
async function withPlainErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolError || error instanceof ServiceError) throw new UsageError(error.message);
    throw error;
  }
}
