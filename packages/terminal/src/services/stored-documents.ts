// What a person keeps on every device: layouts, drawings, watchlists, settings. Stored with the account, or in this browser for a
// visitor with an API key.
import { type RecordStorage, readRecord, storeRecord } from '../ui/stored-record.ts';

export type DocumentKind = 'layout' | 'drawings' | 'watchlist' | 'settings';

export interface StoredDocuments {
  /** `null` if there is none. Every field has to be checked: another program may have written it. */
  read(kind: DocumentKind, name: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** Replaces the document. Rejects if it could not be stored, or if another device has changed it since it was read. */
  write(kind: DocumentKind, name: string, value: object): Promise<void>;
  remove(kind: DocumentKind, name: string): Promise<void>;
  /** Names of the documents of a kind, sorted. */
  names(kind: DocumentKind): Promise<readonly string[]>;
  /** Changes that are not stored with the account yet, for the case that the page is left before they are. */
  readonly unsaved?: BrowserDocuments;
}

type BrowserStorage = RecordStorage & Pick<Storage, 'removeItem' | 'key' | 'length'>;

/** Documents of this browser. */
export class BrowserDocuments implements StoredDocuments {
  readonly #storage: BrowserStorage;
  readonly #prefix: string;

  constructor(storage: BrowserStorage, prefix = 'tickwire.documents') {
    this.#storage = storage;
    this.#prefix = prefix;
  }

  async read(kind: DocumentKind, name: string): Promise<Readonly<Record<string, unknown>> | null> {
    const key = this.#keyOf(kind, name);
    return this.#storage.getItem(key) === null ? null : readRecord(this.#storage, key);
  }

  async write(kind: DocumentKind, name: string, value: object): Promise<void> {
    if (!storeRecord(this.#storage, this.#keyOf(kind, name), value))
      throw new Error('This browser stores nothing more.');
  }

  async remove(kind: DocumentKind, name: string): Promise<void> {
    this.#storage.removeItem(this.#keyOf(kind, name));
  }

  async names(kind: DocumentKind): Promise<readonly string[]> {
    const prefix = this.#keyOf(kind, '');
    return Array.from({ length: this.#storage.length }, (_, at) => this.#storage.key(at) ?? '')
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length))
      .sort();
  }

  #keyOf(kind: DocumentKind, name: string): string {
    return `${this.#prefix}.${kind}.${name}`;
  }
}
