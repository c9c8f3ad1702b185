// Blocks of the tape as rows of its table: with a checksum over all columns, and new ticks first in parts.
//
// A part has the newest ticks of all instruments in a minute, each as the bytes that follow those in its block, so that a flush
// of the recorder writes one small row. Ticks are gathered in their blocks later; until then, readers put both together.
//   section: symbol, zigzag of the block's first seq less that of the part, position in the bytes of the block, length, bytes
import { crc32 } from 'node:zlib';
import type { MarketSymbol } from '@tickwire/engine';
import type { TapeBlock } from './market-store.ts';
import { PackedReader, PackedWriter } from './packed-bytes.ts';
import { decodeBlock } from './tape-block.ts';

/** The symbol of parts. The `firstSeq` of a part is a number of its own, not below those of its ticks; a later part has a higher one. */
export const PART = '' as MarketSymbol;

export interface TapeRow extends Omit<TapeBlock, 'damaged'> {
  readonly checksum: number;
}

/** More than a section has beside its bytes: a symbol of 255 bytes, its length and three numbers. */
const SECTION_HEADER = 300;
const encoder = new TextEncoder();
const numbers = new DataView(new ArrayBuffer(5 * 8));
const numberBytes = new Uint8Array(numbers.buffer);

/** CRC-32 of all fields: it finds every changed bit, also in the columns of the key. */
function checksumOf({ symbol, minute, firstSeq, count, bidVolume, askVolume, bytes }: TapeBlock): number {
  numbers.setFloat64(0, minute);
  numbers.setFloat64(8, firstSeq);
  numbers.setFloat64(16, count);
  numbers.setFloat64(24, bidVolume);
  numbers.setFloat64(32, askVolume);
  return crc32(bytes, crc32(numberBytes, crc32(symbol)));
}

export const isIntact = (row: TapeRow): boolean => checksumOf(row) === row.checksum;

export const rowOf = (block: TapeBlock): TapeRow => ({ ...block, checksum: checksumOf(block) });

