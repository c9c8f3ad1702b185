// The crypto exchanges the service knows. A new one is a folder and an entry here. The defaults are what an operator gets
// who names a venue and nothing else: a stablecoin is not the dollar, so BTC/USDT is the instrument BTCUSDT.
import { binanceSource } from './binance/feed.ts';
import { coinbaseSource } from './coinbase/feed.ts';
import { krakenSource } from './kraken/feed.ts';
import type { Venue } from './venue.ts';

const BASES_IN_USD = ['BTC', 'ETH', 'SOL', 'XRP', 'ADA', 'DOGE', 'LTC'];
const BASES_IN_USDT = [...BASES_IN_USD, 'BNB', 'TRX', 'AVAX', 'LINK', 'DOT'];

const spelt = (bases: readonly string[], quote: string, between: string): Record<string, string> =>
  Object.fromEntries(bases.map((base) => [`${base}${quote}`, `${base}${between}${quote}`]));

export const VENUES: Readonly<Record<string, Venue>> = {
  binance: { create: binanceSource, defaults: spelt(BASES_IN_USDT, 'USDT', ''), digits: {} },
  kraken: {
    create: krakenSource,
    defaults: spelt(BASES_IN_USD, 'USD', '/'),
    // pair_decimals of /0/public/AssetPairs.
    digits: { ADAUSD: 6, DOGEUSD: 7 },
  },
  coinbase: { create: coinbaseSource, defaults: spelt(BASES_IN_USD, 'USD', '-'), digits: {} },
};
