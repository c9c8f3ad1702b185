// Endpoints for accounts, sessions, keys and usage. Operator endpoints are in operator-endpoints.ts.
import { ADMIN, endpoint, PUBLIC, READ, SESSION } from '../common/endpoint.ts';
import { DATA_LINK_ENDPOINTS } from './data-links.ts';
import { DOCUMENT_ENDPOINTS } from './document-endpoints.ts';
import { IssuedKey, KeyInfo, KeyList, KeyRequest, KeyRotation } from './keys.ts';
import { OPERATOR_ENDPOINTS } from './operator-endpoints.ts';
import {
  Account,
  AccountDeleted,
  Confirmed,
  LinkCheck,
  LinkCheckRequest,
  PasswordChange,
  PasswordChanged,
  Registration,
  SessionList,
  SessionsEnded,
  SetupRequest,
  SignInRequest,
  SignUpRequest,
} from './schemas.ts';
import { Confirmation } from './two-factor.ts';
import { CONFIRMATION_ERRORS, TWO_FACTOR_ENDPOINTS } from './two-factor-endpoints.ts';
import { Usage, UsageHistory, UsageHistoryQuery, UsageQuery } from './usage.ts';

const COOKIE = 'Sets the session cookie.';
const CHECKS = 'An invalid token counts as an attempt to sign up.';
/** Errors of an endpoint that checks a password or a token. */
const SIGN_IN_ERRORS = ['foreign_origin', 'too_many_attempts'] as const;

const PUBLIC_POST = { ...PUBLIC, method: 'POST', tag: 'Account' } as const;
const SESSION_POST = { ...SESSION, method: 'POST', tag: 'Account' } as const;
const KEYS_POST = { ...ADMIN, method: 'POST', tag: 'Keys', anySession: true } as const;

