// Handlers of the documents of an account.
import {
  DOCUMENT_KINDS,
  DOCUMENT_LIMITS,
  DOCUMENT_NAME_RULE,
  DocumentChange,
  type DocumentInfo,
  type DocumentKind,
  type DocumentsQuery,
  isDocumentName,
  iso,
} from '@tickwire/contract';
import { ServiceError } from '../errors/service-error.ts';
import { withStoreErrors } from '../errors/store-error.ts';
import type { HandlerCall } from '../http/handler.ts';
import { readJson } from '../http/json-body.ts';
import { DocumentLimitError, type DocumentRecord, type DocumentStore } from '../store/document-store.ts';

/** The value may be sent with spaces and escapes. */
const MAX_BODY_BYTES = 2 * DOCUMENT_LIMITS.valueBytes;

/** Writing JSON takes seconds if a value is nested thousands of levels deep. */
const MAX_DEPTH = 64;

interface DocumentPlace {
  readonly kind: DocumentKind;
  readonly name: string;
}

export class DocumentHandlers {
  readonly #store: DocumentStore;
  readonly #now: () => number;

  constructor(store: DocumentStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  async list({ caller, query }: HandlerCall): Promise<string> {
    const { kind = null, values = kind !== null } = query as DocumentsQuery;
    const records = await withStoreErrors(() => this.#store.documents(caller!.account.id, kind, values));
    return `{"items":[${records.map(documentJson).join(',')}]}`;
  }

  async get({ caller, params }: HandlerCall): Promise<string> {
    const { kind, name } = placeOf(params);
    const record = await withStoreErrors(() => this.#store.document(caller!.account.id, kind, name));
    if (!record) throw notFound({ kind, name });
    return documentJson(record);
  }

  async put({ caller, params, request }: HandlerCall): Promise<string> {
    const { kind, name } = placeOf(params);
    const { value, revision: base = 0 } = (await readJson(request, DocumentChange, MAX_BODY_BYTES)).value;
    const { text, bytes } = serialized(value);
    const { documents, bytes: allBytes } = DOCUMENT_LIMITS;
    const at = Math.floor(this.#now());
    const written = await withStoreErrors(async () => {
      try {
        const limits = { documents, bytes: allBytes };
        const { id: accountId } = caller!.account;
        return await this.#store.putDocument({ accountId, kind, name, base, value: text, bytes, at, limits });
      } catch (error) {
        if (error instanceof DocumentLimitError) throw tooMany(error);
        throw error;
      }
    });
    if ('conflict' in written) throw conflict({ kind, name }, base, written.conflict);
    return JSON.stringify(infoOf({ kind, name, revision: written.revision, updatedAt: at }));
  }

  async remove({ caller, params }: HandlerCall): Promise<string> {
    const { kind, name } = placeOf(params);
    const record = await withStoreErrors(() => this.#store.deleteDocument(caller!.account.id, kind, name));
    if (!record) throw notFound({ kind, name });
    return JSON.stringify(infoOf(record));
  }
}

/** Names are compared in their composed form (NFC): `é` may be typed as one character or as two. */
function placeOf({ kind = '', document = '' }: Readonly<Record<string, string>>): DocumentPlace {
  const name = document.normalize('NFC');
  const known = DOCUMENT_KINDS.find((each) => each === kind);
  if (!known) throw invalid('kind', kind, `one of ${DOCUMENT_KINDS.join(', ')}`);
  if (!isDocumentName(name)) throw invalid('document', name, DOCUMENT_NAME_RULE);
  return { kind: known, name };
}

function serialized(value: DocumentChange['value']): { readonly text: string; readonly bytes: number } {
  if (isDeeper(value, MAX_DEPTH)) throw invalid('value', null, `a JSON object of at most ${MAX_DEPTH} levels`);
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (bytes <= DOCUMENT_LIMITS.valueBytes) return { text, bytes };
  const detail = `The value of a document may have at most 64 KiB as JSON; this one has ${Math.ceil(bytes / 1024)} KiB.`;
  throw new ServiceError('payload_too_large', detail);
}

function infoOf({ kind, name, revision, updatedAt }: Omit<DocumentRecord, 'value'>): DocumentInfo {
  return { kind: kind as DocumentKind, name, revision, updated: iso(updatedAt) };
}

/** The stored value is JSON already. */
function documentJson(record: DocumentRecord): string {
  const info = JSON.stringify(infoOf(record));
  return record.value === null ? info : `${info.slice(0, -1)},"value":${record.value}}`;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

const invalid = (parameter: string, value: string | null, allowed: string): ServiceError =>
  new ServiceError('invalid_parameter', `${parameter} must be ${allowed}`, {
    errors: [{ parameter, value: value?.slice(0, 100) ?? null, allowed }],
  });

const notFound = ({ kind, name }: DocumentPlace): ServiceError =>
  new ServiceError('document_not_found', `Your account has no document ${JSON.stringify(name)} of the kind ${kind}.`);

function conflict({ kind, name }: DocumentPlace, base: number, current: number): ServiceError {
  const is = current === 0 ? 'does not exist' : `has revision ${current}`;
  const based = base === 0 ? 'a document that does not exist yet' : `revision ${base}`;
  const detail = `The document ${JSON.stringify(name)} of the kind ${kind} ${is}, and the change is based on ${based}.`;
  return new ServiceError('document_conflict', detail);
}

const tooMany = ({ documents }: DocumentLimitError): ServiceError =>
  new ServiceError(
    'too_many_documents',
    documents > DOCUMENT_LIMITS.documents
      ? `An account may have ${DOCUMENT_LIMITS.documents} documents. Delete some first.`
      : 'The documents of an account may have 4 MiB together. Delete some first.',
  );
