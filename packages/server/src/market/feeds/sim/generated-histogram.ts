// Volume at price of a simulated minute that is known only as a bar: the past of a new market, and minutes after a downtime.
// It is a function of the bar alone, so it need not be stored, and its levels add up to the bar exactly.
import {
  type Bar,
  fromTicks,
  type InstrumentSpec,
  type MinuteHistogram,
  recordedLevelTicks,
  SIDES_OF_FEED,
  toTicks,
  type VolumeLevel,
} from '@tickwire/engine';
import { PUBLIC_NOISE } from './noise.ts';

/** Of a minute with a wider range, only some levels have trades. */
const MAX_LEVELS = 48;
const MAX_DECIMALS = 8;

/** `null` if nothing traded. */
export function generatedHistogram(spec: InstrumentSpec, bar: Bar): MinuteHistogram | null {
  const { digits, symbol } = spec;
  const levelTicks = recordedLevelTicks(spec);
  const levelOf = (price: number): number => Math.floor(toTicks(price, digits) / levelTicks);
  const [lowest, highest] = [levelOf(bar.low), levelOf(bar.high)];
  const step = Math.max(1, Math.ceil((highest - lowest) / (MAX_LEVELS - 1)));
  const places: number[] = [];
  for (let level = lowest; level < highest; level += step) places.push(level);
  places.push(highest);
  // Most of the volume trades between open and close.
  const center = (levelOf(bar.open) + levelOf(bar.close)) / 2;
  const width = Math.max(1, (highest - lowest) / 3);
  const noise = PUBLIC_NOISE.named(symbol);
  const weights = (side: number): number[] =>
    places.map((level) => {
      const distance = (level - center) / width;
      return (0.25 + noise.uniform(bar.time + level, side)) / (1 + distance * distance);
    });
  const [bought, sold] = [distribute(bar.askVolume, weights(1)), distribute(bar.bidVolume, weights(2))];
  const levels = places
    .map((level, at): VolumeLevel => ({ ticks: level * levelTicks, buy: bought[at]!, sell: sold[at]! }))
    .filter(({ buy, sell }) => buy + sell > 0);
  if (levels.length === 0) return null;
  // One trade per side and level, in the middle of the level as far as the bar reaches.
  let [trades, turnover] = [0, 0];
  for (const { ticks, buy, sell } of levels) {
    const price = Math.min(bar.high, Math.max(bar.low, fromTicks(ticks + levelTicks / 2, digits)));
    trades += (buy > 0 ? 1 : 0) + (sell > 0 ? 1 : 0);
    turnover += price * (buy + sell);
  }
  return { time: bar.time, digits, levelTicks, sides: SIDES_OF_FEED, trades, turnover, levels };
}

/** Splits a volume by weights into sizes with its own number of decimals. Their sum is the volume. */
function distribute(volume: number, weights: readonly number[]): number[] {
  let scale = 1;
  for (let decimals = 0; decimals < MAX_DECIMALS && Math.round(volume * scale) / scale !== volume; decimals++)
    scale *= 10;
  const whole = Math.round(volume * scale);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let [reached, given] = [0, 0];
  return weights.map((weight, at) => {
    reached += weight;
    const until = at === weights.length - 1 ? whole : Math.min(whole, Math.round((reached / total) * whole));
    const part = until - given;
    given = until;
    return part / scale;
  });
}
