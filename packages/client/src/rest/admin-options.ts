// Parameters of the operator calls.
import type { AuditAction, InvitationRequest } from '../common/contract.ts';
import type { Instant } from '../common/instant.ts';

/**
 * Which WebSocket connections to return.
 * @example await client.admin.streams({ limit: 100 });
 */
export interface StreamReportOptions {
  /** Most connections to return, 1 to 5,000. Default 500. */
  readonly limit?: number;
}

/**
 * Which entries of the audit log to return.
 * @example await client.admin.auditLog({ account: 'Ada', from: '2026-03-01', limit: 500 });
 */
export interface AuditOptions {
  /** Entries about or by this account: its id or its display name. Default: all. */
  readonly account?: string;
  /** Entries with this action. Default: all. */
  readonly action?: AuditAction;
  /** Entries at or after this time. */
  readonly from?: Instant;
  /** Entries before this time. */
  readonly to?: Instant;
  /** Entries older than the one with this id; `next_before` of the previous page. */
  readonly before?: number;
  /** Most entries to return, 1 to 1,000. Default 100. */
  readonly limit?: number;
}

/**
 * An invitation to create.
 * @example await client.admin.createInvitation({ tier: 'pro', expires_days: 14 });
 */
export interface NewInvitation extends Pick<InvitationRequest, 'tier'> {
  /** Days until the invitation expires, 1 to 365. Default 7. */
  readonly expires_days?: InvitationRequest['expires_days'];
}
