// Volume at price of single minutes: what was bought and sold at each level, as trades arrive. Sums are kept and rounded as
// those of bars are, so the levels of a minute add up to the volume and the delta of its bar.
import type { Side, SideMethod } from './events.ts';
import type { InstrumentSpec } from './instrument.ts';
import { roundSize, toTicks } from './price.ts';
import { type EpochMs, MINUTE_MS } from './time.ts';
import { type MinuteHistogram, SIDES_BY_QUOTE_RULE, SIDES_BY_TICK_RULE, SIDES_OF_FEED } from './volume-level.ts';

export type LevelSpec = Pick<InstrumentSpec, 'digits' | 'pipSize' | 'levelSize'>;

/** Height in ticks of the levels that an instrument is shown with by default: its level size, or one pip. */
export const shownLevelTicks = ({ digits, pipSize, levelSize }: LevelSpec): number =>
  Math.max(1, toTicks(levelSize ?? pipSize, digits));

/** Height in ticks of the levels that are recorded: a tenth of those shown if that is whole, else one tick. */
export function recordedLevelTicks(spec: LevelSpec): number {
  const shown = shownLevelTicks(spec);
  return shown % 10 === 0 ? shown / 10 : 1;
}

interface OpenMinute {
  readonly start: number;
  sides: number;
  readonly levels: Map<number, { ticks: number; buy: number; sell: number }>;
}

const openMinute = (start: number): OpenMinute => ({ start, sides: 0, levels: new Map() });

/** The newest minutes of one instrument. */
export class MinuteHistograms {
  readonly #digits: number;
  readonly #levelTicks: number;
  /** By start, in the order of their first trade. */
  readonly #minutes = new Map<number, OpenMinute>();
  readonly #kept: number;
  #last = openMinute(-1);
  #newest = 0;

  /** `kept`: how many minutes are held, by time. */
  constructor(spec: LevelSpec, kept: number) {
    this.#kept = kept;
    this.#digits = spec.digits;
    this.#levelTicks = recordedLevelTicks(spec);
  }

  /** Adds a trade that its bar counts, too. */
  trade(time: number, price: number, size: number, side: Side, sideMethod: SideMethod | null): void {
    const start = time - (time % MINUTE_MS);
    const minute = start === this.#last.start ? this.#last : this.#open(start);
    minute.sides |= sidesOf(sideMethod);
    const ticks = Math.floor(toTicks(price, this.#digits) / this.#levelTicks) * this.#levelTicks;
    let level = minute.levels.get(ticks);
    if (!level) {
      level = { ticks, buy: 0, sell: 0 };
      minute.levels.set(ticks, level);
    }
    if (side === 'buy') level.buy += size;
    else level.sell += size;
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
    this.#last = openMinute(-1);
    this.#newest = 0;
    for (const { time, digits, levelTicks, sides, levels } of histograms) {
      if (digits !== this.#digits || levelTicks !== this.#levelTicks) continue;
      const minute = this.#open(time);
      minute.sides = sides;
      for (const level of levels) minute.levels.set(level.ticks, { ...level });
    }
  }

  #open(start: number): OpenMinute {
    let minute = this.#minutes.get(start);
    if (!minute) {
      minute = openMinute(start);
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

  #histogramOf({ start, sides, levels }: OpenMinute): MinuteHistogram {
    return {
      time: start as EpochMs,
      digits: this.#digits,
      levelTicks: this.#levelTicks,
      sides,
      levels: [...levels.values()]
        .map(({ ticks, buy, sell }) => ({ ticks, buy: roundSize(buy), sell: roundSize(sell) }))
        .sort((a, b) => a.ticks - b.ticks),
    };
  }
}

const sidesOf = (method: SideMethod | null): number =>
  method === null ? SIDES_OF_FEED : method === 'quote_rule' ? SIDES_BY_QUOTE_RULE : SIDES_BY_TICK_RULE;

/** The histogram of a minute whose trades are all known, as in imported history; `null` without a trade. */
export function histogramOfTrades(
  spec: LevelSpec,
  start: number,
  trades: Iterable<{
    readonly time: number;
    readonly price: number;
    readonly size: number;
    readonly side: Side;
    readonly sideMethod: SideMethod | null;
  }>,
): MinuteHistogram | null {
  const minutes = new MinuteHistograms(spec, 1);
  for (const { time, price, size, side, sideMethod } of trades) minutes.trade(time, price, size, side, sideMethod);
  return minutes.at(start);
}
