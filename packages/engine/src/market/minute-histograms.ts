// Volume at price of single minutes: what was bought and sold at each level, as trades arrive. Sums are kept and rounded as
// those of bars are, so the levels of a minute add up to the volume and the delta of its bar.
import type { Side, SideMethod } from './events.ts';
import type { InstrumentSpec } from './instrument.ts';
import { roundSize, toTicks } from './price.ts';
import { type EpochMs, MINUTE_MS } from './time.ts';
import {
  type MinuteHistogram,
  SIDES_BY_QUOTE_RULE,
  SIDES_BY_TICK_RULE,
  SIDES_OF_FEED,
  type VolumeLevel,
} from './volume-level.ts';

export type LevelSpec = Pick<InstrumentSpec, 'digits' | 'pipSize' | 'levelSize'>;

/** Height in ticks of the levels that an instrument is shown with by default: its level size, or one pip. */
export const shownLevelTicks = ({ digits, pipSize, levelSize }: LevelSpec): number =>
  Math.max(1, toTicks(levelSize ?? pipSize, digits));

/** Height in ticks of the levels that are recorded: a tenth of those shown if that is whole, else one tick. */
export function recordedLevelTicks(spec: LevelSpec): number {
  const shown = shownLevelTicks(spec);
  return shown % 10 === 0 ? shown / 10 : 1;
}

/** Levels of a minute that lie in one array; a minute begins with a few and gets twice as many when it needs them. */
const FIRST_SPAN = 32;
const MAX_SPAN = 1_024;

/** A minute under construction. Nearly all of its levels are neighbours, so that an array is faster than a map. */
class OpenMinute {
  readonly start: number;
  sides = 0;
  trades = 0;
  turnover = 0;
  /** The level of the first place. Levels are counted in heights. */
  base = 0;
  /** Bought and sold volume of each place in turn. */
  volumes = new Float64Array(0);
  /** Levels too far from the others. */
  far: Map<number, [buy: number, sell: number]> | null = null;

  constructor(start: number) {
    this.start = start;
  }

  /** Adds to a level that has no place yet. `at`: 0 for bought, 1 for sold volume. */
  addBeyond(level: number, size: number, at: 0 | 1): void {
    if (!this.#include(level)) {
      this.far ??= new Map();
      const volumes = this.far.get(level) ?? [0, 0];
      volumes[at] += size;
      this.far.set(level, volumes);
      return;
    }
    this.volumes[2 * (level - this.base) + at]! += size;
  }

  set({ ticks, buy, sell }: VolumeLevel, height: number): void {
    for (const [at, size] of [buy, sell].entries()) this.addBeyond(ticks / height, size, at as 0 | 1);
  }

  levels(height: number): VolumeLevel[] {
    const found: VolumeLevel[] = [];
    const add = (level: number, buy: number, sell: number): void => {
      if (buy !== 0 || sell !== 0) found.push({ ticks: level * height, buy: roundSize(buy), sell: roundSize(sell) });
    };
    for (let at = 0; at < this.volumes.length; at += 2)
      add(this.base + at / 2, this.volumes[at]!, this.volumes[at + 1]!);
    if (!this.far) return found;
    for (const [level, [buy, sell]] of this.far) add(level, buy, sell);
    return found.sort((a, b) => a.ticks - b.ticks);
  }

  /** Makes room for a level. Returns `false` if it is too far away. */
  #include(level: number): boolean {
    const span = this.volumes.length / 2;
    if (span === 0) {
      this.base = level - FIRST_SPAN / 2;
      this.volumes = new Float64Array(2 * FIRST_SPAN);
      return true;
    }
    if (level >= this.base && level < this.base + span) return true;
    const [low, high] = [Math.min(level, this.base), Math.max(level + 1, this.base + span)];
    if (high - low > MAX_SPAN) return false;
    let wider = span;
    while (wider < high - low) wider *= 2;
    // The new room is on the side of the level.
    const base = level < this.base ? this.base + span - wider : this.base;
    const volumes = new Float64Array(2 * wider);
    volumes.set(this.volumes, 2 * (this.base - base));
    this.base = base;
    this.volumes = volumes;
    return true;
  }
}

/** The newest minutes of one instrument. */
export class MinuteHistograms {
  readonly #digits: number;
  readonly #ticksPerUnit: number;
  readonly #levelTicks: number;
  /** By start, in the order of their first trade. */
  readonly #minutes = new Map<number, OpenMinute>();
  readonly #kept: number;
  #last = new OpenMinute(-1);
  #newest = 0;

