// Verification codes, and how many may be sent: they go to addresses that nobody has confirmed, so that an account must not be able to
// bother others with them. Codes of earlier runs count as far as their messages are stored.
import { randomBytes, randomInt } from 'node:crypto';
import type { OutsideChannel } from '@tickwire/contract';
import { DAY_MS, HOUR_MS } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import type { SentCode } from '../store/delivery-store.ts';
import { RateLimiter } from '../work/rate-limiter.ts';
import { RollingWindow } from '../work/rolling-window.ts';

export const CODE_LIMITS = { perAccountAndDay: 20, perAddressAndHour: 3, perHour: 1_000 };

export const newCode = (channel: OutsideChannel): string =>
  channel === 'telegram' ? randomBytes(12).toString('base64url') : String(randomInt(1_000_000)).padStart(6, '0');

/** More than the codes of a day, so that none is forgotten early. */
const MAX_KEYS = 3 * 24 * CODE_LIMITS.perHour;

export class CodeLimits {
  readonly #now: () => number;
  readonly #ofAccount = new RateLimiter({ limit: CODE_LIMITS.perAccountAndDay, windowMs: DAY_MS, maxKeys: MAX_KEYS });
  readonly #ofAddress = new RateLimiter({ limit: CODE_LIMITS.perAddressAndHour, windowMs: HOUR_MS, maxKeys: MAX_KEYS });
  readonly #all = new RollingWindow(CODE_LIMITS.perHour, { windowMs: HOUR_MS });

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Codes of the last day. */
  restore(sent: readonly SentCode[]): void {
    for (const { account, addressHash, at } of sent.toSorted((a, b) => a.at - b.at))
      this.#count(account, addressHash, at);
  }

  /** Counts codes that are about to be sent: all of them or, if it throws, none. */
  take(account: string, addressHashes: readonly string[]): void {
    const now = this.#now();
    const { perAccountAndDay, perAddressAndHour } = CODE_LIMITS;
    if (this.#ofAccount.remaining(account, now) < addressHashes.length)
      throw tooMany(`An account may have ${perAccountAndDay} codes sent per day.`);
    if (this.#all.remaining(now) < addressHashes.length)
      throw tooMany('The service has sent too many codes in the last hour. Try again later.');
    for (const addressHash of addressHashes)
      if (this.#ofAddress.remaining(addressHash, now) === 0)
        throw tooMany(`An address gets at most ${perAddressAndHour} codes per hour. Try again later.`);
    for (const addressHash of addressHashes) this.#count(account, addressHash, now);
  }

  #count(account: string, addressHash: string, at: number): void {
    this.#ofAccount.take(account, at);
    this.#ofAddress.take(addressHash, at);
    this.#all.take(at);
  }
}

const tooMany = (detail: string): ServiceError => new ServiceError('too_many_destinations', detail);
