// Fits drawn bars into a longer one, so that their aggregate is exactly that bar: its open, high, low, close and volumes.
//
// The drawn bars follow the path. They are moved as little and as smoothly as possible: a straight line corrects both ends, the
// distance from the line between open and close is scaled towards the right range, and an arch and a tent lift the highest
// point to the high and lower the lowest one to the low. What is left over becomes part of a wick.
import type { TickBar } from './tick-bar.ts';

/** A bar as the path suggests it. Prices in ticks, not rounded; times in milliseconds. */
export interface DrawnPart {
  readonly from: number;
  readonly to: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Its share of the volume, relative to the others; positive. */
  readonly weight: number;
  /** Part of its volume that takers bought, from 0 to 1. */
  readonly bought: number;
}

/** Limits of the scaling of a range. */
const MIN_SCALE = 0.7;
const MAX_SCALE = 1.4;

/** Moving the lows moves the highs a little too. It is repeated until both are right within this part of the range. */
const MAX_ROUNDS = 4;
const TOLERANCE = 0.04;
/** How near a bar that is reflected comes to its limit, in parts of what was beyond it. */
const TOUCH = 0.1;

/** Of a 4h bar in a day: the most parts that a bar has. */
const MAX_PARTS = 8;

// One bar is fitted at a time, hundreds of thousands in a second, so the work is done in these arrays: prices in ticks, not
// rounded, and places from 0 (start of the whole) to 1 (its end).
const starts = new Float64Array(MAX_PARTS);
const middles = new Float64Array(MAX_PARTS);
const ends = new Float64Array(MAX_PARTS);
const opens = new Float64Array(MAX_PARTS);
const highs = new Float64Array(MAX_PARTS);
const lows = new Float64Array(MAX_PARTS);
const closes = new Float64Array(MAX_PARTS);

/** `parts`: ascending, from 1 to 8. */
export function fitBars(whole: TickBar, parts: readonly DrawnPart[]): TickBar[] {
  const count = parts.length;
  moveEnds(whole, parts);
  scaleRange(whole, count);
  const tolerance = TOLERANCE * (whole.high - whole.low);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const highDiffers = Math.abs(highs[farthest(highs, 1, count)]! - whole.high) > tolerance;
    if (highDiffers) reach(highs, whole.high, 1, count);
    const lowDiffers = Math.abs(lows[farthest(lows, -1, count)]! - whole.low) > tolerance;
    if (lowDiffers) reach(lows, whole.low, -1, count);
    if (!lowDiffers) break;
  }
  const highest = farthest(highs, 1, count);
  const lowest = farthest(lows, -1, count);
  const weights: number[] = [];
  for (let at = 0; at < count; at++) weights.push(parts[at]!.weight);
  const steps = splitSteps(whole.steps, weights);
  const bought: number[] = [];
  for (let at = 0; at < count; at++) bought.push(Math.round(steps[at]! * parts[at]!.bought));
  const askSteps = splitWithin(whole.askSteps, bought, steps);
  const bars: TickBar[] = [];
  for (let at = 0; at < count; at++) {
    const open = at === 0 ? whole.open : ticksWithin(whole, opens[at]!);
    const close = at === count - 1 ? whole.close : ticksWithin(whole, closes[at]!);
    bars.push({
      open,
      high: at === highest ? whole.high : Math.max(open, close, ticksWithin(whole, highs[at]!)),
      low: at === lowest ? whole.low : Math.min(open, close, ticksWithin(whole, lows[at]!)),
      close,
      steps: steps[at]!,
      askSteps: askSteps[at]!,
    });
  }
  return bars;
}

const ticksWithin = ({ low, high }: TickBar, value: number): number => Math.max(low, Math.min(high, Math.round(value)));

/** Moves both ends to the open and the close of the whole, and everything between them along a line. */
function moveEnds(whole: TickBar, parts: readonly DrawnPart[]): void {
  const start = parts[0]!.from;
  const length = parts.at(-1)!.to - start;
  const first = whole.open - parts[0]!.open;
  const slope = whole.close - parts.at(-1)!.close - first;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    const left = (part.from - start) / length;
    const right = (part.to - start) / length;
    const middle = (left + right) / 2;
    starts[at] = left;
    middles[at] = middle;
    ends[at] = right;
    set(
      at,
      part.open + first + slope * left,
      part.high + first + slope * middle,
      part.low + first + slope * middle,
      part.close + first + slope * right,
    );
  }
}

/** Scales the distance from the line between open and close. */
function scaleRange({ open, close, high, low }: TickBar, count: number): void {
  const range = highs[farthest(highs, 1, count)]! - lows[farthest(lows, -1, count)]!;
  if (range <= 0) return;
  const factor = Math.max(MIN_SCALE, Math.min(MAX_SCALE, (high - low) / range));
  for (let at = 0; at < count; at++) {
    const left = open + (close - open) * starts[at]!;
    const middle = open + (close - open) * middles[at]!;
    const right = open + (close - open) * ends[at]!;
    set(
      at,
      left + (opens[at]! - left) * factor,
      middle + (highs[at]! - middle) * factor,
      middle + (lows[at]! - middle) * factor,
      right + (closes[at]! - right) * factor,
    );
  }
}

