// Names and classes of Hyperliquid's perpetuals. Several exchanges on it list the same underlying: those of the venue and of
// `xyz` have plain names (GOLDUSDC.P), others the name of the exchange before it (KMGOLDUSDC.P).
import { asSymbol } from '@tickwire/engine';
import type { VenueListing } from '../venue.ts';

type Class = VenueListing['type'];

export interface Coin {
  readonly name: string;
  readonly digits: number;
  readonly isDelisted: boolean;
  readonly markPrice: number | null;
}

/** The coins of an exchange on the venue; `''` is the venue's own. */
export interface Dex {
  readonly name: string;
  readonly quoteCurrency: string;
  readonly coins: readonly Coin[];
}

const PLAIN = ['', 'xyz'];

/** Underlyings that exchanges of builders list, other than shares and coins. */
const CLASSES = new Map<string, Class>(
  Object.entries({
    metal: ['GOLD', 'SILVER', 'COPPER', 'PLATINUM', 'PALLADIUM', 'ALUMINIUM'],
    energy: ['CL', 'BRENTOIL', 'NATGAS', 'OIL', 'USOIL', 'HO', 'URANIUM'],
    forex: ['EUR', 'JPY', 'GBP'],
    index: [
      ...['SP500', 'XYZ100', 'JP225', 'KR200', 'DXY', 'VIX', 'NIFTY', 'IBOV'],
      ...['US500', 'USTECH', 'SMALL2000', 'USA500', 'USA100'],
    ],
  }).flatMap(([type, names]) => names.map((name): [string, Class] => [name, type as Class])),
);

function listing(coin: string, base: string, quote: string, type: Class, digits: number, name = base): VenueListing {
  return {
    venueSymbol: coin,
    symbol: asSymbol(`${base}${quote}.P`),
    name: `${name} / ${quote} perpetual`,
    type,
    digits,
    contract: 'perpetual',
    underlying: coin.slice(coin.indexOf(':') + 1),
    quoteCurrency: quote,
  };
}

/** Prices have five significant digits; there is room for a price ten times lower. */
export const HYPERLIQUID_INSTRUMENTS: readonly VenueListing[] = (
  [
    ['BTC', 'crypto', 1, 'Bitcoin'],
    ['ETH', 'crypto', 2, 'Ethereum'],
    ['SOL', 'crypto', 4, 'Solana'],
    ['xyz:GOLD', 'metal', 2, 'Gold'],
    ['xyz:SILVER', 'metal', 4, 'Silver'],
    ['xyz:CL', 'energy', 4, 'Crude oil WTI'],
    ['xyz:SP500', 'index', 3, 'S&P 500'],
    ['xyz:XYZ100', 'index', 2, 'XYZ100 index of US technology shares'],
    ['xyz:JP225', 'index', 2, 'Japan 225'],
    ['xyz:EUR', 'forex', 5, 'Euro in US dollars'],
    ['xyz:JPY', 'forex', 4, 'US dollar in yen'],
  ] as const
).map(([coin, type, digits, name]) => listing(coin, coin.replace('xyz:', ''), 'USDC', type, digits, name));

export function listingsOf(dexes: readonly Dex[]): VenueListing[] {
  const own = new Set(dexes.find(({ name }) => name === '')?.coins.map(({ name }) => name));
  const taken = new Set<string>();
  return dexes.flatMap(({ name: dex, coins, quoteCurrency }) =>
    coins.flatMap(({ name: coin, digits, isDelisted, markPrice }) => {
      if (isDelisted) return [];
      const underlying = coin.slice(coin.indexOf(':') + 1);
      const type =
        CLASSES.get(dex === '' ? '' : underlying) ?? (dex === '' || own.has(underlying) ? 'crypto' : 'equity');
      const plain = underlying.toUpperCase();
      const isPlain = PLAIN.includes(dex) && !taken.has(plain);
      if (isPlain) taken.add(plain);
      const base = isPlain ? plain : `${dex.toUpperCase()}${plain}`;
      const entry = listing(coin, base, quoteCurrency, type, digits);
      return [markPrice === null ? entry : { ...entry, lastPrice: markPrice }];
    }),
  );
}
