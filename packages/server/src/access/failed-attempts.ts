// Invalid keys per client address. Beyond the limit in a rolling minute, further ones get a 429. Valid keys are not affected.
import { callerNetwork } from './client-address.ts';
import { RollingMinute } from './rolling-minute.ts';

/** Bounds memory. The address with the oldest failure is forgotten first. */
const MAX_ADDRESSES = 10_000;

export class FailedAttempts {
  readonly #limit: number;
  readonly #addresses = new Map<string, RollingMinute>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a failure. Returns 0, or the milliseconds to wait if the address is over the limit. */
  fail(address: string, now: number): number {
    const network = callerNetwork(address);
    const attempts = this.#addresses.get(network) ?? new RollingMinute(this.#limit);
    this.#addresses.delete(network);
    this.#addresses.set(network, attempts);
    if (this.#addresses.size > MAX_ADDRESSES) this.#addresses.delete(this.#addresses.keys().next().value!);
    return attempts.take(now) ? 0 : attempts.resetMs(now);
  }
}
