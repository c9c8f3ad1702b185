// The moves of one price of an instrument that alerts look at. A price is only noted, and compared with the two prices between
// which no move can reach a level: the windows are brought up to date when one of these is reached, and once per block of prices.
import type { PriceSide } from '@tickwire/contract';
import { MoveWindow, type SavedMoveWindow } from './move-window.ts';

/** Prices that are noted before the windows take them. */
const BLOCK = 1024;
/** Where the last of them is noted. */
const LAST = 2 * (BLOCK - 1);
/** Distance in ticks that covers the rounding of a percentage. */
const ROUNDING = 0.01;
/** Part of the way to a level that an extreme may move before the windows are measured. */
const SLACK = 0.3;

const lowPositions = new Int32Array(BLOCK);
const highPositions = new Int32Array(BLOCK);

export class PriceMoves {
  windows: readonly MoveWindow[] = [];
  /** Time and price of each; public, because `note` has to be short enough to be inlined. */
  readonly noted = new Float64Array(2 * BLOCK);
  /** Where the next price is noted. */
  end = 0;
  /** Ticks per unit of the price. */
  readonly #scale: number;
  /** From here on, from here down and after this time the windows have to be measured. */
  above = Number.NEGATIVE_INFINITY;
  below = Number.POSITIVE_INFINITY;
  until = Number.NEGATIVE_INFINITY;

  readonly #onChange: (() => void) | null;

  /** `onChange`: called when the windows have to be measured at the next price. */
  constructor(scale = 1, onChange: (() => void) | null = null) {
    this.#scale = scale;
    this.#onChange = onChange;
  }

  find(minutes: number): MoveWindow | undefined {
    return this.windows.find((window) => window.minutes === minutes);
  }

  /** A window that begins with the standing price. `NaN` if there is none. */
  open(minutes: number, time: number, ticks: number): MoveWindow {
    this.#takeNoted();
    const window = new MoveWindow(minutes, this.#measureNext);
    if (!Number.isNaN(ticks)) {
      window.lows.add(ticks);
      window.highs.add(-ticks);
      window.measure(time, ticks);
    }
    this.windows = [...this.windows, window];
    this.#measureNext();
    return window;
  }

  drop(minutes: number): void {
    this.windows = this.windows.filter((window) => window.minutes !== minutes);
  }

  save(window: MoveWindow): SavedMoveWindow {
    this.#takeNoted();
    return window.save();
  }

  /** Adds the newest price. Returns whether a move may have reached a level: then call `measure`. */
  add(time: number, ticks: number, price = ticks): boolean {
    this.note(time, price);
    return ticks >= this.above || ticks <= this.below || time > this.until;
  }

  /** Adds the newest price, which is known to reach no level. */
  note(time: number, price: number): void {
    const { noted, end } = this;
    noted[end] = time;
    noted[end + 1] = price;
    this.end = end + 2;
    if (end === LAST) this.#takeNoted();
  }

  /** The moves at the newest price. */
  measure(time: number, ticks: number): void {
    this.#takeNoted();
    for (const window of this.windows) window.measure(time, ticks);
  }

  /** Call after `measure`, and after every value of the event is set. */
  wake(): void {
    for (const window of this.windows) window.wake();
    this.#aim();
  }

  /** Also called by the streams of the windows. */
  readonly #measureNext = (): void => {
    this.until = Number.NEGATIVE_INFINITY;
    this.#onChange?.();
  };

