// Instruments that the venues add to the catalogue: coins against Tether, and what a venue lists itself. Digits are those of the venue's price filter
// (tickSize), plus one if the venue has changed it in recent years: too many digits cost nothing, too few would round
// prices.
import { asSymbol, CATALOGUE, type InstrumentSpec, type MarketSymbol } from '@tickwire/engine';
import type { Venue, VenueListing } from './venue.ts';

const MARGIN_RATE = 0.5;

type VenueInstrument = readonly [
  base: string,
  name: string,
  digits: number,
  pipSize: number,
  minLot: number,
  maxLot: number,
  /** Of volume profiles, if it is not one pip. */
  levelSize?: number,
];

const TETHER_PAIRS: readonly VenueInstrument[] = [
  ['BTC', 'Bitcoin', 2, 1, 0.01, 50, 10],
  ['ETH', 'Ethereum', 2, 0.1, 0.01, 500, 1],
  ['SOL', 'Solana', 3, 0.01, 0.1, 5_000],
  ['BNB', 'BNB', 2, 0.1, 0.01, 1_000],
  ['XRP', 'XRP', 5, 0.0001, 10, 500_000],
  ['ADA', 'Cardano', 5, 0.0001, 10, 1_000_000],
  ['DOGE', 'Dogecoin', 6, 0.0001, 10, 2_000_000],
  ['LTC', 'Litecoin', 2, 0.1, 0.1, 5_000],
  ['TRX', 'TRON', 5, 0.0001, 10, 2_000_000],
  ['AVAX', 'Avalanche', 3, 0.01, 0.1, 50_000],
  ['LINK', 'Chainlink', 3, 0.01, 0.1, 50_000],
  ['DOT', 'Polkadot', 4, 0.01, 0.1, 100_000],
];

export const VENUE_INSTRUMENTS: readonly InstrumentSpec[] = TETHER_PAIRS.map(
  ([base, name, digits, pipSize, minLot, maxLot, levelSize]) => ({
    symbol: asSymbol(`${base}USDT`),
    name: `${name} / Tether`,
    type: 'crypto',
    pipSize,
    digits,
    ...(levelSize !== undefined && { levelSize }),
    contractSize: 1,
    contractUnit: base,
    marginRate: MARGIN_RATE,
    minLot,
    maxLot,
    hours: 'always',
    source:
      'digits: tickSize of Binance /api/v3/exchangeInfo; lot of one coin, as at the exchange; margin: ESMA Decision (EU) 2018/796',
  }),
);

/** Price units of a pip, and the margin that the European Union demands of retail accounts, by class. */
const CLASS_TERMS: Readonly<
  Record<InstrumentSpec['type'], { readonly pipSize?: number; readonly marginRate: number }>
> = {
  forex: { marginRate: 0.05 },
  metal: { pipSize: 0.01, marginRate: 0.1 },
  energy: { pipSize: 0.01, marginRate: 0.1 },
  index: { pipSize: 1, marginRate: 0.05 },
  equity: { pipSize: 0.01, marginRate: 0.2 },
  // Ten ticks, as for currencies: coins cost from fractions of a cent to many thousands.
  crypto: { marginRate: MARGIN_RATE },
};
/** Underlyings by the venues' names, in the spelling of the catalogue. */
const UNDERLYINGS: Readonly<Record<string, string>> = {
  GOLD: 'XAU',
  SILVER: 'XAG',
  PLATINUM: 'XPT',
  PALLADIUM: 'XPD',
  CL: 'USOIL',
  BZ: 'UKOIL',
  BRENTOIL: 'UKOIL',
  SP500: 'US500',
  XYZ100: 'NAS100',
  JP225: 'JPN225',
  JPY: 'USDJPY',
};
/** Height of a volume level as a fraction of the price. */
const LEVEL_OF_PRICE = 1e-4;

/** A listing of a venue as an instrument: lots of one unit, the terms of the built-in instrument that it follows, or of its class. */
export function specOfListing(listing: VenueListing, venue: string): InstrumentSpec {
  const { symbol, name, type, digits, contract, quoteCurrency, lastPrice } = listing;
  const named = listing.underlying ?? symbol.replace(/\.P$/, '');
  const underlying = UNDERLYINGS[named] ?? named;
  const followed = CATALOGUE.find((spec) => spec.symbol === underlying || spec.symbol === `${underlying}USD`);
  const terms = { ...CLASS_TERMS[type], ...followed };
  const tick = 10 ** -digits;
  const tenTicks = Math.min(1, Number((10 * tick).toPrecision(1)));
  const pipSize = Math.max(tick, terms.pipSize ?? tenTicks);
  const level = followed?.levelSize ?? (lastPrice === undefined ? undefined : roundUp(lastPrice * LEVEL_OF_PRICE));
  const isLotOfOne = followed?.contractSize === 1;
  return {
    symbol,
    name,
    type,
    pipSize,
    digits,
    ...(level !== undefined && level > pipSize && { levelSize: level }),
    contractSize: 1,
    contractUnit: type === 'index' ? `${quoteCurrency} per point` : (followed?.contractUnit ?? underlying),
    currency: quoteCurrency,
    marginRate: terms.marginRate,
    minLot: isLotOfOne ? followed.minLot : 0.01,
    maxLot: isLotOfOne ? followed.maxLot : 100_000,
    hours: 'always',
    ...(contract && { contract, underlying, venue }),
    source: `digits: list of instruments of ${venue}; lot of one unit; margin: ESMA Decision (EU) 2018/796`,
  };
}

/** To 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((each) => each * 10 ** power >= value)!;
  return Number((step * 10 ** power).toPrecision(1));
}

/** What a venue adds to the catalogue, by symbol. */
export function listedInstruments({ name, instruments = [] }: Venue): Map<MarketSymbol, InstrumentSpec> {
  return new Map(instruments.map((listing) => [listing.symbol, specOfListing(listing, name)]));
}
