// The audit log: what happened to accounts, keys and sessions, for operators.
import { z } from 'zod';
import {
  booleanQuery,
  choice,
  ItemCount,
  integerQuery,
  namedObject,
  nullable,
  optionalIntegerQuery,
  rangeQuery,
  text,
  timestamp,
} from '../common/values.ts';

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
  'chat channel created',
  'chat channel linked',
  'chat channel removed',
  'instrument added',
  'history imported',
  'store imported',
  'store exported',
  'backup made',
  'markets changed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const MAX_AUDIT_ITEMS = 1_000;

export const AuditQuery = z.object({
  account: z.string().min(1).max(100).optional().meta({
    description: 'Entries about or by this account: its id or its display name',
    allowed: 'the id or the display name of an account',
  }),
  action: choice(AUDIT_ACTIONS, 'Entries with this action').optional(),
  ...rangeQuery,
  before: optionalIntegerQuery('', 1).meta({
    description: 'Entries older than the one with this id. Pass `next_before` of the previous page',
    allowed: 'the id of an entry',
  }),
  limit: integerQuery('Maximum number of items', 1, MAX_AUDIT_ITEMS, 100),
  detail: booleanQuery('Add `actor_name` and `account_name`', false),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditItem = namedObject('AuditItem', 'An entry of the audit log', () => ({
  id: z.int().meta({ description: 'Number of the entry; rises with time' }),
  timestamp: timestamp('Time of the entry'),
  action: text('One of `actions`'),
  actor: text('Id of an account or key, a chat platform, `command line`, `first start` or `anonymous`'),
  account: nullable(z.string(), 'Id of the account concerned'),
  subject: text('Account name, key id or other object concerned'),
  address: nullable(z.string(), 'IP address of the client'),
  actor_name: nullable(z.string(), 'With `detail=true`: name of the account that acted').optional(),
  account_name: nullable(z.string(), 'With `detail=true`: name of `account`').optional(),
}));
export type AuditItem = z.infer<typeof AuditItem>;

export const AuditList = namedObject('AuditList', 'A page of the audit log', () => ({
  items: z.array(AuditItem).meta({ description: 'Entries, newest first' }),
  count: ItemCount,
  next_before: nullable(z.int(), 'Value of `before` for the next page; `null` if there are no more entries'),
  actions: z.array(z.string()).meta({ description: 'All possible values of `action`' }),
}));
export type AuditList = z.infer<typeof AuditList>;
