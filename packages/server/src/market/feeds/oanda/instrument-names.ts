// Our symbols and OANDA's names for them. Pairs are written with an underscore (EUR_USD); indices and energy have their own
// names, made of the contract and its settlement currency. The offer differs by country and division, and one unknown name
// makes OANDA refuse the whole stream (400). So a symbol has candidate names, and the account's list of instruments
// decides.
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { SymbolMap } from '../mapper.ts';

/** Preferred name first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  BTCUSD: ['BTC_USD'],
  US500: ['SPX500_USD'],
  NAS100: ['NAS100_USD'],
  US30: ['US30_USD'],
  // The DAX has had forty members since September 2021; not every account has the new name yet.
  GER40: ['DE40_EUR', 'DE30_EUR'],
  UK100: ['UK100_GBP'],
  // Settled in dollars; JP225Y_JPY is the other contract.
  JPN225: ['JP225_USD'],
  USOIL: ['WTICO_USD'],
  UKOIL: ['BCO_USD'],
  NATGAS: ['NATGAS_USD'],
};

/** displayPrecision, where it is finer than the catalogue. */
export const OANDA_DIGITS: Readonly<Record<string, number>> = { XAGUSD: 5 };

/** Pairs of currencies or metals need no table. Few accounts offer coins other than bitcoin: name those in the options. */
const PAIR = /^([A-Z]{3})([A-Z]{3})$/;

export type CandidateNames = ReadonlyMap<MarketSymbol, readonly string[]>;

/** The instruments that OANDA may offer, each with its possible names. `overrides`: our symbol → its only name. */
export function candidateNames(
  instruments: readonly InstrumentSpec[],
  overrides: Readonly<Record<string, string>> = {},
): CandidateNames {
  const candidates = new Map<MarketSymbol, readonly string[]>();
  for (const { symbol, type } of instruments) {
    const pair = type === 'forex' || type === 'metal' ? PAIR.exec(symbol) : null;
    const own = Object.hasOwn(overrides, symbol) ? [overrides[symbol]!] : null;
    const names = own ?? NAMES[symbol] ?? (pair ? [`${pair[1]}_${pair[2]}`] : []);
    if (names.length > 0) candidates.set(symbol, names);
  }
  return candidates;
}

export interface AccountNames {
  /** OANDA's name → our symbol. */
  readonly names: SymbolMap;
  /** Symbols that the account does not offer under any name. */
  readonly missing: readonly MarketSymbol[];
}

export function chooseNames(candidates: CandidateNames, offered: Pick<ReadonlySet<string>, 'has'>): AccountNames {
  const names = new Map<string, MarketSymbol>();
  const missing: MarketSymbol[] = [];
  for (const [symbol, symbolNames] of candidates) {
    const name = symbolNames.find((candidate) => offered.has(candidate));
    if (name === undefined) missing.push(symbol);
    else names.set(name, symbol);
  }
  return { names, missing };
}
