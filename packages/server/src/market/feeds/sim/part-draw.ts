// Draws the shorter bars that a longer bar is divided into, as the path suggests them.
//
// Open and close lie on the path, at the bid or the ask. High and low come from the path at the ends of the next shorter bars,
// and from the distribution of a Brownian bridge between those. The bars of the next level therefore nearly fit already.

import type { BarSpan } from './bar-plan.ts';
import { sizeFactor } from './conditions.ts';
import type { DrawnPart } from './fit-bars.ts';
import { type InstrumentModel, Purpose } from './model.ts';
import { gaussian, uniform } from './noise.ts';
import { log } from './portable-math.ts';
import { UNIT_MS } from './time-grid.ts';

/** Spread of volumes around their mean: of a minute, and of a longer bar. */
const MINUTE_VOLUME_NOISE = 0.3;
const VOLUME_NOISE = 0.12;

export interface PartOptions {
  readonly instrument: InstrumentModel;
  readonly span: BarSpan;
  /** Place of the bar's timeframe in the list of all, from 0 for a minute. */
  readonly place: number;
  /** How many bars of the next shorter timeframe it has; 1 for a minute. */
  readonly pieces: number;
  /** Volatility as a multiple of the average. */
  readonly volatility: number;
  /** Mid price at a whole minute, in ticks, not rounded. */
  readonly at: (time: number) => number;
}

export function drawPart({ instrument, span, place, pieces, volatility, at }: PartOptions): DrawnPart {
  const { noise, unitVol, spreadTicks } = instrument;
  const { from, to } = span;
  const halfSpread = spreadTicks / 2;
  const first = at(from);
  const last = at(to);
  const units = (to - from) / UNIT_MS;
  const deviation = unitVol * volatility * Math.sqrt(units);
  const length = (to - from) / pieces;
  // Twice the variance of a piece, in ticks.
  const variance = (2 * deviation * deviation * first * first) / pieces;
  const shorter = Purpose.part + Math.max(0, place - 1);
  let high = Math.max(first, last);
  let low = Math.min(first, last);
  let left = first;
  for (let piece = 0; piece < pieces; piece++) {
    const start = from + piece * length;
    const right = piece === pieces - 1 ? last : at(start + length);
    const { b, c } = noise.draw(start, shorter);
    high = Math.max(high, extreme(left, right, variance, b, 1));
    low = Math.min(low, extreme(left, right, variance, c, -1));
    left = right;
  }
  const open = first + (noise.draw(from, Purpose.part + place).a & 1 ? halfSpread : -halfSpread);
  const close = last + (noise.draw(to, Purpose.close).a & 1 ? halfSpread : -halfSpread);
  const { a, b, c, d } = noise.draw(from, Purpose.partVolume + place);
  const spread = (place === 0 ? MINUTE_VOLUME_NOISE : VOLUME_NOISE) * gaussian(a, b);
  const move = deviation > 0 ? (last - first) / (first * deviation) : 0;
  return {
    from,
    to,
    open,
    high: Math.max(open, close, high + halfSpread),
    low: Math.min(open, close, low - halfSpread),
    close,
    // About exp(spread), and always positive.
    weight: units * sizeFactor(volatility) * (1 + spread + 0.5 * spread * spread),
    bought: Math.max(0.1, Math.min(0.9, 0.5 + 0.08 * move + 0.05 * gaussian(c, d))),
  };
}

/** The highest (sign 1) or lowest (−1) point of a Brownian bridge; `variance` is twice that of the free path. */
function extreme(first: number, last: number, variance: number, word: number, sign: 1 | -1): number {
  const gap = last - first;
  return (first + last + sign * Math.sqrt(gap * gap - variance * log(Math.max(uniform(word), 1e-9)))) / 2;
}
