// Idempotency-Key: the same request again within 24 hours gets the first answer again, another request 409. For work whose
// answer is kept beside it; a publication keeps the key in the same transaction as the signal instead.
import { MAX_IDEMPOTENCY_KEY } from '@tickwire/contract';
import type { AccessStore, RememberedAnswer } from '../store/store.ts';
import { ApiError } from './api-error.ts';
import { available } from './available.ts';

export const REMEMBERED_MS = 86_400_000;
/** In place of an answer: it was begun and nobody knows what became of it, or it was refused. */
const BEGUN = 'begun';
const REFUSED = 'refused';

/** The key of a request, or null; a 400 where it is none. */
export function idempotencyKey(request: Request): string | null {
  const key = request.headers.get('idempotency-key');
  if (key === null || (key.length > 0 && key.length <= MAX_IDEMPOTENCY_KEY)) return key;
  const allowed = `a text of 1 to ${MAX_IDEMPOTENCY_KEY} characters`;
  throw new ApiError('invalid_parameter', `Idempotency-Key must be ${allowed}`, {
    errors: [{ parameter: 'Idempotency-Key', value: key.slice(0, 100), allowed }],
  });
}

export class Answered {
  readonly #store: AccessStore;
  readonly #now: () => number;
  /** Requests that are being answered: a second one with the same key waits for the first. */
  readonly #running = new Map<string, Promise<string>>();

  constructor(store: AccessStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * `found`: for work that cannot be done twice, what an attempt whose answer was lost has left behind; null where it has not.
   */
  async once(
    accountId: number,
    key: string,
    bodyHash: Uint8Array,
    work: () => Promise<string>,
    found: (() => Promise<string | null>) | null = null,
  ): Promise<string> {
    const name = `${accountId} ${key}`;
    while (this.#running.has(name)) await this.#running.get(name)!.catch(() => {});
    const answer = this.#answer({ accountId, key, bodyHash }, work, found);
    this.#running.set(name, answer);
    return answer.finally(() => this.#running.delete(name));
  }

  async #answer(
    asked: Omit<RememberedAnswer, 'answer' | 'at'>,
    work: () => Promise<string>,
    found: (() => Promise<string | null>) | null,
  ): Promise<string> {
    const { accountId, key, bodyHash } = asked;
    const before = await available(() => this.#store.answered(accountId, key, this.#now() - REMEMBERED_MS));
    if (before && Buffer.compare(before.bodyHash, bodyHash) !== 0)
      throw new ApiError('idempotency_conflict', 'This Idempotency-Key came with another request before.');
    if (before && before.answer !== BEGUN && before.answer !== REFUSED) return before.answer;
    const remember = async (answer: string): Promise<string> => {
      await available(() => this.#store.remember({ ...asked, answer, at: Math.floor(this.#now()) }));
      return answer;
    };
    const leftBehind = async (): Promise<string | null> => (found && before?.answer === BEGUN ? await found() : null);
    const left = await leftBehind();
    if (left !== null) return remember(left);
    if (found) await remember(BEGUN);
    try {
      return await remember(await work());
    } catch (error) {
      // What was begun before may have come to its end while this one waited.
      const late = await leftBehind();
      if (late !== null) return remember(late);
      // What was refused left nothing behind, and a repetition must not take what others did for its own. Of what could not
      // be stored in time that is not certain.
      if (found && error instanceof ApiError && error.code !== 'store_unavailable')
        await remember(REFUSED).catch(() => {});
      throw error;
    }
  }
}
