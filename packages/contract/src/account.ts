// Accounts of people: how they are made, signed in to and ended, and what one is told about its own.
import { z } from 'zod';
import { SCOPES, Tier } from './tiers.ts';
import { Timestamp } from './values.ts';

export const REGISTRATIONS = ['open', 'invitation', 'closed'] as const;

/** In characters as a reader counts them. */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/** Of a signed-in session, whatever the account's tier; its AI calls are those of the account. */
export const SESSION_LIMITS = { requests_per_minute: 600, streams: 10 } as const;

export const NAME_RULE = '1 to 48 letters, digits, spaces, dots, dashes or underscores, a letter or digit first';
export const PASSWORD_RULE = `a text of ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, not your name and none of the commonest`;

const name = z.string().meta({
  description: 'Display name; it is never given to another account',
  allowed: NAME_RULE,
  minLength: 1,
  maxLength: 48,
});
/** Its rules are checked where they cannot be answered with the password itself. */
const newPassword = z.string().meta({
  description: 'The new password',
  allowed: PASSWORD_RULE,
  minLength: PASSWORD_LENGTH.min,
  maxLength: PASSWORD_LENGTH.max,
});
const password = z.string().meta({ description: 'The password there is', allowed: 'a text' });
const token = (description: string) => z.string().meta({ description, allowed: 'the token of the link' });

export const Registration = z
  .object({
    registration: z.enum(REGISTRATIONS).meta({ description: 'Who may sign up: anyone, who was invited, nobody' }),
    setup_needed: z
      .boolean()
      .meta({ description: 'There is no owner yet: the link that the service printed makes one' }),
  })
  .meta({ id: 'Registration' });

export const SetupRequest = z
  .object({ token: token('Of the link that the service prints at its start'), name, password: newPassword })
  .meta({ id: 'SetupRequest' });

export const SignUpRequest = z
  .object({ name, password: newPassword, invitation: token('Of an invitation, where one is needed').optional() })
  .meta({ id: 'SignUpRequest' });

export const SignInRequest = z.object({ name, password }).meta({ id: 'SignInRequest' });

export const PasswordChange = z.object({ password, new_password: newPassword }).meta({ id: 'PasswordChange' });

export const AccountDeletion = z.object({ password }).meta({ id: 'AccountDeletion' });

export const Account = z
  .object({
    id: z.string().meta({ description: 'Names the account for ever: in the signal log, to the operator' }),
    name: z.string(),
    tier: z.string(),
    tier_limits: Tier.meta({ description: 'Of its keys, all together' }),
    owner: z.boolean().meta({ description: 'Runs the service' }),
    created_at: Timestamp,
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'What this caller may do' }),
    key_scopes: z.array(z.enum(SCOPES)).meta({ description: 'Scopes that keys of the account may be made with' }),
    session: z.string().nullable().meta({ description: 'Id of the session that asks; null where a key does' }),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;

export const SessionInfo = z
  .object({
    id: z.string(),
    current: z.boolean().meta({ description: 'The one that asks' }),
    created_at: Timestamp,
    last_seen_at: Timestamp.meta({ description: 'To the minute' }),
    expires_at: Timestamp.meta({ description: 'Where it is not seen again' }),
    browser: z.string().meta({ description: 'Browser and system as it told them when it signed in' }),
    address: z.string().meta({ description: 'Where it signed in from' }),
  })
  .meta({ id: 'SessionInfo' });
export type SessionInfo = z.infer<typeof SessionInfo>;

export const SessionList = z.object({ items: z.array(SessionInfo), count: z.int() }).meta({ id: 'SessionList' });

export const SessionsEnded = z.object({ sessions_ended: z.int() }).meta({ id: 'SessionsEnded' });

export const AccountDeleted = z
  .object({ sessions_ended: z.int(), keys_revoked: z.int() })
  .meta({ id: 'AccountDeleted' });
