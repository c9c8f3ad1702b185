// Documents of accounts: what pages store for a person. Times are milliseconds since 1970.
import { StoreError } from '../errors/store-error.ts';

/** The account would have more documents, or more bytes in them, than it may. */
export class DocumentLimitError extends StoreError {
  override name = 'DocumentLimitError';
  readonly documents: number;
  readonly bytes: number;

  /** What the account would have. */
  constructor(documents: number, bytes: number) {
    super('the account has too many documents');
    this.documents = documents;
    this.bytes = bytes;
  }
}

/** Saved records of practice signals: neither listed nor counted with the other kinds. */
export const PRACTICE_KIND = 'practice';

export interface DocumentRecord {
  readonly kind: string;
  readonly name: string;
  readonly revision: number;
  readonly updatedAt: number;
  /** JSON; `null` in a list without values. */
  readonly value: string | null;
}

export interface DocumentWrite {
  readonly accountId: number;
  readonly kind: string;
  readonly name: string;
  /** The revision to replace; 0: the document must not exist. */
  readonly base: number;
  readonly value: string;
  /** Size of the value. */
  readonly bytes: number;
  readonly at: number;
  readonly limits: { readonly documents: number; readonly bytes: number };
}

export interface DocumentStore {
  /** Of one kind, or of all but practice (`null`), by kind and name. */
  documents(accountId: number, kind: string | null, values: boolean): Promise<DocumentRecord[]>;
  document(accountId: number, kind: string, name: string): Promise<DocumentRecord | undefined>;
  /**
   * Returns the new revision, or, if another one than `base` is stored, that one as `conflict` (0: there is none) without a change.
   * Throws a DocumentLimitError without a change. Writes at the same time on several nodes may exceed the limits once.
   */
  putDocument(write: DocumentWrite): Promise<{ readonly revision: number } | { readonly conflict: number }>;
  /** Returns what was deleted, without its value. */
  deleteDocument(accountId: number, kind: string, name: string): Promise<DocumentRecord | undefined>;
}
