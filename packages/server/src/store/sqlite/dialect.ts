// Kysely on bun:sqlite: its SQLite dialect asks for the shape of another driver's statements.
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { SqliteDialect } from 'kysely';

export function bunSqliteDialect(database: Database): SqliteDialect {
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(sql) {
        const statement = database.query(sql);
        const bound = (parameters: readonly unknown[]): SQLQueryBindings[] => [...parameters] as SQLQueryBindings[];
        return {
          reader: statement.columnNames.length > 0,
          all: (parameters) => statement.all(...bound(parameters)),
          run: (parameters) => statement.run(...bound(parameters)),
          iterate: (parameters) => statement.iterate(...bound(parameters)) as IterableIterator<unknown>,
        };
      },
    },
  });
}
