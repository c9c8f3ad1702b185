// Loads the recorded trades of the open instrument: at once, and again if trades are missing between them and the live ones.
import { type CoreClient, type HistoryTrade, TickwireError } from '@tickwire/client';

export interface TapeBackfillOptions {
  readonly client: Pick<CoreClient, 'ticks'>;
  readonly onTrades: (trades: readonly HistoryTrade[]) => void;
  readonly onError: (error: TickwireError) => void;
}

/** Instruments opened in quick succession, by arrow keys, wait this long: passing one does not cost a request. */
const SETTLE_MS = 200;
/** Least time between two requests for one instrument. */
const AGAIN_MS = 1_000;
const RETRY_MS = 10_000;
const TRADES = 500;

export class TapeBackfill {
  readonly #options: TapeBackfillOptions;
  #current: { readonly symbol: string; readonly end: AbortController } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #openedAt = Number.NEGATIVE_INFINITY;
  #busy = false;

  constructor(options: TapeBackfillOptions) {
    this.#options = options;
  }

  open(symbol: string): void {
    this.close();
    this.#current = { symbol, end: new AbortController() };
    const soon = performance.now() - this.#openedAt < SETTLE_MS;
    this.#openedAt = performance.now();
    this.#schedule(soon ? SETTLE_MS : 0);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#busy = false;
    this.#current?.end.abort();
    this.#current = null;
  }

  /** Loads the newest trades once more. */
  again(): void {
    this.#schedule(AGAIN_MS);
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#busy || !this.#current) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#current) void this.#load(this.#current.symbol, this.#current.end.signal);
    }, ms);
  }

  async #load(symbol: string, signal: AbortSignal): Promise<void> {
    const { client, onTrades, onError } = this.#options;
    this.#busy = true;
    let retryMs: number | null = null;
    try {
      const { items } = await client.ticks(symbol, { kind: 'trades', limit: TRADES, fields: ['seq'] }, { signal });
      if (signal.aborted) return;
      onTrades(items as readonly HistoryTrade[]);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TickwireError)) throw error;
      onError(error);
      retryMs = Math.max(RETRY_MS, (error.retryAfterSeconds ?? 0) * 1_000);
    } finally {
      // Another instrument has its own request.
      if (!signal.aborted) {
        this.#busy = false;
        if (retryMs !== null) this.#schedule(retryMs);
      }
    }
  }
}
