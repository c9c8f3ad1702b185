// The calendar of the simulated markets as a source. It is a function of time: a restart delivers the same states, which the
// intake recognizes, and catches up on those of the downtime.
import { DAY_MS, SECOND_MS } from '@tickwire/engine';
import type { NewsSource, NewsSourceStatus } from '../../news/news-source.ts';
import { SIM_SOURCE } from '../../news/sim/open-sim-news.ts';
import type { Log } from '../../ops/log.ts';
import type { RawCalendarEvent, TakeCalendar } from '../raw-event.ts';
import { ANNOUNCED_DAYS, simCalendar } from './sim-events.ts';

const STEP_MS = SECOND_MS;
/** Making the first states takes a while: a service that has just started answers its first requests before that. */
const FIRST_STEP_MS = 100;
/** After a start, the calendar goes back this far. */
const PAST_DAYS = 7;

export interface OpenSimCalendarOptions {
  /** Key of the headlines of the simulated markets. */
  readonly key: number;
  readonly take: TakeCalendar;
  readonly now: () => number;
  readonly log: Log;
}

export const openSimCalendar = (options: OpenSimCalendarOptions): NewsSource => new SimCalendar(options);

class SimCalendar implements NewsSource {
  readonly #options: OpenSimCalendarOptions;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #state: NewsSourceStatus['state'] = 'starting';
  /** Everything that was known before this time is delivered. */
  #at = 0;
  #items = 0;
  #failures = 0;
  #lastItemAt = 0;
  #lastError: string | null = null;
  #stepping: Promise<void> | null = null;
  /** States of the days around `day` that are not delivered yet, in the order in which they become known. */
  #day = Number.NaN;
  #waiting: RawCalendarEvent[] = [];

  constructor(options: OpenSimCalendarOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#timer) return;
    this.#state = 'ok';
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => void this.#step(), STEP_MS);
      void this.#step();
    }, FIRST_STEP_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#state = 'stopped';
    await this.#stepping;
  }

  statuses(): readonly NewsSourceStatus[] {
    return [
      {
        name: SIM_SOURCE,
        url: null,
        state: this.#state,
        lastItemAt: this.#lastItemAt,
        lastPollAt: this.#at,
        unchanged: 0,
        items: this.#items,
        failures: this.#failures,
        lastError: this.#lastError,
      },
    ];
  }

  #step(): Promise<void> {
    this.#stepping ??= this.#deliver()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#stepping = null;
      });
    return this.#stepping;
  }

  async #deliver(): Promise<void> {
    const { take, now } = this.#options;
    const time = now();
    this.#prepare(Math.floor(time / DAY_MS));
    const due = this.#waiting.findIndex(({ knownAt }) => knownAt! > time);
    const states = this.#waiting.slice(0, due < 0 ? undefined : due);
    if (states.length > 0) {
      await take(states);
      this.#waiting.splice(0, states.length);
      this.#items += states.length;
      this.#lastItemAt = time;
    }
    this.#at = time;
    if (this.#state === 'failing') this.#state = 'ok';
    this.#lastError = null;
  }

  #prepare(today: number): void {
    if (today === this.#day) return;
    const { key } = this.#options;
    const days = Array.from({ length: PAST_DAYS + ANNOUNCED_DAYS + 2 }, (_, index) => today - PAST_DAYS + index);
    const states = days.flatMap((day) => simCalendar(key, day)).filter(({ knownAt }) => knownAt! > this.#at);
    this.#waiting = states.sort((a, b) => a.knownAt! - b.knownAt!);
    this.#day = today;
  }

  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#lastError !== message)
      this.#options.log.error('simulated calendar events could not be stored', { error });
    this.#lastError = message;
    this.#failures++;
    if (this.#state !== 'stopped') this.#state = 'failing';
  }
}
