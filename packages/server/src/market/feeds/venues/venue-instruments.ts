// Instruments that the venues add to the catalogue: coins against Tether. Digits are those of the venue's price filter
// (tickSize), plus one if the venue has changed it in recent years: too many digits cost nothing, too few would round
// prices.
import { asSymbol, type InstrumentSpec } from '@tickwire/engine';

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
