// The bytes that the replays of an account may send in any rolling minute: a fixed number for each stream of its tier. A client that keeps resuming from an old position
// would otherwise draw the same messages again and again.
import { LruMap } from '../work/lru-map.ts';
import { RollingSum } from '../work/rolling-sum.ts';
import type { Subscriber } from './subscriber.ts';

/** Bounds memory. The accounts with the latest replays are remembered. */
const MAX_ACCOUNTS = 20_000;

export class ReplayQuota {
  /** Replays that ended early, for the metrics. */
  cut = 0;
  /** For each stream of the tier. */
  readonly #bytesPerMinute: number;
  readonly #now: () => number;
  readonly #accounts = new LruMap<number, RollingSum>(MAX_ACCOUNTS);

  constructor(bytesPerMinute: number, now: () => number) {
    this.#bytesPerMinute = bytesPerMinute;
    this.#now = now;
  }

  /** Whether a replay must end here. The rest of it is a gap. */
  exhausted({ caller }: Subscriber): boolean {
    const allowance = caller && this.#accounts.get(caller.account.id);
    if (!allowance || allowance.remaining(this.#now()) > 0) return false;
    this.cut++;
    return true;
  }

  count({ caller }: Subscriber, bytes: number): void {
    if (!caller || bytes === 0) return;
    const { id, tier } = caller.account;
    const limit = this.#bytesPerMinute * Math.max(1, tier.streams);
    let allowance = this.#accounts.get(id);
    if (allowance?.limit !== limit) {
      allowance = new RollingSum(limit);
      this.#accounts.set(id, allowance);
    }
    const now = this.#now();
    allowance.take(Math.min(bytes, allowance.remaining(now)), now);
  }
}
