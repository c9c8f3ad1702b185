// Writes signed heads outside the log, on a schedule and once more at shutdown. Each destination has its own pace: one that
// does not respond delays no other.
import type { LogHead } from '@tickwire/contract';
import { HeadDelivery, type HeadDeliveryOptions, type HeadDestination } from './head-delivery.ts';

export interface HeadWriterOptions extends HeadDeliveryOptions {
  /** The current head, signed; `null` while the log is empty. */
  readonly head: () => LogHead | null | Promise<LogHead | null>;
  readonly destinations: readonly HeadDestination[];
  readonly everyMs: number;
}

export class HeadWriter {
  readonly deliveries: readonly HeadDelivery[];
  readonly #options: HeadWriterOptions;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: HeadWriterOptions) {
    this.#options = options;
    this.deliveries = options.destinations.map((destination) => new HeadDelivery(destination, options));
  }

  start(): void {
    if (this.deliveries.length > 0) this.#timer ??= setInterval(() => void this.write(), this.#options.everyMs);
  }

  /** Resolves when the head was delivered wherever it is missing, or has failed there. Never rejects. */
  async write(): Promise<void> {
    if (this.deliveries.length === 0) return;
    let head: LogHead | null;
    try {
      head = await this.#options.head();
    } catch (error) {
      this.#options.log.error('could not sign the head of the signal log', { error });
      return;
    }
    if (head) await Promise.all(this.deliveries.map((delivery) => delivery.offer(head)));
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    for (const delivery of this.deliveries) delivery.stop();
    await this.write();
  }
}
