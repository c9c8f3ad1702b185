// What a caller's requests and streams count against. An account has two: one that all its keys share, and a separate one
// that all its signed-in sessions share.
import { SESSION_LIMITS, type Tier } from '@tickwire/contract';
import type { Account } from '../store/account-store.ts';
import { RollingMinute } from './rolling-minute.ts';

export class Quota {
  /** The name under which all gateways of a cluster count together. */
  readonly name: string;
  /** REST requests of the last 60 seconds. */
  readonly requests: RollingMinute;
  /** Authenticated streams that may be open at a time. */
  maxStreams: number;
  /** Authenticated streams that are open now. */
  openStreams = 0;
  /** What sets the limits, as the subject of an error message: `The pro tier`. */
  grantedBy: string;

  private constructor(name: string, requests: RollingMinute, maxStreams: number, grantedBy: string) {
    this.name = name;
    this.requests = requests;
    this.maxStreams = maxStreams;
    this.grantedBy = grantedBy;
  }

  /** `saved`: the requests that an earlier run of the service saved. */
  static ofAccount(account: Account, tier: Tier, saved: readonly number[] | undefined, now: number): Quota {
    const requests = new RollingMinute(tier.requests_per_minute, saved, now);
    return new Quota(account.publicId, requests, tier.streams, tierLabel(account.tier));
  }

  /** The allowance of all sessions of an account together. */
  static ofSessions({ publicId }: Account): Quota {
    const { requests_per_minute, streams } = SESSION_LIMITS;
    const requests = new RollingMinute(requests_per_minute);
    return new Quota(`sessions ${publicId}`, requests, streams, 'The session limit of an account');
  }

  /** Applies the limits of a tier. Requests that were counted stay counted. */
  setTier(tier: Tier, name: string, now: number): void {
    if (this.requests.limit !== tier.requests_per_minute) this.requests.resize(tier.requests_per_minute, now);
    this.maxStreams = tier.streams;
    this.grantedBy = tierLabel(name);
  }
}

const tierLabel = (name: string): string => `The ${name} tier`;
