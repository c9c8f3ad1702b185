// Slows down password guessing: by address, by name and address together, and by name alone, since many addresses may guess
// at one name. To a network that the account has a session from, or has recently signed in from, only the limits by name and
// address together apply, so that no wrong attempts from elsewhere, or for other names, can lock a person out. Correct sign-ins
// have limits of their own, because each costs a password hash: those of known networks by name, too, as one may have many.
// A cluster counts wrong attempts over all gateways as well, so that guessing through several of them gets no further.
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { BurstLimiter, type CountedAttempt, type SharedBursts } from '../work/burst-limiter.ts';
import { LruMap } from '../work/lru-map.ts';
import { callerNetwork } from './client-address.ts';

/** An attempt that was counted both as a wrong and as a correct one. Its outcome gives one or both back. */
export interface Attempt {
  /** The password was correct. `complete`: so was the second factor, if the account has one. Default `true`. */
  succeed(now: number, complete?: boolean): void;
  /** The password was wrong. */
  fail(): void;
  /** The password was not checked: the service was busy or the store failed. */
  abandon(): void;
}

/** A burst, then one attempt per interval. */
const LIMITS = {
  address: { burst: 20, everyMs: 15_000 },
  nameAndAddress: { burst: 5, everyMs: 30_000 },
  name: { burst: 30, everyMs: MINUTE_MS },
  registration: { burst: 20, everyMs: 30_000 },
  password: { burst: 5, everyMs: 30_000 },
  correctByNameAndAddress: { burst: 60, everyMs: 10_000 },
  correctByAddress: { burst: 60, everyMs: 10_000 },
  correctByName: { burst: 60, everyMs: 10_000 },
  correctOfKnown: { burst: 300, everyMs: 2_000 },
} as const;

type Counted = readonly [limit: keyof typeof LIMITS, key: string];

/** How long an address is trusted after a correct sign-in. */
const TRUST_MS = DAY_MS;
/** Bounds memory. The latest successes are remembered. */
const MAX_TRUSTED = 80_000;

const trustKey = (name: string, network: string): string => `${name} ${network}`;

/** Methods that count throw `too_many_attempts` over a limit. Times are epoch milliseconds. */
export class SignInThrottle {
  readonly #shared: SharedBursts | null;
  readonly #limiters = new Map(Object.entries(LIMITS).map(([name, limit]) => [name, new BurstLimiter(limit)]));
  /** Time of the last correct sign-in by network, and by name and network. */
  readonly #trusted = new LruMap<string, number>(MAX_TRUSTED);

  /** `shared`: counts over all gateways of a cluster. While it cannot be reached, each gateway counts alone. */
  constructor(shared: SharedBursts | null = null) {
    this.#shared = shared;
  }

  /** `known`: the account has a session from this network, or has recently signed in from it. */
  signIn(name: string, address: string, known: boolean, now: number): Promise<Attempt> {
    const network = callerNetwork(address);
    const both = trustKey(name, network);
    const wrong: Counted[] = [['nameAndAddress', both]];
    const correct: Counted[] = known
      ? [
          ['correctByNameAndAddress', both],
          ['correctOfKnown', name],
        ]
      : [
          ['correctByAddress', network],
          ['correctByName', name],
        ];
    if (!known) wrong.push(['address', network], ['name', name]);
    return this.#count(wrong, correct, now, (at) => {
      for (const key of [network, both]) this.#trusted.set(key, at);
    });
  }

  /** Whether somebody, or the account with this name, has signed in from this address recently. */
  trusts(address: string, now: number, name?: string): boolean {
    const network = callerNetwork(address);
    const key = name === undefined ? network : trustKey(name, network);
    return now - (this.#trusted.get(key) ?? Number.NEGATIVE_INFINITY) < TRUST_MS;
  }

  /** Counts a sign-up or setup, successful or not. */
  register(address: string, now: number): Promise<Pick<Attempt, 'abandon'>> {
    return this.#count([['registration', callerNetwork(address)]], [], now);
  }

  /** Counts a password that a signed-in session must repeat. */
  password(account: string, now: number): Promise<Attempt> {
    return this.#count([['password', account]], [['correctByName', account]], now);
  }

  async #count(
    wrong: readonly Counted[],
    correct: readonly Counted[],
    now: number,
    onComplete: (at: number) => void = () => {},
  ): Promise<Attempt> {
    this.#takeAll([...wrong, ...correct], now);
    const shared = wrong.map(([limit, key]): CountedAttempt => ({ limit: LIMITS[limit], key: `${limit} ${key}` }));
    const waitMs = (await this.#shared?.take(shared)) ?? 0;
    if (waitMs > 0) {
      this.#giveBack([...wrong, ...correct]);
      throw tooMany(waitMs);
    }
    const giveBackWrong = (): void => {
      this.#giveBack(wrong);
      void this.#shared?.giveBack(shared);
    };
    return {
      succeed: (at, complete = true) => {
        giveBackWrong();
        if (complete) onComplete(at);
      },
      fail: () => this.#giveBack(correct),
      abandon: () => {
        giveBackWrong();
        this.#giveBack(correct);
      },
    };
  }

  /** Counts an attempt against each limit; throws and counts nothing if one of them rejects it. */
  #takeAll(counted: readonly Counted[], now: number): void {
    for (const [index, [limit, key]] of counted.entries()) {
      const waitMs = this.#limiters.get(limit)!.take(key, now);
      if (waitMs <= 0) continue;
      this.#giveBack(counted.slice(0, index));
      throw tooMany(waitMs);
    }
  }

  #giveBack(counted: readonly Counted[]): void {
    for (const [limit, key] of counted) this.#limiters.get(limit)!.giveBack(key);
  }
}

function tooMany(waitMs: number): ServiceError {
  const seconds = Math.ceil(waitMs / 1000);
  return new ServiceError('too_many_attempts', `Too many attempts. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  });
}
