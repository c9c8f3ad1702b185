// What a close of the service means for its stream. The type holds the table to the contract's own: a code added there with
// `reconnect: false` fails the build here until it is listed.
import type { ErrorCode, FinalCloseCode } from './contract.ts';

const FINAL_CODES = {
  1009: 'message_too_large',
  4400: 'bad_messages',
  4401: 'invalid_key',
  4408: 'missing_key',
  4413: 'message_too_large',
} as const satisfies Record<FinalCloseCode, ErrorCode>;

/** The account has as many streams as it may have, or says too much: coming back at once would be refused again. */
const CROWDED = 4429;
const CROWDED_WAIT_MS = 2_000;

/** Anything else, unknown codes and a lost network (1006) included, is worth another attempt. */
export function mayReconnect(code: number): boolean {
  return !Object.hasOwn(FINAL_CODES, code);
}

/** The error of the catalogue that a final close stands for, where the service did not name one. */
export function errorOf(code: number): ErrorCode {
  return FINAL_CODES[code as FinalCloseCode] ?? 'internal';
}

/** Milliseconds to wait at least before the next attempt. */
export function leastWaitMs(code: number): number {
  return code === CROWDED ? CROWDED_WAIT_MS : 0;
}
