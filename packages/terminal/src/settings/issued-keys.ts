// The key that was made last while the settings stay open, so that a snippet can have it in its text. Never stored.
import type { IssuedKey } from '@tickwire/client';

export interface KeyInSight {
  readonly id: string;
  readonly key: string;
  readonly scopes: readonly string[];
}

export class IssuedKeys {
  #latest: KeyInSight | null = null;

  get latest(): KeyInSight | null {
    return this.#latest;
  }

  /** The answer to a request that was sent again has no key in it any more. */
  keep({ id, key, scopes }: IssuedKey): void {
    if (key !== null) this.#latest = { id, key, scopes };
  }

  /** Its owner is done with it, or it is good no more. */
  forget(id: string): void {
    if (this.#latest?.id === id) this.#latest = null;
  }
}
