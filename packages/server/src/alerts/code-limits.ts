// Verification codes, and how many may be sent: they go to addresses that nobody has confirmed, so that an account must not be able to
// bother others with them. Codes of earlier runs count as far as their messages are stored.
import { randomBytes, randomInt } from 'node:crypto';
import type { OutsideChannel } from '@tickwire/contract';
import { DAY_MS, HOUR_MS } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import type { SentCode } from '../store/delivery-store.ts';

export const CODE_LIMITS = { perAccountAndDay: 20, perAddressAndHour: 3, perHour: 1_000 };

export const newCode = (channel: OutsideChannel): string =>
  channel === 'telegram' ? randomBytes(12).toString('base64url') : String(randomInt(1_000_000)).padStart(6, '0');

export class CodeLimits {
  readonly #now: () => number;
  #sent: SentCode[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Codes of the last day. */
  restore(sent: readonly SentCode[]): void {
    this.#sent = [...sent];
  }

  /** Counts codes that are about to be sent: all of them or, if it throws, none. */
  take(account: string, addressHashes: readonly string[]): void {
    const now = this.#now();
    this.#sent = this.#sent.filter(({ at }) => at > now - DAY_MS);
    const lastHour = this.#sent.filter(({ at }) => at > now - HOUR_MS);
    const ofAccount = this.#sent.filter((sent) => sent.account === account).length;
    const { perAccountAndDay, perAddressAndHour, perHour } = CODE_LIMITS;
    if (ofAccount + addressHashes.length > perAccountAndDay)
      throw tooMany(`An account may have ${perAccountAndDay} codes sent per day.`);
    if (lastHour.length + addressHashes.length > perHour)
      throw tooMany('The service has sent too many codes in the last hour. Try again later.');
    for (const addressHash of addressHashes)
      if (lastHour.filter((sent) => sent.addressHash === addressHash).length >= perAddressAndHour)
        throw tooMany(`An address gets at most ${perAddressAndHour} codes per hour. Try again later.`);
    for (const addressHash of addressHashes) this.#sent.push({ account, addressHash, at: now });
  }
}

const tooMany = (detail: string): ServiceError => new ServiceError('too_many_destinations', detail);
