// The ticks of one instrument on one UTC day, from the tape, in the order of seq.
//
// The tape keeps blocks by minute. Each block holds its records in the order of seq, and the recorder begins a symbol's next
// block only after it has left the one before, so blocks in the order of their first seq are in order altogether, also where
// late ticks made a second block of an older minute. An import draws a minute's blocks together; what of such a block lies
// behind the next one waits until that one is through. Imported ticks themselves are no evidence and are passed over: they
// never judged. So only the places of the blocks, one minute's bytes, and what waits are in memory.
import type { MarketSymbol } from '@tickwire/engine';
import type { TapeBlock } from '../../store/store.ts';
import { isAside } from '../../store/tape-aside.ts';
import { decodeBlock } from '../../store/tape-block.ts';
import { decodeMinute, isMinute } from '../../store/tape-minute.ts';
import { type EvidenceLine, lineOf } from './evidence-line.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
/** Source of imported ticks. */
const IMPORT = 'import';

/** Blocks of one symbol, of the minutes from `from` (inclusive) to `to` (exclusive). */
export type ReadBlocks = (symbol: MarketSymbol, from: number, to: number) => Promise<TapeBlock[]>;

interface Place {
  readonly minute: number;
  readonly firstSeq: number;
}

/** Where the day's blocks are, by seq; those that begin after `afterSeq`. */
async function placesOf(read: ReadBlocks, symbol: MarketSymbol, start: number, afterSeq: number): Promise<Place[]> {
  const places: Place[] = [];
  for (let hour = start; hour < start + DAY; hour += HOUR) {
    for (const block of await read(symbol, hour, hour + HOUR)) {
      if (block.firstSeq > afterSeq && !isAside(block)) places.push({ minute: block.minute, firstSeq: block.firstSeq });
    }
  }
  return places.sort((a, b) => a.firstSeq - b.firstSeq);
}

/** Whether the tape holds anything of the day. */
export async function hasTape(read: ReadBlocks, symbol: MarketSymbol, day: string): Promise<boolean> {
  const start = Date.parse(day);
  for (let hour = start; hour < start + DAY; hour += HOUR) {
    if ((await read(symbol, hour, hour + HOUR)).length > 0) return true;
  }
  return false;
}

/** In batches. `afterSeq`: only blocks that begin later, such as came after the day was sealed. */
export async function* dayOfTape(
  read: ReadBlocks,
  symbol: MarketSymbol,
  day: string,
  afterSeq = -1,
): AsyncGenerator<EvidenceLine[], void, undefined> {
  const places = await placesOf(read, symbol, Date.parse(day), afterSeq);
  let waiting: EvidenceLine[] = [];
  let minute = -1;
  let blocks: TapeBlock[] = [];
  for (let index = 0; index < places.length; index++) {
    const place = places[index]!;
    if (place.minute !== minute) {
      minute = place.minute;
      blocks = await read(symbol, minute, minute + MINUTE);
    }
    // A block that grew meanwhile has the same first seq; one that an import drew into another is read with that one.
    const block = blocks.find(({ firstSeq }) => firstSeq === place.firstSeq);
    const lines = block ? linesOf(block) : [];
    if (waiting.length > 0) {
      waiting = waiting.concat(lines).sort((a, b) => a.seq - b.seq);
    } else waiting = lines;
    const next = places[index + 1]?.firstSeq ?? Number.POSITIVE_INFINITY;
    if (waiting.length === 0) continue;
    if (waiting.at(-1)!.seq < next) {
      yield waiting;
      waiting = [];
      continue;
    }
    const ready = waiting.findIndex(({ seq }) => seq >= next);
    if (ready > 0) yield waiting.slice(0, ready);
    waiting = waiting.slice(ready);
  }
}

function linesOf(block: TapeBlock): EvidenceLine[] {
  if (isMinute(block)) {
    const minute = decodeMinute(block);
    return minute.source === IMPORT ? [] : [lineOf(minute)];
  }
  const lines: EvidenceLine[] = [];
  for (const record of decodeBlock(block.bytes, block.symbol, block.minute)) {
    if (record.source !== IMPORT) lines.push(lineOf(record));
  }
  return lines;
}
