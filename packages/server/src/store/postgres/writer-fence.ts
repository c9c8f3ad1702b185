// Fencing tokens: rejects a writer that another has taken over from. The newest token is stored in `numbers` of the
// realm. Each writing transaction first locks it for share and compares, so when a new writer has raised it, no older
// transaction is running or will run.
//
// A process that is paused or cut off within a transaction holds that lock as long as the server lets it. A new writer
// does not wait for that: after PATIENCE_MS it terminates the connections that block it.
import { FencedError, StoreError } from '../../errors/store-error.ts';
import type { PostgresDatabase, SqlSession } from './database.ts';

export const WRITER_TOKEN = 'writer_token';
const PATIENCE_MS = 300;
const TRIES_MS = 10_000;

const HOLD = `SELECT value FROM numbers WHERE name = '${WRITER_TOKEN}' FOR SHARE`;
const RAISE = `INSERT INTO numbers (name, value) VALUES ('${WRITER_TOKEN}', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE numbers.value <= excluded.value`;

export class WriterFence {
  readonly #database: PostgresDatabase;
  #token: number | null = null;
  /** The token that `raise` is storing or has stored: it may be in the database before this process knows. */
  #raising: number | null = null;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** From now on this store writes with the token, and stores with a lower one cannot write. */
  async raise(token: number): Promise<void> {
    if (token === this.#token) return;
    this.#raising = token;
    const deadline = performance.now() + TRIES_MS;
    for (;;) {
      try {
        await this.#raise(token);
        this.#token = token;
        return;
      } catch (error) {
        if (!isHeld(error) || performance.now() >= deadline) throw error;
      }
    }
  }

  /** Called first in every writing transaction. */
  readonly check = async (session: SqlSession): Promise<void> => {
    if (this.#token === null) return;
    const [newest] = await session.rows<{ value: number }>(HOLD);
    if (newest && newest.value > this.#token && newest.value !== this.#raising)
      throw new FencedError(
        `another ingest node writes here with the token ${newest.value}; this one has ${this.#token}`,
      );
  };

  async #raise(token: number): Promise<void> {
    await this.#database.transaction(async (session) => {
      const [own] = await session.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const terminating = setInterval(() => void this.#terminateBlockers(own!.pid).catch(() => {}), PATIENCE_MS);
      try {
        if ((await session.run(RAISE, [token])) === 0)
          throw new FencedError(`an ingest node with a token higher than ${token} has already written here`);
      } finally {
        clearInterval(terminating);
      }
    });
  }

  /** Terminates the connections that block the backend `pid`. */
  async #terminateBlockers(pid: number): Promise<void> {
    await this.#database.rows('SELECT pg_terminate_backend(held) FROM unnest(pg_blocking_pids($1)) AS held', [pid]);
  }
}

const isHeld = (error: unknown): boolean => error instanceof StoreError && /55P03/.test(error.message);
