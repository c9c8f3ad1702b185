// The audit log: what happened to accounts, keys and sessions. Times are milliseconds since 1970.
import type { AuditAction } from '@tickwire/contract';

export interface AuditEntry {
  readonly at: number;
  /** Who did it: a key id, the public id of a signed-in account, a chat platform, `command line`, or `anonymous` before sign-in. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly subject: string;
  /** Public id of the account that the entry is about. Default: none. */
  readonly account?: string | null;
  /** IP address of the client. Default: none. */
  readonly address?: string | null;
}

export interface AuditRecord extends Required<Omit<AuditEntry, 'action'>> {
  /** Rises with each entry. */
  readonly id: number;
  readonly action: string;
}

export interface AuditFilter {
  /** Public id: entries about or by this account. */
  readonly account?: string | undefined;
  readonly action?: string | undefined;
  /** Inclusive. */
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly to?: number | undefined;
  /** Only entries with a smaller id. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface AuditRetention {
  /** Entries before this time are deleted. */
  readonly since: number;
  /** Of the rest, this many are kept. Failed sign-ins are deleted first, so that guessing cannot push out other entries. */
  readonly maxEntries: number;
}

export interface AuditStore {
  audit(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  auditLog(filter: AuditFilter): Promise<AuditRecord[]>;
  /**
   * Deletes old and surplus entries. Entries of the service itself (actors `house` and `first start`) stay: there are few,
   * and the example publishers find their accounts by them.
   */
  pruneAudit(retention: AuditRetention): Promise<void>;
}
