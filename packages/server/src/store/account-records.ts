// What a store keeps of people's accounts, and what it must do with it. account-store.ts does it in SQL.
import { type Account, StoreError } from './store.ts';

export interface Registration {
  readonly name: string;
  /** Of the account where no invitation gives another. */
  readonly tier: string;
  /** As the hash of passwords writes it. */
  readonly password: string;
  readonly owner: boolean;
  /** Hash of the token that is used up by it; null where none is needed. */
  readonly invitation: Uint8Array | null;
  readonly at: number;
}

export interface SessionRecord {
  /** Public: it may be shown. */
  readonly id: string;
  readonly accountId: number;
  /** Of the token in the cookie. */
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
  /** It makes the owner. */
  readonly owner: boolean;
  readonly createdAt: number;
  /** null: until it is used. */
  readonly expiresAt: number | null;
  readonly usedAt: number | null;
  readonly revokedAt: number | null;
  /** Who came of it. */
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
  /** Length in ms of the stretch that begins at `start`. */
  readonly step: number;
  readonly start: number;
}

/** A token that was used, has expired, was taken back, or never was. */
export class InvitationError extends StoreError {
  override name = 'InvitationError';
}

export interface AccountStore {
  /** Makes an account that can sign in, and uses its invitation up, both or neither. */
  register(registration: Registration): Promise<Account>;
  /** Hash of the password; null where the account has none. */
  passwordOf(accountId: number): Promise<string | null>;
  setPassword(accountId: number, password: string): Promise<void>;
  /** null: enabled again. */
  setDisabled(accountId: number, at: number | null): Promise<void>;
  /** Revokes its keys, ends its sessions, and leaves its id in place of its name, which nobody gets again. */
  deleteAccount(accountId: number, at: number): Promise<{ keysRevoked: number; sessionsEnded: number }>;
  addSession(session: SessionRecord): Promise<void>;
  sessions(): Promise<SessionRecord[]>;
  saveSeen(seen: readonly { readonly id: string; readonly at: number }[]): Promise<void>;
  endSessions(ids: readonly string[]): Promise<void>;
  addInvitation(invitation: InvitationRecord): Promise<void>;
  /** Newest first, of those made since. */
  invitations(since: number): Promise<InvitationRecord[]>;
  /** Where it is neither used nor revoked. */
  revokeInvitation(id: string, at: number): Promise<void>;
  /** Forgets the unused invitations that make an owner. */
  dropOwnerInvitations(): Promise<void>;
  /** Adds to what is there. */
  addUsage(rows: readonly UsageRow[]): Promise<void>;
  usageOf(accountId: number, step: number, from: number): Promise<UsageRow[]>;
  /** Since then, by account. */
  usageTotals(step: number, from: number): Promise<Map<number, UsageCounts>>;
  forgetUsage(step: number, before: number): Promise<void>;
}