export const ACCOUNT_ENDPOINTS = {
  registration: endpoint({
    ...PUBLIC,
    method: 'GET',
    path: '/api/account/registration',
    tag: 'Account',
    summary: 'Get the registration policy',
    description: 'Returns who can sign up, and whether the service still needs its owner account.',
    response: Registration,
  }),
  setUp: endpoint({
    ...PUBLIC_POST,
    path: '/api/account/setup',
    summary: 'Create the owner account',
    description: `Creates the owner account with the token of the setup link that the service printed, and signs in. ${COOKIE}`,
    setsCookie: true,
    body: SetupRequest,
    status: 201,
    response: Account,
    errors: [...SIGN_IN_ERRORS, 'invalid_token', 'name_taken'],
  }),
  checkSetup: endpoint({
    ...PUBLIC_POST,
    path: '/api/account/setup/check',
    summary: 'Check a setup link',
    description: `Returns whether the token can still create the owner account. ${CHECKS}`,
    body: LinkCheckRequest,
    response: LinkCheck,
    errors: SIGN_IN_ERRORS,
  }),
  checkInvitation: endpoint({
    ...PUBLIC_POST,
    path: '/api/account/invitation/check',
    summary: 'Check an invitation',
    description: `Returns whether the token can still create an account. ${CHECKS}`,
    body: LinkCheckRequest,
    response: LinkCheck,
    errors: [...SIGN_IN_ERRORS, 'registration_closed'],
  }),
  signUp: endpoint({
    ...PUBLIC_POST,
    path: '/api/account/sign-up',
    summary: 'Sign up',
    description: `Creates an account and signs in. ${COOKIE}`,
    setsCookie: true,
    body: SignUpRequest,
    status: 201,
    response: Account,
    errors: [...SIGN_IN_ERRORS, 'registration_closed', 'invalid_token', 'name_taken'],
  }),
  signIn: endpoint({
    ...PUBLIC_POST,
    path: '/api/account/sign-in',
    summary: 'Sign in',
    description: `Signs in with name and password, and with \`code\` if two-factor sign-in is enabled. Without it, the response is \`two_factor_required\`. ${COOKIE} By default the session ends after 30 days, or 12 hours without use. It has the scopes \`read\`, \`alerts\` and \`publish\`; the owner also has \`admin\`.`,
    setsCookie: true,
    body: SignInRequest,
    response: Account,
    errors: [...SIGN_IN_ERRORS, 'wrong_credentials', 'two_factor_required', 'wrong_code', 'account_disabled'],
  }),
  signOut: endpoint({
    ...SESSION_POST,
    path: '/api/account/sign-out',
    summary: 'Sign out',
    description: 'Ends the current session and removes its cookie.',
    setsCookie: true,
    response: SessionsEnded,
  }),
  signOutEverywhere: endpoint({
    ...SESSION_POST,
    path: '/api/account/sign-out-everywhere',
    summary: 'Sign out everywhere',
    description: 'Ends all sessions of the account, including the current one.',
    setsCookie: true,
    response: SessionsEnded,
  }),
  changePassword: endpoint({
    ...SESSION_POST,
    path: '/api/account/password',
    summary: 'Change the password',
    description:
      'Changes the password, ends all other sessions of the account and, unless `revoke_keys` is false, revokes its API keys and data links.',
    body: PasswordChange,
    response: PasswordChanged,
    errors: CONFIRMATION_ERRORS,
  }),
  confirmSession: endpoint({
    ...SESSION_POST,
    path: '/api/account/confirm',
    summary: 'Confirm the session',
    description:
      'Takes the password again, and the code with two-factor sign-in. For 5 minutes, the session gets no `confirmation_required`.',
    body: Confirmation,
    response: Confirmed,
    errors: CONFIRMATION_ERRORS,
  }),
  deleteAccount: endpoint({
    ...SESSION_POST,
    path: '/api/account/delete',
    summary: 'Delete the account',
    description:
      'Deletes the account and ends its keys and sessions. Its signals remain in the log under its id. Its name is not given to another account.',
    setsCookie: true,
    body: Confirmation,
    response: AccountDeleted,
    errors: [...CONFIRMATION_ERRORS, 'owner_account'],
  }),
  account: endpoint({
    ...READ,
    path: '/api/account',
    tag: 'Account',
    summary: 'Get the account of the caller',
    description:
      'Returns the account of the key or session, and its scopes. For a session, the response renews the cookie.',
    setsCookie: true,
    response: Account,
  }),
  sessions: endpoint({
    ...SESSION,
    method: 'GET',
    path: '/api/account/sessions',
    tag: 'Account',
    summary: 'List sessions',
    description: 'Returns the signed-in sessions of the account.',
    response: SessionList,
  }),
  revokeSession: endpoint({
    ...SESSION_POST,
    path: '/api/account/sessions/{session}/revoke',
    summary: 'Revoke a session',
    description: 'Ends one session of the account.',
    response: SessionsEnded,
    errors: ['session_not_found'],
  }),
  ...TWO_FACTOR_ENDPOINTS,
  ...DOCUMENT_ENDPOINTS,
  keys: endpoint({
    ...ADMIN,
    method: 'GET',
    path: '/api/keys',
    tag: 'Keys',
    summary: 'List API keys',
    description: `Returns the API keys of the account, without their secrets.`,
    anySession: true,
    response: KeyList,
  }),
  createKey: endpoint({
    ...KEYS_POST,
    path: '/api/keys',
    summary: 'Create an API key',
    description: `Creates an API key. The complete key is shown only once, in this response.`,
    idempotent: true,
    body: KeyRequest,
    status: 201,
    response: IssuedKey,
    errors: ['confirmation_required', 'too_many_keys', 'key_creations_exhausted'],
  }),
  rotateKey: endpoint({
    ...KEYS_POST,
    path: '/api/keys/{key}/rotate',
    summary: 'Rotate an API key',
    description: `Creates a new key that replaces an old one. The old key remains valid for the given overlap.`,
    idempotent: true,
    body: KeyRotation,
    status: 201,
    response: IssuedKey,
    errors: ['confirmation_required', 'key_not_found', 'key_revoked', 'too_many_keys', 'key_creations_exhausted'],
  }),
  revokeKey: endpoint({
    ...KEYS_POST,
    path: '/api/keys/{key}/revoke',
    summary: 'Revoke an API key',
    description: `Revokes a key immediately. Its streams close within a second.`,
    response: KeyInfo,
    errors: ['key_not_found'],
  }),
  ...DATA_LINK_ENDPOINTS,
  usageHistory: endpoint({
    ...READ,
    path: '/api/usage/history',
    tag: 'Keys',
    summary: 'Get the usage history',
    description: 'Returns the usage of the account over the last hour, day or month, in total and by key.',
    query: UsageHistoryQuery,
    response: UsageHistory,
  }),
  usage: endpoint({
    ...READ,
    path: '/api/usage',
    tag: 'Service',
    summary: 'Get the current usage',
    description: 'Returns the tier of the account and what remains of its limits.',
    query: UsageQuery,
    response: Usage,
  }),
  ...OPERATOR_ENDPOINTS,
} as const;
