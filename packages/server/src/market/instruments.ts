// The instruments of the service: the built-in catalogue, extended or replaced by the operator's file.
import { asSymbol, type BarSource, type InstrumentSpec, type MarketSymbol } from '@tickwire/engine';
import type { Config } from '../config/config.ts';
import { instrumentFilePath } from '../config/instrument-file-path.ts';
import type { MarketStore } from '../store/store.ts';
import { importedName, storedInstruments } from '../store/stored-numbers.ts';
import { candidateNames, OANDA_DIGITS } from './feeds/oanda/instrument-names.ts';
import { withOandaHours } from './feeds/oanda/oanda-hours.ts';
import {
  configuredVenues,
  type ServiceConfig,
  type VenueSettings,
  withVenueInstruments,
} from './feeds/venues/configured-venues.ts';
import { applyInstrumentFile, type InstrumentFile, readInstrumentFile } from './instrument-file.ts';

export type InstrumentSettings = Pick<Config, 'data' | 'instruments' | 'realm'> & VenueSettings;

/** The settings of a command, with the instruments that were added from the lists of venues: simulated markets have none. */
export const withAdded = async (config: Config): Promise<ServiceConfig> => ({
  ...config,
  added: config.realm === 'sim' ? [] : await storedInstruments(config, 'live'),
});

/** The built-in catalogue, the instruments of the configured venues, and the operator's file. */
export function loadInstruments(settings: InstrumentSettings): readonly InstrumentSpec[] {
  const builtIn = builtInInstruments(settings);
  const file = readInstrumentFile(settings);
  const known = file ? withFile(settings, file, builtIn) : builtIn;
  const declared = declaredBars(settings, known);
  return known.map((spec) => {
    const bars = spec.bars ?? declared(spec.symbol);
    return bars ? { ...spec, bars } : spec;
  });
}

/** A file that replaces the built-in instruments keeps those that were added from the lists of venues. */
function withFile(
  settings: InstrumentSettings,
  file: InstrumentFile,
  builtIn: readonly InstrumentSpec[],
): readonly InstrumentSpec[] {
  const known = applyInstrumentFile(instrumentFilePath(settings), file, builtIn);
  const named = new Set(known.map(({ symbol }) => symbol));
  const added = new Set(settings.added?.map(({ symbol }) => symbol));
  return [...known, ...builtIn.filter(({ symbol }) => added.has(symbol) && !named.has(symbol))];
}

/**
 * The instruments that a service shows: all of them in simulated markets and in a replay, or if any of them may be pushed. Otherwise
 * those of the feeds and of the operator's file, and those of which the store has data.
 */
export async function offeredInstruments(
  settings: InstrumentSettings,
  store: Pick<MarketStore, 'lastPrices' | 'number'>,
): Promise<readonly InstrumentSpec[]> {
  const known = loadInstruments(settings);
  if (settings.realm !== 'live' || settings.feeds.includes('push')) return known;
  const named = readInstrumentFile(settings)?.instruments.map(({ symbol }) => asSymbol(symbol)) ?? [];
  const priced = (await store.lastPrices()).map(({ symbol }) => symbol);
  const offered = new Set([...venueSymbols(settings, known), ...named, ...priced]);
  const isOffered = async ({ symbol }: InstrumentSpec): Promise<boolean> =>
    offered.has(symbol) || (await store.number(importedName(symbol))) !== undefined;
  const shown = await Promise.all(known.map(isOffered));
  return known.filter((_, index) => shown[index]);
}

/** Instruments that a configured venue delivers, as opposed to those that are only pushed or imported. */
export function venueSymbols(
  settings: VenueSettings,
  instruments: readonly InstrumentSpec[],
): ReadonlySet<MarketSymbol> {
  const coins = configuredVenues(settings).flatMap(({ symbols }) => [...symbols.values()]);
  return new Set(settings.feeds.includes('oanda') ? [...coins, ...candidateNames(instruments).keys()] : coins);
}

/** Without the operator's file. Each has the hours of the feed, and enough digits for every feed that offers it. */
export function builtInInstruments(settings: VenueSettings): readonly InstrumentSpec[] {
  const known = withExchangeHours(settings, withVenueInstruments(configuredVenues(settings), settings.added));
  if (!settings.feeds.includes('oanda')) return known;
  return withOandaHours(known).map((spec) => ({
    ...spec,
    digits: Math.max(spec.digits, OANDA_DIGITS[spec.symbol] ?? 0),
  }));
}

/** An exchange never closes, also for currencies. If OANDA comes first, its hours count. */
function withExchangeHours(
  { feeds, ...settings }: VenueSettings,
  known: readonly InstrumentSpec[],
): readonly InstrumentSpec[] {
  const offered = feeds.includes('oanda') ? feeds.slice(0, feeds.indexOf('oanda') + 1) : feeds;
  const traded = new Set(
    configuredVenues({ ...settings, feeds: offered }).flatMap(({ symbols }) => [...symbols.values()]),
  );
  return known.map((spec) => (traded.has(spec.symbol) ? { ...spec, hours: 'always' } : spec));
}

/**
 * What the feeds declare about bars. The first feed in the configuration that offers a symbol decides. Pushed ticks may be
 * of either kind, and so may a recording.
 */
function declaredBars(
  settings: InstrumentSettings,
  known: readonly InstrumentSpec[],
): (symbol: MarketSymbol) => BarSource | undefined {
  const { feeds, realm } = settings;
  if (realm === 'replay') return () => undefined;
  if (feeds.includes('sim')) return () => 'trades';
  const venues = new Map(configuredVenues(settings).map((configured) => [configured.venue.name, configured]));
  const declared = new Map<MarketSymbol, BarSource>();
  for (const feed of feeds) {
    if (feed === 'push') break;
    const offered = feed === 'oanda' ? candidateNames(known).keys() : venues.get(feed)!.symbols.values();
    const bars = feed === 'oanda' ? 'quotes' : venues.get(feed)!.venue.bars;
    for (const symbol of offered) if (!declared.has(symbol)) declared.set(symbol, bars);
  }
  return (symbol) => declared.get(symbol);
}
