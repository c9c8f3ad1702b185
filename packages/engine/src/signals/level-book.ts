// The active signals of one instrument, ordered by the prices and times that can change them, with its standing price and gaps.
import { toTicks } from '../market/price.ts';
import type { EpochMs } from '../market/time.ts';
import type { PriceRange } from './judged-event.ts';
import { deadlineOf, graceEndOf, type JudgedSignal, lastDeadlineOf, stopInForce } from './judged-signal.ts';
import { type HeapLevel, LevelHeap } from './level-heap.ts';
import type { JudgedInstrument } from './order.ts';
import { PriceGaps } from './price-gaps.ts';
import { StandingPrice } from './standing-price.ts';

/** Obsolete levels are swept once more signals than this, and more than are active, have changed since the last sweep. */
const SWEEP_AFTER = 1_024;

interface WatchedLevel extends HeapLevel<JudgedSignal> {
  /** A price is in force as long as its signal has this version; `null` for a deadline. */
  readonly version: number | null;
}

export class LevelBook {
  readonly price: StandingPrice;
  readonly gaps = new PriceGaps();
  /** Number of active signals. */
  active = 0;
  /** The source is disconnected: missed trades judge signals until it is back, and no signal closes as time passes. */
  disconnected = false;
  #changed = 0;
  /** Levels by the side that has to reach them, and the direction it has to move in. */
  readonly #bidFalls = new LevelHeap<JudgedSignal>();
  readonly #bidRises = new LevelHeap<JudgedSignal>();
  readonly #askFalls = new LevelHeap<JudgedSignal>();
  readonly #askRises = new LevelHeap<JudgedSignal>();
  readonly #deadlines = new LevelHeap<JudgedSignal>();
  /** Signals that the next event may change, whatever its price: market entries and requests. */
  readonly #awaiting = new Set<JudgedSignal>();
  /** Signals whose deadline has passed and whose grace has not. */
  readonly #due = new Set<JudgedSignal>();
  /** Earliest end of their graces, and latest of their deadlines; may include signals that have left since they were measured. */
  #dueEnd = Number.POSITIVE_INFINITY;
  #dueLatest = Number.NEGATIVE_INFINITY;
  #dueLeft = false;

  constructor({ digits }: JudgedInstrument) {
    this.price = new StandingPrice(digits);
  }

  /** Whether signals can be published and closed: nothing is missing and nothing has been backfilled since the newest quote. */
  get isLive(): boolean {
    return this.price.isQuoted && !this.disconnected;
  }

  readonly ticks = (price: number): number => toTicks(price, this.price.digits);

  add(signal: JudgedSignal): void {
    this.active++;
    this.#watch(signal);
  }

  /** Call after each change of a signal: watches its new levels instead of the old ones. */
  update(signal: JudgedSignal): void {
    signal.version++;
    this.#watch(signal);
    this.#countChange();
  }

