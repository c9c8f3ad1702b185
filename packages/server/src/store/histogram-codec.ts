// The encoding of a minute histogram: a few bytes per level.
//
// All numbers are varints. Levels are counted in heights of a level and stored as the difference to the level below. All sizes
// have the smallest scale that fits all of them.
//   header: format, digits, sides, scale, turnover (float), number of trades, height of a level in ticks, number of levels,
//           lowest level (zigzag)
//   level:  distance to the level below (not for the lowest), bought, sold
import { asEpochMs, type MinuteHistogram, type VolumeLevel } from '@tickwire/engine';
import { StoreError } from '../errors/store-error.ts';
import { exactScale, FLOATS, PackedReader, PackedWriter } from './packed-bytes.ts';

const FORMAT = 1;
/** Longest header, and longest level: three varints of up to 53 bits, or one and two floats. */
const HEADER_BYTES = 4 + 8 + 4 * 8;
const LEVEL_BYTES = 3 * 8;

export function encodeHistogram(histogram: MinuteHistogram): Uint8Array {
  const { digits, levelTicks, sides, trades, turnover, levels } = histogram;
  const scale = scaleOf(levels);
  const writer = new PackedWriter(HEADER_BYTES + levels.length * LEVEL_BYTES);
  for (const value of [FORMAT, digits, sides, scale]) writer.byte(value);
  writer.float(turnover);
  writer.varint(trades);
  writer.varint(levelTicks);
  writer.varint(levels.length);
  let below = 0;
  for (const [index, { ticks, buy, sell }] of levels.entries()) {
    const level = ticks / levelTicks;
    if (index > 0) writer.varint(level - below);
    else writer.zigzag(level);
    below = level;
    writer.size(buy, scale);
    writer.size(sell, scale);
  }
  return writer.done();
}

export function decodeHistogram(time: number, bytes: Uint8Array): MinuteHistogram {
  const reader = new PackedReader(bytes, () => new StoreError('a minute histogram ends too early'));
  const format = reader.byte();
  if (format !== FORMAT) throw new StoreError(`a minute histogram has format ${format}, this Tickwire knows ${FORMAT}`);
  const digits = reader.byte();
  const sides = reader.byte();
  const scale = reader.byte();
  const turnover = reader.float();
  const trades = reader.varint();
  const levelTicks = reader.varint();
  const count = reader.varint();
  const levels: VolumeLevel[] = [];
  let level = 0;
  for (let index = 0; index < count; index++) {
    if (index > 0) level += reader.varint();
    else level = reader.zigzag();
    const buy = reader.size(scale);
    const sell = reader.size(scale);
    levels.push({ ticks: level * levelTicks, buy, sell });
  }
  return { time: asEpochMs(time), digits, levelTicks, sides, trades, turnover, levels };
}

/** The smallest scale at which all sizes are exact. */
function scaleOf(levels: readonly VolumeLevel[]): number {
  const sizes = levels.flatMap(({ buy, sell }) => [buy, sell]);
  let scale = 0;
  for (const size of sizes) {
    scale = exactScale(size, scale);
    if (scale === FLOATS) return FLOATS;
  }
  return sizes.every((size) => exactScale(size, scale) === scale) ? scale : FLOATS;
}
