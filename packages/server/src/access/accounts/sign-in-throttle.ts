// Slows down password guessing: by address, by name and address together, and by name alone, since many addresses may guess
// at one name. The limit by name does not apply to a network that the account has a session from, so that nobody can lock
// another person out.

import { MINUTE_MS } from '@tickwire/engine';
import { ServiceError } from '../../errors/service-error.ts';
import { callerNetwork } from '../client-address.ts';
import { AttemptLimiter } from './attempt-limiter.ts';

export interface Attempt {
  /** The attempt was correct: gives it back. */
  succeeded(): void;
}

export class SignInThrottle {
  readonly #address = new AttemptLimiter({ burst: 20, everyMs: 15_000 });
  readonly #nameAndAddress = new AttemptLimiter({ burst: 5, everyMs: 30_000 });
  readonly #name = new AttemptLimiter({ burst: 30, everyMs: MINUTE_MS });
  readonly #registrations = new AttemptLimiter({ burst: 20, everyMs: 30_000 });
  readonly #passwords = new AttemptLimiter({ burst: 5, everyMs: 30_000 });

  /** `known`: the account has a session from this network. */
  signIn(name: string, address: string, known: boolean, now: number): Attempt {
    const network = callerNetwork(address);
    const counted: [AttemptLimiter, string][] = [
      [this.#address, network],
      [this.#nameAndAddress, `${name} ${network}`],
    ];
    if (!known) counted.push([this.#name, name]);
    for (const [limiter, key] of counted) throwIfLimited(limiter.take(key, now));
    return {
      succeeded: () => {
        for (const [limiter, key] of counted) limiter.giveBack(key);
      },
    };
  }

  /** Counts a sign-up or setup, successful or not. */
  register(address: string, now: number): void {
    throwIfLimited(this.#registrations.take(callerNetwork(address), now));
  }

  /** Counts a password that a signed-in session must repeat. */
  password(account: string, now: number): Attempt {
    throwIfLimited(this.#passwords.take(account, now));
    return { succeeded: () => this.#passwords.giveBack(account) };
  }
}

function throwIfLimited(waitMs: number): void {
  if (waitMs <= 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new ServiceError('too_many_attempts', `Too many attempts. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  });
}
