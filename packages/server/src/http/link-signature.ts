// Signatures of requests from gateways to the ingest node. A signature covers method, path, body, the forwarded caller and
// headers, the time and a random nonce. The ingest node accepts each signed request once, within WINDOW_MS of its own clock.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const CALLER_HEADER = 'x-tickwire-caller';
const TIME_HEADER = 'x-tickwire-time';
const NONCE_HEADER = 'x-tickwire-nonce';
const SIGNATURE_HEADER = 'x-tickwire-signature';
/** Headers of a client that a gateway forwards. */
export const FORWARDED_HEADERS = ['content-type', 'content-encoding', 'idempotency-key'] as const;

/** Largest difference between the clocks of a gateway and the ingest node. */
const WINDOW_MS = 30_000;
/** Bounds memory. While so many nonces are remembered, further requests are refused: 8,000 per second for a minute. */
const MAX_NONCES = 500_000;

export interface SignedParts {
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** The headers to add to a request. `headers` contains the caller. */
export function signRequest(secret: string, parts: SignedParts, now: number): Record<string, string> {
  const time = String(now);
  const nonce = randomBytes(16).toString('hex');
  const signature = signatureOf(secret, parts, time, nonce).toString('hex');
  return { [TIME_HEADER]: time, [NONCE_HEADER]: nonce, [SIGNATURE_HEADER]: signature };
}

function signatureOf(
  secret: string,
  { method, path, headers, body }: SignedParts,
  time: string,
  nonce: string,
): Buffer {
  const bodyHash = createHash('sha256')
    .update(body ?? '')
    .digest('hex');
  const signed = [CALLER_HEADER, ...FORWARDED_HEADERS].map((name) => headers[name] ?? null);
  return createHmac('sha256', secret)
    .update(JSON.stringify([method, path, bodyHash, time, nonce, ...signed]))
    .digest();
}

/** Checks signed requests on the ingest node. */
export class SignatureVerifier {
  readonly #secret: string;
  readonly #now: () => number;
  readonly #maxNonces: number;
  /** When each nonce is forgotten, oldest first. */
  readonly #nonces = new Map<string, number>();

  constructor(secret: string, now: () => number, maxNonces = MAX_NONCES) {
    this.#secret = secret;
    this.#now = now;
    this.#maxNonces = maxNonces;
  }

  /** Why a request is refused; `null` if it is accepted, which it is only once. */
  refusal(request: Request, body: Uint8Array | null): string | null {
    const value = (name: string): string => request.headers.get(name) ?? '';
    const { pathname, search } = new URL(request.url);
    const names = [CALLER_HEADER, ...FORWARDED_HEADERS].filter((name) => request.headers.has(name));
    const headers = Object.fromEntries(names.map((name) => [name, value(name)]));
    const parts = { method: request.method, path: pathname + search, headers, body };
    const [time, nonce] = [value(TIME_HEADER), value(NONCE_HEADER)];
    const expected = signatureOf(this.#secret, parts, time, nonce);
    const given = Buffer.from(value(SIGNATURE_HEADER), 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'the signature is wrong';
    const now = this.#now();
    if (!(Math.abs(now - Number(time)) <= WINDOW_MS))
      return `the clocks of gateway and ingest node differ by more than ${WINDOW_MS / 1000} s`;
    return this.#remember(nonce, now);
  }

  #remember(nonce: string, now: number): string | null {
    for (const [known, until] of this.#nonces) {
      if (until > now) break;
      this.#nonces.delete(known);
    }
    if (this.#nonces.has(nonce)) return 'the request was sent twice';
    if (this.#nonces.size >= this.#maxNonces) return 'too many requests';
    // A request is within the window for at most twice its length.
    this.#nonces.set(nonce, now + 2 * WINDOW_MS);
    return null;
  }
}
