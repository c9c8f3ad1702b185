// Accounts of people: setup, sign-up, sign-in, sessions, password and deletion.
import { z } from 'zod';
import { SCOPES, Tier } from '../common/tiers.ts';
import { ItemCount, integer, nullable, text, timestamp } from '../common/values.ts';
import { signInCode } from './two-factor.ts';

export const REGISTRATIONS = ['open', 'invitation', 'closed'] as const;

/** In code points. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/** Limits shared by all sessions of an account, whatever its tier. AI calls count for the account. */
export const SESSION_LIMITS = { requests_per_minute: 600, streams: 24 } as const;

/** In code points. */
export const MAX_NAME_LENGTH = 48;
export const NAME_RULE =
  '1 to 48 letters, digits, spaces, dots, dashes or underscores, starting with a letter or digit';
export const PASSWORD_RULE = `a text of ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters that is not your name and not a common password`;

const name = z.string().meta({
  description:
    'Display name. Neither the name nor one that looks like it is given to another account. Full-width and other compatibility characters are replaced by plain ones (NFKC)',
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
const password = z.string().meta({ description: 'Current password', allowed: 'a text' });
const token = (description: string) => z.string().meta({ description, allowed: 'the token of the link' });
const scopes = (description: string) => z.array(z.enum(SCOPES)).meta({ description });

export const Registration = z
  .object({
    registration: z.enum(REGISTRATIONS).meta({
      description: 'Who can sign up. `open`: anyone. `invitation`: people with an invitation. `closed`: nobody',
    }),
    setup_needed: z.boolean().meta({
      description: 'Whether the service has no owner yet. The setup link that it prints creates the owner account',
    }),
  })
  .meta({ id: 'Registration', description: 'Registration policy of the service' });

export const SetupRequest = z
  .object({
    token: token('Token of the setup link that the service prints when it starts'),
    name,
    password: newPassword,
  })
  .meta({ id: 'SetupRequest', description: 'Creates the owner account' });

export const LinkCheckRequest = z
  .object({ token: token('Token of the link') })
  .meta({ id: 'LinkCheckRequest', description: 'Asks whether a link can still be used' });
export type LinkCheckRequest = z.infer<typeof LinkCheckRequest>;

export const LINK_REASONS = ['used', 'expired', 'unknown'] as const;

export const LinkCheck = z
  .object({
    valid: z.boolean().meta({ description: 'Whether the link can be used now' }),
    reason: z.enum(LINK_REASONS).optional().meta({
      description:
        'Only if it is not valid. `used`: it has created an account. `expired`: its time is over. `unknown`: there is no such link, it was revoked, or a newer setup link replaced it',
    }),
  })
  .meta({ id: 'LinkCheck', description: 'Whether a setup link or an invitation can still be used' });
export type LinkCheck = z.infer<typeof LinkCheck>;

export const SignUpRequest = z
  .object({ name, password: newPassword, invitation: token('Token of an invitation, if one is required').optional() })
  .meta({ id: 'SignUpRequest', description: 'Creates an account' });

export const SignInRequest = z
  .object({ name, password, code: signInCode.optional() })
  .meta({ id: 'SignInRequest', description: 'Signs in' });

export const PasswordChange = z
  .object({
    password,
    new_password: newPassword,
    revoke_keys: z.boolean().optional().meta({
      description:
        'Also revokes all API keys of the account, in case someone else has created or copied one. Default `false`',
      allowed: 'true or false',
    }),
  })
  .meta({ id: 'PasswordChange', description: 'Changes the password' });

export const AccountDeletion = z
  .object({ password })
  .meta({ id: 'AccountDeletion', description: 'Confirms the deletion of the account' });

export const Account = z
  .object({
    id: text('Permanent id of the account, used in the signal log and by the operator'),
    name: text('Display name'),
    tier: text('Name of the tier'),
    tier_limits: Tier.meta({ description: 'Limits of the tier, shared by all keys of the account' }),
    owner: z.boolean().meta({ description: 'Whether this is the owner of the service' }),
    created_at: timestamp('Time of creation'),
    scopes: scopes('Scopes of the key or session that made this request'),
    key_scopes: scopes('Scopes that keys of the account can have'),
    session: nullable(z.string(), 'Id of the session that made this request; `null` for a key'),
  })
  .meta({ id: 'Account', description: 'The account of the caller' });
export type Account = z.infer<typeof Account>;

export const SessionInfo = z
  .object({
    id: text('Id of the session'),
    current: z.boolean().meta({ description: 'Whether this session made the request' }),
    created_at: timestamp('Time of the sign-in'),
    last_seen_at: timestamp('Time of the last use, to the minute'),
    expires_at: timestamp('Time at which the session expires if it is not used again'),
    browser: text('Browser and operating system, as reported at the sign-in'),
    address: text('IP address at the sign-in'),
  })
  .meta({ id: 'SessionInfo', description: 'A signed-in session' });
export type SessionInfo = z.infer<typeof SessionInfo>;

export const SessionList = z
  .object({ items: z.array(SessionInfo).meta({ description: 'Sessions of the account' }), count: ItemCount })
  .meta({ id: 'SessionList', description: 'All sessions of the account' });

export const SessionsEnded = z
  .object({ sessions_ended: integer('Number of sessions that ended') })
  .meta({ id: 'SessionsEnded', description: 'Result of ending sessions' });

export const PasswordChanged = z
  .object({
    sessions_ended: integer('Number of sessions that ended'),
    keys_revoked: integer('Number of keys that were revoked. Only if `revoke_keys` was true').optional(),
  })
  .meta({ id: 'PasswordChanged', description: 'Result of changing the password' });

export const AccountDeleted = z
  .object({
    sessions_ended: integer('Number of sessions that ended'),
    keys_revoked: integer('Number of keys that were revoked'),
  })
  .meta({ id: 'AccountDeleted', description: 'Result of deleting the account' });
