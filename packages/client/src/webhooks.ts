// Verifies that a webhook was sent by the service: Standard Webhooks, HMAC-SHA-256 over id, time and body. Uses WebCrypto, whose
// comparison takes the same time whether or not the signature is right. Imported as `@tickwire/client/webhooks`: a receiver needs
// nothing else of the client.
import type { WebhookMessage } from './common/contract.ts';

/** How far the time of a message may be from that of this machine, in seconds. */
const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';

/** Headers of a request: those of `fetch`, or an object with names in lower case, as in Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A webhook that did not pass: answer it with 400 and ignore its body. */
export class WebhookVerificationError extends Error {
  /** Always `WebhookVerificationError`. */
  override readonly name = 'WebhookVerificationError';
}

/**
 * Returns the message of a webhook if its signature is right and it was sent within the last five minutes; otherwise throws a
 * {@link WebhookVerificationError}. Pass the raw body: a parsed one is a TypeError. A message may arrive more than once, always with the
 * same `webhook-id`. Pass several secrets while you replace one.
 * @example const { type, data } = await verifyWebhook(await request.text(), request.headers, 'whsec_…');
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
): Promise<WebhookMessage> {
  // At run time it may be anything, such as `request.body` of a web framework that parses JSON.
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new TypeError('Pass the raw body, the text or bytes as they arrived. A parsed body cannot be verified');
  const id = headerOf(headers, 'webhook-id');
  const time = headerOf(headers, 'webhook-timestamp');
  const given = headerOf(headers, 'webhook-signature');
  if (!id || !time || !given)
    throw new WebhookVerificationError('webhook-id, webhook-timestamp or webhook-signature is missing');
  if (!/^\d{1,12}$/.test(time)) throw new WebhookVerificationError('webhook-timestamp is not a Unix time in seconds');
  if (Math.abs(Date.now() / 1_000 - Number(time)) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError('The message is more than five minutes old, or from the future');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${time}.${text}`);
  for (const each of typeof secret === 'string' ? [secret] : secret)
    if (await isSigned(signed, given, each)) return JSON.parse(text) as WebhookMessage;
  throw new WebhookVerificationError(
    'No signature matches. Pass the raw body, not one that was parsed and written again',
  );
}

/** Whether one of the signatures, `v1,base64` and separated by spaces, was made with the secret. */
async function isSigned(signed: Uint8Array<ArrayBuffer>, given: string, secret: string): Promise<boolean> {
  const bytes = decoded(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (!bytes?.length) throw new TypeError('`secret` must be the text that begins with whsec_');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const each of given.split(' ')) {
    const [version, text = ''] = each.split(',');
    const signature = version === 'v1' ? decoded(text) : null;
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
  }
  return false;
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : null;
}

/** The bytes of base64; `null` if it is not. */
function decoded(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
