// Documents of the signed-in account, the same on every device. A change is based on the revision that was read last. If another
// device has written since, a change of drawings rejects with `document_conflict`, and the caller reads, merges and writes again.
import { type CoreClient, TickwireError } from '@tickwire/client';
import type { DocumentKind, StoredDocuments } from './stored-documents.ts';

type Api = CoreClient['account']['documents'];
const KINDS: readonly DocumentKind[] = ['layout', 'drawings', 'watchlist', 'settings'];

export const isConflict = (error: unknown): boolean =>
  error instanceof TickwireError && error.code === 'document_conflict';
const isMissing = (error: unknown): boolean => error instanceof TickwireError && error.code === 'document_not_found';

export class AccountDocuments implements StoredDocuments {
  readonly #api: Api;
  /** Revisions as last read or written; 0 for a document that does not exist. */
  readonly #revisions = new Map<string, number>();
  /** The last change of each document that is being written. */
  readonly #writing = new Map<string, Promise<void>>();
  readonly #moved: Promise<void>;

  /** `browser`: documents that were stored before the person had an account, or on an older version. They move to the account. */
  constructor(api: Api, browser?: StoredDocuments) {
    this.#api = api;
    this.#moved = browser ? this.#move(browser) : Promise.resolve();
  }

  async read(kind: DocumentKind, name: string): Promise<Readonly<Record<string, unknown>> | null> {
    await this.#moved;
    return this.#read(kind, name);
  }

  /** Changes of one document are written one after the other: each is based on the one before. */
  write(kind: DocumentKind, name: string, value: object): Promise<void> {
    const key = keyOf(kind, name);
    const written = (this.#writing.get(key) ?? this.#moved)
      .catch(() => {})
      .then(() => this.#replace(kind, name, value));
    this.#writing.set(key, written);
    return written;
  }

  async #replace(kind: DocumentKind, name: string, value: object): Promise<void> {
    const known = this.#revisions.get(keyOf(kind, name));
    // A caller that has read nothing replaces whatever there is.
    if (known === undefined) await this.#read(kind, name);
    try {
      await this.#write(kind, name, value);
    } catch (error) {
      // Drawings of two devices are merged by their owner. Of everything else the last change is valid.
      if (kind === 'drawings' || !isConflict(error)) throw error;
      await this.#read(kind, name);
      await this.#write(kind, name, value);
    }
  }

  async remove(kind: DocumentKind, name: string): Promise<void> {
    await this.#moved;
    try {
      await this.#api.remove(kind, name);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    this.#revisions.set(keyOf(kind, name), 0);
  }

  async names(kind: DocumentKind): Promise<readonly string[]> {
    await this.#moved;
    return this.#list(kind);
  }

  async #read(kind: DocumentKind, name: string): Promise<Readonly<Record<string, unknown>> | null> {
    const key = keyOf(kind, name);
    try {
      // Asking for a document that does not exist would be an error in the browser's console.
      if (!this.#revisions.get(key) && !(await this.#list(kind)).includes(name)) {
        this.#revisions.set(key, 0);
        return null;
      }
      const { value, revision } = await this.#api.get(kind, name);
      this.#revisions.set(key, revision);
      return value;
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.#revisions.set(key, 0);
      return null;
    }
  }

  async #list(kind: DocumentKind): Promise<readonly string[]> {
    const { items } = await this.#api.list({ kind, values: false });
    return items.map(({ name }) => name).sort();
  }

  async #write(kind: DocumentKind, name: string, value: object): Promise<void> {
    const key = keyOf(kind, name);
    const based = this.#revisions.get(key) ?? 0;
    try {
      const { revision } = await this.#api.put(kind, name, { value: { ...value }, revision: based });
      this.#revisions.set(key, revision);
    } catch (error) {
      // Also if no response came: the change may have been stored. A caller that does not merge replaces it the next time.
      this.#revisions.delete(key);
      throw error;
    }
  }

  /** What the account already has stays as it is. A document that cannot be moved stays in the browser, for the next time. */
  async #move(browser: StoredDocuments): Promise<void> {
    for (const kind of KINDS)
      for (const name of await browser.names(kind)) {
        try {
          const value = await browser.read(kind, name);
          if (value && (await this.#read(kind, name)) === null) await this.#write(kind, name, value);
          await browser.remove(kind, name);
        } catch {
          // The account's documents are used all the same.
        }
      }
  }
}

const keyOf = (kind: DocumentKind, name: string): string => `${kind} ${name}`;
