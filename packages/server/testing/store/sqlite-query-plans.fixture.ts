// Records the queries of a store and returns how SQLite would execute them.
import type { Database } from 'bun:sqlite';
import { expect } from 'bun:test';

export interface RecordedDatabase {
  readonly database: Database;
  /** The query plan of each statement that `work` ran, one line per step. */
  plansOf(work: () => Promise<unknown>): Promise<string[]>;
}

export function recordQueryPlans(database: Database): RecordedDatabase {
  const queries: string[] = [];
  const recording = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (name === 'query') queries.push(String(args[0]));
        return value.apply(target, args);
      };
    },
  });
  return {
    database: recording,
    async plansOf(work) {
      queries.length = 0;
      await work();
      expect(queries.length).toBeGreaterThan(0);
      return queries.flatMap((sql) => {
        // A numbered one may occur more than once.
        const numbered = new Set(sql.match(/\?\d+/g));
        const values = [...numbered, ...sql.matchAll(/\?(?!\d)/g)].map(() => null);
        using statement = database.prepare<{ detail: string }, null[]>(`EXPLAIN QUERY PLAN ${sql}`);
        return statement.all(...values).map(({ detail }) => detail);
      });
    },
  };
}
