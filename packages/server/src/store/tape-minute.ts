// A minute known only as a bar, as a block of the tape. Its volumes are those of the block, so that the sums of a day
// are right. Its prices are in the bytes, because after a crash nothing else has them:
//   format, flags (1: made of trades, 2: the minute was not over), open, high, low, close, volume as eight-byte floats,
// then
//   the source in UTF-8
// A minute that was not over adds no volume to the day: its ticks do.
import type { MinuteEvent } from '@tickwire/engine';
import type { TapeBlock } from './market-store.ts';

/** Format of the block; tick blocks have format 1. */
const FORMAT = 2;
const HEADER = 2;
const OF_TRADES = 1;
const PARTIAL = 2;
const FIELDS = ['open', 'high', 'low', 'close', 'volume'] as const;
const LENGTH = HEADER + 8 * FIELDS.length;
const NO_VOLUME = { bidVolume: 0, askVolume: 0 };

export interface MinuteRecord {
  readonly seq: number;
  readonly event: MinuteEvent;
  /** Source of the bar. */
  readonly source: string;
}

export function encodeMinute(seq: number, { symbol, bar }: MinuteEvent, source: string): TapeBlock {
  const name = new TextEncoder().encode(source);
  const bytes = new Uint8Array(LENGTH + name.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = FORMAT;
  bytes[1] = (bar.basis === 'trade' ? OF_TRADES : 0) | (bar.partial ? PARTIAL : 0);
  for (const [index, field] of FIELDS.entries()) view.setFloat64(HEADER + 8 * index, bar[field], true);
  bytes.set(name, LENGTH);
  const { time: minute } = bar;
  const { bidVolume, askVolume } = bar.partial ? NO_VOLUME : bar;
  return { symbol, minute, firstSeq: seq, count: 0, bidVolume, askVolume, bytes };
}

export const isMinute = ({ bytes }: TapeBlock): boolean => bytes[0] === FORMAT;

export function decodeMinute({ symbol, minute, firstSeq, bidVolume, askVolume, bytes }: TapeBlock): MinuteRecord {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [open, high, low, close, volume] = FIELDS.map((_, index) => view.getFloat64(HEADER + 8 * index, true)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const basis = bytes[1]! & OF_TRADES ? 'trade' : 'bid';
  const partial = bytes[1]! & PARTIAL ? ({ partial: true } as const) : {};
  const bar = { time: minute, open, high, low, close, volume, bidVolume, askVolume, basis, ...partial } as const;
  const source = new TextDecoder().decode(bytes.subarray(LENGTH));
  return { seq: firstSeq, event: { kind: 'minute', symbol, bar }, source };
}