  remove(signal: JudgedSignal): void {
    signal.closed = true;
    this.active--;
    this.#awaiting.delete(signal);
    if (this.#due.delete(signal)) this.#dueLeft = true;
    this.dropObsoleteGaps();
    this.#countChange();
  }

  /** The deadline of the signal has passed: only late events concern it from now on. */
  markDue(signal: JudgedSignal): void {
    signal.due = this.price.current;
    signal.dueIfFilled = signal.due;
    this.#due.add(signal);
    this.#includeDue(signal);
    this.update(signal);
  }

  /** The signal has a later deadline, because a late event filled it. `graceEnd` is that of the earlier one. */
  postponeDue(signal: JudgedSignal, graceEnd: EpochMs): void {
    // Prices after the later deadline may have come already.
    signal.due = deadlineOf(signal) < graceEnd ? signal.dueIfFilled : null;
    if (!signal.due) this.#due.delete(signal);
    this.#includeDue(signal);
    this.#dueLeft = true;
  }

  /** Call after each event that has become the standing price: signals that are due close at the last price before their deadline. */
  settle(time: EpochMs): void {
    if (!(time < this.#dueLatest)) return;
    for (const signal of this.#due) {
      if (time < deadlineOf(signal)) signal.due = this.price.current;
      if (time < signal.order.deadline) signal.dueIfFilled = this.price.current;
    }
  }

  /** Whether a quote can change any signal: a few comparisons, however many signals there are. */
  touches(bid: number, ask: number, time: number): boolean {
    return (
      this.#bidFalls.nearest <= -bid ||
      this.#bidRises.nearest <= bid ||
      this.#askRises.nearest <= ask ||
      this.#askFalls.nearest <= -ask ||
      this.#deadlines.nearest <= time ||
      this.#awaiting.size > 0 ||
      time >= this.#dueEnd ||
      time < this.#dueLatest
    );
  }

  /** Removes the levels that prices in the range have reached. */
  popReached({ bidLow, bidHigh, askLow, askHigh }: PriceRange, time: EpochMs): ReachedLevels {
    this.#measureDue();
    const reached = new ReachedLevels();
    reached.take(this.#bidFalls, -bidLow);
    reached.take(this.#bidRises, bidHigh);
    reached.take(this.#askRises, askHigh);
    reached.take(this.#askFalls, -askLow);
    reached.take(this.#deadlines, time);
    for (const signal of this.#awaiting) reached.add(signal);
    for (const signal of this.#due) if (time >= graceEndOf(signal) || time < deadlineOf(signal)) reached.add(signal);
    return reached;
  }

  /** Removes and returns the signals whose deadline or grace has ended by `time`. */
  popEnded(time: EpochMs): readonly JudgedSignal[] {
    if (this.#deadlines.nearest > time && this.#dueEnd > time) return [];
    this.#measureDue();
    const reached = new ReachedLevels();
    reached.take(this.#deadlines, time);
    for (const signal of this.#due) if (time >= graceEndOf(signal)) reached.add(signal);
    return reached.signals;
  }

  /** Without active signals, gaps before the newest quote are obsolete: new signals are accepted against that quote. */
  dropObsoleteGaps(): void {
    if (this.active === 0) this.gaps.dropUntil(this.price.seq);
  }

  /** Gaps up to this `seq` cannot concern a future signal; `Infinity` if there is no gap. */
  get gapsNeededAfter(): number {
    return this.gaps.isEmpty ? Number.POSITIVE_INFINITY : this.price.seq;
  }

  #watch(signal: JudgedSignal): void {
    this.#awaiting.delete(signal);
    if (signal.due) {
      signal.watchedDeadline = null;
      return;
    }
    const { sign, order, entry, targets, exits, fill } = signal;
    // Keys are signed by direction: a level that the price must fall to is reached when −level ≤ −price.
    const entryRises = sign === 1 ? this.#askRises : this.#bidFalls;
    const entryFalls = sign === 1 ? this.#askFalls : this.#bidRises;
    const exitRises = sign === 1 ? this.#bidRises : this.#askFalls;
    const exitFalls = sign === 1 ? this.#bidFalls : this.#askRises;
    if (fill) {
      // The tightest stop, even if it is not in force yet: the rules decide when it is reached.
      watchPrice(exitFalls, -stopInForce(signal), signal);
      watchPrice(exitRises, targets[exits.length]!.price, signal);
    } else if (order.kind === 'limit') watchPrice(entryFalls, -entry, signal);
    else if (order.kind === 'stop') watchPrice(entryRises, entry, signal);
    if (signal.closeRequest || (!fill && order.kind === 'market')) this.#awaiting.add(signal);
    const deadline = deadlineOf(signal);
    if (signal.watchedDeadline === deadline) return;
    signal.watchedDeadline = deadline;
    this.#deadlines.push({ key: deadline, owner: signal, version: null } as WatchedLevel);
  }

  /** Once per event, not per signal that leaves: one event may close thousands. */
  #measureDue(): void {
    if (!this.#dueLeft) return;
    this.#dueLeft = false;
    this.#dueEnd = Number.POSITIVE_INFINITY;
    this.#dueLatest = Number.NEGATIVE_INFINITY;
    for (const signal of this.#due) this.#includeDue(signal);
  }

  #includeDue(signal: JudgedSignal): void {
    this.#dueEnd = Math.min(this.#dueEnd, graceEndOf(signal));
    this.#dueLatest = Math.max(this.#dueLatest, lastDeadlineOf(signal));
  }

  #countChange(): void {
    if (++this.#changed <= SWEEP_AFTER || this.#changed <= this.active) return;
    this.#changed = 0;
    for (const levels of [this.#bidFalls, this.#bidRises, this.#askFalls, this.#askRises, this.#deadlines])
      levels.keep(inForce);
  }
}

function watchPrice(levels: LevelHeap<JudgedSignal>, key: number, signal: JudgedSignal): void {
  levels.push({ key, owner: signal, version: signal.version } as WatchedLevel);
}

function inForce(level: HeapLevel<JudgedSignal>): boolean {
  const { owner } = level;
  const { version } = level as WatchedLevel;
  return !owner.closed && (version === null ? owner.watchedDeadline === level.key : owner.version === version);
}

/** Levels that were reached, and their signals. */
export class ReachedLevels {
  readonly #signals: JudgedSignal[] = [];
  readonly #taken: HeapLevel<JudgedSignal>[] = [];
  readonly #takenFrom: LevelHeap<JudgedSignal>[] = [];

  /** In order of acceptance, each once. */
  get signals(): readonly JudgedSignal[] {
    if (this.#signals.length <= 1) return this.#signals;
    return this.#signals.sort((a, b) => a.ordinal - b.ordinal).filter((signal, at, all) => signal !== all[at - 1]);
  }

  add(signal: JudgedSignal): void {
    this.#signals.push(signal);
  }

  take(levels: LevelHeap<JudgedSignal>, probe: number): void {
    for (let level = levels.popReached(probe); level; level = levels.popReached(probe)) {
      if (!inForce(level)) continue;
      this.#taken.push(level);
      this.#takenFrom.push(levels);
      this.#signals.push(level.owner);
    }
  }

  /** Puts back the levels that are still in force. */
  restore(): void {
    for (let at = 0; at < this.#taken.length; at++)
      if (inForce(this.#taken[at]!)) this.#takenFrom[at]!.push(this.#taken[at]!);
  }
}