/** Ticks that follow those of a block that are on the tape already. */
export interface TapeSection {
  readonly symbol: MarketSymbol;
  /** `firstSeq` of the block. */
  readonly firstSeq: number;
  /** Position in the bytes of the block. */
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** `count`: ticks in all sections. */
export function encodePart(
  minute: number,
  firstSeq: number,
  count: number,
  sections: readonly TapeSection[],
): TapeBlock {
  const writer = new PackedWriter();
  for (const section of sections) {
    writer.reserve(SECTION_HEADER + section.bytes.length);
    writer.text(encoder.encode(section.symbol));
    writer.zigzag(section.firstSeq - firstSeq);
    writer.varint(section.from);
    writer.varint(section.bytes.length);
    writer.bytes(section.bytes);
  }
  const bytes = writer.done();
  return { symbol: PART, minute: minute as TapeBlock['minute'], firstSeq, count, bidVolume: 0, askVolume: 0, bytes };
}

/**
 * The blocks in rows that are ordered by minute and first seq, of all symbols or `only` one. A damaged row becomes a block without
 * bytes. `nameOf`: the file or table of a minute.
 */
export function blocksOf(
  rows: readonly TapeRow[],
  nameOf: (minute: number) => string,
  only?: MarketSymbol,
): TapeBlock[] {
  const blocks: TapeBlock[] = [];
  for (const { symbol, minute, firstSeq, count, bidVolume, askVolume, bytes, checksum } of rows) {
    // The driver of PostgreSQL returns buffers.
    const plain = Buffer.isBuffer(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : bytes;
    const block = { symbol, minute, firstSeq, count, bidVolume, askVolume, bytes: plain };
    blocks.push(checksumOf(block) === checksum ? block : damagedBlock(block, nameOf(minute)));
  }
  return withParts(blocks, nameOf, only);
}

/** Puts the ticks in parts behind those of their blocks. */
export function withParts(
  blocks: readonly TapeBlock[],
  nameOf: (minute: number) => string,
  only?: MarketSymbol,
): TapeBlock[] {
  const parts = blocks.filter(({ symbol, damaged }) => symbol === PART && !damaged);
  // A damaged part has ticks of any instrument.
  const found = new Map<string, TapeBlock>();
  const damaged: TapeBlock[] = [];
  for (const block of blocks) {
    if (block.damaged) damaged.push(block.symbol === PART && only ? { ...block, symbol: only } : block);
    else if (block.symbol !== PART) found.set(keyOf(block), block);
  }
  if (parts.length === 0) return damaged.length === 0 ? [...blocks] : [...found.values(), ...damaged].sort(byPosition);
  const hidden = new Map<string, TapeBlock>();
  const grown = new Map<string, { readonly block: TapeBlock; length: number; readonly pieces: Uint8Array[] }>();
  for (const part of parts) {
    for (const section of sectionsOf(part, only)) {
      const { minute } = part;
      const key = keyOf({ ...section, minute });
      const { symbol, firstSeq, from, bytes } = section;
      const known = found.get(key);
      const empty = { symbol, minute, firstSeq, count: 0, bidVolume: 0, askVolume: 0, bytes: new Uint8Array() };
      const block = grown.get(key) ?? {
        block: known ?? empty,
        length: known?.bytes.length ?? 0,
        pieces: known ? [known.bytes] : [],
      };
      grown.set(key, block);
      // A part that was written twice, or whose ticks were gathered meanwhile.
      const repeated = block.length - from;
      // One damaged part hides where all later ones begin.
      if (repeated < 0) hidden.set(key, damagedBlock(empty, nameOf(minute)));
      else if (repeated < bytes.length) {
        block.pieces.push(bytes.subarray(repeated));
        block.length += bytes.length - repeated;
      }
    }
  }
  for (const [key, { block, length, pieces }] of grown) if (length > 0) found.set(key, joined(block, pieces));
  return [...found.values(), ...damaged, ...hidden.values()].sort(byPosition);
}

const keyOf = ({ symbol, minute, firstSeq }: Pick<TapeBlock, 'symbol' | 'minute' | 'firstSeq'>): string =>
  `${symbol} ${minute} ${firstSeq}`;

const byPosition = (a: TapeBlock, b: TapeBlock): number => a.minute - b.minute || a.firstSeq - b.firstSeq;

const damagedBlock = (block: TapeBlock, name: string): TapeBlock => ({
  ...block,
  count: 0,
  bidVolume: 0,
  askVolume: 0,
  bytes: new Uint8Array(),
  damaged: name,
});

/** Where a damaged block is, for people. */
export const placeOf = ({ damaged, symbol, minute }: TapeBlock) => ({
  file: damaged,
  symbol: symbol || 'any instrument',
  minute: new Date(minute).toISOString().slice(0, 16),
});

function joined(block: TapeBlock, pieces: readonly Uint8Array[]): TapeBlock {
  const bytes = Uint8Array.from(Buffer.concat(pieces));
  const records = decodeBlock(bytes, block.symbol, block.minute);
  let [bidVolume, askVolume] = [0, 0];
  for (const { event } of records) {
    if (event.kind === 'quote') continue;
    if (event.side === 'buy') askVolume += event.size;
    else bidVolume += event.size;
  }
  return { ...block, count: records.length, bidVolume, askVolume, bytes };
}

function* sectionsOf({ firstSeq, bytes }: TapeBlock, only?: MarketSymbol): Generator<TapeSection> {
  const reader = new PackedReader(bytes, () => new Error('part of the tape ends too early'));
  while (!reader.ended) {
    const symbol = reader.text() as MarketSymbol;
    const first = firstSeq + reader.zigzag();
    const from = reader.varint();
    const section = reader.bytes(reader.varint());
    if (only === undefined || symbol === only) yield { symbol, firstSeq: first, from, bytes: section };
  }
}
