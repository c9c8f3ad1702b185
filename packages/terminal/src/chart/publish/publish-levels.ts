// Entry, stop and targets of a signal before it is published. R is a multiple of the risk, the distance from entry to stop.

import { setNumber } from '../../ui/format.ts';
import type { PublishLevels } from '../frame/publish-levels.ts';

/** The line that is moved: the entry, the stop, or the number of a target. */
export type LevelName = 'entry' | 'stop' | number;

export const MAX_TARGETS = 3;
export const PRESETS = [1, 2, 3] as const;

const signOf = ({ direction }: Pick<PublishLevels, 'direction'>): 1 | -1 => (direction === 'buy' ? 1 : -1);
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** A target of two R. */
export function newLevels(entry: number, stop: number, digits: number): PublishLevels {
  const levels: PublishLevels = { direction: stop < entry ? 'buy' : 'sell', entry, stop, targets: [] };
  return { ...levels, targets: [priceAt(levels, 2, digits)] };
}

export function ratioOf({ entry, stop, ...levels }: PublishLevels, price: number): number {
  const risk = Math.abs(entry - stop);
  return risk === 0 ? 0 : (signOf(levels) * (price - entry)) / risk;
}

export const ratioText = (ratio: number): string => `${setNumber(ratio.toFixed(2))} R`;

export const priceAt = (
  { entry, stop }: Pick<PublishLevels, 'entry' | 'stop'>,
  ratio: number,
  digits: number,
): number => rounded(entry + ratio * (entry - stop), digits);

/** The levels after one of them was moved. They stay valid: at least one step of the price apart, in the right order. */
export function moveLevel(levels: PublishLevels, name: LevelName, to: number, digits: number): PublishLevels {
  if (name === 'entry') return moveAll(levels, to - levels.entry, digits);
  return name === 'stop' ? moveStop(levels, to, digits) : moveTarget(levels, name, to, digits);
}

/** The entry takes stop and targets along. */
function moveAll(levels: PublishLevels, by: number, digits: number): PublishLevels {
  const moved = (price: number): number => rounded(price + by, digits);
  const { entry, stop, targets } = levels;
  return { ...levels, entry: moved(entry), stop: moved(stop), targets: targets.map(moved) };
}

/** Across the entry, the direction changes and the targets go to the other side, with the same distances. */
function moveStop(levels: PublishLevels, to: number, digits: number): PublishLevels {
  const { entry, targets } = levels;
  const stop = rounded(to, digits) === entry ? levels.stop : rounded(to, digits);
  const direction = stop < entry ? 'buy' : 'sell';
  return direction === levels.direction
    ? { ...levels, stop }
    : { direction, entry, stop, targets: targets.map((price) => rounded(2 * entry - price, digits)) };
}

function moveTarget(levels: PublishLevels, at: number, to: number, digits: number): PublishLevels {
  const [sign, step] = [signOf(levels), 10 ** -digits];
  const ahead = sign * (to - levels.entry) > 0 ? to : levels.entry + sign * step;
  return withTargets(
    levels,
    levels.targets.map((price, index) => (index === at ? rounded(ahead, digits) : price)),
  );
}

const withTargets = (levels: PublishLevels, targets: readonly number[]): PublishLevels => ({
  ...levels,
  targets: [...new Set(targets)].toSorted((one, other) => signOf(levels) * (one - other)),
});

/** The other direction, at the same distances. */
export function flip(levels: PublishLevels, digits: number): PublishLevels {
  return moveStop(levels, 2 * levels.entry - levels.stop, digits);
}

/** Within the rounding of the price, and of the figure that is shown. */
const isAt = (levels: PublishLevels, price: number, ratio: number): boolean =>
  Math.abs(ratioOf(levels, price) - ratio) < 0.005;

export const hasPreset = (levels: PublishLevels, ratio: number): boolean =>
  levels.targets.some((price) => isAt(levels, price, ratio));

/** The entry of a market order is where the market is; its stop and targets stay. */
export const atMarket = (levels: PublishLevels, { bid, ask }: { readonly bid: number; readonly ask: number }) => ({
  ...levels,
  entry: levels.direction === 'buy' ? ask : bid,
});

/** Another distance of the stop, in price units. The targets keep their multiples of the risk. */
export function withRisk(levels: PublishLevels, risk: number, digits: number): PublishLevels {
  const step = 10 ** -digits;
  const stop = rounded(levels.entry - signOf(levels) * Math.max(risk, step), digits);
  if (stop <= 0) return levels;
  const next = { ...levels, stop };
  return withTargets(
    next,
    levels.targets.map((price) => priceAt(next, Math.max(ratioOf(levels, price), 0.01), digits)),
  );
}

/** Why a signal with these levels cannot be published: the market has passed one of them. '' if it can. */
export function problemOf(levels: PublishLevels): string {
  const sign = signOf(levels);
  const [below, above] = sign === 1 ? ['below', 'above'] : ['above', 'below'];
  if (sign * (levels.entry - levels.stop) <= 0) return `The stop must be ${below} the entry.`;
  return levels.targets.some((price) => sign * (price - levels.entry) <= 0)
    ? `Targets must be ${above} the entry.`
    : '';
}

/** A target this close to a preset was meant to be there, such as before the market moved the entry. In R. */
const NEAR = 0.5;

/** Adds a target at this multiple of the risk, or removes it. One that is near, or the nearest of three, moves there instead. */
export function togglePreset(levels: PublishLevels, ratio: number, digits: number): PublishLevels {
  const price = priceAt(levels, ratio, digits);
  const { targets } = levels;
  const others = targets.filter((each) => !isAt(levels, each, ratio));
  if (others.length < targets.length) return others.length === 0 ? levels : withTargets(levels, others);
  const nearest = targets.toSorted((one, other) => Math.abs(one - price) - Math.abs(other - price))[0]!;
  const isNear = Math.abs(ratioOf(levels, nearest) - ratio) < NEAR;
  if (targets.length < MAX_TARGETS && !isNear) return withTargets(levels, [...targets, price]);
  return withTargets(
    levels,
    targets.map((each) => (each === nearest ? price : each)),
  );
}

export const removeTarget = (levels: PublishLevels, at: number): PublishLevels =>
  levels.targets.length === 1 ? levels : withTargets(levels, levels.targets.toSpliced(at, 1));
