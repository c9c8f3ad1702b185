// Turns HTTP answers into outcomes of an attempt. Reasons are shown to the user: they contain no body of the answer, because
// the user chose the address and must not read the network of the service through it.
import { HOUR_MS } from '@tickwire/engine';
import { retryAfterMs } from '../../ops/retry-after.ts';
import type { SendResult } from '../channel.ts';
import type { HttpAnswer } from '../outgoing-http.ts';

/** Longest wait that a destination can ask for. */
const MAX_WAIT_MS = HOUR_MS;

export const DELIVERED: SendResult = { result: 'delivered' };

export const rejected = (reason: string): SendResult => ({ result: 'rejected', reason });

/** The destination is gone or does not want messages. */
export const gone = (reason: string): SendResult => ({ result: 'rejected', reason, unsubscribe: true });

/** `waitMs`: what the destination asked for, if it did. */
export const retry = (reason: string, waitMs?: number | null): SendResult =>
  typeof waitMs === 'number' && Number.isFinite(waitMs) && waitMs > 0
    ? { result: 'retry', reason, afterMs: Math.min(Math.ceil(waitMs), MAX_WAIT_MS) }
    : { result: 'retry', reason };

/** The outcome if the status alone does not decide. */
export function failedResult(answer: HttpAnswer): SendResult {
  if (answer.kind === 'refused') return rejected(answer.reason);
  if (answer.kind === 'failed') return retry(answer.reason);
  const { status, headers } = answer;
  const reason = status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`;
  const result = retry(reason, retryAfterMs(headers.get('retry-after')));
  return status < 500 ? reached(result) : result;
}

/** The host of a destination answered, so that others can be reached there. One that asks to wait says so as well. */
export const reached = (result: SendResult): SendResult =>
  result.result === 'retry' && result.afterMs === undefined ? { ...result, reached: true } : result;

export const isSuccess = (answer: HttpAnswer): boolean =>
  answer.kind === 'answer' && answer.status >= 200 && answer.status < 300;

export const statusOf = (answer: HttpAnswer): number | null => (answer.kind === 'answer' ? answer.status : null);

/** The JSON object of an answer; empty if it is none. */
export function jsonOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