  /** `kept`: how many minutes are held, by time. */
  constructor(spec: LevelSpec, kept: number) {
    this.#kept = kept;
    this.#digits = spec.digits;
    this.#ticksPerUnit = 10 ** spec.digits;
    this.#levelTicks = recordedLevelTicks(spec);
  }

  /** Adds a trade, which its bar counts, too, to the minute that starts at `start`. */
  trade(start: number, price: number, size: number, side: Side, sideMethod: SideMethod | null): void {
    const minute = start === this.#last.start ? this.#last : this.#open(start);
    minute.sides |= sideMethod === null ? SIDES_OF_FEED : sidesOf(sideMethod);
    minute.trades++;
    minute.turnover += price * size;
    // As toTicks().
    const level = Math.floor(Math.round(price * this.#ticksPerUnit) / this.#levelTicks);
    const bought = side === 'buy';
    const at = 2 * (level - minute.base) + (bought ? 0 : 1);
    const { volumes } = minute;
    // Made an integer, which is the fast kind of index.
    if (at >= 0 && at < volumes.length) volumes[at | 0]! += size;
    else minute.addBeyond(level, size, bought ? 0 : 1);
  }

  /** `null` if the minute had no trade, or is no longer in memory. */
  at(start: number): MinuteHistogram | null {
    const minute = this.#minutes.get(start);
    return minute ? this.#histogramOf(minute) : null;
  }

  /** Minutes that start from `from` (inclusive) to `to` (exclusive), ascending. */
  between(from: number, to: number): MinuteHistogram[] {
    const found: OpenMinute[] = [];
    for (const minute of this.#minutes.values()) if (minute.start >= from && minute.start < to) found.push(minute);
    return found.sort((a, b) => a.start - b.start).map((minute) => this.#histogramOf(minute));
  }

  /** Starts over with minutes that were recorded before. One with levels of another height cannot be continued. */
  restore(histograms: readonly MinuteHistogram[]): void {
    this.#minutes.clear();
    this.#last = new OpenMinute(-1);
    this.#newest = 0;
    for (const { time, digits, levelTicks, sides, trades, turnover, levels } of histograms) {
      if (digits !== this.#digits || levelTicks !== this.#levelTicks) continue;
      const minute = this.#open(time);
      minute.sides = sides;
      minute.trades = trades;
      minute.turnover = turnover;
      for (const level of levels) minute.set(level, levelTicks);
    }
  }

  /** Drops a minute whose trades made no bar. */
  forget(start: number): void {
    this.#minutes.delete(start);
    if (this.#last.start === start) this.#last = new OpenMinute(-1);
  }

  #open(start: number): OpenMinute {
    let minute = this.#minutes.get(start);
    if (!minute) {
      minute = new OpenMinute(start);
      this.#minutes.set(start, minute);
      if (start > this.#newest) this.#forgetBefore(start);
    }
    this.#last = minute;
    return minute;
  }

  #forgetBefore(newest: number): void {
    this.#newest = newest;
    const oldest = newest - this.#kept * MINUTE_MS;
    for (const start of this.#minutes.keys()) if (start <= oldest) this.#minutes.delete(start);
  }

  #histogramOf(minute: OpenMinute): MinuteHistogram {
    return {
      time: minute.start as EpochMs,
      digits: this.#digits,
      levelTicks: this.#levelTicks,
      sides: minute.sides,
      trades: minute.trades,
      turnover: minute.turnover,
      levels: minute.levels(this.#levelTicks),
    };
  }
}

const sidesOf = (method: SideMethod): number => (method === 'quote_rule' ? SIDES_BY_QUOTE_RULE : SIDES_BY_TICK_RULE);

/** The histogram of a minute whose trades are all known, as in imported history; `null` without a trade. */
export function histogramOfTrades(
  spec: LevelSpec,
  start: number,
  trades: Iterable<{
    readonly price: number;
    readonly size: number;
    readonly side: Side;
    readonly sideMethod: SideMethod | null;
  }>,
): MinuteHistogram | null {
  const minutes = new MinuteHistograms(spec, 1);
  for (const { price, size, side, sideMethod } of trades) minutes.trade(start, price, size, side, sideMethod);
  return minutes.at(start);
}
