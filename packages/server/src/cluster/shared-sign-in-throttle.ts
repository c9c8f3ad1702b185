// The sign-in throttle of a cluster. An attempt counts in this gateway, as in a single process, and across all gateways: guessing
// through several of them gets no further. While Redis cannot be reached, only the first count applies.
import { MINUTE_MS } from '@tickwire/engine';
import type { AttemptThrottle } from '../access/accounts/attempt-throttle.ts';
import type { Attempt } from '../access/accounts/sign-in-throttle.ts';
import { callerNetwork } from '../access/client-address.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { CountedAttempt, SharedAttempts } from './shared-attempts.ts';

/** The same as in SignInThrottle. */
const LIMITS = {
  address: { burst: 20, everyMs: 15_000 },
  nameAndAddress: { burst: 5, everyMs: 30_000 },
  name: { burst: 30, everyMs: MINUTE_MS },
  registration: { burst: 20, everyMs: 30_000 },
  password: { burst: 5, everyMs: 30_000 },
} as const;

export class SharedSignInThrottle implements AttemptThrottle {
  readonly #local: AttemptThrottle;
  readonly #shared: SharedAttempts;

  constructor(local: AttemptThrottle, shared: SharedAttempts) {
    this.#local = local;
    this.#shared = shared;
  }

  async signIn(name: string, address: string, known: boolean, now: number): Promise<Attempt> {
    const network = callerNetwork(address);
    const local = await this.#local.signIn(name, address, known, now);
    return this.#take(local, [
      counted('address', network),
      counted('nameAndAddress', `${name} ${network}`),
      ...(known ? [] : [counted('name', name)]),
    ]);
  }

  async register(address: string, now: number): Promise<void> {
    await this.#local.register(address, now);
    await this.#take(null, [counted('registration', callerNetwork(address))]);
  }

  async password(account: string, now: number): Promise<Attempt> {
    const local = await this.#local.password(account, now);
    return this.#take(local, [counted('password', account)]);
  }

  async #take(local: Attempt | null, attempts: readonly CountedAttempt[]): Promise<Attempt> {
    const seconds = Math.ceil((await this.#shared.take(attempts)) / 1000);
    if (seconds > 0)
      throw new ServiceError('too_many_attempts', `Too many attempts. Try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      });
    return {
      succeeded: () => {
        local?.succeeded();
        void this.#shared.giveBack(attempts);
      },
    };
  }
}

const counted = (limit: keyof typeof LIMITS, key: string): CountedAttempt => ({
  limit: LIMITS[limit],
  key: `${limit} ${key}`,
});
