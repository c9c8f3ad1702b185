// The built-in instruments: retail contracts with the terms that brokers commonly use, compared with the sources below in
// November 2026. Brokers differ in lots, and some in digits: `tickwire instruments set` changes any of them.
import type { InstrumentType } from '@tickwire/contract';
import type { HoursName } from './calendars.ts';
import { asSymbol, type InstrumentSpec } from './instrument.ts';

/** Retail minimum of the European Union: 30:1 for pairs among USD, EUR, JPY, GBP, CAD and CHF; 20:1 for others, gold, main indices. */
const MAJOR = 0.0333;
const MINOR = 0.05;
const COMMODITY = 0.1;
const CRYPTO = 0.5;

/** Each with the terms for which it was read. */
const MARGIN = 'margin: ESMA Decision (EU) 2018/796';
const LEAN = 'QuantConnect/Lean symbol-properties-database.csv';
const OANDA = `OANDA (pipLocation; minimum price variation in ${LEAN})`;
const SOURCES = {
  forex: `lot, digits: yaibrokers.com/trading/forex-contract-specification, infinox.com/en/forex; digits, pip: ${OANDA}; ${MARGIN}`,
  metal: `lot, digits, margin: xglobalmarkets.com/trading/gold-silver-contract-specifications; pip of silver: help.fxtrading.com (9298182); digits, pip of gold: ${OANDA}`,
  coin: `lot: fxjmarkets.com/crypto-specifications; digits: Coinbase in ${LEAN}; ${MARGIN}`,
  solana: `digits: cmtrading.com/crypto; lot of one coin, as at exchanges (brokers: 1 to 10); ${MARGIN}`,
  // Brokers have lots from 1 to 10,000 of these coins; one coin is the unit of exchanges.
  ripple: `lot of one coin in steps of 10: nordfx.com/trading_account_crypto.html; digits: Coinbase in ${LEAN}, and one more; ${MARGIN}`,
  unconfirmed: `no public broker specification agrees (ADA in lots of 1,000, DOGE of 10,000, none found for BNB): lot of one coin, as at exchanges; digits of exchange prices; ${MARGIN}`,
  index: `lot, currency: palmuk.com/Indices.html, infinox.com/en/indices; digits: eu.bdswiss.com (CFD indices); pip: ${OANDA}; ${MARGIN}`,
  japan: `lot, currency: infinox.com/en/indices (100 JPY; OANDA's JP225_USD is 1 USD); digits, pip: ${OANDA}; ${MARGIN}`,
  oil: `lot, pip: get.exness.help (360010646940), hwfx.eu/trading-products; digits: ${OANDA}; ${MARGIN}`,
  gas: `lot, pip: get.exness.help (360010646940), NYMEX NG; digits: metfx.com energies, FXCM; ${MARGIN}`,
};

type Row = readonly [
  symbol: string,
  name: string,
  digits: number,
  pipSize: number,
  contractSize: number,
  marginRate: number,
  minLot: number,
  maxLot: number,
  hours: HoursName,
  /** If they differ from those of the class. */
  special?: Pick<InstrumentSpec, 'currency' | 'contractUnit' | 'levelSize' | 'source'>,
];

const priced = (currency: string) => ({ currency, contractUnit: `${currency} per point` });

const FOREX: readonly Row[] = [
  ['EURUSD', 'Euro / US Dollar', 5, 0.0001, 100_000, MAJOR, 0.01, 100, 'forex'],
  ['GBPUSD', 'British Pound / US Dollar', 5, 0.0001, 100_000, MAJOR, 0.01, 100, 'forex'],
  ['USDJPY', 'US Dollar / Japanese Yen', 3, 0.01, 100_000, MAJOR, 0.01, 100, 'forex'],
  ['USDCHF', 'US Dollar / Swiss Franc', 5, 0.0001, 100_000, MAJOR, 0.01, 100, 'forex'],
  ['AUDUSD', 'Australian Dollar / US Dollar', 5, 0.0001, 100_000, MINOR, 0.01, 100, 'forex'],
  ['USDCAD', 'US Dollar / Canadian Dollar', 5, 0.0001, 100_000, MAJOR, 0.01, 100, 'forex'],
  ['NZDUSD', 'New Zealand Dollar / US Dollar', 5, 0.0001, 100_000, MINOR, 0.01, 100, 'forex'],
  ['EURGBP', 'Euro / British Pound', 5, 0.0001, 100_000, MAJOR, 0.01, 100, 'forex'],
  ['EURJPY', 'Euro / Japanese Yen', 3, 0.01, 100_000, MAJOR, 0.01, 100, 'forex'],
  ['GBPJPY', 'British Pound / Japanese Yen', 3, 0.01, 100_000, MAJOR, 0.01, 100, 'forex'],
  ['EURCHF', 'Euro / Swiss Franc', 5, 0.0001, 100_000, MAJOR, 0.01, 100, 'forex'],
  ['EURAUD', 'Euro / Australian Dollar', 5, 0.0001, 100_000, MINOR, 0.01, 100, 'forex'],
  ['AUDJPY', 'Australian Dollar / Japanese Yen', 3, 0.01, 100_000, MINOR, 0.01, 100, 'forex'],
  ['CADJPY', 'Canadian Dollar / Japanese Yen', 3, 0.01, 100_000, MAJOR, 0.01, 100, 'forex'],
  ['AUDNZD', 'Australian Dollar / New Zealand Dollar', 5, 0.0001, 100_000, MINOR, 0.01, 100, 'forex'],
];

