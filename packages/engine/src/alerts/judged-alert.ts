// One alert: when it is armed, and whether it fires.
//
// Moments that are a crossing of a level are thresholds, each with its own arming. Other moments (a bar, a headline) call
// `happen`. States are thresholds too; without a moment the alert is armed while they do not hold together, and then waits
// for one of those that do not hold. With crossings of a price it waits for such a state too, and looks at the crossings only
// while all states hold: until then, the price itself decides whether they are armed.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import type { AlertSpec, FiringDetail } from './alert.ts';
import type { JudgingContext } from './judging-context.ts';
import type { Threshold, ThresholdOwner } from './threshold.ts';

/** Causes kept to fire once for each, such as headlines that are updated. Later repetitions are left out by the store. */
const KEPT_CAUSES = 64;

export interface SavedAlert {
  /** By trigger: since when it is armed. */
  readonly armed: readonly (number | null)[];
  /** By trigger, then by state: where it ends. */
  readonly clear: readonly number[];
  readonly together: boolean;
  readonly fired: number | null;
  /** End of the last closed bar that fired it. */
  readonly bar: number | null;
  readonly causes: readonly string[];
  readonly done: boolean;
  /** End and close of the last bar beyond the level of a `bar_close`, whether it fired or not. */
  readonly closed: readonly [end: number, close: number] | null;
}

export class JudgedAlert implements ThresholdOwner {
  readonly spec: AlertSpec;
  readonly ordinal: number;
  /** Crossings: each of them is a moment. */
  triggers: Threshold[] = [];
  states: Threshold[] = [];
  /** It has a moment that is not a threshold. */
  hasMoment = false;
  done = false;
  /** Called when the alert is not judged any more. */
  readonly leave: (() => void)[] = [];
  /** Spread of its instrument in ticks. */
  readonly #spread: () => number;
  readonly #context: JudgingContext;
  readonly #barMs: number;
  /** What kind of alert it is, kept because every wake needs it: it fires when its states begin to hold together. */
  #waitsForStates = false;
  /** Its crossings are watched only while its states hold. */
  #awaitsStates = false;
  #hasStates = false;
  /** Must not fire before this time: its cooldown, or the rest of the bar. */
  #quietUntil = Number.NEGATIVE_INFINITY;
  /** The states were seen not to hold together. */
  #together = false;
  #fired: number | null = null;
  #bar: number | null = null;
  #causes: string[] = [];
  #closed: SavedAlert['closed'] = null;
  /** The same of the run before: a restarted engine closes that bar again. */
  #closedBefore: SavedAlert['closed'] = null;
  /** Event that fired it last. */
  #firedBy = -1;
  /** The state that crossings wait for; `null` while they are watched. */
  #awaited: Threshold | null = null;

  constructor(spec: AlertSpec, ordinal: number, barOf: Timeframe, spread: () => number, context: JudgingContext) {
    this.spec = spec;
    this.ordinal = ordinal;
    this.#barMs = TIMEFRAME_MS[barOf];
    this.#spread = spread;
    this.#context = context;
  }

