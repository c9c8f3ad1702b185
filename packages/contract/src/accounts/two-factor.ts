// Two-factor sign-in of an account.
import { z } from 'zod';
import { integer, namedObject, nullable, Timestamp, text } from '../common/values.ts';

/** Digits of an authenticator app, or a recovery code. Spaces and dashes are ignored. */
export const signInCode = z.string().min(1).max(100).meta({
  description: 'Code of the app, or a recovery code',
  allowed: 'six digits, or a recovery code',
});
export const password = z.string().meta({ description: 'Current password', allowed: 'a text' });

export const TwoFactorStatus = namedObject('TwoFactorStatus', 'Two-factor sign-in of the account', () => ({
  enabled: z.boolean().meta({ description: 'Whether sign-in asks for a code' }),
  enabled_at: nullable(Timestamp, 'Time at which it was enabled'),
  recovery_codes_left: integer('Number of unused recovery codes'),
}));
export type TwoFactorStatus = z.infer<typeof TwoFactorStatus>;

export const TwoFactorSecret = namedObject(
  'TwoFactorSecret',
  'The secret for an authenticator app, shown only once',
  () => ({
    secret: text('The shared secret (Base32), to type into an authenticator app'),
    uri: text('The same as an `otpauth://` URI'),
    qr: z
      .object({
        size: integer('Width and height in modules'),
        path: text('The dark modules as SVG path data'),
      })
      .meta({ description: 'The URI as a QR code' }),
  }),
);
export type TwoFactorSecret = z.infer<typeof TwoFactorSecret>;

export const TwoFactorCode = namedObject(
  'TwoFactorCode',
  'Confirms the set-up with a code of the authenticator app',
  () => ({
    code: signInCode,
  }),
);

export const TwoFactorConfirmed = namedObject('TwoFactorConfirmed', 'Recovery codes', () => ({
  recovery_codes: z
    .array(z.string())
    .meta({ description: 'Ten codes that each replace the app once, shown only once' }),
}));
export type TwoFactorConfirmed = z.infer<typeof TwoFactorConfirmed>;

export const Confirmation = namedObject(
  'Confirmation',
  'The password again, and a code with two-factor sign-in',
  () => ({
    password,
    code: signInCode.optional(),
  }),
);
export type Confirmation = z.infer<typeof Confirmation>;
