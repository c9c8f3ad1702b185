// Names of assets (the two sides of a pair) and of instruments that are not pairs, as headlines write them.
//
// `names` always count as a mention, and so does the code itself (EUR, BTC). Names with other meanings are `ambiguous`: they
// count only if the title is about that kind of market, and an ambiguous ticker only if it is written in capitals.

export type AssetKind = 'currency' | 'metal' | 'coin';

export interface AssetNames {
  readonly kind: AssetKind;
  readonly names: readonly string[];
  readonly ambiguous?: readonly string[];
  readonly ambiguousTicker?: boolean;
}

const asset = (kind: AssetKind, names: string, ambiguous = '', ambiguousTicker = false): AssetNames => ({
  kind,
  names: splitList(names),
  ambiguous: splitList(ambiguous),
  ambiguousTicker,
});
const splitList = (text: string): string[] => (text === '' ? [] : text.split(', '));

export const ASSET_NAMES: Readonly<Record<string, AssetNames>> = {
  USD: asset('currency', 'dollar, US dollar, greenback, dollar index, DXY'),
  EUR: asset('currency', 'euro, single currency'),
  GBP: asset('currency', 'sterling, British pound, pound sterling', 'pound, cable'),
  JPY: asset('currency', 'yen, Japanese yen'),
  CHF: asset('currency', 'Swiss franc', 'franc, swissie'),
  AUD: asset('currency', 'Australian dollar, Aussie dollar', 'aussie'),
  NZD: asset('currency', 'New Zealand dollar, kiwi dollar', 'kiwi'),
  CAD: asset('currency', 'Canadian dollar, loonie', '', true),
  XAU: asset('metal', 'gold, bullion'),
  XAG: asset('metal', 'silver'),
  XPT: asset('metal', 'platinum'),
  XPD: asset('metal', 'palladium'),
  BTC: asset('coin', 'bitcoin'),
  ETH: asset('coin', 'ethereum, ether'),
  SOL: asset('coin', 'solana', '', true),
  BNB: asset('coin', 'binance coin'),
  XRP: asset('coin', '', 'ripple'),
  ADA: asset('coin', 'cardano', '', true),
  DOGE: asset('coin', 'dogecoin'),
  LTC: asset('coin', 'litecoin'),
  DOT: asset('coin', 'polkadot', '', true),
  LINK: asset('coin', 'chainlink', '', true),
  AVAX: asset('coin', '', 'avalanche'),
  TON: asset('coin', 'toncoin', '', true),
  TRX: asset('coin', 'tron'),
  USDT: asset('coin', 'tether'),
  USDC: asset('coin', 'usd coin'),
};

export const INSTRUMENT_NAMES: Readonly<Record<string, readonly string[]>> = {
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

/** Phrases that contain a name but mean something else. */
export const FALSE_MENTIONS: readonly string[] = [
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

/** Words that show which kind of market a title is about; an ambiguous name needs one of them. */
export const MARKET_CONTEXT: Readonly<Record<AssetKind, string>> = {
  currency:
    'forex, fx, currency, against, versus, vs, exchange rate, boe, bank of england, brexit, snb, rba, rbnz, bull, bear',
  metal: 'ounce, metal, bullion',
  coin: 'crypto, cryptocurrency, token, coin, altcoin, blockchain, defi, on chain, mainnet, staking, validator, etf, wallet, usdt',
};

/** Longer codes first: BTCUSDT is quoted in USDT. */
const QUOTE_CODES = 'USDT USDC USD EUR GBP JPY CHF AUD NZD CAD CNH BTC ETH'.split(' ');

/** Base and quote of a pair's symbol; `null` if the symbol is not a pair. */
export function pairSides(symbol: string): readonly [base: string, quote: string] | null {
  for (const quote of QUOTE_CODES) {
    const base = symbol.slice(0, -quote.length);
    if (base.length >= 2 && symbol.endsWith(quote)) return [base, quote];
  }
  return null;
}
