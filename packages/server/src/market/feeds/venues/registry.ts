// The crypto exchanges the service knows. A new one needs an import and an entry here.
import { binance } from './binance/binance.ts';
import { binanceusdm } from './binanceusdm/binanceusdm.ts';
import { bybit } from './bybit/bybit.ts';
import { coinbase } from './coinbase/coinbase.ts';
import { hyperliquid } from './hyperliquid/hyperliquid.ts';
import { kraken } from './kraken/kraken.ts';
import { okx } from './okx/okx.ts';
import type { Venue } from './venue.ts';

const ALL: readonly Venue[] = [binance, kraken, coinbase, hyperliquid, binanceusdm, bybit, okx];

export const VENUES: Readonly<Record<string, Venue>> = Object.fromEntries(ALL.map((venue) => [venue.name, venue]));
