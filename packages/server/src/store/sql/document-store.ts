// DocumentStore in SQL that both SQLite and PostgreSQL understand.
import { DocumentLimitError, type DocumentRecord, type DocumentStore } from '../document-store.ts';
import type { AccessTables } from './access-tables.ts';
import type { Work } from './work.ts';

const INFO = ['kind', 'name', 'revision', 'updated_at'] as const;

type InfoRow = Pick<AccessTables['documents'], (typeof INFO)[number]>;

const recordOf = ({ kind, name, revision, updated_at }: InfoRow, value: string | null): DocumentRecord => ({
  kind,
  name,
  revision,
  updatedAt: updated_at,
  value,
});

export function createDocumentStore(run: Work, inTransaction: Work): DocumentStore {
  return {
    documents: (accountId, kind, values) =>
      run(async (tables) => {
        let query = tables.selectFrom('documents').where('account_id', '=', accountId).orderBy('kind').orderBy('name');
        if (kind !== null) query = query.where('kind', '=', kind);
        if (!values) return (await query.select(INFO).execute()).map((row) => recordOf(row, null));
        return (await query.select([...INFO, 'value']).execute()).map((row) => recordOf(row, row.value));
      }),
    document: (accountId, kind, name) =>
      run(async (tables) => {
        const row = await tables
          .selectFrom('documents')
          .select([...INFO, 'value'])
          .where('account_id', '=', accountId)
          .where('kind', '=', kind)
          .where('name', '=', name)
          .executeTakeFirst();
        return row && recordOf(row, row.value);
      }),
    putDocument: ({ accountId, kind, name, base, value, bytes, at, limits }) =>
      inTransaction(async (tables) => {
        const content = { revision: base + 1, updated_at: at, bytes, value };
        const row =
          base === 0
            ? await tables
                .insertInto('documents')
                .values({ account_id: accountId, kind, name, ...content })
                .onConflict((conflict) => conflict.columns(['account_id', 'kind', 'name']).doNothing())
                .returning('revision')
                .executeTakeFirst()
            : await tables
                .updateTable('documents')
                .set(content)
                .where('account_id', '=', accountId)
                .where('kind', '=', kind)
                .where('name', '=', name)
                .where('revision', '=', base)
                .returning('revision')
                .executeTakeFirst();
        if (!row) {
          const current = await tables
            .selectFrom('documents')
            .select('revision')
            .where('account_id', '=', accountId)
            .where('kind', '=', kind)
            .where('name', '=', name)
            .executeTakeFirst();
          return { conflict: current?.revision ?? 0 };
        }
        const total = await tables
          .selectFrom('documents')
          .select(({ fn }) => [fn.countAll<number>().as('documents'), fn.sum<number>('bytes').as('bytes')])
          .where('account_id', '=', accountId)
          .executeTakeFirstOrThrow();
        const [documents, all] = [Number(total.documents), Number(total.bytes)];
        if (documents > limits.documents || all > limits.bytes) throw new DocumentLimitError(documents, all);
        return row;
      }),
    deleteDocument: (accountId, kind, name) =>
      run(async (tables) => {
        const row = await tables
          .deleteFrom('documents')
          .where('account_id', '=', accountId)
          .where('kind', '=', kind)
          .where('name', '=', name)
          .returning(INFO)
          .executeTakeFirst();
        return row && recordOf(row, null);
      }),
  };
}
