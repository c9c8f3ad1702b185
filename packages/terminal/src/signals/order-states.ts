// Whether an active signal is filled or still waits for its entry. The feed does not tell, so the signals that are looked at
// are asked for one by one, no more than the allowance bears; a waiting one again once the market has met its entry.
import type { Allowance, SignalDetail } from '@tickwire/client';
import { mayFillIn } from '../pace.ts';

export interface OrderState {
  readonly order: SignalDetail['order'];
  /** null while it waits. */
  readonly entryPrice: number | null;
}

export interface OrderStatesOptions {
  readonly ask: (id: string, signal: AbortSignal) => Promise<SignalDetail>;
  readonly allowance: () => Allowance | null;
  readonly onKnown: (id: string) => void;
  readonly onFailure: (error: unknown) => void;
}

/** A waiting one is looked at again after this long though its entry seems not met: a tick may have slipped by. */
const AGAIN_MS = 60_000;
/** And after this long where the market stands at its entry. */
const MET_AGAIN_MS = 3_000;
const MOST = 2_000;

interface Known extends OrderState {
  readonly askedAt: number;
}

export class OrderStates {
  readonly #options: OrderStatesOptions;
  readonly #known = new Map<string, Known>();
  readonly #end: AbortSignal;
  #wanted: readonly string[] = [];
  /** The one that is under way. */
  #asking: string | null = null;

  constructor(end: AbortSignal, options: OrderStatesOptions) {
    this.#end = end;
    this.#options = options;
  }

  of(id: string): OrderState | undefined {
    return this.#known.get(id);
  }

  learn({ id, order, entry_price }: SignalDetail): void {
    this.#known.set(id, { order, entryPrice: entry_price, askedAt: Date.now() });
    if (this.#known.size > MOST) this.#known.delete(this.#known.keys().next().value!);
  }

  /** Those in sight now; `met` says whether the market stands at the entry of one that waits. */
  want(ids: readonly string[], met: (id: string) => boolean = () => false): void {
    const now = Date.now();
    this.#wanted = ids.filter((id) => {
      const known = this.#known.get(id);
      if (id === this.#asking) return false;
      if (!known) return true;
      return known.entryPrice === null && now - known.askedAt > (met(id) ? MET_AGAIN_MS : AGAIN_MS);
    });
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#asking !== null) return;
    try {
      for (let id = this.#wanted[0]; id !== undefined; id = this.#wanted[0]) {
        if (this.#end.aborted || !mayFillIn(this.#options.allowance())) return;
        this.#wanted = this.#wanted.slice(1);
        this.#asking = id;
        this.learn(await this.#options.ask(id, this.#end));
        this.#options.onKnown(id);
      }
    } catch (error) {
      this.#wanted = [];
      if (!this.#end.aborted) this.#options.onFailure(error);
    } finally {
      this.#asking = null;
    }
  }
}