  /** Call once all thresholds are set. */
  start(saved: SavedAlert | null): void {
    this.#hasStates = this.states.length > 0;
    this.#waitsForStates = this.#hasStates && this.triggers.length === 0 && !this.hasMoment;
    this.#awaitsStates =
      this.#hasStates && !this.hasMoment && this.triggers.every(({ level }) => level.stream.keepsPrevious);
    if (saved) this.#restore(saved);
    else {
      for (const trigger of this.triggers) trigger.armedSince = trigger.isClear ? this.spec.sinceTime : null;
      this.#together = this.states.some((state) => state.isClear);
    }
    if (this.done) return;
    if (this.#waitsForStates) this.#watchStates();
    const awaits = !this.#waitsForStates && this.#awaitState();
    for (const trigger of this.triggers) if (!(awaits && trigger.followsValue)) trigger.watch();
  }

  /** Stops judging. */
  stop(): void {
    this.done = true;
    for (const threshold of [...this.triggers, ...this.states]) threshold.unwatch();
    for (const leave of this.leave) leave();
    this.leave.length = 0;
  }

  save(): SavedAlert {
    return {
      armed: this.triggers.map((trigger) =>
        this.#awaited && trigger.followsValue ? (trigger.isClear ? this.spec.sinceTime : null) : trigger.armed,
      ),
      clear: [...this.triggers, ...this.states].map(({ clearAt }) => clearAt),
      together: this.#together,
      fired: this.#fired,
      bar: this.#bar,
      causes: this.#causes,
      closed: this.#closed,
      done: this.done,
    };
  }

  begins(threshold: Threshold): void {
    if (this.#waitsForStates) {
      this.#beginTogether(threshold);
      return;
    }
    if (threshold === this.#awaited) this.#stateBegins(threshold);
    else if (!this.#awaitState()) this.#cross(threshold);
  }

  ends(threshold: Threshold): void {
    // Only a later event arms it again.
    if (this.#firedBy === this.#context.event) return;
    if (this.#waitsForStates) {
      this.#together = true;
      this.#watchStates();
      return;
    }
    threshold.armedSince = this.#context.time;
    threshold.forgetFiring();
    if (this.#awaited) threshold.unwatch();
    else if (!this.#awaitState()) this.#watch(threshold);
  }

  beginsLate(threshold: Threshold, value: number): void {
    const { armedSince, level } = threshold;
    // What the states were at that time is not known any more.
    if (this.#waitsForStates || this.states.length > 0) return;
    if (armedSince === null || armedSince > this.#context.time) return;
    const present = level.stream.value;
    level.stream.value = value;
    const fired = this.#fireBy(threshold);
    level.stream.value = present;
    if (fired) for (const trigger of this.triggers) this.#disarm(trigger, true);
  }

  /** The moment of the alert has come. */
  happen(price: number | null, detail: FiringDetail | null): void {
    if (this.#statesHold()) this.#fire(price, detail);
  }

  /** A bar has closed beyond the level. */
  close(price: number): void {
    const { time } = this.#context;
    const isKnown = this.#closedBefore?.[0] === time && this.#closedBefore[1] === price;
    this.#closedBefore = null;
    this.#closed = [time, price];
    // It was judged by the states of its moment.
    if (!isKnown) this.happen(price, null);
  }

  #statesHold(): boolean {
    if (!this.#hasStates) return true;
    for (const state of this.states) if (!state.holds) return false;
    return true;
  }

  /** A crossing whose states may hold. */
  #cross(trigger: Threshold): boolean {
    const fired = this.#context.time >= this.#quietUntil && this.#statesHold() && this.#fireBy(trigger);
    if (fired) for (const each of this.triggers) this.#disarm(each, true);
    else this.#disarm(trigger, false);
    return fired;
  }

  /** Waits for a state that does not hold. Returns whether there is one. */
  #awaitState(): boolean {
    if (!this.#awaitsStates) return false;
    this.#awaited = this.states.find((state) => !state.holds) ?? null;
    if (!this.#awaited) return false;
    this.#awaited.watchBegin();
    for (const trigger of this.triggers) {
      if (trigger.armedSince !== null) trigger.forgetFiring();
      if (trigger.followsValue) trigger.unwatch();
    }
    return true;
  }

  #stateBegins(state: Threshold): void {
    state.unwatch();
    if (this.#awaitState()) return;
    for (const trigger of this.triggers) {
      if (!trigger.followsValue) continue;
      if (trigger.wasClear && trigger.holds) {
        if (this.#cross(trigger)) return;
      } else {
        trigger.armedSince = trigger.isClear ? this.#context.time : null;
        trigger.watch();
      }
    }
  }

  #beginTogether(threshold: Threshold): void {
    if (!this.#statesHold()) {
      this.#watchStates();
      return;
    }
    const fired = this.#fireBy(threshold);
    this.#together = false;
    const spread = this.#spread();
    for (const state of this.states) state.clearAt = fired ? state.level.clearAfter(spread) : state.level.end;
    if (!this.done) this.#watchStates();
  }

  /** Armed: waits for the first state that does not hold. Otherwise for any that ends. */
  #watchStates(): void {
    for (const state of this.states) state.unwatch();
    if (this.#together) this.states.find((state) => !state.holds)?.watchBegin();
    else for (const state of this.states) state.watchEnd();
  }

  #disarm(trigger: Threshold, fired: boolean): void {
    trigger.armedSince = null;
    if (fired) trigger.clearAt = trigger.level.clearAfter(this.#spread());
    else trigger.forgetFiring();
    if (!this.done) this.#watch(trigger);
  }

  /**
   * A trigger that follows its value sleeps while the alert must not fire. Since when it was armed in that time does not matter:
   * late values of that time do not fire it either.
   */
  #watch(trigger: Threshold): void {
    const { time } = this.#context;
    if (time < this.#quietUntil && !this.hasMoment && trigger.followsValue && trigger.canSleep)
      trigger.sleep(time, this.#quietUntil);
    else trigger.watch();
  }

  #fireBy(threshold: Threshold): boolean {
    const { price, detail } = threshold.level.report();
    return this.#fire(price, detail);
  }

  #fire(price: number | null, detail: FiringDetail | null): boolean {
    const { spec } = this;
    const { seq, time, isBar } = this.#context;
    if (!this.#mayFire()) return false;
    const { cause } = this.#context;
    if (this.#causes.includes(cause)) return false;
    // A position in the journal does not come again.
    this.#causes = cause.startsWith('seq:') ? [cause] : [...this.#causes.slice(1 - KEPT_CAUSES), cause];
    this.#fired = Math.max(this.#fired ?? time, time);
    this.#setQuiet(this.#fired);
    this.#firedBy = this.#context.event;
    if (isBar) this.#bar = time;
    const symbol = detail?.kind === 'signal' ? detail.symbol : spec.symbol;
    this.#context.add(this.ordinal, { alert: spec.id, cause, seq, time, price, symbol, detail });
    if (spec.repeat === 'once') this.stop();
    return true;
  }

  #mayFire(): boolean {
    const { sinceSeq, sinceTime, expiresAt } = this.spec;
    const { seq, time, isBar, ignoresTime, knownAt } = this.#context;
    if (this.done || (seq !== null && seq <= sinceSeq)) return false;
    if (knownAt < sinceTime && !(ignoresTime && seq !== null)) return false;
    if (expiresAt !== null && time >= expiresAt) return false;
    if (isBar && this.#bar !== null && time <= this.#bar) return false;
    return time >= this.#quietUntil;
  }

  #setQuiet(fired: number): void {
    const { repeat, cooldownMs } = this.spec;
    this.#quietUntil = cooldownMs > 0 ? fired + cooldownMs : Number.NEGATIVE_INFINITY;
    if (repeat !== 'once_per_bar') return;
    const barEnd = (Math.floor(fired / this.#barMs) + 1) * this.#barMs;
    if (barEnd > this.#quietUntil) this.#quietUntil = barEnd;
  }

  #restore({ armed, clear, together, fired, bar, causes, done, closed }: SavedAlert): void {
    for (const [at, trigger] of this.triggers.entries()) trigger.armedSince = armed[at] ?? null;
    for (const [at, threshold] of [...this.triggers, ...this.states].entries())
      threshold.clearAt = clear[at] ?? threshold.level.end;
    this.#together = together;
    this.#fired = fired;
    if (fired !== null) this.#setQuiet(fired);
    this.#bar = bar;
    this.#causes = [...causes];
    this.#closed = closed;
    this.#closedBefore = closed;
    this.done = done;
  }
}
