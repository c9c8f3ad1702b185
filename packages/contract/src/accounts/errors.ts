// Errors about authentication, limits, accounts, sessions and keys.
import { entry } from '../common/errors.ts';

export const ACCOUNT_ERRORS = {
  missing_key: entry(
    { status: 401, close: 4408 },
    'API key missing',
    'There is neither a key nor a session cookie. A REST request sends its key in the header X-API-Key or as a bearer token, a WebSocket connection within 10 seconds by default.',
  ),
  invalid_key: entry(
    { status: 401, close: 4401 },
    'API key invalid',
    'The key or data link is unknown, malformed, expired or revoked. Open streams of a revoked key are closed.',
  ),
  missing_scope: entry(
    { status: 403, close: 4401 },
    'Scope missing',
    'The key is valid but does not have the scope that the endpoint requires.',
  ),
  rate_limited: entry(
    { status: 429, retryable: true },
    'Rate limit exceeded',
    "The requests in the last 60 seconds, or the rows of long reads, have reached the limit. It is that of the account's tier. Retry-After gives the time to wait.",
  ),
  too_many_failures: entry(
    { status: 429, close: 4401, retryable: true },
    'Too many failed authentications',
    'Too many invalid keys came from this address in the last minute. A valid key still works.',
  ),
  too_many_requests: entry(
    { status: 429, retryable: true },
    'Too many requests from this address',
    'The address sent too many requests without a key or session. Requests are counted over the last minute; those with a body are also limited at the same time. Retry-After gives the time to wait.',
  ),
  session_required: entry(
    { status: 401 },
    'Sign-in required',
    'The endpoint requires a signed-in session. An API key is not accepted.',
  ),
  invalid_session: entry(
    { status: 401, close: 4401 },
    'Session ended',
    'The session of the cookie has ended. It was signed out, has expired or does not exist. Sign in again. Open streams of a session that ends are closed.',
  ),
  wrong_credentials: entry(
    { status: 401 },
    'Wrong name or password',
    'The sign-in failed. The response is the same whether or not an account with that name exists.',
  ),
  wrong_password: entry(
    { status: 403 },
    'Wrong password',
    'The operation requires the current password, and the given one is wrong.',
  ),
  confirmation_required: entry(
    { status: 403 },
    'Confirmation required',
    'The session must repeat its password. Send it to `POST /api/account/confirm`, and the same request again within 5 minutes. This applies to creating keys that can publish, push or administer, signing keys and files of history. Requests with a key never get it.',
  ),
  two_factor_required: entry(
    { status: 401 },
    'Code required',
    'Name and password are correct, and the account has two-factor sign-in. Repeat the sign-in with `code`.',
  ),
  wrong_code: entry(
    { status: 403 },
    'Wrong code',
    'The code of two-factor sign-in is wrong, has expired, or was used before. Each code works once.',
  ),
  two_factor_enabled: entry({ status: 409 }, 'Two-factor sign-in enabled', 'Two-factor sign-in is already enabled.'),
  two_factor_disabled: entry(
    { status: 409 },
    'Two-factor sign-in not enabled',
    'Two-factor sign-in is not enabled, or its set-up was not started.',
  ),
  account_disabled: entry(
    { status: 403 },
    'Account disabled',
    'Name and password are correct, but the operator has disabled the account. Its keys get invalid_key.',
  ),
  foreign_origin: entry(
    { status: 403 },
    'Foreign origin',
    "The request came from a page of another origin. It has a session cookie or is a sign-in; or it changes something and has no origin. Cookies are accepted only from the service's own origin.",
  ),
  registration_closed: entry(
    { status: 403 },
    'Registration closed',
    'The service does not accept sign-ups, or accepts them only with an invitation.',
  ),
  invalid_token: entry(
    { status: 403 },
    'Invalid link',
    'The token of a setup link or an invitation is unknown, already used, expired or revoked.',
  ),
  account_not_found: entry({ status: 404 }, 'Account not found', 'There is no account with this id.'),
  key_not_found: entry({ status: 404 }, 'Key not found', 'The account has no key with this id.'),
  link_not_found: entry({ status: 404 }, 'Link not found', 'The account has no data link with this id.'),
  session_not_found: entry({ status: 404 }, 'Session not found', 'The account has no session with this id.'),
  invitation_not_found: entry({ status: 404 }, 'Invitation not found', 'There is no invitation with this id.'),
  name_taken: entry(
    { status: 409 },
    'Name taken',
    'The display name, or one that looks like it, is taken or reserved. A name is never given to a second account.',
  ),
  owner_account: entry({ status: 409 }, 'Owner account', 'The owner account cannot be disabled or deleted.'),
  markets_fixed: entry(
    { status: 409 },
    'Markets cannot be changed',
    'A flag, a variable or the configuration file sets the markets, another setting contradicts the other ones, or the service is a cluster or plays a recording.',
  ),
  document_not_found: entry(
    { status: 404 },
    'Document not found',
    'The account has no document of this kind with this name.',
  ),
  document_conflict: entry(
    { status: 409 },
    'Document changed',
    'The document has changed since the revision that the change is based on. Read it again and repeat the change.',
  ),
  too_many_documents: entry(
    { status: 409 },
    'Too many documents',
    'The account has reached its limit of 500 documents, or of 4 MiB for all of them. Delete some first.',
  ),
  key_revoked: entry(
    { status: 409 },
    'Key revoked',
    'A revoked or expired key cannot be rotated. Create a new key instead.',
  ),
  too_many_keys: entry(
    { status: 409 },
    'Too many keys',
    'The account has reached its limit of valid keys and data links. Revoke one first.',
  ),
  key_creations_exhausted: entry(
    { status: 429, retryable: true },
    'Key creations used up',
    'The account has created as many keys today as it may. Rotated keys count, too. Retry-After gives the time until the next day.',
  ),
  too_many_attempts: entry(
    { status: 429, retryable: true },
    'Too many attempts',
    'Too many sign-ins, sign-ups or wrong passwords. They are counted by address and by name. Retry-After gives the time to wait.',
  ),
};

/** Errors of any endpoint that takes an API key, in the order of the checks. */
export const KEYED_ERRORS = [
  'missing_key',
  'invalid_key',
  'too_many_failures',
  'invalid_session',
  'foreign_origin',
  'missing_scope',
  'rate_limited',
] as const;

/** Errors of any endpoint that takes only a session. */
export const SESSION_ERRORS = ['session_required', 'invalid_session', 'foreign_origin', 'rate_limited'] as const;
