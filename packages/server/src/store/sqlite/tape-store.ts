// The tape: one SQLite file per UTC day, so that a day is dropped by deleting a file.
import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, type MarketSymbol } from '@tickwire/engine';
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
import { dayOf, daysBetween } from '../tape-day.ts';
import { blocksOf, isIntact, PART, rowOf, type TapeRow } from '../tape-rows.ts';
import { type OpenOptions, openSqliteDatabase } from './database.ts';
import { toStoreError, withFileErrors } from './errors.ts';
import { TAPE_SCHEMA } from './schema.ts';

/** Today, and yesterday for late ticks. Files of older days are closed again. */
const OPEN_FILES = 3;
const FEW_DAYS_MS = 7 * DAY_MS;
const numbered = (sql: string): string => sql.replace(/\$(\d)/g, '?$1');

export class SqliteTapeStore implements TapeStore {
  readonly #folder: string;
  readonly #options: Omit<OpenOptions, 'schema'>;
  readonly #open = new Map<string, Database>();
  /** Days that may have to be synced, with the number of writes so far. */
  readonly #unsynced = new Map<string, number>();
  #writes = 0;

  constructor(folder: string, options: Omit<OpenOptions, 'schema'> = {}) {
    this.#folder = folder;
    this.#options = options;
  }

