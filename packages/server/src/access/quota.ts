// What a caller's requests and streams count against. An account has two, each with the limits of its tier: one that all its keys
// share, and a separate one that all its signed-in sessions share.
import type { Tier } from '@tickwire/contract';
import type { Account } from '../store/account-store.ts';
import { RollingWindow } from '../work/rolling-window.ts';

export class Quota {
  /** The name under which all gateways of a cluster count together. */
  readonly name: string;
  /** REST requests of the last 60 seconds. */
  readonly requests: RollingWindow;
  /** Authenticated streams that may be open at a time. */
  maxStreams: number;
  /** Authenticated streams that are open now. */
  openStreams = 0;
  /** What sets the limits, as the subject of an error message: `The pro tier`. */
  grantedBy: string;

  readonly #labelOf: (tier: string) => string;

  private constructor(
    name: string,
    requests: RollingWindow,
    { streams }: Tier,
    tierName: string,
    labelOf: (tier: string) => string,
  ) {
    this.name = name;
    this.requests = requests;
    this.maxStreams = streams;
    this.#labelOf = labelOf;
    this.grantedBy = labelOf(tierName);
  }

  /** `saved`: the requests that an earlier run of the service saved. */
  static ofAccount(account: Account, tier: Tier, saved: readonly number[] | undefined, now: number): Quota {
    const requests = new RollingWindow(tier.requests_per_minute, { saved, now });
    return new Quota(account.publicId, requests, tier, account.tier, ofKeys);
  }

  /** The allowance of all sessions of an account together. */
  static ofSessions({ publicId, tier: name }: Account, tier: Tier): Quota {
    return new Quota(`sessions ${publicId}`, new RollingWindow(tier.requests_per_minute), tier, name, ofAllSessions);
  }

  /** Applies the limits of a tier. Requests that were counted stay counted. */
  setTier(tier: Tier, name: string, now: number): void {
    if (this.requests.limit !== tier.requests_per_minute) this.requests.resize(tier.requests_per_minute, now);
    this.maxStreams = tier.streams;
    this.grantedBy = this.#labelOf(name);
  }
}

const ofKeys = (tier: string): string => `The ${tier} tier`;
const ofAllSessions = (tier: string): string => `For all sessions of an account together, the ${tier} tier`;

export interface AllowanceResult {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the oldest counted request leaves the minute; 0 if none counts. */
  readonly resetMs: number;
}

/** Counts the requests of accounts over all gateways of a cluster. */
export interface SharedRequests {
  take(account: string, limit: number): Promise<AllowanceResult>;
}
