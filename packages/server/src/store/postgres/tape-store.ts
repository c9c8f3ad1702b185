// The tape: one partition per UTC day, so that a day is dropped by dropping a table.
//
// Blocks are written in a transaction even if one statement would do: an abandoned statement may reach the server late,
// but never its COMMIT, so an older state of a block cannot overwrite a newer one.
import { DAY_MS, type EpochMs, type MarketSymbol } from '@tickwire/engine';
import { StoreError } from '../../errors/store-error.ts';
import type { TapeBlock } from '../market-store.ts';
import { chunks, lastOfEach, numbers } from './bulk.ts';
import { LONG_MS, type PostgresDatabase, type SqlSession } from './database.ts';
import { dayOfPartition, type Partitions, TAPE_BY_DAY } from './partitions.ts';
import { unsealedDays } from './signal-days.ts';

/** Blocks per statement; a block has at most some tens of kilobytes. */
const BLOCKS_AT_ONCE = 500;
/** How long readers and writers of the tape may have to wait while a day is dropped. */
const DROP_MS = 500;

const BLOCK =
  'symbol, minute, first_seq AS "firstSeq", count, bid_volume AS "bidVolume", ask_volume AS "askVolume", bytes';

const PUT = `INSERT INTO tape (minute, symbol, first_seq, count, bid_volume, ask_volume, bytes)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::float8[], $6::float8[], $7::bytea[])
  ON CONFLICT (minute, symbol, first_seq) DO UPDATE SET count = excluded.count, bid_volume = excluded.bid_volume,
    ask_volume = excluded.ask_volume, bytes = excluded.bytes`;

interface BlockRow extends Omit<TapeBlock, 'minute' | 'symbol' | 'bytes'> {
  readonly minute: number;
  readonly symbol: string;
  readonly bytes: Buffer;
}

export class PostgresTapeStore {
  readonly #database: PostgresDatabase;
  readonly #schema: string;
  readonly #partitions: Partitions;

  constructor(database: PostgresDatabase, schema: string, partitions: Partitions) {
    this.#database = database;
    this.#schema = schema;
    this.#partitions = partitions;
  }

  write(blocks: readonly TapeBlock[]): Promise<void> {
    return this.#write(blocks, async () => {});
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

  async read(from: number): Promise<TapeBlock[]> {
    const rows = await this.#database.rows<BlockRow>(
      `SELECT ${BLOCK} FROM tape WHERE minute >= $1 ORDER BY minute`,
      [from],
      LONG_MS,
    );
    return rows.map(blockOf);
  }

  async readOf(symbol: MarketSymbol, from: number, to: number): Promise<TapeBlock[]> {
    const rows = await this.#database.rows<BlockRow>(
      `SELECT ${BLOCK} FROM tape WHERE minute >= $1 AND minute < $2 AND symbol = $3 ORDER BY minute, first_seq`,
      [from, to, symbol],
      LONG_MS,
    );
    return rows.map(blockOf);
  }

  async flow(from: number, to: number): Promise<Map<MarketSymbol, { bidVolume: number; askVolume: number }>> {
    const rows = await this.#database.rows<{ symbol: MarketSymbol; bid: number; ask: number }>(
      'SELECT symbol, sum(bid_volume) AS bid, sum(ask_volume) AS ask FROM tape WHERE minute >= $1 AND minute < $2 GROUP BY symbol',
      [from, to],
    );
    return new Map(rows.map(({ symbol, bid, ask }) => [symbol, { bidVolume: bid, askVolume: ask }]));
  }

  /** Drops the days that ended before `time`, except imported days and days that signals still need. */
  async prune(time: number): Promise<number> {
    const days = (await this.days()).filter((day) => Date.parse(day) + DAY_MS <= time);
    if (days.length === 0) return 0;
    const expired = await this.#database.transaction(
      async (session) => {
        const imported = await session.rows<{ day: string }>('SELECT day FROM imported_days');
        // Only days before `time` are pruned, so days after it need not be computed for active signals.
        const judging = await unsealedDays(session, time);
        const keep = new Set([...imported, ...judging].map(({ day }) => day));
        return days.filter((day) => !keep.has(day));
      },
      { snapshot: true },
    );
    for (const day of expired) await this.#drop(day);
    return expired.length;
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
    if (blocks.length === 0) return;
    const rows = lastOfEach(blocks, ({ minute, symbol, firstSeq }) => `${minute} ${symbol} ${firstSeq}`);
    const days = [...new Set(rows.map(({ minute }) => TAPE_BY_DAY.at(minute).from))];
    await this.#partitions.retried(TAPE_BY_DAY, days, () =>
      this.#database.write(async (session) => {
        await first(session);
        for (const part of chunks(rows, BLOCKS_AT_ONCE)) await session.run(PUT, columnsOf(part), LONG_MS);
      }),
    );
  }
}

const columnsOf = (blocks: readonly TapeBlock[]): unknown[] => [
  numbers(blocks.map(({ minute }) => minute)),
  blocks.map(({ symbol }) => symbol),
  numbers(blocks.map(({ firstSeq }) => firstSeq)),
  numbers(blocks.map(({ count }) => count)),
  numbers(blocks.map(({ bidVolume }) => bidVolume)),
  numbers(blocks.map(({ askVolume }) => askVolume)),
  blocks.map(({ bytes }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
];

const blockOf = (row: BlockRow): TapeBlock => ({
  ...row,
  symbol: row.symbol as MarketSymbol,
  minute: row.minute as EpochMs,
  bytes: new Uint8Array(row.bytes.buffer, row.bytes.byteOffset, row.bytes.byteLength),
});
