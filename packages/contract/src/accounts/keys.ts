// API keys of an account.
import { z } from 'zod';
import { SCOPES } from '../common/tiers.ts';
import { ItemCount, nullable, Timestamp, text, timestamp } from '../common/values.ts';

export const MAX_KEY_NAME = 48;
export const MAX_KEY_DAYS = 36_500;
/** One year. */
export const MAX_OVERLAP_HOURS = 8_760;

/** Key names are printed in terminals, so they must not contain control or format characters. */
const KEY_NAME = new RegExp(`^(?=.*\\S)[^\\p{C}]{1,${MAX_KEY_NAME}}$`, 'u');

export const KeyRequest = z
  .object({
    name: z
      .string()
      .refine((name) => KEY_NAME.test(name))
      .meta({
        description: 'Name of the key, for your own reference',
        allowed: `a text of 1 to ${MAX_KEY_NAME} characters that is not blank, without control characters`,
        minLength: 1,
        maxLength: MAX_KEY_NAME,
        // The part of the rule that Python's `re` and RE2 can express.
        pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$',
      }),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .default(['read'])
      .meta({
        description: 'Scopes of the key. `key_scopes` of the account lists the possible ones',
        allowed: `one or more of ${SCOPES.join(', ')}`,
      }),
    expires_days: z
      .int()
      .min(1)
      .max(MAX_KEY_DAYS)
      .nullable()
      .default(null)
      .meta({
        description: 'Days until the key expires; `null` if it never expires',
        allowed: `an integer between 1 and ${MAX_KEY_DAYS}, or null`,
      }),
  })
  .meta({ id: 'KeyRequest', description: 'An API key to create' });
export type KeyRequest = z.infer<typeof KeyRequest>;

export const KeyRotation = z
  .object({
    overlap_hours: z
      .number()
      .min(0)
      .max(MAX_OVERLAP_HOURS)
      .meta({
        description: 'Hours for which the old key remains valid',
        allowed: `a number between 0 and ${MAX_OVERLAP_HOURS}`,
      }),
  })
  .meta({ id: 'KeyRotation', description: 'Options of a key rotation' });

const KEY_STATES = ['good', 'expired', 'revoked'] as const;

export const KeyInfo = z
  .object({
    id: text('Public id of the key, the part that is not secret'),
    name: text('Name of the key'),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'Scopes of the key' }),
    state: z.enum(KEY_STATES).meta({ description: '`good`: the key can be used' }),
    created_at: timestamp('Time of creation'),
    expires_at: nullable(Timestamp, 'Time of expiry (ISO 8601, UTC); `null` if it never expires'),
    revoked_at: nullable(Timestamp, 'Time of revocation (ISO 8601, UTC); `null` if it is not revoked'),
    last_used_at: nullable(Timestamp, 'Time of the last use, to the minute (ISO 8601, UTC); `null` if never used'),
  })
  .meta({ id: 'KeyInfo', description: 'An API key without its secret' });
export type KeyInfo = z.infer<typeof KeyInfo>;

export const KeyList = z
  .object({ items: z.array(KeyInfo).meta({ description: 'API keys of the account' }), count: ItemCount })
  .meta({ id: 'KeyList', description: 'All API keys of the account' });

export const IssuedKey = KeyInfo.extend({
  key: nullable(
    z.string(),
    'The complete key, shown only once. `null` if the request was repeated with its Idempotency-Key after the service was restarted',
  ),
}).meta({ id: 'IssuedKey', description: 'A new API key' });
export type IssuedKey = z.infer<typeof IssuedKey>;
