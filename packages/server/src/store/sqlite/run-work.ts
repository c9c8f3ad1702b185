// Runs shared work on SQLite: statements at once, a transaction without giving way to other work.
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import type { SharedWork, SqlStatement, WorkRunner } from '../sql/shared-work.ts';
import { withFileErrors } from './errors.ts';

export function sqliteRunner(database: Database): WorkRunner {
  const texts = new Map<string, string>();
  const textOf = (statement: SqlStatement): string => {
    let adapted = texts.get(statement.text);
    if (adapted === undefined) {
      adapted = adaptedText(statement);
      texts.set(statement.text, adapted);
    }
    return adapted;
  };
  const execute = (statement: SqlStatement): unknown => {
    const query = database.query<unknown, SQLQueryBindings[]>(textOf(statement));
    const { values, columns, records, counted } = statement;
    const bound: SQLQueryBindings[] = [...values];
    if (!records || !columns) return counted ? query.run(...bound).changes : query.all(...bound);
    // Binds the elements of the array, which the types of Bun do not know. Passing each one would take a fifth more time.
    const all = bound as unknown as SQLQueryBindings;
    const names = Object.keys(columns);
    const found: unknown[] = [];
    let changes = 0;
    for (const record of records) {
      for (let index = 0; index < names.length; index++) bound[values.length + index] = record[names[index]!]!;
      if (counted) changes += query.run(all).changes;
      else for (const row of query.all(all)) found.push(row);
    }
    return counted ? changes : found;
  };
  const finish = <T>(work: SharedWork<T>): T => {
    let step = work.next();
    while (!step.done) step = work.next(execute(step.value));
    return step.value;
  };
  const { synchronous } = database.query<{ synchronous: number }, []>('PRAGMA synchronous').get()!;
  const transact = <T>(work: () => SharedWork<T>): T =>
    withFileErrors(database.filename, () => database.transaction(() => finish(work())).immediate());
  return {
    database: 'sqlite',
    read: async (work) => withFileErrors(database.filename, () => finish(work())),
    snapshot: async (work) =>
      withFileErrors(database.filename, () => database.transaction(() => finish(work())).deferred()),
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

/**
 * Columns of records are parameters after the values: `r.name` becomes ?1. A record is inserted with VALUES: after INSERT …
 * SELECT, SQLite would look for rows that refer to the new one.
 */
function adaptedText({ text, values, columns }: SqlStatement): string {
  const plain = text.replace(/\{(locked|free)\}/, '').replace(/\$(\d+)/g, '?$1');
  if (!columns) return plain;
  const names = Object.keys(columns);
  return plain
    .replace(/SELECT ([^()]*) FROM \{records\} WHERE true(?! ORDER)/, 'VALUES ($1)')
    .replace(/(, |\bFROM )\{records\}/, '')
    .replace('{each}', '')
    .replace(/\br\.(?:"(\w+)"|(\w+))/g, (_, quoted, word) => `?${values.length + names.indexOf(quoted ?? word) + 1}`);
}
