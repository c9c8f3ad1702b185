// Our symbols and OANDA's names for them. Pairs are written with a stroke (EUR_USD); indices and energy have names of
// their own, made of the contract and the currency it is settled in. What an account is offered differs by country and
// division, and one unknown name makes OANDA refuse the whole stream (400): so a symbol has candidates, and the
// account's own list of instruments decides.
import type { InstrumentSpec, MarketSymbol } from '@tickwire/engine';
import type { SymbolMap } from '../venues/venue.ts';

/** Best first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  BTCUSD: ['BTC_USD'],
  US500: ['SPX500_USD'],
  NAS100: ['NAS100_USD'],
  US30: ['US30_USD'],
  // The DAX has forty members since September 2021; the name in the interface follows slowly.
  GER40: ['DE40_EUR', 'DE30_EUR'],
  UK100: ['UK100_GBP'],
  // Settled in dollars; JP225Y_JPY is the other contract.
  JPN225: ['JP225_USD'],
  USOIL: ['WTICO_USD'],
  UKOIL: ['BCO_USD'],
  NATGAS: ['NATGAS_USD'],
};

/** Pairs of currencies or metals need no table. Other coins than bitcoin are offered to few: name them where they are. */
const PAIR = /^([A-Z]{3})([A-Z]{3})$/;

export type Wanted = ReadonlyMap<MarketSymbol, readonly string[]>;

/** The instruments OANDA may have, each with the names it may go by. `overrides`: our symbol → its only name. */
export function wantedNames(
  instruments: readonly InstrumentSpec[],
  overrides: Readonly<Record<string, string>> = {},
): Wanted {
  const wanted = new Map<MarketSymbol, readonly string[]>();
  for (const { symbol, type } of instruments) {
    const pair = type === 'forex' || type === 'metal' ? PAIR.exec(symbol) : null;
    const own = Object.hasOwn(overrides, symbol) ? [overrides[symbol]!] : null;
    const candidates = own ?? NAMES[symbol] ?? (pair ? [`${pair[1]}_${pair[2]}`] : []);
    if (candidates.length > 0) wanted.set(symbol, candidates);
  }
  return wanted;
}

export interface Chosen {
  /** OANDA's name → our symbol. */
  readonly names: SymbolMap;
  /** What this account is not offered under any name. */
  readonly missing: readonly MarketSymbol[];
}

export function chooseNames(wanted: Wanted, offered: ReadonlySet<string>): Chosen {
  const names = new Map<string, MarketSymbol>();
  const missing: MarketSymbol[] = [];
  for (const [symbol, candidates] of wanted) {
    const name = candidates.find((candidate) => offered.has(candidate));
    if (name === undefined) missing.push(symbol);
    else names.set(name, symbol);
  }
  return { names, missing };
}
