// Whether an active signal is filled or pending. The feed does not contain it, so the visible signals are loaded one by one, as
// far as the allowance permits. A pending one is loaded again once the market has reached its entry.
import type { Allowance, SignalDetail } from '@tickwire/client';
import { mayFillIn } from '../services/request-pacing.ts';

export interface OrderState {
  readonly order: SignalDetail['order'];
  /** `null` while it is pending. */
  readonly entryPrice: number | null;
}

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
  #queue: readonly string[] = [];
  #loading: string | null = null;

  constructor(end: AbortSignal, options: OrderStatesOptions) {
    this.#end = end;
    this.#options = options;
  }

  of(id: string): OrderState | undefined {
    return this.#states.get(id);
  }

  /** Loads those of the given signals that are not known. `atEntry`: the market is at the entry of a pending one. */
  request(ids: readonly string[], atEntry: (id: string) => boolean = () => false): void {
    const now = Date.now();
    this.#queue = ids.filter((id) => {
      const state = this.#states.get(id);
      if (id === this.#loading) return false;
      if (!state) return true;
      return state.entryPrice === null && now - state.loadedAt > (atEntry(id) ? AT_ENTRY_RELOAD_MS : RELOAD_MS);
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
        const { order, entry_price: entryPrice } = await load(id, this.#end);
        this.#states.set(id, { order, entryPrice, loadedAt: Date.now() });
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
