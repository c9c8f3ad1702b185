// Creates partitions when they are first needed: bars and histograms by UTC year, the tape by UTC day.
//
// A table is created on its own and then attached: unlike CREATE … PARTITION OF, this blocks neither readers nor
// writers of other partitions. Processes that need the same partition take turns.
import { DAY_MS } from '@tickwire/engine';
import { DatabaseError } from 'pg';
import type { ImportedWrite } from '../market-store.ts';
import { dayOf } from '../tape-day.ts';
import type { PostgresDatabase, SqlSession } from './database.ts';

export interface Partitioning {
  readonly table: 'bars' | 'histograms' | 'tape';
  /** The partition of a time. */
  at(time: number): { readonly name: string; readonly from: number; readonly to: number };
}

/** Bars are never dropped. A year of sixteen instruments is about nine million rows; decades are a few dozen tables. */
export const BARS_BY_YEAR = byYear('bars');
export const HISTOGRAMS_BY_YEAR = byYear('histograms');

/** The tape is dropped day by day. */
export const TAPE_BY_DAY: Partitioning = {
  table: 'tape',
  at(time) {
    const from = Math.floor(time / DAY_MS) * DAY_MS;
    return { name: `tape_${dayOf(from).replaceAll('-', '_')}`, from, to: from + DAY_MS };
  },
};

function byYear(table: 'bars' | 'histograms'): Partitioning {
  return {
    table,
    at(time) {
      const year = new Date(time).getUTCFullYear();
      return { name: `${table}_${year}`, from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) };
    },
  };
}

export const dayOfPartition = (name: string): string => name.slice('tape_'.length).replaceAll('_', '-');

export class Partitions {
  readonly #database: PostgresDatabase;
  readonly #schema: string;
  /** Known to exist; another process may still drop one, see `retried`. */
  readonly #known = new Set<string>();

  constructor(database: PostgresDatabase, schema: string) {
    this.#database = database;
    this.#schema = schema;
  }

  /** Creates the missing partitions for these times. */
  async ensure(partitioning: Partitioning, times: Iterable<number>): Promise<void> {
    const missing = new Map<string, { name: string; from: number; to: number }>();
    for (const time of times) {
      const partition = partitioning.at(time);
      if (!this.#known.has(partition.name)) missing.set(partition.name, partition);
    }
    for (const partition of missing.values()) {
      await this.#database.transaction((session) => this.create(session, partitioning, partition));
      this.#known.add(partition.name);
    }
  }

  /** Runs `write`, and once more if a partition it needs was dropped meanwhile. */
  async retried<T>(partitioning: Partitioning, times: readonly number[], write: () => Promise<T>): Promise<T> {
    await this.ensure(partitioning, times);
    try {
      return await write();
    } catch (error) {
      if (!isMissing(error)) throw error;
      for (const time of times) this.#known.delete(partitioning.at(time).name);
      await this.ensure(partitioning, times);
      return write();
    }
  }

  /** The same for bars and histograms. */
  retriedMarket(
    { bars, histograms = [] }: Pick<ImportedWrite, 'bars' | 'histograms'>,
    write: () => Promise<void>,
  ): Promise<void> {
    const years = [...new Set(bars.map(({ time }) => BARS_BY_YEAR.at(time).from))];
    const histogramYears = [...new Set(histograms.map(({ time }) => HISTOGRAMS_BY_YEAR.at(time).from))];
    return this.retried(BARS_BY_YEAR, years, () => this.retried(HISTOGRAMS_BY_YEAR, histogramYears, write));
  }

  forget(name: string): void {
    this.#known.delete(name);
  }

  async create(
    session: SqlSession,
    { table }: Partitioning,
    { name, from, to }: { readonly name: string; readonly from: number; readonly to: number },
  ): Promise<void> {
    const [parent, child] = [`${this.#schema}.${table}`, `${this.#schema}.${name}`];
    await session.rows('SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))', ['tickwire partitions', parent]);
    const [there] = await session.rows(
      `SELECT 1 FROM pg_inherits WHERE inhrelid = to_regclass($1) AND inhparent = to_regclass($2)`,
      [child, parent],
    );
    if (there) return;
    await session.run(`CREATE TABLE ${child} (LIKE ${parent} INCLUDING ALL)`);
    await session.run(`ALTER TABLE ${parent} ATTACH PARTITION ${child} FOR VALUES FROM (${from}) TO (${to})`);
  }
}

/** "no partition of relation found for row" is a check violation without a constraint name. */
const isMissing = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof DatabaseError && cause.code === '23514' && cause.constraint === undefined;
};
