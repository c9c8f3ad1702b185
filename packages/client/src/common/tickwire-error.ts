// The error that REST calls and streams throw, whether the service rejected the request or never responded.
import type { ErrorCode, Problem } from './contract.ts';

/** Error codes of the service, plus three of the client: no connection, no response in time, or an unreadable response. */
export type FailureCode = ErrorCode | 'network' | 'timeout' | 'unexpected_response';

/** What a {@link TickwireError} is made of. */
export interface TickwireErrorOptions {
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** What went wrong. */
  readonly code: FailureCode;
  /** Explanation for people. */
  readonly detail: string;
  /** Id of the request in the service's log. Default `null`. */
  readonly requestId?: string | null;
  /** Seconds to wait before a retry. Default `null`. */
  readonly retryAfterSeconds?: number | null;
  /** Rejected parameters. Default none. */
  readonly errors?: NonNullable<Problem['errors']>;
  /** The underlying error, if there is one. */
  readonly cause?: unknown;
}

/**
 * The error of every failed call and of every stream that the service ended.
 * @example
 * try {
 *   await client.quote('NOSUCH');
 * } catch (error) {
 *   if (!(error instanceof TickwireError)) throw error;
 *   console.log(error.status, error.code, error.detail); // 404 symbol_not_found …
 * }
 */
export class TickwireError extends Error {
  /** Always `TickwireError`. */
  override readonly name = 'TickwireError';
  /** HTTP status; 0 if there was no response, or if the error comes from a stream. */
  readonly status: number;
  /** What went wrong: a code of the service, or `network`, `timeout` or `unexpected_response`. */
  readonly code: FailureCode;
  /** Explanation for people. */
  readonly detail: string;
  /** Id of the request in the service's log; `null` if unknown. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry, from `Retry-After`; `null` if the service named none. */
  readonly retryAfterSeconds: number | null;
  /** For invalid input: each rejected parameter, its value and what is allowed. Empty otherwise. */
  readonly errors: NonNullable<Problem['errors']>;

  /** Creates an error; useful in tests of code that handles one. */
  constructor(options: TickwireErrorOptions) {
    super(`${options.code}: ${options.detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.code = options.code;
    this.detail = options.detail;
    this.requestId = options.requestId ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.errors = options.errors ?? [];
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string';
}

/** Seconds from now; the header holds seconds or an HTTP date. */
function retryAfterSecondsOf(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

/** The error for a response that is not a success. A proxy may have sent a body of any kind. */
export function errorFromResponse(response: Response, text: string): TickwireError {
  const body = parsed(text);
  const retryAfterSeconds = retryAfterSecondsOf(response.headers.get('Retry-After'));
  if (!isProblem(body)) {
    const detail = `The response was ${response.status} ${response.statusText}`.trimEnd();
    return new TickwireError({ status: response.status, code: 'unexpected_response', detail, retryAfterSeconds });
  }
  return new TickwireError({
    status: response.status,
    code: body.code,
    detail: body.detail ?? body.title ?? '',
    requestId: body.request_id ?? null,
    retryAfterSeconds,
    ...(Array.isArray(body.errors) ? { errors: body.errors } : {}),
  });
}
