// The errors that each endpoint can return.
import { KEYED_ERRORS, SESSION_ERRORS } from '../accounts/errors.ts';
import type { Endpoint } from '../common/endpoint.ts';
import { COMMON_ERRORS } from '../common/errors.ts';
import type { ErrorCode } from '../stream/error-catalogue.ts';

/** Errors of the authentication of an endpoint. A hook lists its own, because its key is in the path. */
const AUTH_ERRORS: Readonly<Record<Endpoint['auth'], readonly ErrorCode[]>> = {
  key: KEYED_ERRORS,
  session: SESSION_ERRORS,
  hook: [],
  none: [],
};

/** Errors of reading a body. */
const BODY_ERRORS = [
  'malformed_body',
  'payload_too_large',
  'unsupported_encoding',
  'invalid_parameter',
] as const satisfies readonly ErrorCode[];

/** Errors of the form of a request: its path, query, headers and body. */
const FORM_ERRORS = [
  'malformed_path',
  'repeated_parameter',
  'unknown_parameter',
  ...BODY_ERRORS,
] as const satisfies readonly ErrorCode[];

/** Errors of a request that names a replay session. */
const replayErrors = ({ auth, unlimited }: Endpoint): readonly ErrorCode[] => [
  ...(unlimited ? [] : (['not_in_replay'] as const)),
  ...(auth === 'key' ? (['replay_not_found'] as const) : []),
];

const limitErrors = ({ unlimited }: Endpoint): readonly ErrorCode[] => (unlimited ? [] : ['too_many_requests']);

/** Errors that any request with the credentials of an endpoint can get, if its path has a parameter and it has a query and a body. */
export const generalErrors = (endpoint: Endpoint): readonly ErrorCode[] => [
  ...AUTH_ERRORS[endpoint.auth],
  ...limitErrors(endpoint),
  ...replayErrors(endpoint),
  ...FORM_ERRORS,
  ...(endpoint.unlimited ? [] : (['store_unavailable'] as const)),
  ...COMMON_ERRORS,
];

/** Errors that follow from the path, the query and the body of an endpoint, and those that it lists itself. */
export function endpointErrors({
  path,
  query,
  ignoresUnknown,
  body,
  lines,
  idempotent,
  errors = [],
}: Endpoint): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...(path.includes('{') ? (['malformed_path'] as const) : []),
    ...(body || lines ? BODY_ERRORS : []),
    ...(query ? (['invalid_parameter', 'repeated_parameter'] as const) : []),
    ...(ignoresUnknown ? [] : (['unknown_parameter'] as const)),
    ...(path.includes('{symbol}') ? (['symbol_not_found'] as const) : []),
    ...(errors as readonly ErrorCode[]),
    ...(idempotent ? (['idempotency_conflict'] as const) : []),
  ]);
  return [...codes];
}
