// An error from the catalogue. Domains throw it; the transports turn it into a problem response or a close code.
import type { ErrorCode, Problem } from '@tickwire/contract';

export interface ServiceErrorOptions {
  /** The invalid parameters or fields. */
  readonly errors?: Problem['errors'];
  /** When a retry may succeed, in seconds from now. */
  readonly retryAfterSeconds?: number;
  /** Headers of the response over HTTP. */
  readonly headers?: Readonly<Record<string, string>>;
}

export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly code: ErrorCode;
  readonly options: ServiceErrorOptions;

  constructor(code: ErrorCode, detail: string, options: ServiceErrorOptions = {}) {
    super(detail);
    this.code = code;
    this.options = options;
  }
}

/** A 400 that names the allowed values. */
export function invalidParameter(parameter: string, value: string, allowed: string): ServiceError {
  return new ServiceError('invalid_parameter', `${parameter} must be ${allowed}`, {
    errors: [{ parameter, value, allowed }],
  });
}

/** `similar`: what the code may mean. */
export const symbolNotFound = (code: string, similar: readonly string[] = []): ServiceError =>
  new ServiceError(
    'symbol_not_found',
    `There is no instrument ${JSON.stringify(code.slice(0, 64))}. ${similar.length > 0 ? `Similar: ${similar.join(', ')}. ` : ''}See /api/symbols for all symbols.`,
  );
