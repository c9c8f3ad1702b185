// The tape: one partition per UTC day, so that a day is dropped by dropping a table.
//
// Blocks are written in a transaction even if one statement would do: an abandoned statement may reach the server late,
// but never its COMMIT, so an older state of a block cannot overwrite a newer one.
import type { MarketSymbol } from '@tickwire/engine';
import { StoreError } from '../../errors/store-error.ts';
import type { PartKey, TapeBlock } from '../market-store.ts';
import {
  BLOCK_COLUMNS,
  FIRST_ROWS,
  flowSql,
  ROWS_OF,
  ROWS_WITH_PARTS,
  type TapeFlow,
  type TapeStore,
} from '../sql/market-store.ts';
import { long } from '../sql/shared-work.ts';
import { insert, put, storedFields } from '../sql/stored-fields.ts';
import * as tables from '../sql/tables/market-tables.ts';
import { blocksOf, PART, rowOf, type TapeRow } from '../tape-rows.ts';
import { chunks, numbers } from './bulk.ts';
import { LONG_MS, type PostgresDatabase, type SqlSession } from './database.ts';
import { dayOfPartition, type Partitions, TAPE_BY_DAY } from './partitions.ts';
import { runWork } from './run-work.ts';

/** Blocks per statement; a block has at most some tens of kilobytes. */
const BLOCKS_AT_ONCE = 500;
/** How long readers and writers of the tape may have to wait while a day is dropped. */
const DROP_MS = 500;

const TAPE = storedFields(tables.TAPE);

export class PostgresTapeStore implements TapeStore {
  readonly #database: PostgresDatabase;
  readonly #schema: string;
  readonly #partitions: Partitions;

  constructor(database: PostgresDatabase, schema: string, partitions: Partitions) {
    this.#database = database;
    this.#schema = schema;
    this.#partitions = partitions;
  }

  write(blocks: readonly TapeBlock[], gathered: readonly PartKey[] = []): Promise<void> {
    return this.#write(blocks, async (session) => {
      if (gathered.length > 0)
        await session.run(
          `DELETE FROM tape USING unnest($1::bigint[], $2::bigint[]) AS gone (minute, first_seq)
           WHERE tape.minute = gone.minute AND tape.symbol = '${PART}' AND tape.first_seq = gone.first_seq`,
          [numbers(gathered.map(({ minute }) => minute)), numbers(gathered.map(({ firstSeq }) => firstSeq))],
          LONG_MS,
        );
    });
  }

  /** Like write, but also deletes all other blocks of the same symbols in the same minutes. */
  replace(blocks: readonly TapeBlock[]): Promise<void> {
    return this.#write(blocks, async (session) => {
      for (const part of chunks(blocks))
        await session.run(
          `DELETE FROM tape USING unnest($1::bigint[], $2::text[]) AS gone (minute, symbol)
           WHERE tape.minute = gone.minute AND tape.symbol = gone.symbol`,
          [numbers(part.map(({ minute }) => minute)), part.map(({ symbol }) => symbol)],
          LONG_MS,
        );
    });
  }

  async read(from: number, to = Number.MAX_SAFE_INTEGER): Promise<TapeBlock[]> {
    return this.#blocks(
      await this.#rows(
        `SELECT ${BLOCK_COLUMNS} FROM tape WHERE minute >= $1 AND minute < $2 ORDER BY minute, first_seq`,
        [from, to],
      ),
    );
  }

  async readOf(symbol: MarketSymbol, from: number, to: number): Promise<TapeBlock[]> {
    return this.#blocks(await this.#rows(ROWS_OF, [from, to, symbol]), symbol);
  }

  readFirstOf(symbol: MarketSymbol, from: number, to: number): Promise<TapeRow[]> {
    return this.#rows(FIRST_ROWS, [from, to, symbol]);
  }

  readWithParts(from: number, to: number): Promise<TapeRow[]> {
    return this.#rows(ROWS_WITH_PARTS, [from, to]);
  }

  flow(from: number, to: number, except: readonly number[]): Promise<TapeFlow[]> {
    return this.#rows(flowSql(except), [from, to]);
  }

  nameOf(minute: number): string {
    return `${this.#database.shown} ${this.#schema}.${TAPE_BY_DAY.at(minute).name}`;
  }

  /** Commits are on disk when they resolve: see database.ts. */
  sync(): void {}

  async drop(days: readonly string[]): Promise<void> {
    for (const day of days) await this.#drop(day);
  }

  /** Days that have a partition, ascending. */
  async days(): Promise<string[]> {
    const rows = await this.#database.rows<{ name: string }>(
      `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = to_regclass($1)`,
      [`${this.#schema}.tape`],
    );
    return rows.map(({ name }) => dayOfPartition(name)).sort();
  }

  #rows<Row = TapeRow>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#database.rows<Row>(sql, values, LONG_MS);
  }

  #blocks(rows: readonly TapeRow[], only?: MarketSymbol): TapeBlock[] {
    return blocksOf(rows, (minute) => this.nameOf(minute), only);
  }

  async #drop(day: string): Promise<void> {
    const { name } = TAPE_BY_DAY.at(Date.parse(day));
    this.#partitions.forget(name);
    try {
      await this.#database.write(async (session) => {
        await session.run(`SET LOCAL lock_timeout = ${DROP_MS}`);
        await session.run(`DROP TABLE IF EXISTS ${this.#schema}.${name}`);
      });
    } catch (error) {
      if (!(error instanceof StoreError) || !/55P03/.test(error.message)) throw error;
      throw new StoreError(`the tape of ${day} is being read and will be dropped later`, { cause: error });
    }
  }

  async #write(blocks: readonly TapeBlock[], first: (session: SqlSession) => Promise<void>): Promise<void> {
    const days = [...new Set(blocks.map(({ minute }) => TAPE_BY_DAY.at(minute).from))];
    if (days.length === 0) return;
    await this.#partitions.retried(TAPE_BY_DAY, days, () =>
      this.#database.write(async (session) => {
        await first(session);
        for (const some of chunks(blocks, BLOCKS_AT_ONCE)) {
          const rows = Map.groupBy(some.map(rowOf), ({ symbol }) => symbol === PART);
          await runWork(session, long(put(TAPE, rows.get(false) ?? [])));
          // Parts are new: an insert without ON CONFLICT writes less to the log of the server.
          await runWork(session, long(insert(TAPE, rows.get(true) ?? [])));
        }
      }),
    );
  }
}
