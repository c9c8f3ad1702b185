// An error of the catalogue on its way to a REST caller, as RFC 9457 problem details.
import { ERRORS, type ErrorCode, type Problem } from '@tickwire/contract';

export interface ApiErrorOptions {
  readonly errors?: Problem['errors'];
  readonly headers?: Readonly<Record<string, string>>;
}

export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly options: ApiErrorOptions;

  constructor(code: ErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(detail);
    this.code = code;
    this.options = options;
  }

  /** Every code that can reach REST has a status in the catalogue. */
  get status(): number {
    const entry: { status?: number } = ERRORS[this.code];
    return entry.status ?? 500;
  }

  body(requestId: string): string {
    const problem: Problem = {
      type: `/docs#error-${this.code}`,
      title: ERRORS[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      request_id: requestId,
      ...(this.options.errors && { errors: this.options.errors }),
    };
    return JSON.stringify(problem);
  }
}
