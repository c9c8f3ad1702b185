// What people call the things that are traded: the sides of pairs, and instruments that are no pair.
//
// `names` are a mention wherever they stand, `ticker` is the code as a word. What has other meanings is `guarded`: it counts
// only where the title speaks of that kind of market, and a guarded ticker only in capitals.

export type Kind = 'currency' | 'metal' | 'coin';

export interface AssetNames {
  readonly kind: Kind;
  readonly names: readonly string[];
  readonly guarded?: readonly string[];
  readonly guardedTicker?: boolean;
}

const named = (kind: Kind, names: string, guarded = '', guardedTicker = false): AssetNames => ({
  kind,
  names: listed(names),
  guarded: listed(guarded),
  guardedTicker,
});
const listed = (text: string): string[] => (text === '' ? [] : text.split(', '));

export const ASSET_NAMES: Readonly<Record<string, AssetNames>> = {
  USD: named('currency', 'dollar, US dollar, greenback, dollar index, DXY'),
  EUR: named('currency', 'euro, single currency'),
  GBP: named('currency', 'sterling, British pound, pound sterling', 'pound, cable'),
  JPY: named('currency', 'yen, Japanese yen'),
  CHF: named('currency', 'Swiss franc', 'franc, swissie'),
  AUD: named('currency', 'Australian dollar, Aussie dollar', 'aussie'),
  NZD: named('currency', 'New Zealand dollar, kiwi dollar', 'kiwi'),
  CAD: named('currency', 'Canadian dollar, loonie', '', true),
  XAU: named('metal', 'gold, bullion'),
  XAG: named('metal', 'silver'),
  XPT: named('metal', 'platinum'),
  XPD: named('metal', 'palladium'),
  BTC: named('coin', 'bitcoin'),
  ETH: named('coin', 'ethereum, ether'),
  SOL: named('coin', 'solana', '', true),
  BNB: named('coin', 'binance coin'),
  XRP: named('coin', '', 'ripple'),
  ADA: named('coin', 'cardano', '', true),
  DOGE: named('coin', 'dogecoin'),
  LTC: named('coin', 'litecoin'),
  DOT: named('coin', 'polkadot', '', true),
  LINK: named('coin', 'chainlink', '', true),
  AVAX: named('coin', '', 'avalanche'),
  TON: named('coin', 'toncoin', '', true),
  TRX: named('coin', 'tron'),
  USDT: named('coin', 'tether'),
  USDC: named('coin', 'usd coin'),
};

export const SINGLE_NAMES: Readonly<Record<string, readonly string[]>> = {
  US500: ['S&P 500', 'S&P500', 'S&P', 'Wall Street'],
  NAS100: ['Nasdaq 100', 'Nasdaq'],
  US30: ['Dow Jones', 'Dow industrials', 'Dow'],
  GER40: ['DAX', 'DAX 40'],
  UK100: ['FTSE 100', 'FTSE'],
  JPN225: ['Nikkei 225', 'Nikkei'],
  USOIL: ['WTI', 'US crude', 'crude oil', 'crude', 'oil'],
  UKOIL: ['Brent', 'Brent crude', 'crude oil', 'crude', 'oil'],
  NATGAS: ['natural gas', 'natgas'],
};

/** Phrases that hold a name and mean something else. */
export const NOT_MEANT: readonly string[] = [
  ...'gold medal, gold medalist, gold medallist, gold coast, gold card, gold rush, gold cup, golden globe'.split(', '),
  ...'silver medal, silver lining, silver screen, silver lake, ripple effect, dollar general, dollar tree'.split(', '),
  ...'dollar store, top dollar, million dollar, billion dollar, trillion dollar, million euro, billion euro'.split(
    ', ',
  ),
  ...'million pound, billion pound, million yen, billion yen, trillion yen, pound of, hong kong dollar'.split(', '),
  ...'singapore dollar, taiwan dollar, euro zone, euro area, euro 2024, euro 2028, olive oil, essential oil'.split(
    ', ',
  ),
  ...'palm oil, cooking oil, digital euro, digital dollar, digital yuan, tether gold, wall street journal'.split(', '),
];

/** Words that show which kind of market a title is about. */
export const CONTEXT: Readonly<Record<Kind, string>> = {
  currency:
    'forex, fx, currency, against, versus, vs, exchange rate, boe, bank of england, brexit, snb, rba, rbnz, bull, bear',
  metal: 'ounce, metal, bullion',
  coin: 'crypto, cryptocurrency, token, coin, altcoin, blockchain, defi, on chain, mainnet, staking, validator, etf, wallet, usdt',
};
