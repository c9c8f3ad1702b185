// Crossed quotes: their bid is above the ask. They are never displayed and never judge signals, but the bars of their
// source include them, so they are kept to rebuild bars. They are stored in blocks with a format of their own, so that
// no reader takes them for ticks; the encoding is that of ticks.
import type { MarketSymbol } from '@tickwire/engine';
import type { TapeBlock, TapeRecord } from './market-store.ts';
import { decodeBlock, encodeBlock } from './tape-block.ts';

const TICKS = 1;
/** Format 2 is a minute known only as a bar. */
const CROSSED = 3;

export function encodeCrossedQuotes(records: readonly TapeRecord[], minute: number, digits: number): Uint8Array {
  const bytes = encodeBlock(records, minute, digits);
  bytes[0] = CROSSED;
  return bytes;
}

export const isCrossedQuotes = ({ bytes }: TapeBlock): boolean => bytes[0] === CROSSED;

export function decodeCrossedQuotes(bytes: Uint8Array, symbol: MarketSymbol, minute: number): TapeRecord[] {
  const copy = bytes.slice();
  copy[0] = TICKS;
  return decodeBlock(copy, symbol, minute);
}
