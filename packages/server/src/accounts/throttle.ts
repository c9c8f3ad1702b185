// Guessing is slowed down by address, by name and address together, and, slower, by name alone: many addresses may guess at
// one name. An address that the account was signed in from before is not held up by the last, so that nobody can lock
// another out for long.
import { callerNetwork } from '../access/client-address.ts';
import { ApiError } from '../http/api-error.ts';
import { Attempts } from './attempts.ts';

const MINUTE_MS = 60_000;

export interface Attempt {
  /** Right after all: it does not count. */
  succeeded(): void;
}

export class Throttle {
  readonly #address = new Attempts({ burst: 20, everyMs: 15_000 });
  readonly #nameAndAddress = new Attempts({ burst: 5, everyMs: 30_000 });
  readonly #name = new Attempts({ burst: 30, everyMs: MINUTE_MS });
  readonly #registrations = new Attempts({ burst: 20, everyMs: 30_000 });
  readonly #passwords = new Attempts({ burst: 5, everyMs: 30_000 });

  /** `known`: the account was signed in from there before. */
  signIn(name: string, address: string, known: boolean, now: number): Attempt {
    const network = callerNetwork(address);
    const counted: [Attempts, string][] = [
      [this.#address, network],
      [this.#nameAndAddress, `${name} ${network}`],
    ];
    if (!known) counted.push([this.#name, name]);
    for (const [attempts, who] of counted) waitAtLeast(attempts.take(who, now));
    return {
      succeeded: () => {
        for (const [attempts, who] of counted) attempts.giveBack(who);
      },
    };
  }

  /** Sign-ups and setups, right or wrong. */
  register(address: string, now: number): void {
    waitAtLeast(this.#registrations.take(callerNetwork(address), now));
  }

  /** A password that a signed-in session is asked for again. */
  password(account: string, now: number): Attempt {
    waitAtLeast(this.#passwords.take(account, now));
    return { succeeded: () => this.#passwords.giveBack(account) };
  }
}

function waitAtLeast(ms: number): void {
  if (ms <= 0) return;
  throw new ApiError('too_many_attempts', 'Too many attempts: wait a little.', {
    headers: { 'Retry-After': String(Math.ceil(ms / 1000)) },
  });
}