const METAL: readonly Row[] = [
  ['XAUUSD', 'Gold / US Dollar', 3, 0.01, 100, MINOR, 0.01, 50, 'metals', { levelSize: 0.5 }],
  ['XAGUSD', 'Silver / US Dollar', 3, 0.01, 5000, COMMODITY, 0.01, 50, 'metals'],
];

const COIN: readonly Row[] = [
  ['BTCUSD', 'Bitcoin / US Dollar', 2, 1, 1, CRYPTO, 0.01, 50, 'always', { levelSize: 10 }],
  ['ETHUSD', 'Ethereum / US Dollar', 2, 0.1, 1, CRYPTO, 0.01, 500, 'always', { levelSize: 1 }],
  ['SOLUSD', 'Solana / US Dollar', 3, 0.01, 1, CRYPTO, 0.1, 5000, 'always', { source: SOURCES.solana }],
  ['BNBUSD', 'BNB / US Dollar', 2, 0.1, 1, CRYPTO, 0.01, 1000, 'always', { source: SOURCES.unconfirmed }],
  ['XRPUSD', 'XRP / US Dollar', 5, 0.0001, 1, CRYPTO, 10, 500_000, 'always', { source: SOURCES.ripple }],
  ['ADAUSD', 'Cardano / US Dollar', 5, 0.0001, 1, CRYPTO, 10, 1_000_000, 'always', { source: SOURCES.unconfirmed }],
  ['DOGEUSD', 'Dogecoin / US Dollar', 5, 0.0001, 1, CRYPTO, 10, 2_000_000, 'always', { source: SOURCES.unconfirmed }],
  ['LTCUSD', 'Litecoin / US Dollar', 2, 0.1, 1, CRYPTO, 0.1, 5000, 'always'],
];

const INDEX: readonly Row[] = [
  ['US500', 'US 500', 2, 1, 1, MINOR, 0.1, 500, 'us-index', priced('USD')],
  ['NAS100', 'US Tech 100', 2, 1, 1, MINOR, 0.1, 250, 'us-index', priced('USD')],
  ['US30', 'Wall Street 30', 2, 1, 1, MINOR, 0.1, 250, 'us-index', priced('USD')],
  ['GER40', 'Germany 40', 2, 1, 1, MINOR, 0.1, 250, 'germany-index', priced('EUR')],
  ['UK100', 'UK 100', 2, 1, 1, MINOR, 0.1, 250, 'uk-index', priced('GBP')],
  ['JPN225', 'Japan 225', 1, 1, 100, MINOR, 0.1, 250, 'japan-index', { ...priced('JPY'), source: SOURCES.japan }],
];

const inDollars = (contractUnit: string, source: string) => ({ currency: 'USD', contractUnit, source });
const BARRELS = inDollars('barrels', SOURCES.oil);
const HEAT = inDollars('million British thermal units', SOURCES.gas);
const ENERGY: readonly Row[] = [
  ['USOIL', 'WTI Crude Oil', 3, 0.01, 1000, COMMODITY, 0.01, 100, 'energy', BARRELS],
  ['UKOIL', 'Brent Crude Oil', 3, 0.01, 1000, COMMODITY, 0.01, 100, 'brent', BARRELS],
  ['NATGAS', 'Natural Gas', 4, 0.001, 10_000, COMMODITY, 0.01, 100, 'energy', HEAT],
];

const specsOf = (
  type: InstrumentType,
  rows: readonly Row[],
  source: string,
  contractUnit: (symbol: string) => string,
): InstrumentSpec[] =>
  rows.map(([symbol, name, digits, pipSize, contractSize, marginRate, minLot, maxLot, hours, special]) => ({
    symbol: asSymbol(symbol),
    name,
    type,
    pipSize,
    digits,
    contractSize,
    contractUnit: contractUnit(symbol),
    marginRate,
    minLot,
    maxLot,
    hours,
    source,
    ...special,
  }));

/** EURUSD is in euros, BTCUSD in bitcoin. */
const baseOf = (symbol: string): string => symbol.slice(0, -3);

export const CATALOGUE: readonly InstrumentSpec[] = [
  ...specsOf('forex', FOREX, SOURCES.forex, baseOf),
  ...specsOf('metal', METAL, SOURCES.metal, () => 'troy ounces'),
  ...specsOf('crypto', COIN, SOURCES.coin, baseOf),
  ...specsOf('index', INDEX, SOURCES.index, baseOf),
  ...specsOf('energy', ENERGY, SOURCES.oil, baseOf),
];
