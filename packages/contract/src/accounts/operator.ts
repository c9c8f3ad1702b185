// Accounts, open streams, invitations and the markets, for operators.
import { z } from 'zod';
import { SCOPES, Tier } from '../common/tiers.ts';
import {
  choice,
  ItemCount,
  integer,
  integerBetween,
  integerQuery,
  namedList,
  namedObject,
  namedStrict,
  nullable,
  Timestamp,
  text,
  timestamp,
} from '../common/values.ts';

const ACCOUNT_STATES = ['active', 'disabled'] as const;

export const AccountReport = namedObject('AccountReport', 'An account with its activity', () => ({
  id: text('Id'),
  name: text('Name'),
  tier: text('Name of the tier'),
  owner: z.boolean().meta({ description: 'Whether this is the owner of the service' }),
  state: z.enum(ACCOUNT_STATES).meta({ description: 'State' }),
  signs_in: z.boolean().meta({
    description: 'Whether the account has a password',
  }),
  created_at: timestamp('Time of creation'),
  last_seen_at: nullable(Timestamp, 'Last use, to the minute'),
  keys: integer('Valid API keys'),
  keys_of_revoked_sessions: z
    .array(z.string())
    .meta({ description: 'Ids of valid keys made in sessions that were ended' }),
  sessions: integer('Signed-in sessions'),
  streams: integer('Streams open now'),
  requests_day: integer('REST requests in the last 24 hours'),
  errors_day: integer('Error responses in the last 24 hours'),
  ai_calls_day: integer('AI calls in the last 24 hours'),
}));
export type AccountReport = z.infer<typeof AccountReport>;

export const AccountReportList = namedObject('AccountReportList', 'All accounts', () => ({
  items: z.array(AccountReport).meta({ description: 'Items' }),
  count: ItemCount,
  tiers: z.record(z.string(), Tier).meta({ description: 'Tiers of the service by name' }),
}));
export type AccountReportList = z.infer<typeof AccountReportList>;

export const TierChange = namedObject('TierChange', 'Changes the tier of an account', () => ({
  tier: z.string().meta({ description: 'Name of the tier', allowed: 'a tier of the service' }),
}));

export const StreamsQuery = z.object({
  limit: integerQuery('Maximum number of items', 1, 5_000, 500),
});
export type StreamsQuery = z.infer<typeof StreamsQuery>;

export const StreamReport = namedObject('StreamReport', 'An open stream', () => ({
  channel: text('Name of the channel; `ws` or `sse` for several'),
  account: nullable(z.string(), 'Name of the account; `null` before authentication'),
  key: nullable(z.string(), 'Public id of the key or session; `null` before authentication'),
  scopes: z.array(z.enum(SCOPES)).meta({ description: 'Scopes of the key or session' }),
  address: text('IP address of the client'),
  since: timestamp('Time at which the connection was opened'),
  subscriptions: integer('Number of subscriptions'),
  buffered_bytes: integer('Bytes sent but not yet received by the client'),
  slow: z.boolean().meta({ description: 'Whether the client is behind and gets only the latest messages' }),
}));
export type StreamReport = z.infer<typeof StreamReport>;

export const StreamReportList = namedObject('StreamReportList', 'Open WebSocket connections', () => ({
  items: z.array(StreamReport).meta({ description: 'Open connections, oldest first' }),
  count: ItemCount,
  open: integer('Total number of open connections'),
}));
export type StreamReportList = z.infer<typeof StreamReportList>;

const MAX_INVITATION_DAYS = 365;

export const InvitationRequest = namedObject('InvitationRequest', 'An invitation to create', () => ({
  tier: z.string().meta({ description: 'Name of the tier', allowed: 'a tier of the service' }),
  expires_days: integerBetween(1, MAX_INVITATION_DAYS, 'Days until expiry').default(7),
}));
export type InvitationRequest = z.infer<typeof InvitationRequest>;

export const Invitation = namedObject('Invitation', 'An invitation', () => ({
  id: text('Id'),
  tier: text('Name of the tier'),
  state: z.enum(['open', 'used', 'expired', 'revoked']).meta({ description: 'State' }),
  created_at: timestamp('Time of creation'),
  expires_at: timestamp('Time of expiry; `null` if never'),
  account: nullable(z.string(), 'Display name of the account created with it; `null` if it was not used'),
}));
export type Invitation = z.infer<typeof Invitation>;

export const InvitationList = namedList('InvitationList', 'Invitations', Invitation, 'Invitations, newest first');
export type InvitationList = z.infer<typeof InvitationList>;

export const IssuedInvitation = Invitation.extend({
  token: nullable(
    z.string(),
    'Token for the sign-up, shown only once; `null` if the request was repeated after a restart',
  ),
  link: nullable(z.string(), 'Sign-up link that contains the token; `null` if the token is'),
}).meta({ id: 'IssuedInvitation', description: 'A new invitation' });
export type IssuedInvitation = z.infer<typeof IssuedInvitation>;

export const MARKETS = ['simulated', 'live'] as const;
export type Markets = (typeof MARKETS)[number];

export const MarketsReport = namedObject('MarketsReport', 'The markets of the service', () => ({
  markets: z.enum(MARKETS).meta({ description: 'The markets that run now' }),
  changing_to: nullable(z.enum(MARKETS), 'The markets that the service is changing over to'),
  fixed: nullable(z.string(), 'Why they cannot be changed here, and what to do instead; `null` if they can'),
  failure: nullable(z.string(), 'Why the last change failed; `null` if it did not'),
}));
export type MarketsReport = z.infer<typeof MarketsReport>;

export const MarketsChange = namedStrict('MarketsChange', 'Changes the markets', () => ({
  markets: choice(MARKETS, 'The markets to run'),
}));
export type MarketsChange = z.infer<typeof MarketsChange>;
