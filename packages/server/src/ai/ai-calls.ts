// Counts the AI calls of an account per UTC day. A call is reserved in memory before the work, and counted in the store
// after the work and before the response is sent: a crash or failure in between counts nothing, and concurrent calls cannot
// exceed the limit. A call that the client aborts counts once a model was asked, because it costs as much as any other.
import type { AccountState } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { AccessStore } from '../store/store.ts';
import { secondsToMidnight, startOfDay } from '../work/period-counts.ts';
import { Slots } from '../work/slots.ts';

export interface AiCallsOptions {
  readonly store: Pick<AccessStore, 'takeAiCall'>;
  readonly now: () => number;
}

export interface AiCallContext {
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal;
  /** Called when the call is counted. */
  readonly onCounted?: () => void;
}

export class AiCalls {
  readonly #options: AiCallsOptions;
  /** Running calls by account id. */
  readonly #running = new Slots<number>({});
  #counted = 0;

  constructor(options: AiCallsOptions) {
    this.#options = options;
  }

  /** Number of calls since the start, for the metrics. */
  get counted(): number {
    return this.#counted;
  }

  /**
   * Returns the result of `work` and counts the call. Throws a 429 if none is left. If `work` throws, the call counts only if
   * the client aborted it after `work` had called `asked`, which means that a model was asked.
   */
  async count<T>(
    account: AccountState,
    now: number,
    work: (asked: () => void) => Promise<T>,
    { signal, onCounted = () => {} }: AiCallContext = {},
  ): Promise<T> {
    const release = this.#running.take(account.id, account.tier.ai_calls_per_day - account.aiCallsUsed(now));
    if (!release) throw exhausted(account, now);
    let asked = false;
    const take = async (): Promise<void> => {
      await this.#take(account);
      onCounted();
    };
    try {
      const result = await work(() => {
        asked = true;
      }).catch(async (error) => {
        if (asked && signal?.aborted) await take();
        throw error;
      });
      await take();
      return result;
    } finally {
      release();
    }
  }

  /** The call counts for the day on which it ends. */
  async #take(account: AccountState): Promise<void> {
    const { store, now } = this.#options;
    const at = now();
    const day = startOfDay(at);
    const taken = await withStoreErrors(() => store.takeAiCall(account.id, day, account.tier.ai_calls_per_day));
    // Another process took the last call of this account.
    if (taken === null) throw exhausted(account, at);
    this.#counted++;
    // Two store writes may complete in reverse order.
    account.aiCalls = account.aiDay === day ? Math.max(account.aiCalls, taken) : taken;
    account.aiDay = day;
  }
}

function exhausted({ tier, tierName }: AccountState, now: number): ServiceError {
  const seconds = secondsToMidnight(now);
  return new ServiceError(
    'ai_calls_exhausted',
    `The ${tierName} tier allows ${tier.ai_calls_per_day} AI calls per day. The count resets in ${seconds} s, at 00:00 UTC.`,
    { retryAfterSeconds: seconds },
  );
}
