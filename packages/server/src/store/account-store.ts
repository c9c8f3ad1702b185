// Accounts of people: passwords, sessions, invitations and usage over time. Times are milliseconds since 1970.
import { StoreError } from '../errors/store-error.ts';

export interface Account {
  readonly id: number;
  /** Identifies the account publicly and permanently: in the signal log and as the source of pushed ticks. */
  readonly publicId: string;
  /** Unique among all names ever used, regardless of case. */
  readonly name: string;
  readonly tier: string;
  readonly createdAt: number;
  /** Runs the service. At most one account is the owner. */
  readonly owner: boolean;
  /** Whether it is an example publisher. */
  readonly house: boolean;
  /** Whether it has a password. */
  readonly signsIn: boolean;
  readonly disabledAt: number | null;
  /** From then on, its name is its public id. */
  readonly deletedAt: number | null;
}

export interface Registration {
  readonly name: string;
  /** Tier of the account, unless an invitation sets another. */
  readonly tier: string;
  /** Password hash in its stored form. */
  readonly password: string;
  readonly owner: boolean;
  /** Hash of the invitation token to redeem; `null` if none is needed. */
  readonly invitation: Uint8Array | null;
  readonly at: number;
}

export interface SessionRecord {
  /** Public id; may be displayed. */
  readonly id: string;
  readonly accountId: number;
  /** Hash of the token in the cookie. */
  readonly hash: Uint8Array;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly browser: string;
  readonly address: string;
}

export interface InvitationRecord {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly tier: string;
  /** Whether it creates the owner account. */
  readonly owner: boolean;
  readonly createdAt: number;
  /** `null`: valid until it is used. */
  readonly expiresAt: number | null;
  readonly usedAt: number | null;
  readonly revokedAt: number | null;
  /** The account it created. */
  readonly accountId: number | null;
}

export interface UsageCounts {
  readonly requests: number;
  readonly errors: number;
  readonly aiCalls: number;
  readonly streamSeconds: number;
}

export interface UsageRow extends UsageCounts {
  readonly accountId: number;
  /** '' for signed-in sessions. */
  readonly keyId: string;
  /** Length in milliseconds of the interval that begins at `start`. */
  readonly step: number;
  readonly start: number;
}

/** The token does not exist, was used or revoked, or has expired. */
export class InvitationError extends StoreError {
  override name = 'InvitationError';
}

export interface AccountStore {
  /** Creates an account that can sign in and redeems its invitation, in one transaction. Throws an InvitationError. */
  register(registration: Registration): Promise<Account>;
  /** Password hash; `null` if the account has none. */
  passwordOf(accountId: number): Promise<string | null>;
  setPassword(accountId: number, password: string): Promise<void>;
  /** `null` enables the account again. */
  setDisabled(accountId: number, at: number | null): Promise<void>;
  /** Revokes its keys, ends its sessions, deletes its documents, and replaces its name by its public id. The name is never reused. */
  deleteAccount(accountId: number, at: number): Promise<{ keysRevoked: number; sessionsEnded: number }>;
  addSession(session: SessionRecord): Promise<void>;
  sessions(): Promise<SessionRecord[]>;
  saveSeen(seen: readonly { readonly id: string; readonly at: number }[]): Promise<void>;
  /** `revokedAt`: they were revoked, and keys that were made in them are marked with this time. */
  endSessions(ids: readonly string[], revokedAt?: number): Promise<void>;
  /** The password of the session need not be repeated until then. */
  confirmSession(id: string, until: number): Promise<void>;
  /** 0 if the session was never confirmed, or has ended. */
  confirmedUntil(id: string): Promise<number>;
  addInvitation(invitation: InvitationRecord): Promise<void>;
  /** Those created since `since`, newest first. */
  invitations(since: number): Promise<InvitationRecord[]>;
  /** The invitation or setup link with this token. */
  invitationOf(hash: Uint8Array): Promise<InvitationRecord | undefined>;
  /** Has no effect if it is used or revoked. */
  revokeInvitation(id: string, at: number): Promise<void>;
  /** Deletes the unused invitations that create an owner. */
  dropOwnerInvitations(): Promise<void>;
  /** Adds to the stored counts. */
  addUsage(rows: readonly UsageRow[]): Promise<void>;
  usageOf(accountId: number, step: number, from: number): Promise<UsageRow[]>;
  /** Totals since `from`, by account. */
  usageTotals(step: number, from: number): Promise<Map<number, UsageCounts>>;
  forgetUsage(step: number, before: number): Promise<void>;
}
