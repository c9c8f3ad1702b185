// A connection whose symbols may grow. Symbols that were added since it was opened have a second connection, and when others follow,
// one for all of them takes its place: both deliver for a moment, and trades that arrive twice are told apart as after any reconnect.
// The next connection of the venue has them all.
import { backOffMs, type Sleep } from '../../../work/back-off.ts';
import type { VenueConnection } from '../connector.ts';

/** Between attempts to subscribe to added symbols; the connection goes on meanwhile. */
const PAUSES = { firstMs: 1_000, maxMs: 60_000 };

export interface GrowingConnectionOptions {
  readonly first: VenueConnection;
  /** Symbols that the first connection has. */
  readonly count: number;
  /** All symbols in the venue's spelling; the list only grows. */
  readonly venueSymbols: readonly string[];
  readonly open: (venueSymbols: readonly string[]) => Promise<VenueConnection>;
  readonly onSubscribed: (venueSymbols: readonly string[]) => void;
  readonly onFailed: (reason: string) => void;
  readonly sleep: Sleep;
}

export class GrowingConnection implements VenueConnection {
  readonly closed: Promise<string>;
  readonly #options: GrowingConnectionOptions;
  readonly #end: (reason: string) => void;
  #second: VenueConnection | null = null;
  #subscribed: number;
  #isGrowing = false;
  #hasEnded = false;

  constructor(options: GrowingConnectionOptions) {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#options = options;
    this.#subscribed = options.count;
    this.closed = promise;
    this.#end = (reason) => {
      this.#hasEnded = true;
      options.first.close();
      this.#second?.close();
      resolve(reason);
    };
    void options.first.closed.then(this.#end);
  }

  close(): void {
    this.#end('closed by us');
  }

  /** Subscribes to symbols that were added to the list. */
  async grow(): Promise<void> {
    const { count, venueSymbols, open, onSubscribed, onFailed, sleep } = this.#options;
    if (this.#isGrowing) return;
    this.#isGrowing = true;
    let failures = 0;
    while (this.#subscribed < venueSymbols.length && !this.#hasEnded) {
      const added = venueSymbols.slice(count);
      try {
        const next = await open(added);
        this.#replace(next);
        onSubscribed(added);
        this.#subscribed = count + added.length;
        failures = 0;
      } catch (error) {
        if (this.#hasEnded) break;
        onFailed(error instanceof Error ? error.message : String(error));
        await Promise.race([this.closed, sleep(backOffMs(++failures, PAUSES))]);
      }
    }
    this.#isGrowing = false;
  }

  #replace(next: VenueConnection): void {
    const before = this.#second;
    this.#second = next;
    before?.close();
    if (this.#hasEnded) next.close();
    void next.closed.then((reason) => {
      if (this.#second === next) this.#end(reason);
    });
  }
}
