// AI calls of an account, counted over the UTC day. A call is reserved before the work, in memory, and counted in the store
// once it has an answer and before that leaves: a crash or a failure in between counts nothing, and no two at once can go
// over the limit.
import type { AccountState } from '../access/keyring.ts';
import { ApiError } from '../http/api-error.ts';
import { available } from '../http/available.ts';
import type { AccessStore } from '../store/store.ts';

const DAY_MS = 86_400_000;

export interface AiCallsOptions {
  readonly store: Pick<AccessStore, 'takeAiCall'>;
  readonly now: () => number;
}

export class AiCalls {
  readonly #options: AiCallsOptions;
  /** Calls under way, by account. */
  readonly #reserved = new Map<number, number>();
  #counted = 0;

  constructor(options: AiCallsOptions) {
    this.#options = options;
  }

  /** Calls counted since the start, for the metrics. */
  get counted(): number {
    return this.#counted;
  }

  /** The answer of `work`, counted; a 429 where none is left, and nothing counted where it throws. */
  async count<T>(account: AccountState, now: number, work: () => Promise<T>): Promise<T> {
    const reserved = this.#reserved.get(account.id) ?? 0;
    if (account.aiCallsUsed(now) + reserved >= account.tier.ai_calls_per_day) throw exhausted(account, now);
    this.#reserved.set(account.id, reserved + 1);
    try {
      const answer = await work();
      await this.#take(account);
      return answer;
    } finally {
      const left = this.#reserved.get(account.id)! - 1;
      if (left > 0) this.#reserved.set(account.id, left);
      else this.#reserved.delete(account.id);
    }
  }

  /** It counts for the day of the answer. */
  async #take(account: AccountState): Promise<void> {
    const { store, now } = this.#options;
    const at = now();
    const day = at - (at % DAY_MS);
    const taken = await available(() => store.takeAiCall(account.id, day, account.tier.ai_calls_per_day));
    // Another process that serves the same account took the last one.
    if (taken === null) throw exhausted(account, at);
    this.#counted++;
    // Two that were taken one after the other may come back in the other order.
    account.aiCalls = account.aiDay === day ? Math.max(account.aiCalls, taken) : taken;
    account.aiDay = day;
  }
}

function exhausted({ tier, tierName }: AccountState, now: number): ApiError {
  const seconds = String(Math.ceil((DAY_MS - (now % DAY_MS)) / 1000));
  return new ApiError(
    'ai_calls_exhausted',
    `The ${tierName} tier allows ${tier.ai_calls_per_day} AI calls a day; the next day begins in ${seconds} s.`,
    { headers: { 'Retry-After': seconds } },
  );
}
