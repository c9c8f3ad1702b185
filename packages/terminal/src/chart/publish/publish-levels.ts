// Entry, stop and targets of a signal before it is published. R is a multiple of the risk, the distance from entry to stop.

export interface PublishLevels {
  readonly direction: 'buy' | 'sell';
  readonly entry: number;
  readonly stop: number;
  /** One to three, nearest first. */
  readonly targets: readonly number[];
}

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

export const hasPreset = (levels: PublishLevels, ratio: number, digits: number): boolean =>
  levels.targets.includes(priceAt(levels, ratio, digits));

/** Adds a target at this multiple of the risk, or removes it. With three targets, the nearest one to it moves there. */
export function togglePreset(levels: PublishLevels, ratio: number, digits: number): PublishLevels {
  const price = priceAt(levels, ratio, digits);
  const { targets } = levels;
  if (targets.includes(price))
    return targets.length === 1
      ? levels
      : withTargets(
          levels,
          targets.filter((each) => each !== price),
        );
  if (targets.length < MAX_TARGETS) return withTargets(levels, [...targets, price]);
  const nearest = targets.toSorted((one, other) => Math.abs(one - price) - Math.abs(other - price))[0]!;
  return withTargets(
    levels,
    targets.map((each) => (each === nearest ? price : each)),
  );
}

export const removeTarget = (levels: PublishLevels, at: number): PublishLevels =>
  levels.targets.length === 1 ? levels : withTargets(levels, levels.targets.toSpliced(at, 1));
