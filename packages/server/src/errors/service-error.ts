// An error from the catalogue. Domains throw it; the transports turn it into a problem response or a close code.
import type { ErrorCode, Problem } from '@tickwire/contract';

export interface ServiceErrorOptions {
  /** The invalid parameters or fields. */
  readonly errors?: Problem['errors'];
  /** When a retry may succeed, in seconds from now. */
  readonly retryAfterSeconds?: number;
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
