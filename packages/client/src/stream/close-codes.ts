// What the close codes of the service mean for a stream. The type ties the table to the contract: a new code with
// `reconnect: false` fails the type check here until it is listed.
import type { ErrorCode, FinalCloseCode } from '../common/contract.ts';

const FINAL_CODES = {
  1009: 'message_too_large',
  4400: 'bad_messages',
  4401: 'invalid_key',
  4408: 'missing_key',
  4413: 'message_too_large',
} as const satisfies Record<FinalCloseCode, ErrorCode>;

/** The account has reached its stream limit or sends too many messages; an immediate retry would be rejected again. */
const LIMIT_REACHED = 4429;
const LIMIT_REACHED_WAIT_MS = 2_000;

/** Any other code, including unknown ones and a lost connection (1006), is worth a retry. */
export function mayReconnect(code: number): boolean {
  return !Object.hasOwn(FINAL_CODES, code);
}

/** The error code that a final close stands for if the service sent none. */
export function errorCodeOf(code: number): ErrorCode {
  return FINAL_CODES[code as FinalCloseCode] ?? 'internal';
}

/** Minimum milliseconds to wait before the next attempt. */
export function minimumWaitMs(code: number): number {
  return code === LIMIT_REACHED ? LIMIT_REACHED_WAIT_MS : 0;
}
