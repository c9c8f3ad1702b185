// Links in mails that end the messages to a destination, without signing in. A link contains the destination and a code that
// only the service can compute, so that nobody can unsubscribe others by guessing ids.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const CODE_BYTES = 16;
const TOKEN = /^([\w-]{1,64})\.([\w-]{22})$/;

/** `key`: a secret of the service, such as the one that encrypts destinations. Another key is derived from it. */
export function unsubscribeToken(key: Uint8Array, destination: string): string {
  return `${destination}.${codeOf(key, destination).toString('base64url')}`;
}

/** The destination of a token; `null` if the token is not valid. */
export function readUnsubscribeToken(key: Uint8Array, token: string): string | null {
  const [, destination, code] = TOKEN.exec(token) ?? [];
  if (destination === undefined || code === undefined) return null;
  const given = Buffer.from(code, 'base64url');
  return given.length === CODE_BYTES && timingSafeEqual(given, codeOf(key, destination)) ? destination : null;
}

/** `base`: address of the service. */
export const unsubscribeUrl = (base: string, token: string): string =>
  `${base.replace(/\/$/, '')}/unsubscribe/${token}`;

function codeOf(key: Uint8Array, destination: string): Buffer {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'tickwire unsubscribe', 32));
  return createHmac('sha256', derived).update(destination).digest().subarray(0, CODE_BYTES);
}
