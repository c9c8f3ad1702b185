// An account in memory with what it has used, and a signed-in session, which has an allowance of its own.
import { SESSION_LIMITS, type Tier } from '@tickwire/contract';
import type { Account, UsageRecord } from '../store/store.ts';
import { RollingMinute } from './rolling-minute.ts';

const DAY_MS = 86_400_000;

/** An account with what it has used. Allowances count over all of its keys. */
export class AccountState {
  name: string;
  tierName: string;
  tier: Tier;
  owner: boolean;
  signsIn: boolean;
  disabled: boolean;
  deleted: boolean;
  readonly id: number;
  readonly publicId: string;
  readonly createdAt: number;
  readonly minute: RollingMinute;
  aiDay: number;
  aiCalls: number;
  /** Open authenticated streams. */
  streams = 0;

  constructor(account: Account, tier: Tier, usage: UsageRecord | undefined, now: number) {
    this.id = account.id;
    this.publicId = account.publicId;
    this.createdAt = account.createdAt;
    this.name = account.name;
    this.tierName = account.tier;
    this.tier = tier;
    this.owner = account.owner;
    this.signsIn = account.signsIn;
    this.disabled = account.disabledAt !== null;
    this.deleted = account.deletedAt !== null;
    this.minute = new RollingMinute(tier.requests_per_minute, usage?.requests, now);
    this.aiDay = usage?.aiDay ?? 0;
    this.aiCalls = usage?.aiCalls ?? 0;
  }

  /** The account in the store that this stands for. */
  get holder(): AccountState {
    return this;
  }

  /** Takes over what the store has now. */
  update({ name, tier: tierName, owner, signsIn, disabledAt, deletedAt }: Account, tier: Tier, now: number): void {
    if (this.minute.limit !== tier.requests_per_minute) this.minute.resize(tier.requests_per_minute, now);
    const [disabled, deleted] = [disabledAt !== null, deletedAt !== null];
    Object.assign(this, { name, tierName, tier, owner, signsIn, disabled, deleted });
  }

  aiCallsUsed(now: number): number {
    return this.aiDay === now - (now % DAY_MS) ? this.aiCalls : 0;
  }
}

/** Streams are counted by id: that of a session is below zero, where no account has one. */
let lastSessionId = 0;

/** What a session's requests and streams count against. All else is the account's. */
export class SessionAccount implements AccountState {
  readonly id = --lastSessionId;
  readonly minute = new RollingMinute(SESSION_LIMITS.requests_per_minute);
  readonly holder: AccountState;
  streams = 0;

  constructor(holder: AccountState) {
    this.holder = holder;
  }

  get tier(): Tier {
    return { ...this.holder.tier, ...SESSION_LIMITS };
  }

  get name(): string {
    return this.holder.name;
  }

  get tierName(): string {
    return this.holder.tierName;
  }

  get publicId(): string {
    return this.holder.publicId;
  }

  get createdAt(): number {
    return this.holder.createdAt;
  }

  get owner(): boolean {
    return this.holder.owner;
  }

  get signsIn(): boolean {
    return this.holder.signsIn;
  }

  get disabled(): boolean {
    return this.holder.disabled;
  }

  get deleted(): boolean {
    return this.holder.deleted;
  }

  get aiDay(): number {
    return this.holder.aiDay;
  }

  get aiCalls(): number {
    return this.holder.aiCalls;
  }

  aiCallsUsed(now: number): number {
    return this.holder.aiCallsUsed(now);
  }

  update(account: Account, tier: Tier, now: number): void {
    this.holder.update(account, tier, now);
  }
}
