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
  const bytes = new Uint8Array(HEADER_BYTES + levels.length * LEVEL_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const varint = (value: number): void => {
    let rest = value;
    // Bit operations are limited to 32 bits.
    while (rest >= 128) {
      bytes[at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    bytes[at++] = rest;
  };
  const float = (value: number): void => {
    view.setFloat64(at, value, true);
    at += 8;
  };
  const size = (value: number): void => {
    if (scale !== FLOATS) varint(Math.round(value * POWERS[scale]!));
    else float(value);
  };
  for (const value of [FORMAT, digits, sides, scale]) bytes[at++] = value;
  float(turnover);
  varint(trades);
  varint(levelTicks);
  varint(levels.length);
  let below = 0;
  for (const [index, { ticks, buy, sell }] of levels.entries()) {
    const level = ticks / levelTicks;
    if (index > 0) varint(level - below);
    else varint(level < 0 ? -2 * level - 1 : 2 * level);
    below = level;
    size(buy);
    size(sell);
  }
  return bytes.slice(0, at);
}

export function decodeHistogram(time: number, bytes: Uint8Array): MinuteHistogram {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const byte = (): number => {
    if (at >= bytes.length) throw new StoreError('a minute histogram ends too early');
    return bytes[at++]!;
  };
  const varint = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const next = byte();
      value += (next & 127) * factor;
      if (next < 128) return value;
      factor *= 128;
    }
  };
  const format = byte();
  if (format !== FORMAT) throw new StoreError(`a minute histogram has format ${format}, this Tickwire knows ${FORMAT}`);
  const [digits, sides, scale] = [byte(), byte(), byte()];
  const float = (): number => {
    if (at + 8 > bytes.length) throw new StoreError('a minute histogram ends too early');
    at += 8;
    return view.getFloat64(at - 8, true);
  };
  const size = (): number => (scale === FLOATS ? float() : varint() / POWERS[scale]!);
  const turnover = float();
  const trades = varint();
  const [levelTicks, count] = [varint(), varint()];
  const levels: VolumeLevel[] = [];
  let level = 0;
  for (let index = 0; index < count; index++) {
    const distance = varint();
    if (index > 0) level += distance;
    else level = distance % 2 === 1 ? -(distance + 1) / 2 : distance / 2;
    levels.push({ ticks: level * levelTicks, buy: size(), sell: size() });
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
