// Accounts of people: setup, sign-up, sign-in, sessions, password and deletion.
import { z } from 'zod';
import { SCOPES, Tier } from '../common/tiers.ts';
import { flag, integer, namedList, namedObject, nullable, text, timestamp } from '../common/values.ts';
import { password, signInCode } from './two-factor.ts';

export const REGISTRATIONS = ['open', 'invitation', 'closed'] as const;

/** In code points. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/** In code points. */
export const MAX_NAME_LENGTH = 48;
export const NAME_RULE =
  '1 to 48 letters, digits, spaces, dots, dashes or underscores, starting with a letter or digit';
export const PASSWORD_RULE = `a text of ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters that is not your name and not a common password`;

const name = z.string().meta({
  description: 'Display name, unique with similar ones, in NFKC',
  allowed: NAME_RULE,
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
});
/** The service checks the rules later, so that an error never repeats the password. */
const newPassword = z.string().meta({
  description: 'New password',
  allowed: PASSWORD_RULE,
  minLength: PASSWORD_LENGTH.min,
  maxLength: PASSWORD_LENGTH.max,
});
const token = (description: string) => z.string().meta({ description, allowed: 'the token of the link' });
const scopes = (description: string) => z.array(z.enum(SCOPES)).meta({ description });

export const Registration = namedObject('Registration', 'Registration policy of the service', () => ({
  registration: z.enum(REGISTRATIONS).meta({
    description: 'Who can sign up: anyone, people with an invitation, or nobody',
  }),
  setup_needed: z.boolean().meta({
    description: 'Whether the service has no owner yet',
  }),
}));
export type Registration = z.infer<typeof Registration>;

export const SetupRequest = namedObject('SetupRequest', 'Creates the owner account', () => ({
  token: token('Token of the setup link'),
  name,
  password: newPassword,
}));
export type SetupRequest = z.infer<typeof SetupRequest>;

export const LinkCheckRequest = namedObject('LinkCheckRequest', 'Asks whether a link can still be used', () => ({
  token: token('Token of the link'),
}));
export type LinkCheckRequest = z.infer<typeof LinkCheckRequest>;

const LINK_REASONS = ['used', 'expired', 'unknown'] as const;

export const LinkCheck = namedObject('LinkCheck', 'Whether a setup link or an invitation can still be used', () => ({
  valid: z.boolean().meta({ description: 'Whether the link can be used now' }),
  reason: z.enum(LINK_REASONS).optional().meta({
    description: 'Why it is not valid. `unknown`: it does not exist, or was revoked or replaced',
  }),
}));
export type LinkCheck = z.infer<typeof LinkCheck>;

export const SignUpRequest = namedObject('SignUpRequest', 'Creates an account', () => ({
  name,
  password: newPassword,
  invitation: token('Token of an invitation, if one is required').optional(),
}));
export type SignUpRequest = z.infer<typeof SignUpRequest>;

export const SignInRequest = namedObject('SignInRequest', 'Signs in', () => ({
  name,
  password,
  code: signInCode.optional(),
}));
export type SignInRequest = z.infer<typeof SignInRequest>;

export const PasswordChange = namedObject('PasswordChange', 'Changes the password', () => ({
  password,
  code: signInCode.optional(),
  new_password: newPassword,
  revoke_keys: flag('Also revokes all API keys of the account; default true').optional(),
}));
export type PasswordChange = z.infer<typeof PasswordChange>;

export const Confirmed = namedObject('Confirmed', 'A confirmation', () => ({
  confirmed_until: timestamp('Time at which it ends'),
}));
export type Confirmed = z.infer<typeof Confirmed>;

export const Account = namedObject('Account', 'The account of the caller', () => ({
  id: text('Id'),
  name: text('Name'),
  tier: text('Name of the tier'),
  tier_limits: Tier.meta({ description: 'Limits, shared by all keys of the account' }),
  owner: z.boolean().meta({ description: 'Whether this is the owner of the service' }),
  created_at: timestamp('Time of creation'),
  scopes: scopes('Scopes of the key or session'),
  key_scopes: scopes('Scopes that keys of the account can have'),
  session: nullable(z.string(), 'Id of the session of this request; `null` for a key'),
}));
export type Account = z.infer<typeof Account>;

export const SessionInfo = namedObject('SessionInfo', 'A signed-in session', () => ({
  id: text('Id'),
  current: z.boolean().meta({ description: 'Whether this session made the request' }),
  created_at: timestamp('Time of the sign-in'),
  last_seen_at: timestamp('Last use, to the minute'),
  expires_at: timestamp('Time of expiry if not used again'),
  browser: text('Browser and operating system at the sign-in'),
  address: text('IP address at the sign-in'),
}));
export type SessionInfo = z.infer<typeof SessionInfo>;

export const SessionList = namedList('SessionList', 'All sessions of the account', SessionInfo);
export type SessionList = z.infer<typeof SessionList>;

export const SessionsEnded = namedObject('SessionsEnded', 'Result of ending sessions', () => ({
  sessions_ended: integer('Number of sessions that ended'),
}));
export type SessionsEnded = z.infer<typeof SessionsEnded>;

export const PasswordChanged = namedObject('PasswordChanged', 'Result of changing the password', () => ({
  sessions_ended: integer('Number of sessions that ended'),
  keys_revoked: integer('Number of revoked keys'),
}));
export type PasswordChanged = z.infer<typeof PasswordChanged>;

export const AccountDeleted = namedObject('AccountDeleted', 'Result of deleting the account', () => ({
  sessions_ended: integer('Number of sessions that ended'),
  keys_revoked: integer('Number of revoked keys'),
}));
export type AccountDeleted = z.infer<typeof AccountDeleted>;
