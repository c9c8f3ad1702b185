// The one error a REST call throws, whether the service refused or never answered.
import type { ErrorCode, Problem } from './contract.ts';

/** Codes of the service's catalogue, and three for answers that never came or made no sense. */
export type FailureCode = ErrorCode | 'network' | 'timeout' | 'unexpected_response';

export interface Failure {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  readonly code: FailureCode;
  readonly detail: string;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly errors?: NonNullable<Problem['errors']>;
  readonly cause?: unknown;
}

export class TickwireError extends Error {
  override readonly name = 'TickwireError';
  readonly status: number;
  readonly code: FailureCode;
  readonly detail: string;
  /** Finds the request in the service's log. */
  readonly requestId: string | null;
  /** From `Retry-After`; null where the service did not say. */
  readonly retryAfterSeconds: number | null;
  /** For bad input: each parameter, the value it had and what is allowed. */
  readonly errors: NonNullable<Problem['errors']>;

  constructor(failure: Failure) {
    super(`${failure.code}: ${failure.detail}`, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.status = failure.status;
    this.code = failure.code;
    this.detail = failure.detail;
    this.requestId = failure.requestId ?? null;
    this.retryAfterSeconds = failure.retryAfterSeconds ?? null;
    this.errors = failure.errors ?? [];
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string';
}

/** `Retry-After` is seconds or an HTTP date; both become seconds from now. */
function retryAfter(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

/** Reads the error out of an answer that was not a success. A proxy in between may have sent anything. */
export async function failureOf(response: Response): Promise<TickwireError> {
  const body: unknown = await response.json().catch(() => null);
  const retryAfterSeconds = retryAfter(response.headers.get('Retry-After'));
  if (!isProblem(body)) {
    const detail = `The answer was ${response.status} ${response.statusText}`.trimEnd();
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
