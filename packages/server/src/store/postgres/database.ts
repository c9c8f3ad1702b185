// Connections to PostgreSQL: a bounded pool that drops connections that do not respond.
//
// A statement has QUERY_MS before its connection is dropped. The server ends abandoned transactions itself, so a
// transaction whose client is gone holds its locks for at most IDLE_IN_TRANSACTION_MS.
import { type ClientBase, Pool, type PoolClient } from 'pg';
import type { PostgresAddress } from '../../config/postgres-address.ts';
import { StoreError } from '../../errors/store-error.ts';
import { clientConfig, destroy, QUERY_MS } from './client.ts';
import { copyIn } from './copy.ts';
import { CommitUnknownError, isLost, toStoreError } from './errors.ts';

/** For long work: a start, an export, a migration. */
export const LONG_MS = 300_000;
const LOCK_MS = 4_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
const IDLE_MS = 60_000;
const CLOSE_MS = 2_000;

export interface SqlSession {
  rows<R>(text: string, values?: readonly unknown[], ms?: number): Promise<R[]>;
  /** Returns the number of changed rows. */
  run(text: string, values?: readonly unknown[], ms?: number): Promise<number>;
}

/** A session bound to one connection. */
export interface SqlTransaction extends SqlSession {
  /** Runs `COPY … FROM STDIN` with these lines in the format of COPY. */
  copy(text: string, lines: string): Promise<void>;
}

export interface DatabaseOptions {
  readonly address: PostgresAddress;
  /** Schemas in which tables are looked up. */
  readonly searchPath: readonly string[];
  readonly connections: number;
  readonly queryMs?: number;
}

export class PostgresDatabase implements SqlSession, AsyncDisposable {
  readonly shown: string;
  readonly #pool: Pool;
  readonly #clients = new Map<ClientBase, number>();
  /** Called first in every transaction of `write`; throws if this process may not write any more. */
  mayWrite: (session: SqlSession) => Promise<void> = async () => {};
  /** Connections older than this may be as dead as the one that timed out (ms, monotonic). */
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
    // The pool removes broken idle connections itself; the next statement opens a new one.
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

  /** Runs `work` in a transaction. `snapshot`: all its statements see the same state. */
  transaction<T>(work: (session: SqlTransaction) => Promise<T>, { snapshot = false } = {}): Promise<T> {
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
        if (isLost(error))
          throw new CommitUnknownError(`the connection to ${this.shown} was lost during a commit`, { cause: error });
        throw error;
      }
      return result;
    });
  }

  /** A transaction for data that only one process at a time may write; see `mayWrite`. */
  write<T>(work: (session: SqlTransaction) => Promise<T>): Promise<T> {
    return this.transaction(async (session) => {
      await this.mayWrite(session);
      return work(session);
    });
  }

  toStoreError(error: unknown): unknown {
    return toStoreError(this.shown, error);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Waits for running statements, but at most CLOSE_MS. */
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

  async #with<T>(work: (session: SqlTransaction) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let lost: unknown = null;
    const query = async (text: string, values: readonly unknown[] = [], ms?: number) => {
      try {
        return await client.query({ text, values: [...values], ...(ms !== undefined && { query_timeout: ms }) });
      } catch (error) {
        if (isLost(error)) lost = error;
        throw this.toStoreError(error);
      }
    };
    try {
      return await work({
        rows: async <R>(text: string, values?: readonly unknown[], ms?: number) =>
          (await query(text, values, ms)).rows as R[],
        run: async (text, values, ms) => (await query(text, values, ms)).rowCount ?? 0,
        copy: async (text, lines) => {
          try {
            await copyIn(client, text, lines, LONG_MS);
          } catch (error) {
            if (isLost(error)) lost = error;
            throw this.toStoreError(error);
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
        const explained = this.toStoreError(error);
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

/** Sets the session up. A commit is on disk when it resolves, whatever the server's default is. */
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
