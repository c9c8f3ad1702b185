// Encodes the ticks of a minute as tape blocks, and decodes them. Crossed quotes go to blocks of a separate kind.
import type { InstrumentSpec } from '@tickwire/engine';
import { encodeCrossedQuotes } from '../../store/crossed-quotes.ts';
import type { TapeBlock, TapeRecord } from '../../store/store.ts';
import { encodeBlock } from '../../store/tape-block.ts';
import { ticksAndCrossedQuotesOf } from '../../store/tape-records.ts';
import { isCrossed } from './row-events.ts';

/** Ticks in one block: limits what is decoded at once. */
const BLOCK_RECORDS = 4_096;

/** `records` must be in the order of their seq. */
export function encodeMinuteBlocks(
  { symbol, digits }: InstrumentSpec,
  minute: number,
  records: TapeRecord[],
): TapeBlock[] {
  const crossed = records.filter(({ event }) => isCrossed(event));
  const ticks = crossed.length === 0 ? records : records.filter(({ event }) => !isCrossed(event));
  const block = (part: TapeRecord[], encode: typeof encodeBlock): TapeBlock => {
    let bidVolume = 0;
    let askVolume = 0;
    for (const { event } of part) {
      if (event.kind === 'quote') continue;
      if (event.side === 'buy') askVolume += event.size;
      else bidVolume += event.size;
    }
    return {
      symbol,
      minute: minute as TapeBlock['minute'],
      firstSeq: part[0]!.seq,
      count: part.length,
      bidVolume,
      askVolume,
      bytes: encode(part, minute, digits),
    };
  };
  return [
    ...splitRecords(ticks).map((part) => block(part, encodeBlock)),
    ...splitRecords(crossed).map((part) => block(part, encodeCrossedQuotes)),
  ];
}

/** All ticks of a minute's blocks in the order of seq. A minute that is known only as a bar has none. */
export function decodeMinuteBlocks(blocks: readonly TapeBlock[]): TapeRecord[] {
  const records = blocks.flatMap(ticksAndCrossedQuotesOf);
  return blocks.length > 1 ? records.sort((a, b) => a.seq - b.seq) : records;
}

function splitRecords(records: TapeRecord[]): TapeRecord[][] {
  if (records.length === 0) return [];
  if (records.length <= BLOCK_RECORDS) return [records];
  const parts: TapeRecord[][] = [];
  for (let at = 0; at < records.length; at += BLOCK_RECORDS) parts.push(records.slice(at, at + BLOCK_RECORDS));
  return parts;
}
