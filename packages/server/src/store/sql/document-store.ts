// DocumentStore in SQL that both SQLite and PostgreSQL understand.
import { DocumentLimitError, type DocumentRecord, type DocumentStore, PRACTICE_KIND } from '../document-store.ts';
import { rows, type SharedWork, type SqlValue, type WorkRunner } from './shared-work.ts';

const INFO = 'kind, name, revision, updated_at AS "updatedAt"';
const WITH_VALUE = `${INFO}, value`;
const WITHOUT_VALUE = `${INFO}, NULL AS value`;
const ONE = 'account_id = $1 AND kind = $2 AND name = $3';

export function createDocumentStore({ read, share }: WorkRunner): DocumentStore {
  return {
    documents: (accountId, kind, values) =>
      read(() => {
        const bound: SqlValue[] = [accountId];
        const ofKind = kind === null ? `AND kind <> '${PRACTICE_KIND}'` : `AND kind = $${bound.push(kind)}`;
        return rows<DocumentRecord>(
          `SELECT ${values ? WITH_VALUE : WITHOUT_VALUE} FROM documents WHERE account_id = $1 ${ofKind} ORDER BY kind, name`,
          ...bound,
        );
      }),
    document: (...place) =>
      read(function* () {
        return (yield* rows<DocumentRecord>(`SELECT ${WITH_VALUE} FROM documents WHERE ${ONE}`, ...place))[0];
      }),
    putDocument: ({ accountId, kind, name, base, value, bytes, at, limits }) =>
      share(function* () {
        const place = [accountId, kind, name] as const;
        const write =
          base === 0
            ? `INSERT INTO documents (account_id, kind, name, revision, updated_at, bytes, value)
               VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (account_id, kind, name) DO NOTHING RETURNING revision`
            : `UPDATE documents SET revision = $4, updated_at = $5, bytes = $6, value = $7
               WHERE ${ONE} AND revision = $4 - 1 RETURNING revision`;
        const [written] = yield* rows<{ revision: number }>(write, ...place, base + 1, at, bytes, value);
        if (!written) {
          const text = `SELECT revision FROM documents WHERE ${ONE}`;
          return { conflict: (yield* rows<{ revision: number }>(text, ...place))[0]?.revision ?? 0 };
        }
        const total = yield* totalOf(accountId, kind);
        if (total.documents > limits.documents || total.bytes > limits.bytes)
          throw new DocumentLimitError(total.documents, total.bytes);
        return written;
      }),
    deleteDocument: (...place) =>
      share(function* () {
        const text = `DELETE FROM documents WHERE ${ONE} RETURNING ${WITHOUT_VALUE}`;
        return (yield* rows<DocumentRecord>(text, ...place))[0];
      }),
  };
}

/** Of saved practice records, or of all other documents. */
function* totalOf(accountId: number, kind: string): SharedWork<{ documents: number; bytes: number }> {
  const counted = kind === PRACTICE_KIND ? '=' : '<>';
  const [total] = yield* rows<{ documents: number; bytes: number }>(
    `SELECT count(*) AS documents, CAST(sum(bytes) AS BIGINT) AS bytes FROM documents
     WHERE account_id = $1 AND kind ${counted} '${PRACTICE_KIND}'`,
    accountId,
  );
  return total!;
}
