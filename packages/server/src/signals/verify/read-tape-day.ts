// Reads the ticks of one instrument on one UTC day from the tape, in order of seq.
//
// The tape stores blocks by minute. Records within a block are in order of seq, and the recorder starts the next block
// of a symbol only after it has left the one before. Blocks sorted by their first seq are therefore in order, even if
// late ticks made a second block of an older minute. The exception is an import, which merges the blocks of a minute:
// records of such a block that lie behind the next block are held back until that block has been read. Imported ticks
// are not evidence, because they never judged, and are skipped; damaged blocks are skipped too. Memory holds only the positions of the blocks, one
// minute of bytes, and the records held back.
import { DAY_MS, HOUR_MS, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { isCrossedQuotes } from '../../store/crossed-quotes.ts';
import type { TapeBlock } from '../../store/market-store.ts';
import { IMPORTED, recordsOf } from '../../store/tape-records.ts';
import { type EvidenceLine, toEvidenceLine } from './evidence-line.ts';

/** Blocks of one symbol, for the minutes from `from` (inclusive) to `to` (exclusive). */
export type ReadBlocks = (symbol: MarketSymbol, from: number, to: number) => Promise<TapeBlock[]>;

interface BlockPosition {
  readonly minute: number;
  readonly firstSeq: number;
}

/** Positions of the day's blocks that begin after `afterSeq`, in order of seq. */
async function blockPositions(
  read: ReadBlocks,
  symbol: MarketSymbol,
  start: number,
  afterSeq: number,
): Promise<BlockPosition[]> {
  const positions: BlockPosition[] = [];
  for (let hour = start; hour < start + DAY_MS; hour += HOUR_MS) {
    for (const block of await read(symbol, hour, hour + HOUR_MS)) {
      if (block.firstSeq > afterSeq && !isCrossedQuotes(block) && !block.damaged)
        positions.push({ minute: block.minute, firstSeq: block.firstSeq });
    }
  }
  return positions.sort((a, b) => a.firstSeq - b.firstSeq);
}

/** Whether the tape has anything for the day. */
export async function hasTapeDay(read: ReadBlocks, symbol: MarketSymbol, day: string): Promise<boolean> {
  for await (const _block of blocksOfDay(read, symbol, day)) return true;
  return false;
}

/** A block of the day that cannot be read; `null` if there is none. */
export async function damagedBlockOf(read: ReadBlocks, symbol: MarketSymbol, day: string): Promise<TapeBlock | null> {
  for await (const block of blocksOfDay(read, symbol, day)) if (block.damaged) return block;
  return null;
}

async function* blocksOfDay(read: ReadBlocks, symbol: MarketSymbol, day: string): AsyncGenerator<TapeBlock> {
  const start = Date.parse(day);
  for (let hour = start; hour < start + DAY_MS; hour += HOUR_MS) yield* await read(symbol, hour, hour + HOUR_MS);
}

/** In batches. `afterSeq`: reads only blocks that begin later, such as those written after the day was sealed. */
export async function* readTapeDay(
  read: ReadBlocks,
  symbol: MarketSymbol,
  day: string,
  afterSeq = -1,
): AsyncGenerator<EvidenceLine[], void, undefined> {
  const positions = await blockPositions(read, symbol, Date.parse(day), afterSeq);
  let held: EvidenceLine[] = [];
  let minute = -1;
  let blocks: TapeBlock[] = [];
  for (let index = 0; index < positions.length; index++) {
    const position = positions[index]!;
    if (position.minute !== minute) {
      minute = position.minute;
      blocks = await read(symbol, minute, minute + MINUTE_MS);
    }
    // A block that has grown meanwhile keeps its first seq. One that an import merged into another is read with that
    // one.
    const block = blocks.find(({ firstSeq }) => firstSeq === position.firstSeq);
    const lines = block ? linesOf(block) : [];
    if (held.length > 0) {
      held = held.concat(lines).sort((a, b) => a.seq - b.seq);
    } else held = lines;
    const next = positions[index + 1]?.firstSeq ?? Number.POSITIVE_INFINITY;
    if (held.length === 0) continue;
    if (held.at(-1)!.seq < next) {
      yield held;
      held = [];
      continue;
    }
    const ready = held.findIndex(({ seq }) => seq >= next);
    if (ready > 0) yield held.slice(0, ready);
    held = held.slice(ready);
  }
}

function linesOf(block: TapeBlock): EvidenceLine[] {
  const lines: EvidenceLine[] = [];
  for (const record of recordsOf(block)) if (record.source !== IMPORTED) lines.push(toEvidenceLine(record));
  return lines;
}
