// Errors of every endpoint of accounts that takes a JSON document and writes to the store.
import type { ErrorCode } from './errors.ts';

export const JSON_BODY_ERRORS = [
  'malformed_body',
  'payload_too_large',
  'unsupported_encoding',
  'invalid_parameter',
  'store_unavailable',
] as const satisfies readonly ErrorCode[];
