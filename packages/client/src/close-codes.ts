// Which closes end a stream for good. The type holds this table to the contract's own: a code added there with
// `reconnect: false` fails the build here until it is listed.
import type { CLOSE_CODES } from '@tickwire/contract';

type FinalCode = Extract<(typeof CLOSE_CODES)[number], { reconnect: false }>['code'];

const FINAL_CODES = {
  1009: true,
  4400: true,
  4401: true,
  4408: true,
  4413: true,
} as const satisfies Record<FinalCode, true>;

/** Anything else, unknown codes and a lost network (1006) included, is worth another attempt. */
export function mayReconnect(code: number): boolean {
  return !Object.hasOwn(FINAL_CODES, code);
}
