// The tape: one SQLite file per UTC day, so that a day is dropped by deleting a file.
import type { Database } from 'bun:sqlite';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, type EpochMs, type MarketSymbol } from '@tickwire/engine';
import type { TapeBlock } from '../market-store.ts';
import { dayOf } from '../tape-day.ts';
import { type OpenOptions, openSqliteDatabase } from './database.ts';
import { toStoreError, withFileErrors } from './errors.ts';
import { TAPE_SCHEMA } from './schema.ts';

/** Today, and yesterday for late ticks. Files of older days are closed again. */
const OPEN_FILES = 3;

interface BlockRow {
  symbol: string;
  minute: number;
  first_seq: number;
  count: number;
  bid_volume: number;
  ask_volume: number;
  bytes: Uint8Array;
}

export class SqliteTapeStore {
  readonly #folder: string;
  readonly #options: Omit<OpenOptions, 'schema'>;
  readonly #open = new Map<string, Database>();
  /** Days that may have to be synced, with the number of writes so far. */
  readonly #unsynced = new Map<string, number>();
  #writes = 0;

  constructor(folder: string, options: Omit<OpenOptions, 'schema'>) {
    this.#folder = folder;
    this.#options = options;
  }

  write(blocks: readonly TapeBlock[]): void {
    this.#write(blocks, () => {});
  }

  /** Like write, but also deletes all other blocks of the same symbols in the same minutes. */
  replace(blocks: readonly TapeBlock[]): void {
    this.#write(blocks, (database, list) => {
      const remove = database.query('DELETE FROM blocks WHERE minute = ? AND symbol = ?');
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

  read(from: number): TapeBlock[] {
    return this.#from(from).flatMap((day) =>
      withFileErrors(this.#file(day), () =>
        this.#database(day)
          .query<BlockRow, [number]>('SELECT * FROM blocks WHERE minute >= ? ORDER BY minute')
          .all(from)
          .map(blockOf),
      ),
    );
  }

  readOf(symbol: MarketSymbol, from: number, to: number): TapeBlock[] {
    const blocks: TapeBlock[] = [];
    for (let time = from; time < to; time += DAY_MS - (time % DAY_MS)) {
      const day = dayOf(time);
      if (!existsSync(this.#file(day))) continue;
      const rows = withFileErrors(this.#file(day), () =>
        this.#database(day)
          .query<BlockRow, [number, number, string]>(
            'SELECT * FROM blocks WHERE minute >= ? AND minute < ? AND symbol = ? ORDER BY minute, first_seq',
          )
          .all(from, to, symbol),
      );
      for (const row of rows) blocks.push(blockOf(row));
    }
    return blocks;
  }

  flow(from: number, to: number): Map<MarketSymbol, { bidVolume: number; askVolume: number }> {
    const sums = new Map<MarketSymbol, { bidVolume: number; askVolume: number }>();
    for (const day of this.#from(from)) {
      const rows = withFileErrors(this.#file(day), () =>
        this.#database(day)
          .query<{ symbol: string; bid: number; ask: number }, [number, number]>(
            'SELECT symbol, sum(bid_volume) AS bid, sum(ask_volume) AS ask FROM blocks WHERE minute >= ? AND minute < ? GROUP BY symbol',
          )
          .all(from, to),
      );
      for (const { symbol, bid, ask } of rows) {
        const sum = sums.get(symbol as MarketSymbol) ?? { bidVolume: 0, askVolume: 0 };
        sums.set(symbol as MarketSymbol, { bidVolume: sum.bidVolume + bid, askVolume: sum.askVolume + ask });
      }
    }
    return sums;
  }

  /** Deletes the files of days that ended before `time`, except those in `keep`. */
  prune(time: number, keep: ReadonlySet<string>): number {
    const expired = this.days().filter((day) => Date.parse(day) + DAY_MS <= time && !keep.has(day));
    for (const day of expired) {
      this.#open.get(day)?.close();
      this.#open.delete(day);
      for (const suffix of ['', '-wal', '-shm']) rmSync(this.#file(day) + suffix, { force: true });
    }
    return expired.length;
  }

  days(): string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => /^\d{4}-\d{2}-\d{2}\.db$/.test(name))
      .map((name) => name.slice(0, 10))
      .sort();
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
          'INSERT OR REPLACE INTO blocks (minute, symbol, first_seq, count, bid_volume, ask_volume, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)',
        );
        database
          .transaction(() => {
            first(database, list);
            for (const { minute, symbol, firstSeq, count, bidVolume, askVolume, bytes } of list) {
              insert.run(minute, symbol, firstSeq, count, bidVolume, askVolume, bytes);
            }
          })
          .immediate();
      });
      this.#unsynced.set(day, ++this.#writes);
    }
  }

  #from(time: number): string[] {
    return this.days().filter((day) => Date.parse(day) + DAY_MS > time);
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

const blockOf = (row: BlockRow): TapeBlock => ({
  symbol: row.symbol as MarketSymbol,
  minute: row.minute as EpochMs,
  firstSeq: row.first_seq,
  count: row.count,
  bidVolume: row.bid_volume,
  askVolume: row.ask_volume,
  bytes: row.bytes,
});
