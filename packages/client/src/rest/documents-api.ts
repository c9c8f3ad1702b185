// Documents of the account: what a page stores for a person, so that every device has it.
import type { AccountDocument, DocumentInfo, DocumentKind, DocumentList } from '../common/contract.ts';
import type { DocumentListOptions, DocumentPutOptions } from './account-options.ts';
import { type CallOptions, get, jsonBody, putOnce, type RestConfig, remove } from './request.ts';

const pathOf = (kind: DocumentKind, name: string): string =>
  `/api/account/documents/${encodeURIComponent(kind)}/${encodeURIComponent(name)}`;

/** Documents of the account, available as `client.account.documents`. They need a session, not a key. */
export class DocumentsApi {
  readonly #rest: RestConfig;

  /** Created by {@link TickwireClient}. */
  constructor(rest: RestConfig) {
    this.#rest = rest;
  }

  /**
   * The documents of one kind with their values, or of all kinds without them.
   * @example const { items } = await client.account.documents.list({ kind: 'layout' });
   */
  list({ kind, values, ...call }: DocumentListOptions & CallOptions = {}): Promise<DocumentList> {
    return get(this.#rest, '/api/account/documents', { kind, values }, call);
  }

  /**
   * One document. The error `document_not_found` says that there is none.
   * @example const { value, revision } = await client.account.documents.get('layout', 'scalper');
   */
  get(kind: DocumentKind, name: string, call?: CallOptions): Promise<AccountDocument> {
    return get(this.#rest, pathOf(kind, name), {}, call);
  }

  /**
   * Creates a document, or replaces the revision that the change is based on. If another device has changed it since, the call
   * fails with `document_conflict`, and nothing changes.
   * @example const { revision } = await client.account.documents.put('layout', 'scalper', { value: { charts: 2 }, revision: 3 });
   */
  put(kind: DocumentKind, name: string, change: DocumentPutOptions, call?: CallOptions): Promise<DocumentInfo> {
    return putOnce(this.#rest, pathOf(kind, name), jsonBody(change), call);
  }

  /**
   * Deletes a document, whatever its revision.
   * @example await client.account.documents.remove('layout', 'scalper');
   */
  remove(kind: DocumentKind, name: string, call?: CallOptions): Promise<DocumentInfo> {
    return remove(this.#rest, pathOf(kind, name), call);
  }
}
