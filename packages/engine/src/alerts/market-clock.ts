// What time does to the market of an instrument: it opens and closes, and its newest quote grows old while it is open.
import type { InstrumentSpec } from '../market/instrument.ts';
import { asEpochMs, type EpochMs, MINUTE_MS } from '../market/time.ts';
import { isMarketOpen, nextSessionChange, tradingSessions } from '../market/trading-hours.ts';
import type { JudgedAlert } from './judged-alert.ts';
import type { JudgingContext } from './judging-context.ts';
import { ValueStream } from './value-stream.ts';

/** A longer step of the clock means that the service did not run: that time does not make a quote old. */
const LONGEST_STEP_MS = MINUTE_MS;

export interface SavedClock {
  /** `null` before the first clock event. */
  readonly time: number | null;
  /** Since when the clock has run without a longer step. */
  readonly resumed: number;
  /** Time of the newest quote; `null` if there is none. */
  readonly quoted: number | null;
}

export class MarketClock {
  /** Milliseconds since the newest quote, the opening or the start of the service; 0 while the market is closed. */
  readonly age = new ValueStream();
  /** Alerts on the opening and the closing. */
  readonly opening = new Set<JudgedAlert>();
  readonly closing = new Set<JudgedAlert>();
  readonly #instrument: InstrumentSpec;
  readonly #context: JudgingContext;
  #isWatched = false;
  #time = Number.NEGATIVE_INFINITY;
  #resumed = Number.NEGATIVE_INFINITY;
  #quoted = Number.NEGATIVE_INFINITY;
  /** The service was started again: the time until the next clock event does not make a quote old. */
  #isResuming = false;
  /** The session that contains the clock, or the next change if the market is closed. */
  #openedAt: number | null = null;
  #changesAt = Number.NEGATIVE_INFINITY;

  constructor(instrument: InstrumentSpec, context: JudgingContext) {
    this.#instrument = instrument;
    this.#context = context;
  }

  /** From now on alerts look at the age. */
  watchAge(): ValueStream {
    this.#isWatched = true;
    if (this.#time > 0) this.age.value = this.#age();
    return this.age;
  }

  quote(time: number): void {
    this.#quoted = time;
    // A quote that is not older than the clock has no age.
    if (this.#isWatched && this.#time > 0) this.age.value = time >= this.#time ? 0 : this.#age();
  }

  read(seq: number | null, time: EpochMs): void {
    if (time < this.#time) return;
    if (this.#isResuming || time - this.#time > LONGEST_STEP_MS) this.#resumed = time;
    this.#isResuming = false;
    this.#changes(seq, time);
    this.#time = time;
    if (!this.#isWatched) return;
    this.age.value = this.#age();
    this.#context.begin(seq, time, `stale:${this.#base()}`);
    this.age.wake();
  }

  /** The service did not run until now. */
  resume(): void {
    this.#isResuming = true;
  }

  save(): SavedClock {
    const [time, quoted] = [this.#time, this.#quoted].map((each) => (Number.isFinite(each) ? each : null));
    return { time: time!, resumed: time === null ? 0 : this.#resumed, quoted: quoted! };
  }

  restore({ time, resumed, quoted }: SavedClock): void {
    if (quoted !== null && quoted > this.#quoted) this.#quoted = quoted;
    if (time === null || time <= this.#time) return;
    this.#time = time;
    this.#resumed = resumed;
    if (this.#isWatched) this.age.value = this.#age();
  }

  /** Openings and closings since the clock before. */
  #changes(seq: number | null, time: EpochMs): void {
    if (this.opening.size + this.closing.size === 0 || !Number.isFinite(this.#time)) return;
    const { hours } = this.#instrument;
    let change = nextSessionChange(hours, asEpochMs(this.#time));
    while (change <= time) {
      const opens = isMarketOpen(hours, change);
      this.#context.begin(seq, change, `market:${opens ? 'opens' : 'closes'}:${change}`);
      for (const alert of [...(opens ? this.opening : this.closing)]) alert.happen(null, null);
      change = nextSessionChange(hours, change);
    }
  }

  #base(): number {
    return Math.max(this.#quoted, this.#resumed, this.#openedAt ?? Number.NEGATIVE_INFINITY);
  }

  #age(): number {
    const { hours } = this.#instrument;
    const time = asEpochMs(this.#time);
    if (time >= this.#changesAt) {
      this.#changesAt = nextSessionChange(hours, time);
      this.#openedAt = hours === 'always' ? 0 : (tradingSessions(hours, time, asEpochMs(time + 1))[0]?.open ?? null);
    }
    return this.#openedAt === null ? 0 : Math.max(0, time - this.#base());
  }
}
