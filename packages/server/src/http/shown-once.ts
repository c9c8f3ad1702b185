// Idempotency of what makes a secret. Secrets are not stored, so a repeated request gets the whole first answer only from
// memory; after a restart it gets the answer without the secret, and still nothing is made twice.
import { createHash } from 'node:crypto';
import { type Answered, idempotencyKey, REMEMBERED_MS } from './idempotency.ts';

const MAX_KEPT = 1_000;

/** An answer, and what of it may be written down. */
export interface Shown {
  readonly whole: object;
  readonly kept: object;
}

export class ShownOnce {
  readonly #answered: Answered;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #whole = new Map<string, { readonly answer: string; readonly at: number }>();

  constructor(answered: Answered, now: () => number) {
    this.#answered = answered;
    this.#now = now;
  }

  /** `body` is what a repetition must have, too. */
  async once(request: Request, accountId: number, body: string, work: () => Promise<Shown>): Promise<string> {
    const key = idempotencyKey(request);
    if (key === null) return JSON.stringify((await work()).whole);
    const name = `${accountId} ${key}`;
    const bodyHash = createHash('sha256').update(body).digest();
    const kept = await this.#answered.once(accountId, key, bodyHash, async () => {
      const shown = await work();
      this.#keep(name, JSON.stringify(shown.whole));
      return JSON.stringify(shown.kept);
    });
    const whole = this.#whole.get(name);
    return whole && whole.at > this.#now() - REMEMBERED_MS ? whole.answer : kept;
  }

  #keep(name: string, answer: string): void {
    this.#whole.delete(name);
    this.#whole.set(name, { answer, at: this.#now() });
    if (this.#whole.size > MAX_KEPT) this.#whole.delete(this.#whole.keys().next().value!);
  }
}
