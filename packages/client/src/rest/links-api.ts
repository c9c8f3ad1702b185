// The data links of the calling account. These calls need a session, or a key with the scope `admin`.
import type { DataLink, DataLinkList, IssuedDataLink } from '../common/contract.ts';
import type { NewDataLink } from './account-options.ts';
import {
  type CallOptions,
  get,
  jsonBody,
  type PostOptions,
  postIdempotent,
  postOnce,
  type RestConfig,
} from './request.ts';

/** Data links of the calling account, available as `client.links`. Needs a session, or a key with the scope `admin`. */
export class LinksApi {
  readonly #rest: RestConfig;

  /** Created by {@link TickwireClient}. */
  constructor(rest: RestConfig) {
    this.#rest = rest;
  }

  /**
   * All data links of the account, without their addresses.
   * @example const { items } = await client.links.list();
   */
  list(call?: CallOptions): Promise<DataLinkList> {
    return get(this.#rest, '/api/links', {}, call);
  }

  /**
   * Creates an address that reads one path without a key, for spreadsheets and charting libraries. Only this response contains it.
   * Safe to repeat: a lost response creates no second link.
   * @example const { url } = await client.links.create({ name: 'Sheet', path: '/api/bars/EURUSD?interval=1d&format=csv' });
   */
  create(request: NewDataLink, options?: PostOptions): Promise<IssuedDataLink> {
    return postIdempotent(this.#rest, '/api/links', jsonBody(request), options);
  }

  /**
   * Revokes a link immediately.
   * @example await client.links.revoke('3rd9k0w7xe');
   */
  revoke(id: string, call?: CallOptions): Promise<DataLink> {
    return postOnce(this.#rest, `/api/links/${encodeURIComponent(id)}/revoke`, null, call);
  }
}
