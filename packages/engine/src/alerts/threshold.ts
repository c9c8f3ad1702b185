// A level of a value stream. It begins to hold when the value reaches `begin`, and ends when the value is back at `clearAt`,
// which is further away after a firing (hysteresis). All levels are signed: negated for a threshold below.
import type { FiringDetail } from './alert.ts';
import type { Sleeper, ValueStream, Watcher } from './value-stream.ts';

/** The alert that waits for a threshold. */
export interface ThresholdOwner {
  /** The value has reached `begin`. */
  begins(threshold: Threshold): void;
  /** The value is back at `clearAt`. */
  ends(threshold: Threshold): void;
  /** A value of the past, which came late, was beyond `begin`. */
  beginsLate(threshold: Threshold, value: number): void;
}

export interface Level {
  readonly stream: ValueStream;
  /** 1: holds above the level; −1: below. */
  readonly sign: 1 | -1;
  /** Signed, like all that follow. Holds from here on. */
  readonly begin: number;
  /** Does not hold up to here. */
  readonly end: number;
  /** Up to here after a firing with this spread in ticks. */
  readonly clearAfter: (spread: number) => number;
  /** Brings the stream up to date, if it is not always. */
  readonly settle?: () => void;
  /** What a firing reports. */
  readonly report: () => FiringReport;
}

export interface FiringReport {
  /** Price or value that fired the alert. */
  readonly price: number | null;
  readonly detail: FiringDetail | null;
}

export class Threshold implements Watcher, Sleeper {
  version = 0;
  /** Market time at which it was armed; `null` if it is not. */
  armedSince: number | null = null;
  clearAt: number;
  readonly level: Level;
  readonly #owner: ThresholdOwner;
  /** Of the level: kept here because every change of the threshold needs them. */
  readonly #stream: ValueStream;
  readonly #sign: 1 | -1;
  readonly #begin: number;
  readonly #end: number;
  readonly #settle: (() => void) | null;
  #watched = false;
  #sleeps = false;

  constructor(level: Level, owner: ThresholdOwner) {
    this.level = level;
    this.clearAt = level.end;
    this.#owner = owner;
    this.#stream = level.stream;
    this.#sign = level.sign;
    this.#begin = level.begin;
    this.#end = level.end;
    this.#settle = level.settle ?? null;
  }

  get holds(): boolean {
    this.#settle?.();
    return this.#sign * this.#stream.value >= this.#begin;
  }

  get isClear(): boolean {
    this.#settle?.();
    return this.#sign * this.#stream.value <= this.clearAt;
  }

  /** Whether it was clear before the event that is being judged. */
  get wasClear(): boolean {
    return this.#sign * this.#stream.before <= this.clearAt;
  }

  /** It is armed if the value is clear: no firing has moved `clearAt` away. */
  get followsValue(): boolean {
    return this.clearAt === this.#end;
  }

  /** Waits for a time, not for the value: whether it is armed is decided then. */
  get sleeps(): boolean {
    return this.#sleeps;
  }

  /** Since when it is armed. */
  get armed(): number | null {
    return this.#sleeps && !this.isClear ? null : this.armedSince;
  }

  get canSleep(): boolean {
    return this.#stream.canSleep;
  }

  /** Ends where it begins: without the distance that a firing demands. */
  forgetFiring(): void {
    this.clearAt = this.#end;
  }

  watchBegin(): void {
    this.unwatch();
    this.#watched = true;
    this.#stream.watch(this.#sign, this.#begin, this, true);
  }

  watchEnd(): void {
    this.unwatch();
    this.#watched = true;
    this.#stream.watch(this.#sign === 1 ? -1 : 1, -this.clearAt, this, false);
  }

  unwatch(): void {
    this.version++;
    if (this.#watched) this.#stream.countObsolete();
    this.#watched = false;
    this.#sleeps = false;
  }

  /** Updates the threshold silently; re-arms it once the value has cleared. `now`: the time of this event. */
  sleep(now: number, until: number): void {
    this.unwatch();
    this.#sleeps = true;
    this.armedSince = now;
    this.#stream.sleep(until, this);
  }

  /** Called by the stream. */
  rouse(): void {
    this.#sleeps = false;
    if (!this.isClear) this.armedSince = null;
    this.watch();
  }

  /** Waits for its end, or for its beginning if it is armed. */
  watch(): void {
    if (this.armedSince === null) this.watchEnd();
    else this.watchBegin();
  }

  /** Called by the stream, which has removed the watch. */
  reached(begins: boolean): void {
    this.#watched = false;
    if (begins) this.#owner.begins(this);
    else this.#owner.ends(this);
  }

  reachedLate(value: number): void {
    this.#owner.beginsLate(this, value);
  }
}
