// A service error as an HTTP response: RFC 9457 problem details, with status and headers.
import { ERRORS, type ErrorCode, type Problem } from '@tickwire/contract';
import { ServiceError } from '../errors/service-error.ts';

/** The HTTP status of an error code. Every code that REST uses has one in the catalogue. */
export function statusOf(code: ErrorCode): number {
  const entry: { status?: number } = ERRORS[code];
  return entry.status ?? 500;
}

/** `isUdf`: for a TradingView chart, which looks for `s` and `errmsg`. */
export function problemBody({ code, message, options }: ServiceError, requestId: string, isUdf: boolean): string {
  const problem: Problem = {
    type: `/docs#error-${code}`,
    title: ERRORS[code].title,
    status: statusOf(code),
    detail: message,
    code,
    request_id: requestId,
    ...(options.errors && { errors: options.errors }),
    ...(isUdf && { s: 'error' as const, errmsg: message }),
  };
  return JSON.stringify(problem);
}

export function problemHeaders({ options: { headers, retryAfterSeconds } }: ServiceError): Record<string, string> {
  return {
    ...headers,
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
  };
}

export const READ_METHODS = 'GET, HEAD';
export const READ = `${READ_METHODS}, OPTIONS`;
export const READ_AND_SUBMIT = `${READ_METHODS}, POST, OPTIONS`;

export const notAllowed = ({ method }: Request, allowed: string): ServiceError =>
  new ServiceError('method_not_allowed', `This path does not support ${method.slice(0, 20)}. Use ${allowed}.`, {
    headers: { Allow: allowed },
  });
