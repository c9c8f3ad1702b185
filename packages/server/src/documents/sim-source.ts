// A source of simulated items. They are a function of time: a restart makes the same ones, which their reader recognizes, and
// catches up on those of the downtime.
import { SECOND_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import { SIM_SOURCE, type Source, type SourceStatus } from './source.ts';

const STEP_MS = SECOND_MS;
/** Making the first items takes a while: a service that has just started answers its first requests before that. */
const FIRST_STEP_MS = 100;

/** What a step has delivered. */
export interface Delivered {
  readonly items: number;
  /** Time of the newest item. */
  readonly lastItemAt: number;
}

export interface SimSourceOptions {
  /** Delivers what became known after `since` (0 at the start) and up to `now`. `null`: nothing. */
  readonly deliver: (since: number, now: number, isStopped: () => boolean) => Promise<Delivered | null>;
  /** What is delivered, such as `simulated headlines`. */
  readonly what: string;
  readonly now: () => number;
  readonly log: Log;
}

export class SimSource implements Source {
  readonly #options: SimSourceOptions;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #state: SourceStatus['state'] = 'starting';
  /** Everything that was known at this time is delivered. */
  #at = 0;
  #items = 0;
  #failures = 0;
  #lastItemAt = 0;
  #lastError: string | null = null;
  #stepping: Promise<void> | null = null;

  constructor(options: SimSourceOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#timer) return;
    this.#state = 'ok';
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => this.#step(), STEP_MS);
      this.#step();
    }, FIRST_STEP_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#state = 'stopped';
    await this.#stepping;
  }

  statuses(): readonly SourceStatus[] {
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

  /** One step at a time: the first one may take longer than a second. */
  #step(): void {
    this.#stepping ??= this.#deliver()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#stepping = null;
      });
  }

  async #deliver(): Promise<void> {
    const now = this.#options.now();
    if (now <= this.#at) return;
    const delivered = await this.#options.deliver(this.#at, now, () => this.#state === 'stopped');
    if (delivered) {
      this.#items += delivered.items;
      this.#lastItemAt = delivered.lastItemAt;
    }
    this.#at = now;
    this.#lastError = null;
    if (this.#state === 'failing') this.#state = 'ok';
  }

  #failed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#lastError !== message) this.#options.log.error(`${this.#options.what} could not be stored`, { error });
    this.#lastError = message;
    this.#failures++;
    if (this.#state !== 'stopped') this.#state = 'failing';
  }
}
