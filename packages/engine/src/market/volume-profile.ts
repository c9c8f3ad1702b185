// Volume at price: how much was bought and sold at each level of a range, with the point of control and the value area.
import type { Side } from './events.ts';
import { roundSize } from './price.ts';
import type { VolumeLevel } from './volume-level.ts';

export interface VolumeProfile {
  readonly volume: number;
  readonly delta: number;
  /** The level with the most volume, in ticks; of several, the one nearest to the middle of the range, then the lower. */
  readonly pointOfControl: number;
  /** Lowest and highest level of the value area, in ticks. */
  readonly valueArea: { readonly low: number; readonly high: number };
  /** Ascending, without levels that had no trade. */
  readonly levels: readonly VolumeLevel[];
}

/** Percentage of the volume that the value area holds at least. */
const VALUE_AREA = 70;

/** Adds up trades by level. */
export class VolumeByPrice {
  readonly #size: number;
  readonly #levels = new Map<number, { ticks: number; buy: number; sell: number }>();

  /** `size`: height of a level in ticks. */
  constructor(size: number) {
    this.#size = size;
  }

  get isEmpty(): boolean {
    return this.#levels.size === 0;
  }

  trade(ticks: number, size: number, side: Side): void {
    if (side === 'buy') this.add({ ticks, buy: size, sell: 0 });
    else this.add({ ticks, buy: 0, sell: size });
  }

  /** Adds a level whose size divides that of this one. */
  add({ ticks, buy, sell }: VolumeLevel): void {
    const start = Math.floor(ticks / this.#size) * this.#size;
    const level = this.#levels.get(start);
    if (!level) this.#levels.set(start, { ticks: start, buy, sell });
    else {
      level.buy += buy;
      level.sell += sell;
    }
  }

  /** Ascending. */
  levels(): readonly VolumeLevel[] {
    return [...this.#levels.values()]
      .map(({ ticks, buy, sell }) => ({ ticks, buy: roundSize(buy), sell: roundSize(sell) }))
      .sort((a, b) => a.ticks - b.ticks);
  }

  /** `null` without a trade. */
  profile(): VolumeProfile | null {
    const levels = this.levels();
    if (levels.length === 0) return null;
    let [buy, sell] = [0, 0];
    for (const level of levels) {
      buy += unitsOf(level.buy);
      sell += unitsOf(level.sell);
    }
    const control = pointOfControl(levels);
    return {
      volume: (buy + sell) / UNITS,
      delta: (buy - sell) / UNITS,
      pointOfControl: levels[control]!.ticks,
      valueArea: valueArea(levels, control, buy + sell),
      levels,
    };
  }
}

/** Sizes have up to eight decimals. As whole numbers they are added and compared without rounding. */
const UNITS = 1e8;
const unitsOf = (size: number): number => Math.round(size * UNITS);

const volumeOf = (level: VolumeLevel | undefined): number => (level ? unitsOf(level.buy) + unitsOf(level.sell) : -1);

/** Index of the level with the most volume. */
function pointOfControl(levels: readonly VolumeLevel[]): number {
  const middle = (levels[0]!.ticks + levels.at(-1)!.ticks) / 2;
  const distance = (at: number): number => Math.abs(levels[at]!.ticks - middle);
  let best = 0;
  for (let at = 1; at < levels.length; at++) {
    const more = volumeOf(levels[at]) - volumeOf(levels[best]);
    if (more > 0 || (more === 0 && distance(at) < distance(best))) best = at;
  }
  return best;
}

/** Grows from the point of control by the neighbour with more volume, the upper one if both are equal. */
function valueArea(levels: readonly VolumeLevel[], control: number, total: number): VolumeProfile['valueArea'] {
  let [low, high, volume] = [control, control, volumeOf(levels[control])];
  while (volume * 100 < total * VALUE_AREA && (low > 0 || high < levels.length - 1)) {
    const [below, above] = [volumeOf(levels[low - 1]), volumeOf(levels[high + 1])];
    if (above >= below) high++;
    else low--;
    volume += Math.max(above, below);
  }
  return { low: levels[low]!.ticks, high: levels[high]!.ticks };
}
