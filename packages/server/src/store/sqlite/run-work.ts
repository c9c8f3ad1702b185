// Runs shared work on SQLite: statements at once, a transaction without giving way to other work.
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import type { SharedWork, SqlStatement, WorkRunner } from '../sql/shared-work.ts';
import { withFileErrors } from './errors.ts';

export function sqliteRunner(database: Database): WorkRunner {
  const texts = new Map<string, string>();
  const textOf = ({ text, columns }: SqlStatement): string => {
    let adapted = texts.get(text);
    if (adapted === undefined) {
      const record = Object.keys(columns ?? {}).map((name, index) => `?${index + 1} AS "${name}"`);
      adapted = text
        .replace(/\$(\d+)/g, '?$1')
        .replace('{records}', `(SELECT ${record.join(', ')}) AS r`)
        .replace(/\{(locked|free)\}/, '');
      texts.set(text, adapted);
    }
    return adapted;
  };
  const execute = (statement: SqlStatement): unknown[] => {
    const query = database.query<unknown, SQLQueryBindings[]>(textOf(statement));
    const { values, columns, records } = statement;
    if (!records || !columns) return query.all(...values);
    const names = Object.keys(columns);
    const found: unknown[] = [];
    for (const record of records) for (const row of query.all(...names.map((name) => record[name]!))) found.push(row);
    return found;
  };
  const finish = <T>(work: SharedWork<T>): T => {
    let step = work.next([]);
    while (!step.done) step = work.next(execute(step.value));
    return step.value;
  };
  const { synchronous } = database.query<{ synchronous: number }, []>('PRAGMA synchronous').get()!;
  const transact = <T>(work: () => SharedWork<T>): T =>
    withFileErrors(database.filename, () => database.transaction(() => finish(work())).immediate());
  return {
    database: 'sqlite',
    read: async (work) => withFileErrors(database.filename, () => finish(work())),
    async share(work) {
      database.run('PRAGMA synchronous = NORMAL');
      try {
        return transact(work);
      } finally {
        database.run(`PRAGMA synchronous = ${synchronous}`);
      }
    },
    write: async (work) => transact(work),
  };
}
