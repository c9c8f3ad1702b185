// Which currency a country has, and which instruments an event of a currency affects.
import { type InstrumentSpec, type MarketSymbol, pairOf, priceCurrency } from '@tickwire/engine';

const EURO_AREA = 'EU AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK';

const CURRENCY_OF_COUNTRY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EURO_AREA.split(' ').map((country) => [country, 'EUR'])),
  AE: 'AED',
  AR: 'ARS',
  AU: 'AUD',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  CL: 'CLP',
  CN: 'CNY',
  CO: 'COP',
  CZ: 'CZK',
  DK: 'DKK',
  GB: 'GBP',
  HK: 'HKD',
  HU: 'HUF',
  ID: 'IDR',
  IL: 'ILS',
  IN: 'INR',
  IS: 'ISK',
  JP: 'JPY',
  KR: 'KRW',
  MX: 'MXN',
  MY: 'MYR',
  NO: 'NOK',
  NZ: 'NZD',
  PE: 'PEN',
  PH: 'PHP',
  PL: 'PLN',
  RO: 'RON',
  RU: 'RUB',
  SA: 'SAR',
  SE: 'SEK',
  SG: 'SGD',
  TH: 'THB',
  TR: 'TRY',
  TW: 'TWD',
  US: 'USD',
  VN: 'VND',
  ZA: 'ZAR',
};

/** The currency of a country in upper case; `null` if it is not known. */
export const currencyOfCountry = (country: string): string | null =>
  Object.hasOwn(CURRENCY_OF_COUNTRY, country) ? CURRENCY_OF_COUNTRY[country]! : null;

const COUNTRY_OF_CURRENCY = new Map(
  Object.entries(CURRENCY_OF_COUNTRY).map(([country, currency]) => [currency, currency === 'EUR' ? 'EU' : country]),
);

/** The country of a currency in upper case, `EU` for the euro; `null` if it is not known. */
export const countryOfCurrency = (currency: string): string | null => COUNTRY_OF_CURRENCY.get(currency) ?? null;

/** The yuan that trades outside mainland China moves with the one inside. */
const asTraded = (currency: string): string => (currency === 'CNH' ? 'CNY' : currency);

/**
 * The instruments of each currency: pairs by both their currencies, everything else by the currency of its prices. Dollar
 * tokens count as dollars.
 */
export class AffectedInstruments {
  readonly #byCurrency = new Map<string, MarketSymbol[]>();

  readonly #instruments: readonly InstrumentSpec[];
  #read = 0;

  /** The list may grow. */
  constructor(instruments: readonly InstrumentSpec[]) {
    this.#instruments = instruments;
  }

  /** In the order of the catalogue. */
  of(currency: string): readonly MarketSymbol[] {
    while (this.#read < this.#instruments.length) this.#add(this.#instruments[this.#read++]!);
    return this.#byCurrency.get(asTraded(currency)) ?? [];
  }

  #add(spec: InstrumentSpec): void {
    const { base } = pairOf(spec);
    const currencies = new Set([base, priceCurrency(spec)].flatMap((each) => (each === null ? [] : asTraded(each))));
    for (const currency of currencies) {
      const symbols = this.#byCurrency.get(currency) ?? [];
      symbols.push(spec.symbol);
      this.#byCurrency.set(currency, symbols);
    }
  }
}
