// A number that changes with the market (a price in ticks, a spread, a volume, the line of an indicator) and the levels that
// alerts wait for. A change that reaches no level costs two comparisons, however many alerts there are.
import { type HeapLevel, LevelHeap } from '../signals/level-heap.ts';

/** Obsolete watches are swept once there are more of them than this, and more than half of all. */
const SWEEP_AFTER = 256;

/** Waits for levels of a stream. */
export interface Watcher {
  /** Changes with each watch, so that the one before is obsolete. */
  readonly version: number;
  /** The value has reached the level; the stream has removed the watch. */
  reached(begins: boolean): void;
  /** A value of the past, which came late, has reached the level; the watch stays unless the watcher changes it. */
  reachedLate(value: number): void;
}

/** Waits for a time instead of levels: until then no value can matter to it. */
export interface Sleeper {
  /** Changes when it waits for something else. */
  readonly version: number;
  /** The time has come. The stream has the value before it. */
  rouse(): void;
}

interface Sleep extends HeapLevel<Sleeper> {
  readonly version: number;
}

export interface Watch extends HeapLevel<Watcher> {
  /** In force as long as its threshold has this version. */
  readonly version: number;
  /** The threshold begins to hold; otherwise it ends. */
  readonly begins: boolean;
}

/** Watches of the value that is being looked at. Telling their owners never wakes others. */
const woken: Watch[] = [];

const inForce = (level: HeapLevel<Watcher>): boolean => (level as Watch).version === level.owner.version;

export class ValueStream {
  /** `NaN` until it is known. */
  value = Number.NaN;
  /** `before` is valid while alerts are judged. */
  readonly keepsPrevious: boolean;
  /** A value from here on, or from here down, has reached a level. */
  above = Number.POSITIVE_INFINITY;
  below = Number.NEGATIVE_INFINITY;
  /** Watches that were looked at: the work that alerts cost. */
  looked = 0;
  /** From this time on there are sleepers to rouse. */
  rouseAt = Number.POSITIVE_INFINITY;
  readonly #rises = new LevelHeap<Watcher>();
  readonly #falls = new LevelHeap<Watcher>();
  /** By time. */
  readonly #sleepers: LevelHeap<Sleeper> | null;
  /** Called when `above` or `below` may have changed. */
  onWatch: (() => void) | null;
  #obsolete = 0;
  #previous = Number.NaN;
  #isNew = false;

  /** `keepsPrevious`: `beginChange` is called. `canSleep`: `rouse` is called. */
  constructor(onWatch: (() => void) | null = null, keepsPrevious = false, canSleep = false) {
    this.onWatch = onWatch;
    this.keepsPrevious = keepsPrevious;
    this.#sleepers = canSleep ? new LevelHeap<Sleeper>() : null;
  }

  get canSleep(): boolean {
    return this.#sleepers !== null;
  }

  /** Rouses it before the first value of this time or later. */
  sleep(until: number, owner: Sleeper): void {
    this.#sleepers!.push({ key: until, owner, version: owner.version } as Sleep);
    this.rouseAt = this.#sleepers!.nearest;
    this.onWatch?.();
  }

  /** Call with the time of a value before it is set. */
  rouse(time: number): void {
    if (time < this.rouseAt) return;
    const sleepers = this.#sleepers!;
    for (let sleep = sleepers.popReached(time); sleep; sleep = sleepers.popReached(time))
      if ((sleep as Sleep).version === sleep.owner.version) sleep.owner.rouse();
    this.rouseAt = sleepers.nearest;
  }

  /** The value before the moment that is being judged. */
  get before(): number {
    return this.#isNew ? this.#previous : this.value;
  }

  /** Call before alerts are judged by a new value, and `endChange` afterwards. */
  beginChange(previous: number): void {
    this.#previous = previous;
    this.#isNew = true;
  }

  endChange(): void {
    this.#isNew = false;
  }

  /** Whether `wake` has something to do. */
  get isReached(): boolean {
    return this.value >= this.above || this.value <= this.below;
  }

  /** `sign` −1: reached when the negated value reaches the key. */
  watch(sign: 1 | -1, key: number, owner: Watcher, begins: boolean): void {
    (sign === 1 ? this.#rises : this.#falls).push({ key, owner, version: owner.version, begins } as Watch);
    this.#setBounds();
  }

  /** A watch is no longer in force. */
  countObsolete(): void {
    const size = this.#rises.size + this.#falls.size;
    if (++this.#obsolete <= SWEEP_AFTER || this.#obsolete * 2 <= size) return;
    this.#obsolete = 0;
    this.#rises.keep(inForce);
    this.#falls.keep(inForce);
    this.#setBounds();
  }

  /** Call after every value of the event is set: tells the thresholds whose level the value has reached. */
  wake(): void {
    const { value } = this;
    if (value >= this.above) this.#wake(this.#rises, value, reached);
    if (value <= this.below) this.#wake(this.#falls, -value, reached);
  }

  /** A value of the past, which does not become the present one. */
  wakeLate(value: number): void {
    if (value >= this.above) this.#wake(this.#rises, value, reachedLate);
    if (value <= this.below) this.#wake(this.#falls, -value, reachedLate);
  }

  #wake(levels: LevelHeap<Watcher>, probe: number, tell: (watch: Watch, probe: number) => void): void {
    woken.length = 0;
    for (let level = levels.popReached(probe); level; level = levels.popReached(probe)) {
      this.looked++;
      if (inForce(level)) woken.push(level as Watch);
      else if (this.#obsolete > 0) this.#obsolete--;
    }
    for (let at = 0; at < woken.length; at++) {
      const watch = woken[at]!;
      if (inForce(watch)) tell(watch, probe);
      // Still waiting: a value of the past did not concern it.
      if (inForce(watch)) levels.push(watch);
    }
    this.#setBounds();
  }

  #setBounds(): void {
    this.above = this.#rises.nearest;
    this.below = -this.#falls.nearest;
    this.onWatch?.();
  }
}

const reached = ({ owner, begins }: Watch): void => owner.reached(begins);
const reachedLate = ({ owner, begins }: Watch, probe: number): void => {
  if (begins) owner.reachedLate(Math.abs(probe));
};
