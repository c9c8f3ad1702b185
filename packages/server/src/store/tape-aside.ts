// Quotes that are history but never a price to show or to judge by: those whose bid stands above the ask. The source's own
// bars count them, so they are kept for making bars anew, in blocks of their own kind, which no reader of ticks takes for
// ticks. Encoded as ticks are, with another format.
import type { MarketSymbol } from '@tickwire/engine';
import type { TapeBlock, TapeRecord } from './store.ts';
import { decodeBlock, encodeBlock } from './tape-block.ts';

const TICKS = 1;
/** 2 is a minute known only as a bar. */
const ASIDE = 3;

export function encodeAside(records: readonly TapeRecord[], minute: number, digits: number): Uint8Array {
  const bytes = encodeBlock(records, minute, digits);
  bytes[0] = ASIDE;
  return bytes;
}

export const isAside = ({ bytes }: TapeBlock): boolean => bytes[0] === ASIDE;

export function decodeAside(bytes: Uint8Array, symbol: MarketSymbol, minute: number): TapeRecord[] {
  const copy = bytes.slice();
  copy[0] = TICKS;
  return decodeBlock(copy, symbol, minute);
}
