// Why an account is not made, signed in to or changed: a part of the catalogue of errors.
import { type CatalogueEntry, entry } from './catalogue-entry.ts';

export const ACCOUNT_ERRORS = {
  session_required: entry({
    title: 'Sign-in required',
    status: 401,
    retryable: false,
    when: 'The endpoint is for a signed-in person: it takes the cookie of a session and no API key.',
  }),
  invalid_session: entry({
    title: 'Session ended',
    status: 401,
    close: 4401,
    retryable: false,
    when: 'The cookie names no session: it was signed out, has expired, or never was one. Sign in again. Open streams of a session that ends are closed.',
  }),
  wrong_credentials: entry({
    title: 'Name or password wrong',
    status: 401,
    retryable: false,
    when: 'The sign-in failed. Nothing tells whether there is an account of that name.',
  }),
  wrong_password: entry({
    title: 'Password wrong',
    status: 403,
    retryable: false,
    when: 'A signed-in session asked for what needs the password again, and gave another.',
  }),
  account_disabled: entry({
    title: 'Account disabled',
    status: 403,
    retryable: false,
    when: 'Name and password are right, and the operator has disabled the account. Its keys are answered invalid_key.',
  }),
  foreign_origin: entry({
    title: 'Foreign origin',
    status: 403,
    retryable: false,
    when: "A session's cookie, or a sign-in, came from a page of another origin, or a request that changes something did not say where it came from. A cookie counts from the service's own origin only.",
  }),
  registration_closed: entry({
    title: 'Registration closed',
    status: 403,
    retryable: false,
    when: 'The service takes no sign-ups, or only with an invitation.',
  }),
  invalid_token: entry({
    title: 'Link not valid',
    status: 403,
    retryable: false,
    when: 'The token of a setup link or an invitation is unknown, was used, has expired or was revoked.',
  }),
  account_not_found: entry({
    title: 'Account not found',
    status: 404,
    retryable: false,
    when: 'There is no account with this id.',
  }),
  key_not_found: entry({
    title: 'Key not found',
    status: 404,
    retryable: false,
    when: 'The account has no key with this id.',
  }),
  session_not_found: entry({
    title: 'Session not found',
    status: 404,
    retryable: false,
    when: 'The account has no session with this id.',
  }),
  invitation_not_found: entry({
    title: 'Invitation not found',
    status: 404,
    retryable: false,
    when: 'There is no invitation with this id.',
  }),
  name_taken: entry({
    title: 'Name taken',
    status: 409,
    retryable: false,
    when: 'Another account has this display name, or once had it: a name is never given twice.',
  }),
  owner_account: entry({
    title: "Owner's account",
    status: 409,
    retryable: false,
    when: 'The account of the owner can be neither disabled nor deleted.',
  }),
  key_revoked: entry({
    title: 'Key revoked',
    status: 409,
    retryable: false,
    when: 'A key that is revoked or has expired cannot be rotated: create a new one.',
  }),
  too_many_keys: entry({
    title: 'Too many keys',
    status: 409,
    retryable: false,
    when: 'The account has as many good keys as it may have; revoke one first.',
  }),
  too_many_attempts: entry({
    title: 'Too many attempts',
    status: 429,
    retryable: true,
    when: 'Too many sign-ins, sign-ups or passwords that were wrong came from this address or for this name. Retry-After says when to try again.',
  }),
} as const satisfies Record<string, CatalogueEntry>;