  /** Only prices that no later one of the block has undercut can become the lowest; in the same way the highest. */
  #takeNoted(): void {
    if (this.end === 0) return;
    const { noted } = this;
    const scale = this.#scale;
    const newest = this.end - 2;
    let [lowCount, highCount, lowest, highest] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let at = newest; at >= 0; at -= 2) {
      const price = noted[at + 1]!;
      if (price < lowest) {
        lowest = price;
        lowPositions[lowCount++] = at;
      }
      if (price > highest) {
        highest = price;
        highPositions[highCount++] = at;
      }
    }
    const untilOf = (at: number): number => (at === newest ? Number.POSITIVE_INFINITY : noted[at + 2]!);
    for (const window of this.windows) {
      const { lows, highs, lengthMs } = window;
      lows.replace(noted[0]!);
      highs.replace(noted[0]!);
      window.time = noted[newest]!;
      for (let n = lowCount - 1; n >= 0; n--) {
        const at = lowPositions[n]!;
        lows.add(Math.round(noted[at + 1]! * scale), untilOf(at));
      }
      for (let n = highCount - 1; n >= 0; n--) {
        const at = highPositions[n]!;
        highs.add(-Math.round(noted[at + 1]! * scale), untilOf(at));
      }
      lows.drop(noted[newest]! - lengthMs);
      highs.drop(noted[newest]! - lengthMs);
    }
    this.end = 0;
  }

  /**
   * An extreme may move by a part of the way to the level before the windows are measured again: the level is taken as near as
   * that would make it. Old extremes are forgotten, which only makes moves smaller.
   */
  #aim(): void {
    let [above, below, until] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const { up, down, lows, highs, lengthMs, ticks, time } of this.windows) {
      const low = lows.lowest;
      const high = -highs.lowest;
      if (!(low > 0)) until = Number.NEGATIVE_INFINITY;
      if (up.above < Number.POSITIVE_INFINITY) {
        const lower = Math.ceil(low - Math.max(0, (low * (1 + up.above / 100) - ticks) * SLACK));
        above = Math.min(above, lower * (1 + up.above / 100) - ROUNDING);
        below = Math.max(below, lower - 1);
      }
      if (down.above < Number.POSITIVE_INFINITY) {
        const higher = Math.floor(high + Math.max(0, (ticks - high * (1 - down.above / 100)) * SLACK));
        below = Math.max(below, higher * (1 - down.above / 100) + ROUNDING);
        above = Math.min(above, higher + 1);
      }
      // A level that waits for the end of a move is reached by time too. A price that still stands is left at the next one at the
      // earliest.
      const endsAfter = (until: number): number => Math.min(until, time) + lengthMs - 1;
      if (up.below > Number.NEGATIVE_INFINITY) {
        below = Math.max(below, low * (1 + up.below / 100) + ROUNDING);
        until = Math.min(until, endsAfter(lows.until));
      }
      if (down.below > Number.NEGATIVE_INFINITY) {
        above = Math.min(above, high * (1 - down.below / 100) - ROUNDING);
        until = Math.min(until, endsAfter(highs.until));
      }
    }
    this.above = above;
    this.below = below;
    this.until = until;
  }
}

/** `null` if no alert looks at the moves of a side. */
export class MovesBySide {
  bid: PriceMoves | null = null;
  ask: PriceMoves | null = null;
  trade: PriceMoves | null = null;
  readonly #scale: number;
  readonly #onChange: () => void;

  /** `scale`: ticks per unit of the price. `onChange`: called when moves have to be measured at the next price. */
  constructor(scale: number, onChange: () => void) {
    this.#scale = scale;
    this.#onChange = onChange;
  }

  /** The window of a number of minutes. A new one has only the standing price. */
  open(side: PriceSide, minutes: number, time: number, ticks: number): MoveWindow {
    this[side] ??= new PriceMoves(this.#scale, this.#onChange);
    const found = this[side].find(minutes);
    if (found && !Number.isNaN(ticks)) this[side].measure(time, ticks);
    return found ?? this[side].open(minutes, time, ticks);
  }

  save(side: PriceSide, window: MoveWindow): SavedMoveWindow {
    return this[side]?.save(window) ?? window.save();
  }

  drop(side: PriceSide, minutes: number): void {
    this[side]?.drop(minutes);
    if (this[side]?.windows.length === 0) this[side] = null;
  }
}
