// The tables of accounts and keys as the queries see them, with names in camel case: the records of the stores, except where
// a column has another form. The schema, with names in snake case, is in sqlite/schema.ts and postgres/schema.ts.
import type { Kysely } from 'kysely';
import type { KeyRecord, RememberedAnswer, UsageRecord } from '../access-store.ts';
import type { Account, InvitationRecord, SessionRecord, UsageRow } from '../account-store.ts';
import type { AuditRecord } from '../audit-store.ts';
import type { TwoFactorRecord } from '../two-factor-store.ts';

export interface AccessTables {
  /** `owner` is 0 or 1, here and in invitations. */
  accounts: Omit<Account, 'owner' | 'signsIn'> & { readonly owner: number; readonly password: string | null };
  names: { readonly name: string; readonly accountId: number; readonly givenAt: number };
  /** `scopes` is separated by commas; `demo` is 0 or 1. */
  keys: Omit<KeyRecord, 'scopes' | 'demo'> & { readonly scopes: string; readonly demo: number };
  /** `requests` has the bytes of 64-bit floats. */
  usage: Omit<UsageRecord, 'requests'> & { readonly requests: Uint8Array };
  sessions: SessionRecord;
  invitations: Omit<InvitationRecord, 'owner'> & { readonly owner: number };
  usageHistory: UsageRow;
  answers: RememberedAnswer;
  audit: AuditRecord;
  twoFactor: TwoFactorRecord & { readonly lastStep: number };
  recoveryCodes: { readonly accountId: number; readonly hash: Uint8Array; readonly usedAt: number | null };
}

/** The database of these tables, or a transaction in it. */
export type AccessDatabase = Kysely<AccessTables>;
