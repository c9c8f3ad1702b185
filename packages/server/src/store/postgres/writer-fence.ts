// Keeps out a writer that another has taken over from. The newest token of a writer is a number of the realm; each writing
// transaction of an ingest begins by holding it still and comparing, so that whoever raises it knows that nothing older is
// under way, and nothing older comes after.
//
// A process that was stopped, or cut off, in the middle of a transaction holds the number for as long as the server lets it.
// Whoever takes over does not wait for that: after PATIENCE_MS it ends the connections that stand in its way.
import { FencedError, StoreError } from '../store.ts';
import type { Database, Session } from './database.ts';

export const TOKEN = 'writer_token';
const PATIENCE_MS = 300;
const TRIES_MS = 10_000;

const HOLD = `SELECT value FROM numbers WHERE name = '${TOKEN}' FOR SHARE`;
const RAISE = `INSERT INTO numbers (name, value) VALUES ('${TOKEN}', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE numbers.value <= excluded.value`;

export class WriterFence {
  readonly #database: Database;
  #token: number | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** From now on this store writes with the token, and none with a lower one does. */
  async raise(token: number): Promise<void> {
    if (token === this.#token) return;
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

  /** First of all in every transaction that writes. */
  readonly check = async (session: Session): Promise<void> => {
    if (this.#token === null) return;
    const [newest] = await session.rows<{ value: number }>(HOLD);
    if (newest && newest.value > this.#token)
      throw new FencedError(`another ingest writes here with the token ${newest.value}; this one has ${this.#token}`);
  };

  async #raise(token: number): Promise<void> {
    await this.#database.transaction(async (session) => {
      const [own] = await session.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const clear = setInterval(() => void this.#endThoseBefore(own!.pid).catch(() => {}), PATIENCE_MS);
      try {
        if ((await session.run(RAISE, [token])) === 0)
          throw new FencedError(`an ingest with a higher token than ${token} has written here already`);
      } finally {
        clearInterval(clear);
      }
    });
  }

  /** Who holds the number still is being taken over from. */
  async #endThoseBefore(pid: number): Promise<void> {
    await this.#database.rows('SELECT pg_terminate_backend(held) FROM unnest(pg_blocking_pids($1)) AS held', [pid]);
  }
}

const isHeld = (error: unknown): boolean => error instanceof StoreError && /55P03/.test(error.message);
