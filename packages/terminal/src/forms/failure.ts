// Why a form was not taken, in words for the person who filled it in: beside the field where one is to blame.
import { TickwireError } from '@tickwire/client';

export interface Failure {
  /** By the field's name in the request. */
  readonly fields: ReadonlyMap<string, string>;
  /** '' where the fields say it all. */
  readonly general: string;
}

/** Refusals that are about one field, though the service names none. */
const FIELD_OF: Readonly<Record<string, readonly [field: string, text: string]>> = {
  name_taken: ['name', 'This name is taken. Names are never given twice, so choose another.'],
  wrong_password: ['password', 'This is not your password.'],
};

const TEXT_OF: Readonly<Record<string, string>> = {
  wrong_credentials: 'Name or password is wrong.',
  account_disabled: 'This account is disabled. Ask who runs this service.',
  invalid_token: 'This link is not valid any more: it was used, has expired or was taken back.',
  invalid_key: 'This key is not valid. It may be mistyped, expired or revoked.',
  invalid_session: 'Your session has ended. Sign in again.',
  session_required: 'Your session has ended. Sign in again.',
  network: 'The service does not answer. Is it running?',
  timeout: 'The service does not answer. Is it running?',
};

/** `known` are the fields of the form: what is said of another one has no place but below. */
export function explain(error: unknown, known: readonly string[] = []): Failure {
  if (!(error instanceof TickwireError)) {
    return { fields: new Map(), general: 'Something went wrong in this page. Reload it and try again.' };
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
  if (retryAfterSeconds !== null && status === 429) return `Too much at once. Try again in ${retryAfterSeconds} s.`;
  // Not the caller's doing: the service says itself what is the matter.
  if (retryAfterSeconds !== null) return `${detail} Try again in ${retryAfterSeconds} s.`;
  return TEXT_OF[code] ?? detail;
}
