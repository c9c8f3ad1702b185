// An account in memory, with what it has used. All its keys share one quota, and all its sessions another.
import type { Tier } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import type { Account } from '../store/account-store.ts';
import type { UsageRecord } from '../store/store.ts';
import { Quota } from './quota.ts';

export class AccountState {
  name: string;
  tierName: string;
  tier: Tier;
  owner: boolean;
  house: boolean;
  signsIn: boolean;
  disabled: boolean;
  deleted: boolean;
  readonly id: number;
  readonly publicId: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly quota: Quota;
  readonly sessionQuota: Quota;
  /** Start of the UTC day that `aiCalls` belongs to, in epoch milliseconds. */
  aiDay: number;
  aiCalls: number;

  constructor(account: Account, tier: Tier, usage: UsageRecord | undefined, now: number) {
    this.id = account.id;
    this.publicId = account.publicId;
    this.createdAt = account.createdAt;
    this.name = account.name;
    this.tierName = account.tier;
    this.tier = tier;
    this.owner = account.owner;
    this.house = account.house;
    this.signsIn = account.signsIn;
    this.disabled = account.disabledAt !== null;
    this.deleted = account.deletedAt !== null;
    this.quota = Quota.ofAccount(account, tier, usage?.requests, now);
    this.sessionQuota = Quota.ofSessions(account, tier);
    this.aiDay = usage?.aiDay ?? 0;
    this.aiCalls = usage?.aiCalls ?? 0;
  }

  /** Applies a changed record of the store. */
  update(
    { name, tier: tierName, owner, house, signsIn, disabledAt, deletedAt }: Account,
    tier: Tier,
    now: number,
  ): void {
    for (const quota of [this.quota, this.sessionQuota]) quota.setTier(tier, tierName, now);
    const [disabled, deleted] = [disabledAt !== null, deletedAt !== null];
    Object.assign(this, { name, tierName, tier, owner, house, signsIn, disabled, deleted });
  }

  aiCallsUsed(now: number): number {
    return this.aiDay === now - (now % DAY_MS) ? this.aiCalls : 0;
  }
}
