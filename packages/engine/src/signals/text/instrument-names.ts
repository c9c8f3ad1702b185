// Finds the instrument that a message names: by its symbol in any spelling, by what traders call it, or by its coin.
import type { InstrumentSpec, MarketSymbol } from '../../market/instrument.ts';
import { SymbolIndex } from '../../market/symbol-index.ts';
import { foldWord } from './folded-text.ts';

/** What traders call an instrument, with or without spaces. Names that mean two instruments (oil, euro) are left out. */
const NICKNAMES: Readonly<Record<string, string>> = {
  XAUUSD:
    'gold, xau, gold spot, spot gold, oro, ouro, золото, золота, золоту, голд, ذهب, الذهب, للذهب, دهب, الدهب, جولد, قولد, emas',
  XAGUSD: 'silver, xag, plata, prata, silber, серебро, серебра, فضه, الفضه, للفضه, سيلفر, perak',
  GBPUSD: 'cable',
  EURUSD: 'fiber, fibre',
  AUDUSD: 'aussie',
  NZDUSD: 'kiwi',
  USDCAD: 'loonie',
  USDCHF: 'swissy, swissie',
  USDJPY: 'ninja, gopher',
  GBPJPY: 'guppy, geppy, gepy',
  EURGBP: 'chunnel',
  EURJPY: 'yuppy',
  NAS100:
    'nas, nasdaq, nasdaq100, nas 100, us100, ustec, ustech, us tech 100, ndx, ndx100, us100cash, nq100, nsdq100, nsdq, наздак, насдак, ناسداك, الناسداك, نازداك',
  US30: 'us 30, dow, dow jones, dj30, dow30, dow jones 30, djia, wallstreet, wallstreet30, ws30, داو, داو جونز, الداو, الداو جونز, доу, доу джонс',
  US500: 'us 500, spx, spx500, sp500, s&p, s&p500, snp500, us500cash',
  GER40: 'ger 40, ger30, dax, dax40, dax30, de40, de30, germany40, germany30, داكس, الداكس, дакс',
  UK100: 'uk 100, ftse, ftse100, footsie',
  JPN225: 'jpn 225, jp225, nikkei, nikkei225, ni225, japan225, نيكاي, никкей',
  USOIL:
    'wti, us oil, wti oil, wti crude, wti crude oil, crude wti, oil wti, usoil wti, xtiusd, xti, uswti, us crude, us crude oil',
  UKOIL: 'brent, uk oil, brent oil, brent crude, brent crude oil, oil brent, xbrusd, xbr, ukbrent, ukoil brent, брент',
  NATGAS:
    'natural gas, nat gas, ngas, xngusd, xng, gas natural, erdgas, gaz naturel, природный газ, الغاز الطبيعي, gas alam',
};

const COINS: Readonly<Record<string, string>> = {
  BTC: 'btc, bitcoin, xbt, xbtusd, биткоин, биткойн, биток, بيتكوين, البيتكوين',
  ETH: 'eth, ethereum, ether, эфир, эфириум, ايثيريوم, اثيريوم',
  SOL: 'solana, солана',
  BNB: 'bnb, binance coin',
  XRP: 'xrp, ripple, рипл',
  ADA: 'cardano',
  DOGE: 'doge, dogecoin, догикоин',
  LTC: 'ltc, litecoin, лайткоин',
};
/** Codes of coins that are also words: they count in upper case only. */
const UPPER_CASE_CODES = ['SOL', 'ADA'];

/** Names that could be two instruments of the catalogue. */
const UNCLEAR_NAMES: Readonly<Record<string, readonly string[]>> = {
  oil: ['USOIL', 'UKOIL'],
  crude: ['USOIL', 'UKOIL'],
  crudeoil: ['USOIL', 'UKOIL'],
  petroleo: ['USOIL', 'UKOIL'],
  нефть: ['USOIL', 'UKOIL'],
  النفط: ['USOIL', 'UKOIL'],
  minyak: ['USOIL', 'UKOIL'],
};

const CURRENCIES =
  'usd eur gbp jpy chf aud cad nzd sek nok dkk sgd hkd cnh cny mxn zar try pln huf czk inr krw brl thb ils rub xau xag xpt xpd'.split(
    ' ',
  );
const STABLECOINS = /^[a-z0-9]{2,10}(?:usdt|usdc|busd)$/;
/** What brokers append to a symbol: `EURUSD.m`, `XAUUSDm`, `US30.cash`. */
const BROKER_SUFFIX = /^(.{4,}?)(?:[.+#_-](?:[a-oq-z]|pro|ecn|raw|std|cash|spot|micro|mini)|\+|#|m)$/;

/** `symbols`: one, or those the name could mean; none if it is an instrument that the service does not have. */
export interface NamedInstrument {
  readonly symbols: readonly MarketSymbol[];
  /** Named without the currency of its prices. */
  readonly isNickname?: boolean;
}

export const squeeze = (text: string): string => text.replace(/[\s/_-]/g, '');

export class InstrumentNames {
  readonly #instruments: readonly Pick<InstrumentSpec, 'symbol'>[];
  readonly #index: SymbolIndex;

  constructor(instruments: readonly Pick<InstrumentSpec, 'symbol'>[]) {
    this.#instruments = instruments;
    this.#index = new SymbolIndex(instruments);
  }

  /** `text` from a folded message in its own case; `undefined` if it does not name an instrument. */
  find(text: string): NamedInstrument | undefined {
    const symbol = this.#index.resolve(text) ?? this.#withoutSuffix(text);
    if (symbol) return { symbols: [symbol] };
    const folded = squeeze(text.toLowerCase());
    const unclear = UNCLEAR_NAMES[folded];
    if (unclear) return { symbols: this.#known(unclear) };
    const nickname = NICKNAME_SYMBOLS.get(folded);
    if (nickname !== undefined) return { symbols: this.#known([nickname]), isNickname: true };
    const coin = UPPER_CASE_CODES.includes(text) ? text : COIN_CODES.get(folded);
    if (coin !== undefined) return { symbols: this.#ofCoin(coin), isNickname: true };
    return looksLikeInstrument(folded) ? { symbols: [] } : undefined;
  }

  #withoutSuffix(text: string): MarketSymbol | undefined {
    const plain = BROKER_SUFFIX.exec(text.toLowerCase())?.[1];
    return plain === undefined ? undefined : this.#index.resolve(plain);
  }

  #known(symbols: readonly string[]): readonly MarketSymbol[] {
    return symbols.flatMap((symbol) => this.#index.resolve(symbol) ?? []);
  }

  /** A coin is traded against several currencies, and as a perpetual. */
  #ofCoin(coin: string): readonly MarketSymbol[] {
    const pattern = new RegExp(`^${coin}(?:USD|USDT|USDC|EUR|GBP|BTC)(?:\\.P)?$`);
    return this.#instruments.map(({ symbol }) => symbol).filter((symbol) => pattern.test(symbol));
  }
}

const namesOf = (table: Readonly<Record<string, string>>): Map<string, string> =>
  new Map(
    Object.entries(table).flatMap(([symbol, names]) =>
      names.split(',').map((name) => [squeeze(foldWord(name.trim())), symbol]),
    ),
  );
const NICKNAME_SYMBOLS = namesOf(NICKNAMES);
const COIN_CODES = namesOf(COINS);

/** A pair of currencies, or a coin against a stablecoin. */
const looksLikeInstrument = (squeezed: string): boolean =>
  STABLECOINS.test(squeezed) ||
  (squeezed.length === 6 && CURRENCIES.includes(squeezed.slice(0, 3)) && CURRENCIES.includes(squeezed.slice(3)));
