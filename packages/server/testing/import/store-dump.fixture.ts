// Imports into stores, and the whole content of a store, to compare two.

import { Database } from 'bun:sqlite';
import { afterAll } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asSymbol, CATALOGUE, type InstrumentSpec, type PriceEvent } from '@tickwire/engine';
import { type ImportOutcome, type ImportPlan, runImport } from '../../src/import/run-import.ts';
import { decodeMinuteBlocks } from '../../src/import/write/minute-blocks.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { Store, TapeBlock } from '../../src/store/store.ts';

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'tickwire-import-store-'));

/** Files to import, and new folders for stores. All are deleted after the tests of the file that calls this. */
export function importFolders() {
  const files = newFolder();
  const folders = [files];
  afterAll(() => {
    for (const each of folders) rmSync(each, { recursive: true, force: true });
  });
  return {
    /** Folder of the files. */
    files,
    folder: (): string => {
      folders.push(newFolder());
      return folders.at(-1)!;
    },
    /** Writes a file and returns its path. */
    fileOf: (name: string, content: string | Uint8Array): string => {
      writeFileSync(join(files, name), content);
      return join(files, name);
    },
  };
}

export function specOf(symbol: string): InstrumentSpec {
  const code = asSymbol(symbol);
  return (
    CATALOGUE.find((spec) => spec.symbol === code) ?? { ...CATALOGUE[0]!, symbol: code, digits: 2, hours: 'always' }
  );
}

export async function withStore<T>(folder: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Imports like the command `tickwire import`. */
export const importInto = (
  folder: string,
  symbol: string,
  files: readonly string[],
  options: Partial<ImportPlan['options']> = {},
  more: Partial<ImportPlan> = {},
): Promise<ImportOutcome> =>
  withStore(folder, (store) =>
    runImport({
      files,
      options: { format: 'auto', ...options },
      instrument: specOf(symbol),
      instruments: [specOf(symbol)],
      store: store.market,
      ...more,
    }),
  );

const all = (file: string, query: string): unknown[] => {
  const database = new Database(file, { readonly: true });
  try {
    return database.query(query).all();
  } finally {
    database.close();
  }
};

export interface Dump {
  readonly bars: unknown[];
  readonly histograms: unknown[];
  readonly prices: unknown[];
  readonly numbers: unknown[];
  readonly days: unknown[];
  readonly watched: unknown[];
  readonly blocks: unknown[];
}

/** Every row and every byte. */
export function dumpOf(folder: string): Dump {
  const market = join(folder, 'live', 'market.db');
  const tape = join(folder, 'live', 'tape');
  const days = existsSync(tape)
    ? readdirSync(tape)
        .filter((name) => name.endsWith('.db'))
        .sort()
    : [];
  return {
    bars: all(market, 'SELECT * FROM bars'),
    histograms: all(market, 'SELECT symbol, time, hex(bytes) AS bytes FROM histograms'),
    prices: all(market, 'SELECT * FROM last_prices'),
    numbers: all(market, 'SELECT * FROM numbers'),
    days: all(market, 'SELECT * FROM imported_days'),
    watched: all(market, 'SELECT * FROM watched'),
    blocks: days.flatMap((day) => all(join(tape, day), 'SELECT * FROM tape')),
  };
}

/** The same without the numbers of ticks, in which an interrupted import leaves gaps. */
export async function contentOf(folder: string): Promise<unknown> {
  const { bars, histograms, prices, numbers, days, watched } = dumpOf(folder);
  const unnumbered = (numbers as { name: string }[]).filter(({ name }) => name !== 'seq_reserved');
  return { bars, histograms, prices, days, watched, numbers: unnumbered, ticks: await ticksOf(folder) };
}

/** Every tick on the tape, crossed quotes included, minute by minute in the order of seq. */
export async function ticksOf(folder: string): Promise<PriceEvent[]> {
  const blocks = await withStore(folder, ({ market }) => market.tape(0));
  const minutes = Map.groupBy(blocks, ({ symbol, minute }: TapeBlock) => `${minute} ${symbol}`);
  return [...minutes.values()].flatMap((list) => decodeMinuteBlocks(list).map(({ event }) => event));
}
