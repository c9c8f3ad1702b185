// Endpoints of two-factor sign-in.
import { endpoint } from '../common/endpoint.ts';
import { JSON_BODY_ERRORS } from '../common/errors.ts';
import {
  TwoFactorCode,
  TwoFactorConfirmed,
  TwoFactorDisabling,
  TwoFactorSecret,
  TwoFactorSetup,
  TwoFactorStatus,
} from './two-factor.ts';

const WRITE_ERRORS = [...JSON_BODY_ERRORS, 'store_unavailable', 'too_many_attempts'] as const;

export const TWO_FACTOR_ENDPOINTS = {
  twoFactor: endpoint({
    method: 'GET',
    path: '/api/account/two-factor',
    tag: 'Account',
    summary: 'Get the state of two-factor sign-in',
    description: 'Returns whether sign-in asks for a code, and how many recovery codes are left.',
    auth: 'session',
    scope: null,
    response: TwoFactorStatus,
    errors: ['store_unavailable'],
  }),
  setUpTwoFactor: endpoint({
    method: 'POST',
    path: '/api/account/two-factor/set-up',
    tag: 'Account',
    summary: 'Start the set-up of two-factor sign-in',
    description:
      'Creates a secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). Sign-in asks for a code ' +
      'only after the set-up is confirmed. A second call replaces the secret.',
    auth: 'session',
    scope: null,
    body: TwoFactorSetup,
    response: TwoFactorSecret,
    errors: [...WRITE_ERRORS, 'wrong_password', 'two_factor_enabled'],
  }),
  confirmTwoFactor: endpoint({
    method: 'POST',
    path: '/api/account/two-factor/confirm',
    tag: 'Account',
    summary: 'Enable two-factor sign-in',
    description:
      'Enables two-factor sign-in with a code of the app, and returns ten recovery codes. They are shown only once.',
    auth: 'session',
    scope: null,
    body: TwoFactorCode,
    response: TwoFactorConfirmed,
    errors: [...WRITE_ERRORS, 'wrong_code', 'two_factor_enabled', 'two_factor_disabled'],
  }),
  disableTwoFactor: endpoint({
    method: 'POST',
    path: '/api/account/two-factor/disable',
    tag: 'Account',
    summary: 'Disable two-factor sign-in',
    description: 'Disables two-factor sign-in and deletes its secret and recovery codes.',
    auth: 'session',
    scope: null,
    body: TwoFactorDisabling,
    response: TwoFactorStatus,
    errors: [...WRITE_ERRORS, 'wrong_password', 'wrong_code', 'two_factor_disabled'],
  }),
} as const;
