// What a store really asks its database, noted on the way, and how SQLite would go about it.
import type { Database } from 'bun:sqlite';
import { expect } from 'bun:test';

export interface NotedDatabase {
  readonly database: Database;
  /** The plan of each statement that the work asked for, a line per step. */
  plansOf(work: () => Promise<unknown>): Promise<string[]>;
}

export function notingPlans(database: Database): NotedDatabase {
  const asked: string[] = [];
  const noting = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (name === 'query') asked.push(String(args[0]));
        return value.apply(target, args);
      };
    },
  });
  return {
    database: noting,
    async plansOf(work) {
      asked.length = 0;
      await work();
      expect(asked.length).toBeGreaterThan(0);
      return asked.flatMap((sql) => {
        const values = [...sql.matchAll(/\?/g)].map(() => null);
        using statement = database.prepare<{ detail: string }, null[]>(`EXPLAIN QUERY PLAN ${sql}`);
        return statement.all(...values).map(({ detail }) => detail);
      });
    },
  };
}
