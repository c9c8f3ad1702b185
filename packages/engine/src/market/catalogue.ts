// The built-in instruments: retail contracts with the terms that brokers commonly use.
// Margin rates are the European (ESMA) retail minimum: 30:1 for pairs among USD, EUR, JPY, GBP, CAD and CHF; 20:1 for
// other pairs, gold and main indices; 10:1 for other commodities; 2:1 for crypto.
import type { InstrumentType } from '@tickwire/contract';
import { asSymbol, type HoursName, type InstrumentSpec } from './instrument.ts';

const MAJOR = 0.0333;
const MINOR = 0.05;
const COMMODITY = 0.1;
const CRYPTO = 0.5;

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
];

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

/** Contract size in troy ounces. */
const METAL: readonly Row[] = [
  ['XAUUSD', 'Gold / US Dollar', 3, 0.01, 100, MINOR, 0.01, 50, 'metals'],
  ['XAGUSD', 'Silver / US Dollar', 3, 0.01, 5000, COMMODITY, 0.01, 50, 'metals'],
];

/** Contract size in coins. */
const COIN: readonly Row[] = [
  ['BTCUSD', 'Bitcoin / US Dollar', 2, 1, 1, CRYPTO, 0.01, 50, 'always'],
  ['ETHUSD', 'Ethereum / US Dollar', 2, 0.1, 1, CRYPTO, 0.01, 500, 'always'],
  ['SOLUSD', 'Solana / US Dollar', 3, 0.01, 1, CRYPTO, 0.1, 5000, 'always'],
  ['BNBUSD', 'BNB / US Dollar', 2, 0.1, 1, CRYPTO, 0.01, 1000, 'always'],
  ['XRPUSD', 'XRP / US Dollar', 5, 0.0001, 1, CRYPTO, 10, 500_000, 'always'],
  ['ADAUSD', 'Cardano / US Dollar', 5, 0.0001, 1, CRYPTO, 10, 1_000_000, 'always'],
  ['DOGEUSD', 'Dogecoin / US Dollar', 5, 0.0001, 1, CRYPTO, 10, 2_000_000, 'always'],
  ['LTCUSD', 'Litecoin / US Dollar', 2, 0.1, 1, CRYPTO, 0.1, 5000, 'always'],
];

/** Contract size in units of the index's own currency per point. */
const INDEX: readonly Row[] = [
  ['US500', 'US 500', 2, 1, 1, MINOR, 0.1, 500, 'us-index'],
  ['NAS100', 'US Tech 100', 2, 1, 1, MINOR, 0.1, 250, 'us-index'],
  ['US30', 'Wall Street 30', 2, 1, 1, MINOR, 0.1, 250, 'us-index'],
  ['GER40', 'Germany 40', 2, 1, 1, MINOR, 0.1, 250, 'eu-index'],
  ['UK100', 'UK 100', 2, 1, 1, MINOR, 0.1, 250, 'eu-index'],
  ['JPN225', 'Japan 225', 1, 1, 100, MINOR, 0.1, 250, 'asia-index'],
];

/** Contract size in barrels, or million British thermal units of gas. */
const ENERGY: readonly Row[] = [
  ['USOIL', 'WTI Crude Oil', 3, 0.01, 1000, COMMODITY, 0.01, 100, 'energy'],
  ['UKOIL', 'Brent Crude Oil', 3, 0.01, 1000, COMMODITY, 0.01, 100, 'energy'],
  ['NATGAS', 'Natural Gas', 4, 0.001, 10_000, COMMODITY, 0.01, 100, 'energy'],
];

const specsOf = (type: InstrumentType, rows: readonly Row[]): InstrumentSpec[] =>
  rows.map(([symbol, name, digits, pipSize, contractSize, marginRate, minLot, maxLot, hours]) => ({
    symbol: asSymbol(symbol),
    name,
    type,
    pipSize,
    digits,
    contractSize,
    marginRate,
    minLot,
    maxLot,
    hours,
  }));

export const CATALOGUE: readonly InstrumentSpec[] = [
  ...specsOf('forex', FOREX),
  ...specsOf('metal', METAL),
  ...specsOf('crypto', COIN),
  ...specsOf('index', INDEX),
  ...specsOf('energy', ENERGY),
];
