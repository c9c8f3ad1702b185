// The sign-in throttle of a cluster. An attempt counts in this gateway, as in a single process, and across all gateways: guessing
// through several of them gets no further. While Redis cannot be reached, only the first count applies.
import type { AttemptThrottle } from '../access/accounts/attempt-throttle.ts';
import { ATTEMPT_LIMITS, type Attempt } from '../access/accounts/sign-in-throttle.ts';
import { callerNetwork } from '../access/client-address.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { CountedAttempt, SharedAttempts } from './shared-attempts.ts';

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

  trusts(address: string, now: number, name?: string): boolean {
    return this.#local.trusts(address, now, name);
  }

  async register(address: string, now: number): Promise<Pick<Attempt, 'abandon'>> {
    const local = await this.#local.register(address, now);
    return this.#take(local, [counted('registration', callerNetwork(address))]);
  }

  async password(account: string, now: number): Promise<Attempt> {
    const local = await this.#local.password(account, now);
    return this.#take(local, [counted('password', account)]);
  }

  async #take<T extends Partial<Attempt> & Pick<Attempt, 'abandon'>>(
    local: T,
    attempts: readonly CountedAttempt[],
  ): Promise<T> {
    const seconds = Math.ceil((await this.#shared.take(attempts)) / 1000);
    if (seconds > 0) {
      local.abandon();
      throw new ServiceError('too_many_attempts', `Too many attempts. Try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      });
    }
    return {
      ...local,
      ...(local.succeed && {
        succeed: (at: number, complete?: boolean) => {
          local.succeed?.(at, complete);
          void this.#shared.giveBack(attempts);
        },
      }),
      abandon: () => {
        local.abandon();
        void this.#shared.giveBack(attempts);
      },
    };
  }
}

const counted = (limit: keyof typeof ATTEMPT_LIMITS, key: string): CountedAttempt => ({
  limit: ATTEMPT_LIMITS[limit],
  key: `${limit} ${key}`,
});
