// The API keys of the calling account. These calls need a session, or a key with the scope `admin`.
import type { IssuedKey, KeyInfo, KeyList, KeyRotation } from '../common/contract.ts';
import type { NewKey } from './account-options.ts';
import {
  type CallOptions,
  get,
  jsonBody,
  type PostOptions,
  postIdempotent,
  postOnce,
  type RestConfig,
} from './request.ts';

const keyPath = (id: string): string => `/api/keys/${encodeURIComponent(id)}`;

/** API keys of the calling account, available as `client.keys`. Needs a session, or a key with the scope `admin`. */
export class KeysApi {
  readonly #rest: RestConfig;

  /** Created by {@link TickwireClient}. */
  constructor(rest: RestConfig) {
    this.#rest = rest;
  }

  /**
   * All keys of the account, without their secrets.
   * @example const { items } = await client.keys.list();
   */
  list(call?: CallOptions): Promise<KeyList> {
    return get(this.#rest, '/api/keys', {}, call);
  }

  /**
   * Creates a key. Only this response contains the secret. Safe to repeat: a lost response creates no second key.
   * @example const { key } = await client.keys.create({ name: 'bot', scopes: ['read'], expires_days: 90 });
   */
  create(request: NewKey, options?: PostOptions): Promise<IssuedKey> {
    return postIdempotent(this.#rest, '/api/keys', jsonBody(request), options);
  }

  /**
   * Creates a replacement for a key. The old key stays valid for `overlap_hours`.
   * @example const { key } = await client.keys.rotate('tw_1a2b', { overlap_hours: 24 });
   */
  rotate(id: string, request: KeyRotation, options?: PostOptions): Promise<IssuedKey> {
    return postIdempotent(this.#rest, `${keyPath(id)}/rotate`, jsonBody(request), options);
  }

  /**
   * Revokes a key immediately. Its streams close within a second.
   * @example await client.keys.revoke('tw_1a2b');
   */
  revoke(id: string, call?: CallOptions): Promise<KeyInfo> {
    return postOnce(this.#rest, `${keyPath(id)}/revoke`, null, call);
  }
}
