// Endpoints of two-factor sign-in.
import { endpoint, SESSION } from '../common/endpoint.ts';
import { Confirmation, TwoFactorCode, TwoFactorConfirmed, TwoFactorSecret, TwoFactorStatus } from './two-factor.ts';

const WRITE_ERRORS = ['too_many_attempts'] as const;
/** Errors of an endpoint that takes the password again. */
export const CONFIRMATION_ERRORS = [
  'too_many_attempts',
  'wrong_password',
  'two_factor_required',
  'wrong_code',
] as const;

const POST = { ...SESSION, method: 'POST', tag: 'Account' } as const;

export const TWO_FACTOR_ENDPOINTS = {
  twoFactor: endpoint({
    ...SESSION,
    method: 'GET',
    path: '/api/account/two-factor',
    tag: 'Account',
    summary: 'Get the state of two-factor sign-in',
    description: 'Returns whether sign-in asks for a code, and how many recovery codes are left.',
    response: TwoFactorStatus,
  }),
  setUpTwoFactor: endpoint({
    ...POST,
    path: '/api/account/two-factor/set-up',
    summary: 'Start the set-up of two-factor sign-in',
    description:
      'Creates a secret for an authenticator app (TOTP: SHA-1, 6 digits, 30 seconds), to be confirmed. A second call replaces it.',
    body: Confirmation,
    response: TwoFactorSecret,
    errors: [...WRITE_ERRORS, 'wrong_password', 'two_factor_enabled'],
  }),
  confirmTwoFactor: endpoint({
    ...POST,
    path: '/api/account/two-factor/confirm',
    summary: 'Enable two-factor sign-in',
    description:
      'Enables two-factor sign-in with a code of the app, and returns ten recovery codes. They are shown only once.',
    body: TwoFactorCode,
    response: TwoFactorConfirmed,
    errors: [...WRITE_ERRORS, 'wrong_code', 'two_factor_enabled', 'two_factor_disabled'],
  }),
  disableTwoFactor: endpoint({
    ...POST,
    path: '/api/account/two-factor/disable',
    summary: 'Disable two-factor sign-in',
    description: 'Disables two-factor sign-in and deletes its secret and recovery codes.',
    body: Confirmation,
    response: TwoFactorStatus,
    errors: [...CONFIRMATION_ERRORS, 'two_factor_disabled'],
  }),
} as const;
