// How far an active signal is: pending, filled, partly exited. The feed does not contain it, so the visible signals are loaded
// one by one, as far as the allowance permits, and again after the stream has reported progress. A pending one is also loaded
// again once the market has reached its entry.
import type { Allowance, SignalDetail } from '@tickwire/client';
import { mayFillIn } from '../services/request-pacing.ts';
import type { OrderState } from './signal-progress.ts';

export interface OrderStatesOptions {
  readonly load: (id: string, signal: AbortSignal) => Promise<SignalDetail>;
  readonly allowance: () => Allowance | null;
  readonly onLoaded: (id: string) => void;
  readonly onError: (error: unknown) => void;
}

/** A pending one is loaded again after this long, although its entry does not seem reached: a tick may have been missed. */
const RELOAD_MS = 60_000;
/** And after this long if the market is at its entry. */
const AT_ENTRY_RELOAD_MS = 3_000;
const MOST = 2_000;

export class OrderStates {
  readonly #options: OrderStatesOptions;
  readonly #states = new Map<string, OrderState & { readonly loadedAt: number }>();
  readonly #end: AbortSignal;
  readonly #outdated = new Set<string>();
  #queue: readonly string[] = [];
  #loading: string | null = null;

  constructor(end: AbortSignal, options: OrderStatesOptions) {
    this.#end = end;
    this.#options = options;
  }

  of(id: string): OrderState | undefined {
    return this.#states.get(id);
  }

  /** Its state has changed: it is loaded again with the next request for it. */
  outdate(id: string): void {
    if (this.#states.has(id) || id === this.#loading) this.#outdated.add(id);
  }

  /** Loads those of the given signals that are not known. `atEntry`: the market is at the entry of a pending one. */
  request(ids: readonly string[], atEntry: (id: string) => boolean = () => false): void {
    const now = Date.now();
    this.#queue = ids.filter((id) => {
      const state = this.#states.get(id);
      if (id === this.#loading) return false;
      if (!state || this.#outdated.has(id)) return true;
      return state.entry_price === null && now - state.loadedAt > (atEntry(id) ? AT_ENTRY_RELOAD_MS : RELOAD_MS);
    });
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#loading !== null) return;
    const { load, allowance, onLoaded, onError } = this.#options;
    try {
      for (let id = this.#queue[0]; id !== undefined; id = this.#queue[0]) {
        if (this.#end.aborted || !mayFillIn(allowance())) return;
        this.#queue = this.#queue.slice(1);
        this.#loading = id;
        this.#outdated.delete(id);
        const { order, entry_price, targets, exits, current_stop_loss, close_requested_at } = await load(id, this.#end);
        const state = { order, entry_price, targets, exits, current_stop_loss, close_requested_at };
        this.#states.set(id, { ...state, loadedAt: Date.now() });
        if (this.#states.size > MOST) this.#states.delete(this.#states.keys().next().value!);
        onLoaded(id);
      }
    } catch (error) {
      this.#queue = [];
      if (!this.#end.aborted) onError(error);
    } finally {
      this.#loading = null;
    }
  }
}
