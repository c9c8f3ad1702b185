// A minute's ticks as blocks of the tape, and back. Crossed quotes go to blocks of their own kind.
import type { InstrumentSpec } from '@tickwire/engine';
import type { TapeBlock, TapeRecord } from '../store/store.ts';
import { decodeAside, encodeAside, isAside } from '../store/tape-aside.ts';
import { decodeBlock, encodeBlock } from '../store/tape-block.ts';
import { isMinute } from '../store/tape-minute.ts';
import { isCrossed } from './row-events.ts';

/** As the recorder's: what is read back at once. */
const BLOCK_RECORDS = 4_096;

/** `records` in the order of their seq. */
export function blocksOf({ symbol, digits }: InstrumentSpec, minute: number, records: TapeRecord[]): TapeBlock[] {
  const aside = records.filter(({ event }) => isCrossed(event));
  const ticks = aside.length === 0 ? records : records.filter(({ event }) => !isCrossed(event));
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
    ...pieces(ticks).map((part) => block(part, encodeBlock)),
    ...pieces(aside).map((part) => block(part, encodeAside)),
  ];
}

/** Everything the minute's blocks hold, in the order of seq. A minute known only as a bar holds no ticks. */
export function recordsOf(blocks: readonly TapeBlock[]): TapeRecord[] {
  const records = blocks.flatMap((block) => {
    if (isMinute(block)) return [];
    return (isAside(block) ? decodeAside : decodeBlock)(block.bytes, block.symbol, block.minute);
  });
  return blocks.length > 1 ? records.sort((a, b) => a.seq - b.seq) : records;
}

function pieces(records: TapeRecord[]): TapeRecord[][] {
  if (records.length === 0) return [];
  if (records.length <= BLOCK_RECORDS) return [records];
  const parts: TapeRecord[][] = [];
  for (let at = 0; at < records.length; at += BLOCK_RECORDS) parts.push(records.slice(at, at + BLOCK_RECORDS));
  return parts;
}
