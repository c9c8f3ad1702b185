// Connections to PostgreSQL: a bounded pool in which a connection that does not answer is given up, never waited for.
//
// A statement has QUERY_MS before its connection is thrown away; the server ends what was left behind by itself, so that a
// transaction whose client is gone holds no lock for longer than IDLE_IN_TRANSACTION_MS.
import { Kysely, PostgresDialect, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import { type ClientBase, Pool, type PoolClient } from 'pg';
import { StoreError } from '../store.ts';
import type { Address } from './address.ts';
import { clientConfig, destroy, QUERY_MS } from './client.ts';
import { copyIn } from './copy.ts';
import { CommitUnknownError, explain, isLost } from './explain.ts';

/** For what reads or writes a lot: a start, an export, a migration. */
export const LONG_MS = 300_000;
const LOCK_MS = 4_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
const IDLE_MS = 60_000;
const CLOSE_MS = 2_000;

export interface Session {
  rows<R>(text: string, values?: readonly unknown[], ms?: number): Promise<R[]>;
  /** How many rows it changed. */
  run(text: string, values?: readonly unknown[], ms?: number): Promise<number>;
}

/** Of a transaction: what needs one connection for more than a statement. */
export interface Transaction extends Session {
  /** `COPY … FROM STDIN` with these lines in the format of COPY. */
  copy(text: string, lines: string): Promise<void>;
}

export interface DatabaseOptions {
  readonly address: Address;
  /** Schemas in which tables are looked up. */
  readonly searchPath: readonly string[];
  readonly connections: number;
  readonly queryMs?: number;
}

export class Database implements Session {
  readonly shown: string;
  readonly #pool: Pool;
  readonly #clients = new Map<ClientBase, number>();
  /** Asked first in every transaction of `write`; it throws where this process may not write any more. */
  mayWrite: (session: Session) => Promise<void> = async () => {};
  /** Connections from before this moment may be as dead as the one that just timed out. */
  #suspectBefore = 0;
  #closed: Promise<void> | null = null;

  constructor({ address, searchPath, connections, queryMs = QUERY_MS }: DatabaseOptions) {
    this.shown = address.shown;
    this.#pool = new Pool({
      ...clientConfig(address, queryMs),
      max: connections,
      idleTimeoutMillis: IDLE_MS,
      onConnect: (client) => prepare(client, searchPath),
    });
    // An idle connection that breaks is taken out of the pool by itself; the next statement makes a new one.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => {
      this.#clients.set(client, performance.now());
      client.on('error', () => {});
      client.once('end', () => this.#clients.delete(client));
    });
  }

  rows<R>(text: string, values?: readonly unknown[], ms?: number): Promise<R[]> {
    return this.#with((session) => session.rows<R>(text, values, ms));
  }

  run(text: string, values?: readonly unknown[], ms?: number): Promise<number> {
    return this.#with((session) => session.run(text, values, ms));
  }

  /** All of the work or nothing of it. `snapshot`: all its statements see one moment. */
  transaction<T>(work: (session: Transaction) => Promise<T>, { snapshot = false } = {}): Promise<T> {
    return this.#with(async (session) => {
      await session.run(snapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'BEGIN');
      let result: T;
      try {
        result = await work(session);
      } catch (error) {
        if (!isLost(error)) await session.run('ROLLBACK').catch(() => {});
        throw error;
      }
      try {
        await session.run('COMMIT');
      } catch (error) {
        if (isLost(error)) throw new CommitUnknownError(`${this.shown} went away during a commit`, { cause: error });
        throw error;
      }
      return result;
    });
  }

  /** A transaction that writes what only one process at a time may write. */
  write<T>(work: (session: Transaction) => Promise<T>): Promise<T> {
    return this.transaction(async (session) => {
      await this.mayWrite(session);
      return work(session);
    });
  }

  kysely<Tables>(): Kysely<Tables> {
    const connect = async (): Promise<PostgresPoolClient> => {
      const client = await this.#connect();
      let lost: unknown = null;
      return {
        // Kysely never streams here, so that the shape with a cursor is not called for.
        query: (async (text: string, values: readonly unknown[]) => {
          // A rollback on a connection that does not answer would be waited for once more.
          if (lost) throw lost;
          try {
            return (await client.query(text, [...values])) as unknown as PostgresQueryResult<unknown>;
          } catch (error) {
            if (isLost(error)) lost = error;
            throw error;
          }
        }) as PostgresPoolClient['query'],
        release: () => this.#release(client, lost),
      };
    };
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }) });
  }

  explain(error: unknown): unknown {
    return explain(this.shown, error);
  }

  /** Waits for what is under way, but not for a server that does not answer. */
  close(): Promise<void> {
    this.#closed ??= new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        for (const client of this.#clients.keys()) destroy(client);
        resolve();
      }, CLOSE_MS);
      this.#pool.end().then(
        () => {
          clearTimeout(timer);
          resolve();
        },
        () => resolve(),
      );
    });
    return this.#closed;
  }

  async #with<T>(work: (session: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let lost: unknown = null;
    const ask = async (text: string, values: readonly unknown[] = [], ms?: number) => {
      try {
        return await client.query({ text, values: [...values], ...(ms !== undefined && { query_timeout: ms }) });
      } catch (error) {
        if (isLost(error)) lost = error;
        throw this.explain(error);
      }
    };
    try {
      return await work({
        rows: async <R>(text: string, values?: readonly unknown[], ms?: number) =>
          (await ask(text, values, ms)).rows as R[],
        run: async (text, values, ms) => (await ask(text, values, ms)).rowCount ?? 0,
        copy: async (text, lines) => {
          try {
            await copyIn(client, text, lines, LONG_MS);
          } catch (error) {
            if (isLost(error)) lost = error;
            throw this.explain(error);
          }
        },
      });
    } finally {
      this.#release(client, lost);
    }
  }

  async #connect(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#pool.connect().catch((error: Error) => {
        const explained = this.explain(error);
        if (explained instanceof StoreError) throw explained;
        throw new StoreError(`${this.shown} cannot be reached: ${error.message}`, { cause: error });
      });
      if ((this.#clients.get(client) ?? 0) >= this.#suspectBefore) return client;
      this.#release(client, true);
    }
  }

  #release(client: PoolClient, lost: unknown): void {
    if (!lost) {
      client.release();
      return;
    }
    if (lost instanceof Error && /timeout/i.test(lost.message)) this.#suspectBefore = performance.now();
    this.#clients.delete(client);
    destroy(client);
    client.release(true);
  }
}

/** What was promised is on the disk when a commit resolves, whatever the server's default is. */
async function prepare(client: ClientBase, searchPath: readonly string[]): Promise<void> {
  const settings: readonly (readonly [string, string])[] = [
    ['search_path', searchPath.join(', ')],
    ['TimeZone', 'UTC'],
    ['statement_timeout', String(LONG_MS)],
    ['lock_timeout', String(LOCK_MS)],
    ['idle_in_transaction_session_timeout', String(IDLE_IN_TRANSACTION_MS)],
  ];
  const set = settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`);
  await client.query(
    `SELECT ${set.join(', ')}, CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
       THEN set_config('synchronous_commit', 'on', false) END`,
    settings.flat(),
  );
}
