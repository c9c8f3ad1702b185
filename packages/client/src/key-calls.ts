// The API keys of the account that calls: from a signed-in session, or with a key that has the scope `admin`.
import type { IssuedKey, KeyInfo, KeyList, KeyRotation } from './contract.ts';
import { asJson, type CallOptions, get, type PostOptions, post, postOnce, type RestOptions } from './rest.ts';
import type { NewKey } from './wire.ts';

const keyPath = (id: string): string => `/api/keys/${encodeURIComponent(id)}`;

export class KeyCalls {
  readonly #rest: RestOptions;

  constructor(rest: RestOptions) {
    this.#rest = rest;
  }

  list(call?: CallOptions): Promise<KeyList> {
    return get(this.#rest, '/api/keys', {}, call);
  }

  /** The answer is the only one that shows the key. Sent again by itself where no answer came: that makes no second key. */
  create(request: NewKey, options?: PostOptions): Promise<IssuedKey> {
    return post(this.#rest, '/api/keys', asJson(request), options);
  }

  /** A new key in place of an old one, which stays good for `overlap_hours`. */
  rotate(id: string, request: KeyRotation, options?: PostOptions): Promise<IssuedKey> {
    return post(this.#rest, `${keyPath(id)}/rotate`, asJson(request), options);
  }

  /** Ends a key at once; its streams close within a second. */
  revoke(id: string, call?: CallOptions): Promise<KeyInfo> {
    return postOnce(this.#rest, `${keyPath(id)}/revoke`, null, call);
  }
}
