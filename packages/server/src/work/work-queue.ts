// Runs work, a few pieces at a time. The others wait in order of arrival.

export class WorkQueue {
  readonly #parallel: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(parallel: number) {
    this.#parallel = parallel;
  }

  /** The result of the work; `null` if this many pieces wait already. Default: any number may wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
  run<T>(work: () => Promise<T>, maxWaiting: number): Promise<T> | null;
  run<T>(work: () => Promise<T>, maxWaiting = Number.POSITIVE_INFINITY): Promise<T> | null {
    if (this.#running >= this.#parallel && this.#waiting.length >= maxWaiting) return null;
    return this.#run(work);
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#parallel) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await work();
    } finally {
      // The next one takes the place.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
