// Delivers heads to one destination. Only the newest head waits: an undelivered head is worthless once a newer one exists.
// A failed head is retried after a while, unless a newer one comes first.
import type { LogHead } from '@tickwire/contract';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import type { Log } from '../ops/log.ts';
import { backOffMs } from '../work/back-off.ts';

const MAX_RETRY_MS = HOUR_MS;

export interface HeadDestination {
  /** For the log and the metrics; without secrets. */
  readonly name: string;
  /** Rejects if the head did not arrive. Must end by itself: it is never interrupted. */
  readonly deliver: (head: LogHead) => Promise<void>;
}

export interface HeadDeliveryOptions {
  readonly log: Log;
  /** Wait before the first retry, which doubles up to an hour. Default: a minute. */
  readonly retryMs?: number;
}

const identity = ({ log, n, hash }: LogHead): string => `${log} ${n} ${hash}`;

/** Whether both are heads of the same record. */
export const isSameHead = (a: LogHead, b: LogHead): boolean => identity(a) === identity(b);

export class HeadDelivery {
  /** Delivered heads and failed attempts, for the metrics. */
  delivered = 0;
  failures = 0;
  readonly name: string;
  readonly #deliver: HeadDestination['deliver'];
  readonly #options: HeadDeliveryOptions;
  /** The head that was delivered last. */
  #last: LogHead | null = null;
  #waiting: LogHead | null = null;
  #running: Promise<void> | null = null;
  #retry: ReturnType<typeof setTimeout> | null = null;
  /** Failed attempts since the last success. */
  #failed = 0;
  #stopped = false;

  constructor({ name, deliver }: HeadDestination, options: HeadDeliveryOptions) {
    this.name = name;
    this.#deliver = deliver;
    this.#options = options;
  }

  /** Resolves when the head, or a newer one, was delivered or has failed. Never rejects. */
  offer(head: LogHead): Promise<void> {
    this.#waiting = head;
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Retries nothing more. */
  stop(): void {
    this.#stopped = true;
    this.#cancelRetry();
  }

  async #run(): Promise<void> {
    for (let head = this.#waiting; head; head = this.#waiting) {
      this.#waiting = null;
      this.#cancelRetry();
      await this.#attempt(head);
    }
    this.#running = null;
  }

  async #attempt(head: LogHead): Promise<void> {
    const { log } = this.#options;
    if (this.#last && isSameHead(this.#last, head)) return;
    try {
      await this.#deliver(head);
      this.#last = head;
      this.delivered++;
      if (this.#failed > 0) log.info('heads are delivered again', { to: this.name });
      this.#failed = 0;
    } catch (error) {
      this.failures++;
      // Logged once per outage, not once per attempt.
      if (this.#failed++ === 0)
        log.error('could not deliver a head; it is retried', { to: this.name, why: (error as Error).message });
      this.#retryLater(head);
    }
  }

  #retryLater(head: LogHead): void {
    if (this.#stopped) return;
    const { retryMs = MINUTE_MS } = this.#options;
    const wait = backOffMs(this.#failed, { firstMs: retryMs, maxMs: MAX_RETRY_MS });
    this.#retry = setTimeout(() => void this.offer(head), wait).unref();
  }

  #cancelRetry(): void {
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
  }
}
