// Two-factor sign-in of an account.
import { z } from 'zod';
import { integer, nullable, Timestamp, text } from '../common/values.ts';

/** Digits of an authenticator app, or a recovery code. Spaces and dashes are ignored. */
export const signInCode = z.string().min(1).max(100).meta({
  description: 'Code of the authenticator app, or a recovery code',
  allowed: 'six digits, or a recovery code',
});
const password = z.string().meta({ description: 'Current password', allowed: 'a text' });

export const TwoFactorStatus = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether sign-in asks for a code' }),
    enabled_at: nullable(Timestamp, 'Time at which it was enabled (ISO 8601, UTC); `null` if it is not'),
    recovery_codes_left: integer('Number of unused recovery codes'),
  })
  .meta({ id: 'TwoFactorStatus', description: 'Two-factor sign-in of the account' });
export type TwoFactorStatus = z.infer<typeof TwoFactorStatus>;

export const TwoFactorSetup = z
  .object({ password })
  .meta({ id: 'TwoFactorSetup', description: 'Starts the set-up of two-factor sign-in' });

export const TwoFactorSecret = z
  .object({
    secret: text('The shared secret (Base32), to type into an authenticator app'),
    uri: text('The same as an `otpauth://` URI'),
    qr: z
      .object({
        size: integer('Width and height in modules, with white space around the code'),
        path: text('The dark modules as SVG path data, one unit per module'),
      })
      .meta({ description: 'The URI as a QR code' }),
  })
  .meta({ id: 'TwoFactorSecret', description: 'The secret for an authenticator app, shown only once' });

export const TwoFactorCode = z
  .object({ code: signInCode })
  .meta({ id: 'TwoFactorCode', description: 'Confirms the set-up with a code of the authenticator app' });

export const TwoFactorConfirmed = z
  .object({
    recovery_codes: z
      .array(z.string())
      .meta({ description: 'Ten codes that each work once in place of the app, shown only once' }),
  })
  .meta({ id: 'TwoFactorConfirmed', description: 'Recovery codes' });
export type TwoFactorConfirmed = z.infer<typeof TwoFactorConfirmed>;

export const TwoFactorDisabling = z
  .object({ password, code: signInCode })
  .meta({ id: 'TwoFactorDisabling', description: 'Disables two-factor sign-in' });