/** Moves the highest point (sign 1) to the high, or the lowest one (−1) to the low. Nothing remains beyond it. */
function reach(extremes: Float64Array, limit: number, sign: 1 | -1, count: number): void {
  const arch = 4 * (limit - extremes[farthest(extremes, sign, count)]!);
  for (let at = 0; at < count; at++) {
    const left = starts[at]!;
    const middle = middles[at]!;
    const right = ends[at]!;
    const shift = arch * middle * (1 - middle);
    bounce(
      at,
      opens[at]! + arch * left * (1 - left),
      highs[at]! + shift,
      lows[at]! + shift,
      closes[at]! + arch * right * (1 - right),
      limit,
      sign,
    );
  }
  const top = farthest(extremes, sign, count);
  const tent = limit - extremes[top]!;
  const apex = middles[top]!;
  for (let at = 0; at < count; at++) {
    const shift = raised(middles[at]!, tent, apex);
    set(
      at,
      opens[at]! + raised(starts[at]!, tent, apex),
      highs[at]! + shift,
      lows[at]! + shift,
      closes[at]! + raised(ends[at]!, tent, apex),
    );
  }
  extremes[top] = limit;
}

/** Height at a place of a tent that is highest at the apex. */
const raised = (place: number, tent: number, apex: number): number =>
  tent * (place < apex ? place / apex : (1 - place) / (1 - apex));

/**
 * Reflects what is beyond the limit: an arch inwards leaves the ends where they are. A bar that crosses the limit nearly
 * touches it afterwards.
 */
function bounce(at: number, open: number, high: number, low: number, close: number, limit: number, sign: 1 | -1): void {
  const outer = sign > 0 ? high : low;
  const inner = sign > 0 ? low : high;
  if (sign * (outer - limit) <= 0) {
    set(at, open, high, low, close);
    return;
  }
  const beyond = outer - limit;
  const crosses = sign * (inner - limit) < 0;
  set(
    at,
    mirrored(open, limit, sign),
    crosses ? limit - TOUCH * beyond : mirrored(inner, limit, sign),
    crosses ? sign * Math.min(sign * inner, sign * (limit - beyond)) : mirrored(outer, limit, sign),
    mirrored(close, limit, sign),
  );
}

const mirrored = (value: number, limit: number, sign: 1 | -1): number =>
  sign * (value - limit) > 0 ? 2 * limit - value : value;

/** A reflection may have swapped high and low. */
function set(at: number, open: number, high: number, low: number, close: number): void {
  opens[at] = open;
  closes[at] = close;
  highs[at] = Math.max(open, close, high, low);
  lows[at] = Math.min(open, close, high, low);
}

/** Index of the highest (sign 1) or lowest (−1) value, the first of several. */
function farthest(values: Float64Array, sign: 1 | -1, count: number): number {
  let best = 0;
  for (let at = 1; at < count; at++) if (sign * (values[at]! - values[best]!) > 0) best = at;
  return best;
}

/** Splits an integer in proportion to the weights: every part has at least 1 if there is enough. */
export function splitSteps(total: number, weights: readonly number[]): number[] {
  const least = total >= weights.length ? 1 : 0;
  const parts = proportional(total - least * weights.length, weights);
  for (let at = 0; at < parts.length; at++) parts[at]! += least;
  return parts;
}

/** Changes integer parts, each from 0 to its limit, so that they add up to `total`; that is at most the sum of the limits. */
export function splitWithin(total: number, parts: readonly number[], limits: readonly number[]): number[] {
  const missing = total - sum(parts);
  if (missing === 0) return [...parts];
  const room = missing > 0 ? limits.map((limit, at) => limit - parts[at]!) : parts;
  const changes = proportional(Math.abs(missing), room);
  for (let at = 0; at < parts.length; at++) changes[at] = parts[at]! + (missing > 0 ? changes[at]! : -changes[at]!);
  return changes;
}

/** Parts of an integer that add up to it. None is above its weight if the weights are integers and add up to the total or more. */
function proportional(total: number, weights: readonly number[]): number[] {
  const all = sum(weights);
  let seen = 0;
  let given = 0;
  const parts: number[] = [];
  for (let at = 0; at < weights.length; at++) {
    seen += weights[at]!;
    const until = all > 0 ? Math.round((total * seen) / all) : 0;
    parts.push(until - given);
    given = until;
  }
  return parts;
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (let at = 0; at < values.length; at++) total += values[at]!;
  return total;
}
