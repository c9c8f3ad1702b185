// Idempotency-Key: repeating a request within 24 hours returns the first response; a different request with the same key
// gets a 409. Responses are stored after the work. (Publishing a signal stores its key in the same transaction instead.)
// Only the newest keys of an account are kept, so that it cannot fill the store.
import { MAX_IDEMPOTENCY_KEY } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { AccessStore, IdempotentResponse } from '../store/store.ts';
import { LruMap } from '../work/lru-map.ts';

export const IDEMPOTENCY_TTL_MS = DAY_MS;
/** Keys kept for each account. */
const MAX_KEYS = 10_000;
/** Bounds memory. The account with the oldest count is forgotten first. */
const MAX_ACCOUNTS = 20_000;
/** Stored in place of a response: the work was started and its outcome is unknown, or it was rejected. */
const STARTED = 'begun';
const REJECTED = 'refused';

/** The Idempotency-Key of a request, or `null` if it has none. Throws a 400 if the key is not valid. */
export function idempotencyKey(request: Request): string | null {
  const key = request.headers.get('idempotency-key');
  if (key === null || (key.length > 0 && key.length <= MAX_IDEMPOTENCY_KEY)) return key;
  const allowed = `a string of 1 to ${MAX_IDEMPOTENCY_KEY} characters`;
  throw new ServiceError('invalid_parameter', `Idempotency-Key must be ${allowed}`, {
    errors: [{ parameter: 'Idempotency-Key', value: key.slice(0, 100), allowed }],
  });
}

export class IdempotencyCache {
  readonly #store: AccessStore;
  readonly #now: () => number;
  readonly #maxKeys: number;
  /** Keys stored since the last trim, by account. */
  readonly #untrimmed = new LruMap<number, number>(MAX_ACCOUNTS);
  /** Requests in progress. A second one with the same key waits for the first. */
  readonly #running = new Map<string, Promise<string>>();

  constructor(store: AccessStore, now: () => number, maxKeys = MAX_KEYS) {
    this.#maxKeys = maxKeys;
    this.#store = store;
    this.#now = now;
  }

  /**
   * Runs `work` once per key and returns its response. `recover` is for work that cannot be repeated: it returns the
   * response of an earlier attempt whose own response was lost, or `null` if that attempt had no effect.
   */
  async once(
    accountId: number,
    key: string,
    bodyHash: Uint8Array,
    work: () => Promise<string>,
    recover: (() => Promise<string | null>) | null = null,
  ): Promise<string> {
    const name = `${accountId} ${key}`;
    while (this.#running.has(name)) await this.#running.get(name)!.catch(() => {});
    const response = this.#run({ accountId, key, bodyHash }, work, recover);
    this.#running.set(name, response);
    return response.finally(() => this.#running.delete(name));
  }

  /** Deletes the oldest keys of an account once it has stored a twentieth of the limit since the last time. */
  async #trim(accountId: number): Promise<void> {
    const stored = (this.#untrimmed.get(accountId) ?? 0) + 1;
    const isDue = stored > this.#maxKeys / 20;
    this.#untrimmed.set(accountId, isDue ? 0 : stored);
    // The work is done and its response is stored. If this fails, the next trim deletes more.
    if (isDue) await this.#store.trimResponses(accountId, this.#maxKeys).catch(() => {});
  }

  async #run(
    request: Omit<IdempotentResponse, 'response' | 'at'>,
    work: () => Promise<string>,
    recover: (() => Promise<string | null>) | null,
  ): Promise<string> {
    const { accountId, key, bodyHash } = request;
    const earlier = await withStoreErrors(() =>
      this.#store.idempotentResponse(accountId, key, this.#now() - IDEMPOTENCY_TTL_MS),
    );
    if (earlier && Buffer.compare(earlier.bodyHash, bodyHash) !== 0)
      throw new ServiceError('idempotency_conflict', 'Idempotency-Key used for another request. Use a new one.');
    if (earlier && earlier.response !== STARTED && earlier.response !== REJECTED) return earlier.response;
    const remember = async (response: string): Promise<string> => {
      await withStoreErrors(() => this.#store.rememberResponse({ ...request, response, at: Math.floor(this.#now()) }));
      await this.#trim(accountId);
      return response;
    };
    const recoverEarlier = async (): Promise<string | null> =>
      recover && earlier?.response === STARTED ? await recover() : null;
    const recovered = await recoverEarlier();
    if (recovered !== null) return remember(recovered);
    if (recover) await remember(STARTED);
    try {
      return await remember(await work());
    } catch (error) {
      // The earlier attempt may have completed in the meantime.
      const late = await recoverEarlier();
      if (late !== null) return remember(late);
      // A rejected attempt had no effect, so a retry must not recover the effect of someone else's request. If the store
      // failed, the outcome is unknown.
      if (recover && error instanceof ServiceError && error.code !== 'store_unavailable')
        await remember(REJECTED).catch(() => {});
      throw error;
    }
  }
}
