// What the blocks of the tape contain: ticks, a minute known only as a bar, or crossed quotes. A damaged block contains nothing.
import { decodeCrossedQuotes, isCrossedQuotes } from './crossed-quotes.ts';
import type { TapeBlock, TapeRecord } from './market-store.ts';
import { decodeBlock } from './tape-block.ts';
import { decodeMinute, isMinute, type MinuteRecord } from './tape-minute.ts';

/** Source of imported records. */
export const IMPORTED = 'import';

/** The ticks of a block, without crossed quotes. */
export const ticksOf = (block: TapeBlock): TapeRecord[] =>
  isCrossedQuotes(block) ? [] : ticksAndCrossedQuotesOf(block);

export function ticksAndCrossedQuotesOf(block: TapeBlock): TapeRecord[] {
  if (isMinute(block) || block.damaged) return [];
  return (isCrossedQuotes(block) ? decodeCrossedQuotes : decodeBlock)(block.bytes, block.symbol, block.minute);
}

/** The ticks of a block, or its minute; without crossed quotes. */
export const recordsOf = (block: TapeBlock): (TapeRecord | MinuteRecord)[] =>
  isMinute(block) ? [decodeMinute(block)] : ticksOf(block);
