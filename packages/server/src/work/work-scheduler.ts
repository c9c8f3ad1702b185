// Shares the processor between accounts whose requests need long work. Work runs in slices of a few milliseconds (ops/pauses.ts),
// one slice per turn of the event loop; accounts take turns, however much work each of them has. A bounded number of pieces has
// begun at a time, the others wait in line, and what finds no place in the line is refused.
import { inTurns } from '../ops/pauses.ts';

export interface WorkLimits {
  /** Pieces of work that have begun and not ended: each may hold its rows in memory. */
  readonly total: number;
  readonly perAccount: number;
  /** Pieces of an account that may wait for that. */
  readonly waiting: number;
}

/** Whether anybody still waits for the result, such as an `AbortSignal`. */
export type WorkSignal = Pick<AbortSignal, 'aborted'>;

/** The client has gone, so nobody waits for the result. */
export class Abandoned extends Error {
  override name = 'Abandoned';
}

interface Account {
  begun: number;
  /** Begin the next piece of work. */
  readonly waiting: (() => void)[];
  /** Those of them that count against the limit. */
  counted: number;
  /** Begin the next slice. */
  readonly turns: (() => void)[];
}

export class WorkScheduler {
  readonly #limits: WorkLimits;
  /** Accounts with work. The one that is served next comes first. */
  readonly #accounts = new Map<string, Account>();
  #begun = 0;
  #isServing = false;

  constructor(limits: WorkLimits) {
    this.#limits = limits;
  }

  /** Pieces of work that have begun. */
  get begun(): number {
    return this.#begun;
  }

  /** The result of the work; `null` if too many pieces of the account wait already. Rejects with `Abandoned` after the signal. */
  run<T>(account: string, signal: WorkSignal, work: () => Promise<T>): Promise<T> | null {
    if (!this.hasPlace(account)) return null;
    return this.#run(account, this.#accountOf(account), signal, work, 1);
  }

  /** Whether `run` would take a piece of work of the account now. */
  hasPlace(account: string): boolean {
    const state = this.#accounts.get(account);
    return !state || state.begun < this.#limits.perAccount || state.counted < this.#limits.waiting;
  }

  /** The same for work whose number other limits bound: any number of pieces may wait. */
  queue<T>(account: string, signal: WorkSignal, work: () => Promise<T>): Promise<T> {
    return this.#run(account, this.#accountOf(account), signal, work, 0);
  }

  /** Runs work that other limits bound: it takes turns, also for its first slice, and nothing else. */
  async share<T>(account: string, signal: WorkSignal, work: () => Promise<T>): Promise<T> {
    const next = (): Promise<void> => this.#nextTurn(account, signal);
    await next();
    return inTurns(next, work);
  }

  async #run<T>(
    account: string,
    state: Account,
    signal: WorkSignal,
    work: () => Promise<T>,
    counted: 0 | 1,
  ): Promise<T> {
    if (this.#mayBegin(state)) this.#begin(state);
    else {
      state.counted += counted;
      await new Promise<void>((resolve) => state.waiting.push(resolve));
      state.counted -= counted;
    }
    try {
      if (signal.aborted) throw new Abandoned();
      return await this.share(account, signal, work);
    } finally {
      state.begun--;
      this.#begun--;
      this.#beginWaiting();
      this.#forget(account, state);
    }
  }

  #mayBegin(state: Account): boolean {
    return this.#begun < this.#limits.total && state.begun < this.#limits.perAccount;
  }

  #begin(state: Account): void {
    state.begun++;
    this.#begun++;
  }

  /** Begins what fits: of the account with the least work under way first. */
  #beginWaiting(): void {
    for (;;) {
      let next: Account | null = null;
      for (const state of this.#accounts.values())
        if (state.waiting.length > 0 && this.#mayBegin(state) && (next === null || state.begun < next.begun))
          next = state;
      if (next === null) return;
      this.#begin(next);
      next.waiting.shift()!();
    }
  }

  #nextTurn(account: string, signal: WorkSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(new Abandoned());
    return new Promise((resolve, reject) => {
      this.#accountOf(account).turns.push(() => (signal.aborted ? reject(new Abandoned()) : resolve()));
      this.#serveSoon();
    });
  }

  #serveSoon(): void {
    if (this.#isServing) return;
    this.#isServing = true;
    setImmediate(() => this.#serve());
  }

  #serve(): void {
    this.#isServing = false;
    for (const [name, state] of this.#accounts) {
      const turn = state.turns.shift();
      if (!turn) continue;
      // To the end of the line.
      this.#accounts.delete(name);
      this.#accounts.set(name, state);
      turn();
      this.#forget(name, state);
      this.#serveSoon();
      return;
    }
  }

  #accountOf(name: string): Account {
    let state = this.#accounts.get(name);
    if (!state) {
      state = { begun: 0, waiting: [], counted: 0, turns: [] };
      this.#accounts.set(name, state);
    }
    return state;
  }

  #forget(name: string, { begun, waiting, turns }: Account): void {
    if (begun === 0 && waiting.length === 0 && turns.length === 0) this.#accounts.delete(name);
  }
}
