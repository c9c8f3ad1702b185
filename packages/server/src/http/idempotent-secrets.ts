// Idempotency for requests that create a secret. Secrets are not stored: a repeated request gets the full first response
// from memory, or after a restart the response without the secret. Nothing is created twice.
import { sha256 } from '../ops/sha256.ts';
import { LruMap } from '../work/lru-map.ts';
import { IDEMPOTENCY_TTL_MS, type IdempotencyCache, idempotencyKey } from './idempotency-cache.ts';

const MAX_CACHED = 2_000;

/** A response with a secret, and the form without it, which may be stored. */
export interface SecretResponse {
  readonly full: object;
  readonly stored: object;
}

export class IdempotentSecrets {
  readonly #cache: IdempotencyCache;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #full = new LruMap<string, { readonly response: string; readonly at: number }>(MAX_CACHED);

  constructor(cache: IdempotencyCache, now: () => number) {
    this.#cache = cache;
    this.#now = now;
  }

  /** `body`: what a repeated request must have in common with the first. */
  async once(request: Request, accountId: number, body: string, work: () => Promise<SecretResponse>): Promise<string> {
    const key = idempotencyKey(request);
    if (key === null) return JSON.stringify((await work()).full);
    const name = `${accountId} ${key}`;
    const bodyHash = sha256(body);
    const stored = await this.#cache.once(accountId, key, bodyHash, async () => {
      const response = await work();
      this.#full.set(name, { response: JSON.stringify(response.full), at: this.#now() });
      return JSON.stringify(response.stored);
    });
    const full = this.#full.get(name);
    return full && full.at > this.#now() - IDEMPOTENCY_TTL_MS ? full.response : stored;
  }
}
