// The bytes that the replays of an account may send in any rolling minute. A client that keeps resuming from an old position
// would otherwise draw the same messages again and again.
import { LineAllowance } from '../access/line-allowance.ts';
import type { Subscriber } from './subscriber.ts';

/** Bounds memory. The account whose first replay is the oldest is forgotten first. */
const MAX_ACCOUNTS = 10_000;

export class ReplayQuota {
  /** Replays that ended early, for the metrics. */
  cut = 0;
  readonly #bytesPerMinute: number;
  readonly #now: () => number;
  readonly #accounts = new Map<number, LineAllowance>();

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
    const { id } = caller.account;
    let allowance = this.#accounts.get(id);
    if (!allowance) {
      if (this.#accounts.size >= MAX_ACCOUNTS) this.#accounts.delete(this.#accounts.keys().next().value!);
      allowance = new LineAllowance(this.#bytesPerMinute);
      this.#accounts.set(id, allowance);
    }
    const now = this.#now();
    allowance.take(Math.min(bytes, allowance.remaining(now)), now);
  }
}
