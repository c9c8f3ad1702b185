// API keys of an account.
import { z } from 'zod';
import { SCOPES, type Scope } from '../common/tiers.ts';
import { namedList, namedObject, nameText, nullable, Timestamp, text, timestamp } from '../common/values.ts';

const MAX_KEY_NAME = 48;
/** Keys with one of these need a confirmed session. `hook` publishes, too. */
export const PRIVILEGED_SCOPES: readonly Scope[] = ['publish', 'ingest', 'admin', 'hook'];
export const MAX_KEY_DAYS = 36_500;
/** One year. */
const MAX_OVERLAP_HOURS = 8_760;

export const KeyRequest = namedObject('KeyRequest', 'An API key to create', () => ({
  name: nameText(MAX_KEY_NAME),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .default(['read'])
    .meta({
      description: 'Scopes, each one of `key_scopes` of the account',
      allowed: `one or more of ${SCOPES.join(', ')}`,
    }),
  expires_days: z
    .int()
    .min(1)
    .max(MAX_KEY_DAYS)
    .nullable()
    .default(null)
    .meta({
      description: 'Days until expiry; `null` if never',
      allowed: `an integer between 1 and ${MAX_KEY_DAYS}, or null`,
    }),
}));
export type KeyRequest = z.infer<typeof KeyRequest>;

export const KeyRotation = namedObject('KeyRotation', 'Options of a key rotation', () => ({
  overlap_hours: z
    .number()
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .meta({
      description: 'Hours for which the old key remains valid',
      allowed: `a number between 0 and ${MAX_OVERLAP_HOURS}`,
    }),
}));
export type KeyRotation = z.infer<typeof KeyRotation>;

const KEY_STATES = ['good', 'expired', 'revoked'] as const;

export const KeyInfo = namedObject('KeyInfo', 'An API key without its secret', () => ({
  id: text('Id'),
  name: text('Name'),
  scopes: z.array(z.enum(SCOPES)).meta({ description: 'Scopes of the key or session' }),
  state: z.enum(KEY_STATES).meta({ description: '`good`: the key can be used' }),
  created_at: timestamp('Time of creation'),
  expires_at: nullable(Timestamp, 'Time of expiry; `null` if never'),
  revoked_at: nullable(Timestamp, 'Time of revocation'),
  last_used_at: nullable(Timestamp, 'Last use, to the minute'),
  session_ended_at: nullable(Timestamp, 'When the session that made it was ended; `null` if it was not'),
}));
export type KeyInfo = z.infer<typeof KeyInfo>;

export const KeyList = namedList('KeyList', 'All API keys of the account', KeyInfo);
export type KeyList = z.infer<typeof KeyList>;

export const IssuedKey = KeyInfo.extend({
  key: nullable(z.string(), 'The complete key, shown only once; `null` if the request was repeated after a restart'),
}).meta({ id: 'IssuedKey', description: 'A new API key' });
export type IssuedKey = z.infer<typeof IssuedKey>;
