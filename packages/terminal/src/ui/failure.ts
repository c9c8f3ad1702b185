// Explains an error of the service to the person who caused it: at its field if it names one, otherwise in a sentence.
import { TickwireError } from '@tickwire/client';

export interface Failure {
  /** By the field's name in the request. */
  readonly fields: ReadonlyMap<string, string>;
  /** '' if the fields say it all. */
  readonly general: string;
}

/** Error codes that belong to one field. */
const FIELD_OF: Readonly<Record<string, readonly [field: string, text: string]>> = {
  name_taken: ['name', 'This name is taken. Names are never reused, so choose another.'],
  wrong_password: ['password', 'The password is wrong.'],
  wrong_destination_code: ['code', 'The code is wrong or has expired.'],
  private_address: ['url', 'This service sends nothing to private addresses.'],
};

const EXPIRED = 'Your session has expired. Sign in again.';
const NO_RESPONSE = 'The service is not responding. Is it running?';

const TEXT_OF: Readonly<Record<string, string>> = {
  wrong_credentials: 'Name or password is wrong.',
  account_disabled: 'This account is disabled. Ask the operator of this service.',
  invalid_token: 'This link is no longer valid: it was used, has expired or was revoked.',
  invalid_key: 'This key is not valid. It may be mistyped, expired or revoked.',
  invalid_session: EXPIRED,
  session_required: EXPIRED,
  confirmation_required: 'This needs your password again.',
  missing_key: EXPIRED,
  signature_required:
    'Your account has a signing key, so only signed requests are accepted. Send it with the SDK or the command line.',
  network: NO_RESPONSE,
  timeout: NO_RESPONSE,
};

/** The password is correct, and the account has two-factor sign-in. */
export const asksForCode = (error: unknown): error is TickwireError =>
  error instanceof TickwireError && error.code === 'two_factor_required';

/** The service was not reached, so the error is not about the request. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof TickwireError && (error.code === 'network' || error.code === 'timeout' || error.status >= 500);

/** `known` are the fields of the form; errors of other parameters go into the sentence. */
export function explain(error: unknown, known: readonly string[] = []): Failure {
  if (!(error instanceof TickwireError)) {
    return { fields: new Map(), general: 'Something went wrong on this page. Reload it and try again.' };
  }
  const fields = new Map<string, string>();
  const rest: string[] = [];
  for (const { parameter, allowed } of error.errors) {
    if (known.includes(parameter)) fields.set(parameter, `Must be ${allowed}.`);
    else rest.push(`${parameter} must be ${allowed}.`);
  }
  const [field, text] = FIELD_OF[error.code] ?? [];
  if (field !== undefined && text !== undefined && known.includes(field)) fields.set(field, text);
  if (fields.size > 0) return { fields, general: rest.join(' ') };
  return { fields, general: rest.length > 0 ? rest.join(' ') : sentence(error) };
}

function sentence({ status, code, detail, retryAfterSeconds }: TickwireError): string {
  if (retryAfterSeconds !== null && (code === 'too_many_attempts' || code === 'too_many_failures'))
    return `Too many attempts. Try again in ${retryAfterSeconds} s.`;
  if (retryAfterSeconds !== null && status === 429) return `Too many requests. Try again in ${retryAfterSeconds} s.`;
  // Not caused by the user: the service explains itself.
  if (retryAfterSeconds !== null) return `${detail} Try again in ${retryAfterSeconds} s.`;
  return TEXT_OF[code] ?? detail;
}
