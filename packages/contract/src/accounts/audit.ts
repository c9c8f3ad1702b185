// The audit log: what happened to accounts, keys and sessions, for operators.
import { z } from 'zod';
import { ItemCount, instantQuery, integerQuery, nullable, text, timestamp } from '../common/values.ts';

/** Everything that is recorded. */
export const AUDIT_ACTIONS = [
  'signed in',
  'sign-in failed',
  'code requested',
  'signed out',
  'signed out everywhere',
  'session revoked',
  'session replaced',
  'signed up',
  'owner created',
  'password changed',
  'password reset',
  'two-factor enabled',
  'two-factor disabled',
  'two-factor reset',
  'recovery code used',
  'account created',
  'account renamed',
  'account disabled',
  'account enabled',
  'account deleted',
  'tier set',
  'key created',
  'key rotated',
  'key revoked',
  'key moved',
  'invited',
  'invitation revoked',
  'signing key set',
  'signing key removed',
  'signal voided',
  'history imported',
  'store imported',
  'store exported',
  'backup made',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const MAX_AUDIT_ITEMS = 1_000;

export const AuditQuery = z.object({
  account: z.string().min(1).max(100).optional().meta({
    description: 'Entries about or by this account: its id or its display name',
    allowed: 'the id or the display name of an account',
  }),
  action: z
    .enum(AUDIT_ACTIONS)
    .optional()
    .meta({ description: 'Entries with this action', allowed: `one of ${AUDIT_ACTIONS.join(', ')}` }),
  from: instantQuery('Entries at or after this time'),
  to: instantQuery('Entries before this time'),
  before: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
      z.int().min(1),
    )
    .optional()
    .meta({
      description: 'Entries older than the one with this id. Pass `next_before` of the previous page',
      allowed: 'the id of an entry',
      wire: { type: 'integer', minimum: 1 },
    }),
  limit: integerQuery('Maximum number of entries', 1, MAX_AUDIT_ITEMS, 100),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditItem = z
  .object({
    id: z.int().meta({ description: 'Number of the entry; rises with time' }),
    timestamp: timestamp('Time of the entry'),
    action: text('The action. The parameter `action` lists the possible ones'),
    actor: text('Who did it: an account id, a key id, `command line`, `first start`, or `anonymous` before sign-in'),
    account: nullable(z.string(), 'Id of the account that the entry is about; `null` if it is about none'),
    subject: text('What it was done to, such as an account name or a key id'),
    address: nullable(z.string(), 'IP address of the client; `null` if it was not a request'),
  })
  .meta({ id: 'AuditItem', description: 'An entry of the audit log' });
export type AuditItem = z.infer<typeof AuditItem>;

export const AuditList = z
  .object({
    items: z.array(AuditItem).meta({ description: 'Entries, newest first' }),
    count: ItemCount,
    next_before: nullable(z.int(), 'Value of `before` for the next page; `null` if there are no more entries'),
    actions: z.array(z.string()).meta({ description: 'All possible values of `action`' }),
  })
  .meta({ id: 'AuditList', description: 'A page of the audit log' });
export type AuditList = z.infer<typeof AuditList>;
