// LogRequestStore in SQL that both SQLite and PostgreSQL understand.
import type { LogRequestStore } from '../log-request-store.ts';
import type { AccessTables } from './access-tables.ts';
import type { Work } from './work.ts';

export function createLogRequestStore(run: Work): LogRequestStore {
  return {
    addLogRequest: (realm, request, at) =>
      run(async (tables) => {
        const row = { realm, request, at, answer: null };
        const { id } = await tables
          .insertInto('log_requests')
          .values(row as AccessTables['log_requests'])
          .returning('id')
          .executeTakeFirstOrThrow();
        return Number(id);
      }),
    openLogRequests: (realm) =>
      run((tables) =>
        tables
          .selectFrom('log_requests')
          .select(['id', 'request'])
          .where('realm', '=', realm)
          .where('answer', 'is', null)
          .orderBy('id')
          .execute(),
      ),
    answerLogRequest: (id, answer, since) =>
      run(async (tables) => {
        await tables.updateTable('log_requests').set({ answer }).where('id', '=', id).execute();
        await tables.deleteFrom('log_requests').where('at', '<', since).where('answer', 'is not', null).execute();
      }),
    logRequestAnswer: (id) =>
      run(async (tables) => {
        const row = await tables.selectFrom('log_requests').select('answer').where('id', '=', id).executeTakeFirst();
        return row?.answer ?? null;
      }),
  };
}
