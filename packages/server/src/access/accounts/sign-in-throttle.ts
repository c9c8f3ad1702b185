// Slows down password guessing: by address, by name and address together, and by name alone, since many addresses may guess
// at one name. The limit by name does not apply to a network that the account has a session from, or has recently signed in
// from, so that nobody can lock another person out. Correct sign-ins have limits of their own, because each costs a password hash.

import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { ServiceError } from '../../errors/service-error.ts';
import { callerNetwork } from '../client-address.ts';
import { AttemptLimiter } from './attempt-limiter.ts';

/** An attempt that was counted both as a wrong and as a correct one. Its outcome gives one or both back. */
export interface Attempt {
  /** The password was correct. `complete`: so was the second factor, if the account has one. Default `true`. */
  succeed(now: number, complete?: boolean): void;
  /** The password was wrong. */
  fail(): void;
  /** The password was not checked: the service was busy or the store failed. */
  abandon(): void;
}

/** Limits of wrong attempts: a burst, then one attempt per interval. A cluster counts by the same limits over all gateways. */
export const ATTEMPT_LIMITS = {
  address: { burst: 20, everyMs: 15_000 },
  nameAndAddress: { burst: 5, everyMs: 30_000 },
  name: { burst: 30, everyMs: MINUTE_MS },
  registration: { burst: 20, everyMs: 30_000 },
  password: { burst: 5, everyMs: 30_000 },
} as const;

const trustKey = (name: string, network: string): string => `${name} ${network}`;

type Counted = readonly [limiter: AttemptLimiter, key: string];

/** How long an address is trusted after a correct sign-in. */
const TRUST_MS = DAY_MS;
/** Bounds memory. The oldest success is forgotten first. */
const MAX_TRUSTED = 40_000;

export class SignInThrottle {
  readonly #address = new AttemptLimiter(ATTEMPT_LIMITS.address);
  readonly #nameAndAddress = new AttemptLimiter(ATTEMPT_LIMITS.nameAndAddress);
  readonly #name = new AttemptLimiter(ATTEMPT_LIMITS.name);
  readonly #registrations = new AttemptLimiter(ATTEMPT_LIMITS.registration);
  readonly #passwords = new AttemptLimiter(ATTEMPT_LIMITS.password);
  readonly #correctByAddress = new AttemptLimiter({ burst: 60, everyMs: 10_000 });
  readonly #correctByName = new AttemptLimiter({ burst: 60, everyMs: 10_000 });
  /** Time of the last correct sign-in by network, and by name and network. */
  readonly #trusted = new Map<string, number>();

  /** `known`: the account has a session from this network, or has recently signed in from it. */
  signIn(name: string, address: string, known: boolean, now: number): Attempt {
    const network = callerNetwork(address);
    const wrong: Counted[] = [
      [this.#address, network],
      [this.#nameAndAddress, `${name} ${network}`],
    ];
    if (!known) wrong.push([this.#name, name]);
    const correct: Counted[] = [
      [this.#correctByAddress, network],
      [this.#correctByName, name],
    ];
    takeAll([...wrong, ...correct], now);
    return {
      succeed: (at, complete = true) => {
        giveBack(wrong);
        if (complete) for (const key of [network, trustKey(name, network)]) this.#trust(key, at);
      },
      fail: () => giveBack(correct),
      abandon: () => giveBack([...wrong, ...correct]),
    };
  }

  /** Whether somebody, or the account with this name, has signed in from this address recently. */
  trusts(address: string, now: number, name?: string): boolean {
    const network = callerNetwork(address);
    const key = name === undefined ? network : trustKey(name, network);
    return now - (this.#trusted.get(key) ?? Number.NEGATIVE_INFINITY) < TRUST_MS;
  }

  /** Counts a sign-up or setup, successful or not. */
  register(address: string, now: number): Pick<Attempt, 'abandon'> {
    const counted: Counted[] = [[this.#registrations, callerNetwork(address)]];
    takeAll(counted, now);
    return { abandon: () => giveBack(counted) };
  }

  /** Counts a password that a signed-in session must repeat. */
  password(account: string, now: number): Attempt {
    const wrong: Counted[] = [[this.#passwords, account]];
    const correct: Counted[] = [[this.#correctByName, account]];
    takeAll([...wrong, ...correct], now);
    return {
      succeed: () => giveBack(wrong),
      fail: () => giveBack(correct),
      abandon: () => giveBack([...wrong, ...correct]),
    };
  }

  #trust(key: string, at: number): void {
    this.#trusted.delete(key);
    this.#trusted.set(key, at);
    if (this.#trusted.size > MAX_TRUSTED) this.#trusted.delete(this.#trusted.keys().next().value!);
  }
}

/** Counts an attempt in each limiter; throws and counts nothing if one of them rejects it. */
function takeAll(counted: readonly Counted[], now: number): void {
  for (const [index, [limiter, key]] of counted.entries()) {
    const waitMs = limiter.take(key, now);
    if (waitMs <= 0) continue;
    giveBack(counted.slice(0, index));
    const seconds = Math.ceil(waitMs / 1000);
    throw new ServiceError('too_many_attempts', `Too many attempts. Try again in ${seconds} s.`, {
      retryAfterSeconds: seconds,
    });
  }
}

function giveBack(counted: readonly Counted[]): void {
  for (const [limiter, key] of counted) limiter.giveBack(key);
}
