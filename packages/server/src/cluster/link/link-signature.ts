// Signatures of requests from gateways to the ingest node. A signature covers method, path, the hash of the body, the forwarded
// caller and headers, the time and a random nonce. The ingest node accepts each signed request once, within WINDOW_MS of its own
// clock. It checks the signature before it reads the body, so that a stranger cannot make it hold large bodies in memory.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '../../ops/sha256.ts';

export const CALLER_HEADER = 'x-tickwire-caller';
const TIME_HEADER = 'x-tickwire-time';
const NONCE_HEADER = 'x-tickwire-nonce';
const BODY_HASH_HEADER = 'x-tickwire-body-sha256';
const SIGNATURE_HEADER = 'x-tickwire-signature';
/** Headers of a client that a gateway forwards. */
export const FORWARDED_HEADERS = ['content-type', 'content-encoding', 'idempotency-key'] as const;

/** Largest difference between the clocks of a gateway and the ingest node. */
const WINDOW_MS = 30_000;
/** Bounds memory: enough for 8,000 requests per second for a minute. Beyond it, requests are refused. */
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
  const bodyHash = hashOf(parts.body);
  const signature = signatureOf(secret, { ...parts, bodyHash, time, nonce }).toString('hex');
  return {
    [TIME_HEADER]: time,
    [NONCE_HEADER]: nonce,
    [BODY_HASH_HEADER]: bodyHash,
    [SIGNATURE_HEADER]: signature,
  };
}

const hashOf = (body: Uint8Array | null): string => sha256Hex(body ?? '');

interface HashedParts extends Omit<SignedParts, 'body'> {
  readonly bodyHash: string;
  readonly time: string;
  readonly nonce: string;
}

function signatureOf(secret: string, { method, path, headers, bodyHash, time, nonce }: HashedParts): Buffer {
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
  /** The last moment at which each nonce must be known, oldest first. */
  readonly #nonces = new Map<string, number>();

  constructor(secret: string, now: () => number, maxNonces = MAX_NONCES) {
    this.#secret = secret;
    this.#now = now;
    this.#maxNonces = maxNonces;
  }

  /** Why a request is refused, whatever its body; `null` if it is accepted, which it is only once. */
  refusal(request: Request): string | null {
    const value = (name: string): string => request.headers.get(name) ?? '';
    const { pathname, search } = new URL(request.url);
    const names = [CALLER_HEADER, ...FORWARDED_HEADERS].filter((name) => request.headers.has(name));
    const headers = Object.fromEntries(names.map((name) => [name, value(name)]));
    const [time, nonce, bodyHash] = [value(TIME_HEADER), value(NONCE_HEADER), value(BODY_HASH_HEADER)];
    const parts = { method: request.method, path: pathname + search, headers, bodyHash, time, nonce };
    const expected = signatureOf(this.#secret, parts);
    const given = Buffer.from(value(SIGNATURE_HEADER), 'hex');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'the signature is wrong';
    const now = this.#now();
    if (!(Math.abs(now - Number(time)) <= WINDOW_MS))
      return `the clocks of gateway and ingest node differ by more than ${WINDOW_MS / 1000} s`;
    return this.#remember(nonce, now);
  }

  /** Whether this is the body that an accepted request was signed with. */
  hasBody(request: Request, body: Uint8Array | null): boolean {
    return request.headers.get(BODY_HASH_HEADER) === hashOf(body);
  }

  #remember(nonce: string, now: number): string | null {
    for (const [known, until] of this.#nonces) {
      if (until >= now) break;
      this.#nonces.delete(known);
    }
    if (this.#nonces.has(nonce)) return 'the request was sent twice';
    if (this.#nonces.size >= this.#maxNonces) return 'too many requests';
    // A request is within the window for at most twice its length.
    this.#nonces.set(nonce, now + 2 * WINDOW_MS);
    return null;
  }
}
