// The encoding of a minute histogram: a few bytes per level.
//
// All numbers are varints. Levels are counted in heights of a level and stored as the difference to the level below. Sizes
// are whole numbers of 10^-scale, with the smallest scale that fits all of them; sizes that fit none of up to eight decimals
// are eight-byte floats.
//   header: format, digits, sides, scale, turnover (float), number of trades, height of a level in ticks, number of levels,
//           lowest level (zigzag)
//   level:  distance to the level below (not for the lowest), bought, sold
import { asEpochMs, type MinuteHistogram, type VolumeLevel } from '@tickwire/engine';
import { StoreError } from '../errors/store-error.ts';
import { PackedReader, PackedWriter } from './packed-bytes.ts';

const FORMAT = 1;
const MAX_SCALE = 8;
const FLOATS = 255;
const POWERS = Array.from({ length: MAX_SCALE + 1 }, (_, scale) => 10 ** scale);
/** Longest header, and longest level: three varints of up to 53 bits, or one and two floats. */
const HEADER_BYTES = 4 + 8 + 4 * 8;
const LEVEL_BYTES = 3 * 8;

export function encodeHistogram(histogram: MinuteHistogram): Uint8Array {
  const { digits, levelTicks, sides, trades, turnover, levels } = histogram;
  const scale = scaleOf(levels);
  const writer = new PackedWriter(HEADER_BYTES + levels.length * LEVEL_BYTES);
  const size = (value: number): void => {
    if (scale !== FLOATS) writer.varint(Math.round(value * POWERS[scale]!));
    else writer.float(value);
  };
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
    size(buy);
    size(sell);
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
  const power = scale === FLOATS ? null : POWERS[scale]!;
  const turnover = reader.float();
  const trades = reader.varint();
  const levelTicks = reader.varint();
  const count = reader.varint();
  const levels: VolumeLevel[] = [];
  let level = 0;
  for (let index = 0; index < count; index++) {
    if (index > 0) level += reader.varint();
    else level = reader.zigzag();
    const buy = power === null ? reader.float() : reader.varint() / power;
    const sell = power === null ? reader.float() : reader.varint() / power;
    levels.push({ ticks: level * levelTicks, buy, sell });
  }
  return { time: asEpochMs(time), digits, levelTicks, sides, trades, turnover, levels };
}

/** The smallest number of decimals that all sizes have, or `FLOATS`. */
function scaleOf(levels: readonly VolumeLevel[]): number {
  let scale = 0;
  for (const { buy, sell } of levels) {
    for (const size of [buy, sell]) {
      while (scale <= MAX_SCALE && !isWhole(size, scale)) scale++;
      if (scale > MAX_SCALE) return FLOATS;
    }
  }
  return levels.every(({ buy, sell }) => isWhole(buy, scale) && isWhole(sell, scale)) ? scale : FLOATS;
}

/** Whether the size is read back exactly as a whole number of 10^-scale. */
function isWhole(size: number, scale: number): boolean {
  const whole = Math.round(size * POWERS[scale]!);
  return whole <= Number.MAX_SAFE_INTEGER && whole / POWERS[scale]! === size;
}
