// Stores the outcomes of attempts, many in one transaction. While the store cannot write, they are kept and tried again: what a
// destination accepted must not be sent to it again. A destination counts as held until its outcomes are stored.
import type { Log } from '../ops/log.ts';
import type { AttemptResult, DeliveryStore, ReleasedDestination } from '../store/delivery-store.ts';

/** How long an outcome waits for others. */
const COLLECT_MS = 1;
const RETRY_MS = 500;

export interface OutcomeWriterOptions {
  readonly store: DeliveryStore;
  readonly worker: string;
  readonly onReleased: (destinations: readonly string[]) => void;
  readonly log: Log;
}

export class OutcomeWriter {
  readonly #options: OutcomeWriterOptions;
  #results: AttemptResult[] = [];
  #released: ReleasedDestination[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> | null = null;
  #failing = false;

  constructor(options: OutcomeWriterOptions) {
    this.#options = options;
  }

  add(result: AttemptResult): void {
    this.#results.push(result);
    this.#schedule(COLLECT_MS);
  }

  release(destination: ReleasedDestination): void {
    this.#released.push(destination);
    this.#schedule(COLLECT_MS);
  }

  /** Tries once to store everything now. Returns whether it is stored. */
  async flush(): Promise<boolean> {
    await this.#writing;
    if (this.#results.length + this.#released.length > 0) await this.#write();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    return this.#results.length + this.#released.length === 0;
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (!this.#writing) void this.#write();
    }, ms);
  }

  #write(): Promise<void> {
    this.#writing = this.#store().finally(() => {
      this.#writing = null;
      if (this.#results.length + this.#released.length > 0) this.#schedule(this.#failing ? RETRY_MS : COLLECT_MS);
    });
    return this.#writing;
  }

  async #store(): Promise<void> {
    const { store, worker, onReleased, log } = this.#options;
    const [results, released] = [this.#results, this.#released];
    this.#results = [];
    this.#released = [];
    try {
      await store.complete(worker, results, released);
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) log.error('outcomes of deliveries could not be stored', { error });
      this.#failing = true;
      this.#results = [...results, ...this.#results];
      this.#released = [...released, ...this.#released];
      return;
    }
    if (released.length > 0) onReleased(released.map(({ destination }) => destination));
  }
}
