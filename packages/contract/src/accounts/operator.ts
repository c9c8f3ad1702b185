// Accounts, open streams and invitations, for operators.
import { z } from 'zod';
import { SCOPES, Tier } from '../common/tiers.ts';
import { ItemCount, integer, integerQuery, nullable, Timestamp, text, timestamp } from '../common/values.ts';

export const ACCOUNT_STATES = ['active', 'disabled'] as const;

export const AccountReport = z
  .object({
    id: text('Permanent id of the account'),
    name: text('Display name'),
    tier: text('Name of the tier'),
    owner: z.boolean().meta({ description: 'Whether this is the owner of the service' }),
    state: z.enum(ACCOUNT_STATES).meta({ description: 'State of the account' }),
    signs_in: z.boolean().meta({
      description: 'Whether the account has a password. Accounts created with a key on the command line have none',
    }),
    created_at: timestamp('Time of creation'),
    last_seen_at: nullable(
      Timestamp,
      'Last use of a key or session, to the minute (ISO 8601, UTC); `null` if never used',
    ),
    keys: integer('Valid API keys'),
    sessions: integer('Signed-in sessions'),
    streams: integer('Streams open now'),
    requests_day: integer('REST requests in the last 24 hours'),
    errors_day: integer('Error responses in the last 24 hours'),
    ai_calls_day: integer('AI calls in the last 24 hours'),
  })
  .meta({ id: 'AccountReport', description: 'An account with its activity' });
export type AccountReport = z.infer<typeof AccountReport>;

export const AccountReportList = z
  .object({
    items: z.array(AccountReport).meta({ description: 'Accounts' }),
    count: ItemCount,
    tiers: z.record(z.string(), Tier).meta({ description: 'Tiers of the service by name' }),
  })
  .meta({ id: 'AccountReportList', description: 'All accounts' });

export const TierChange = z
  .object({ tier: z.string().meta({ description: 'Name of the new tier', allowed: 'a tier of the service' }) })
  .meta({ id: 'TierChange', description: 'Changes the tier of an account' });

export const StreamsQuery = z.object({
  limit: integerQuery('Maximum number of streams', 1, 5_000, 500),
});
export type StreamsQuery = z.infer<typeof StreamsQuery>;

export const StreamReport = z
  .object({
    channel: text('Name of the channel; `ws` and `sse` for connections that carry several'),
    account: nullable(z.string(), 'Display name of the account; `null` before authentication'),
    key: nullable(z.string(), 'Public id of the key or session; `null` before authentication'),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'Scopes of the key or session' }),
    address: text('IP address of the client'),
    since: timestamp('Time at which the connection was opened'),
    subscriptions: integer('Number of subscriptions'),
    buffered_bytes: integer('Bytes sent but not yet received by the client'),
    slow: z.boolean().meta({ description: 'Whether the client is behind and receives only the latest messages' }),
  })
  .meta({ id: 'StreamReport', description: 'An open stream' });
export type StreamReport = z.infer<typeof StreamReport>;

export const StreamReportList = z
  .object({
    items: z.array(StreamReport).meta({ description: 'Open connections, oldest first' }),
    count: ItemCount,
    open: integer('Total number of open connections'),
  })
  .meta({ id: 'StreamReportList', description: 'Open WebSocket connections' });

export const MAX_INVITATION_DAYS = 365;

export const InvitationRequest = z
  .object({
    tier: z.string().meta({ description: 'Tier of the new account', allowed: 'a tier of the service' }),
    expires_days: z
      .int()
      .min(1)
      .max(MAX_INVITATION_DAYS)
      .default(7)
      .meta({
        description: 'Days until the invitation expires',
        allowed: `an integer between 1 and ${MAX_INVITATION_DAYS}`,
      }),
  })
  .meta({ id: 'InvitationRequest', description: 'An invitation to create' });

export const Invitation = z
  .object({
    id: text('Id of the invitation'),
    tier: text('Tier of the new account'),
    state: z.enum(['open', 'used', 'expired', 'revoked']).meta({ description: 'State of the invitation' }),
    created_at: timestamp('Time of creation'),
    expires_at: timestamp('Time of expiry'),
    account: nullable(z.string(), 'Display name of the account created with it; `null` if it was not used'),
  })
  .meta({ id: 'Invitation', description: 'An invitation' });
export type Invitation = z.infer<typeof Invitation>;

export const InvitationList = z
  .object({ items: z.array(Invitation).meta({ description: 'Invitations, newest first' }), count: ItemCount })
  .meta({ id: 'InvitationList', description: 'Invitations' });

export const IssuedInvitation = Invitation.extend({
  token: nullable(
    z.string(),
    'Token for `invitation` of the sign-up, shown only once. `null` if the request was repeated after the service was restarted',
  ),
  link: nullable(z.string(), 'Sign-up link that contains the token; `null` if the token is'),
}).meta({ id: 'IssuedInvitation', description: 'A new invitation' });
