// What the operator sees and sets: accounts, open streams, invitations.
import { z } from 'zod';
import { SCOPES, Tier } from './tiers.ts';
import { integerQuery, Timestamp } from './values.ts';

export const ACCOUNT_STATES = ['active', 'disabled'] as const;

export const AccountReport = z
  .object({
    id: z.string(),
    name: z.string(),
    tier: z.string(),
    owner: z.boolean(),
    state: z.enum(ACCOUNT_STATES),
    signs_in: z.boolean().meta({ description: 'Has a password; others were made for a key on the command line' }),
    created_at: Timestamp,
    last_seen_at: Timestamp.nullable().meta({ description: 'Last use of a key or a session, to the minute' }),
    keys: z.int().meta({ description: 'Good ones' }),
    sessions: z.int(),
    streams: z.int().meta({ description: 'Open now' }),
    requests_day: z.int().meta({ description: 'REST requests in the last 24 hours' }),
    errors_day: z.int(),
    ai_calls_day: z.int(),
  })
  .meta({ id: 'AccountReport' });
export type AccountReport = z.infer<typeof AccountReport>;

export const AccountReportList = z
  .object({
    items: z.array(AccountReport),
    count: z.int(),
    tiers: z.record(z.string(), Tier).meta({ description: 'Tiers there are' }),
  })
  .meta({ id: 'AccountReportList' });

export const TierChange = z
  .object({ tier: z.string().meta({ description: 'The new tier', allowed: 'a tier of the service' }) })
  .meta({ id: 'TierChange' });

export const StreamsQuery = z.object({
  limit: integerQuery('Streams to list, the oldest first', 1, 5_000, 500),
});
export type StreamsQuery = z.infer<typeof StreamsQuery>;

export const StreamReport = z
  .object({
    channel: z.string(),
    account: z.string().nullable().meta({ description: 'Display name; null while it has shown no key' }),
    key: z.string().nullable().meta({ description: 'Public id of the key or session' }),
    scopes: z.array(z.enum(SCOPES)),
    address: z.string(),
    since: Timestamp,
    subscriptions: z.int(),
    buffered_bytes: z.int().meta({ description: 'Sent and not yet taken' }),
    slow: z.boolean().meta({ description: 'Behind, and given only the newest' }),
  })
  .meta({ id: 'StreamReport' });
export type StreamReport = z.infer<typeof StreamReport>;

export const StreamReportList = z
  .object({ items: z.array(StreamReport), count: z.int(), open: z.int().meta({ description: 'Open ones in all' }) })
  .meta({ id: 'StreamReportList' });

export const MAX_INVITATION_DAYS = 365;

export const InvitationRequest = z
  .object({
    tier: z.string().meta({ description: 'Tier of the account that it makes', allowed: 'a tier of the service' }),
    expires_days: z
      .int()
      .min(1)
      .max(MAX_INVITATION_DAYS)
      .default(7)
      .meta({ description: 'Days it is good for', allowed: `an integer from 1 to ${MAX_INVITATION_DAYS}` }),
  })
  .meta({ id: 'InvitationRequest' });

export const Invitation = z
  .object({
    id: z.string(),
    tier: z.string(),
    state: z.enum(['open', 'used', 'expired', 'revoked']),
    created_at: Timestamp,
    expires_at: Timestamp,
    account: z.string().nullable().meta({ description: 'Who came of it' }),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

export const InvitationList = z.object({ items: z.array(Invitation), count: z.int() }).meta({ id: 'InvitationList' });

export const IssuedInvitation = Invitation.extend({
  token: z.string().nullable().meta({
    description: 'For `invitation` of the sign-up, shown this once. null where the request came again after a restart',
  }),
  link: z.string().nullable().meta({ description: 'Where the invited person goes, with the token in it' }),
}).meta({ id: 'IssuedInvitation' });