  write(blocks: readonly TapeBlock[], gathered: readonly PartKey[] = []): void {
    const parts = Map.groupBy(gathered, ({ minute }) => dayOf(minute));
    this.#write(blocks, (database, list) => {
      const remove = database.query(`DELETE FROM tape WHERE minute = ? AND symbol = '${PART}' AND first_seq = ?`);
      for (const { minute, firstSeq } of parts.get(dayOf(list[0]!.minute)) ?? []) remove.run(minute, firstSeq);
    });
  }

  /** Like write, but also deletes all other blocks of the same symbols in the same minutes. */
  replace(blocks: readonly TapeBlock[]): void {
    this.#write(blocks, (database, list) => {
      const remove = database.query('DELETE FROM tape WHERE minute = ? AND symbol = ?');
      for (const { minute, symbol } of list) remove.run(minute, symbol);
    });
  }

  /** Syncs what was written since the last time to disk, which a commit alone does not. */
  async sync(): Promise<void> {
    for (const [day, writes] of [...this.#unsynced]) {
      const path = `${this.#file(day)}-wal`;
      try {
        const file = await open(path, 'r');
        await file.datasync().finally(() => file.close());
      } catch (error) {
        // A day that was closed meanwhile has no write-ahead log: closing merged it into the file.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw toStoreError(path, error);
      }
      // Unless it was written meanwhile.
      if (this.#unsynced.get(day) === writes) this.#unsynced.delete(day);
    }
  }

  read(from: number, to = Number.POSITIVE_INFINITY): TapeBlock[] {
    return this.#daysOf(from, to).flatMap((day) =>
      this.#blocks(
        this.#rows(
          day,
          `SELECT ${BLOCK_COLUMNS} FROM tape WHERE minute >= ? AND minute < ? ORDER BY minute, first_seq`,
          [from, to],
        ),
      ),
    );
  }

  readOf(symbol: MarketSymbol, from: number, to: number): TapeBlock[] {
    return this.#daysOf(from, to).flatMap((day) =>
      this.#blocks(this.#rows(day, numbered(ROWS_OF), [from, to, symbol]), symbol),
    );
  }

  readFirstOf(symbol: MarketSymbol, from: number, to: number): TapeRow[] {
    for (const day of this.#daysOf(from, to)) {
      const rows = this.#rows(day, numbered(FIRST_ROWS), [...withinDay(day, from, to), symbol]);
      if (rows.length > 0) return rows;
    }
    return [];
  }

  readWithParts(from: number, to: number): TapeRow[] {
    return this.#daysOf(from, to).flatMap((day) =>
      this.#rows(day, numbered(ROWS_WITH_PARTS), withinDay(day, from, to)),
    );
  }

  flow(from: number, to: number, except: readonly number[]): TapeFlow[] {
    return this.#daysOf(from, to).flatMap((day) => this.#rows(day, numbered(flowSql(except)), [from, to]));
  }

  nameOf(minute: number): string {
    return this.#file(dayOf(minute));
  }

  drop(days: readonly string[]): void {
    for (const day of days) {
      this.#open.get(day)?.close();
      this.#open.delete(day);
      for (const suffix of ['', '-wal', '-shm']) rmSync(this.#file(day) + suffix, { force: true });
    }
  }

  days(): string[] {
    return tapeDays(this.#folder);
  }

  database(day: string): Database {
    return this.#database(day);
  }

  close(): void {
    for (const database of this.#open.values()) database.close();
    this.#open.clear();
  }

  #write(blocks: readonly TapeBlock[], first: (database: Database, list: readonly TapeBlock[]) => void): void {
    // Days are written in ascending order, so that a crash can only lose the newest.
    const days = [...Map.groupBy(blocks, ({ minute }) => minute - (minute % DAY_MS))].sort(([a], [b]) => a - b);
    for (const [start, list] of days) {
      const day = dayOf(start);
      withFileErrors(this.#file(day), () => {
        const database = this.#database(day);
        const insert = database.query(
          'INSERT OR REPLACE INTO tape (minute, symbol, first_seq, count, bid_volume, ask_volume, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        );
        database
          .transaction(() => {
            first(database, list);
            for (const block of list) {
              const { minute, symbol, firstSeq, count, bidVolume, askVolume, checksum, bytes } = rowOf(block);
              insert.run(minute, symbol, firstSeq, count, bidVolume, askVolume, checksum, bytes);
            }
          })
          .immediate();
      });
      this.#unsynced.set(day, ++this.#writes);
    }
  }

  /** Without reading the folder if there can only be a few: its files may be those of years. */
  #daysOf(from: number, to: number): string[] {
    if (to - from <= FEW_DAYS_MS) return daysBetween(from, to - 1).filter((day) => existsSync(this.#file(day)));
    return this.days().filter((day) => Date.parse(day) + DAY_MS > from && Date.parse(day) < to);
  }

  #rows<Row = TapeRow>(day: string, sql: string, values: SQLQueryBindings[]): Row[] {
    return withFileErrors(this.#file(day), () =>
      this.#database(day)
        .query<Row, SQLQueryBindings[]>(sql)
        .all(...values),
    );
  }

  #blocks(rows: readonly TapeRow[], only?: MarketSymbol): TapeBlock[] {
    return blocksOf(rows, (minute) => this.nameOf(minute), only);
  }

  #file(day: string): string {
    return join(this.#folder, `${day}.db`);
  }

  #database(day: string): Database {
    const open = this.#open.get(day);
    if (open) return open;
    const database = openSqliteDatabase(this.#file(day), { ...this.#options, schema: TAPE_SCHEMA });
    this.#open.set(day, database);
    // The process before may have ended without a sync.
    this.#unsynced.set(day, ++this.#writes);
    const [oldest] = this.#open.keys();
    if (this.#open.size > OPEN_FILES && oldest !== day) {
      this.#open.get(oldest!)!.close();
      this.#open.delete(oldest!);
    }
    return database;
  }
}

/** The days of a tape, ascending. */
export function tapeDays(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d{4}-\d{2}-\d{2}\.db$/.test(name))
    .map((name) => name.slice(0, 10))
    .sort();
}

/** Damaged blocks of the file of a day. */
export function damagedIn(database: Database): TapeBlock[] {
  const damaged: TapeBlock[] = [];
  for (const row of database.query<TapeRow, []>(`SELECT ${BLOCK_COLUMNS} FROM tape`).iterate())
    if (!isIntact(row)) damaged.push({ ...row, damaged: database.filename });
  return damaged;
}

const withinDay = (day: string, from: number, to: number): [number, number] => [
  Math.max(from, Date.parse(day)),
  Math.min(to, Date.parse(day) + DAY_MS),
];
