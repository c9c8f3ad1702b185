// Exports from a store with the command, imports the files into a new store with the flags that the export proposes, and reads
// both stores.
import { afterAll } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asSymbol, type Bar, CATALOGUE } from '@tickwire/engine';
import { streamBars } from '../../src/history/bar-stream.ts';
import { LATEST, parseChart } from '../../src/history/chart-reader.ts';
import { streamTicks, type TickKind } from '../../src/history/tick-stream.ts';
import { MarketView } from '../../src/market/market-view.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import type { MarketStore } from '../../src/store/store.ts';
import { runHere } from '../command.fixture.ts';
import type { Settings } from '../service.fixture.ts';

export type Realm = 'sim' | 'live';

/** New folders, which are deleted after the tests of the file that calls this. */
export function newFolders(): () => string {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    folders.push(mkdtempSync(join(tmpdir(), 'tickwire-export-')));
    return folders.at(-1)!;
  };
}

export interface RoundTrip {
  readonly symbol: string;
  readonly data: string;
  readonly realm: Realm;
  /** What to export: `bars --interval 1h --format csv`. */
  readonly command: string;
  readonly settings?: Settings;
  readonly newFolder: () => string;
}

/** Returns the data folder of the new store, whose realm is live. Throws if a command fails. */
export async function roundTrip({ symbol, data, realm, command, settings, newFolder }: RoundTrip): Promise<string> {
  const [what, ...flags] = command.split(' ');
  const folder = newFolder();
  const exported = await runHere(['export', what!, folder, '--symbol', symbol, '--realm', realm, ...flags], {
    ...settings,
    data,
  });
  if (exported.status !== 0) throw new Error(`the export failed: ${exported.err}${exported.out}`);
  const proposed = exported.out.matchAll(/^ {2}read back +npx tickwire import \S+ (.*)$/gm);
  const importFlags = [...new Set([...proposed].map(([, text]) => text!))];
  const target = newFolder();
  const imported = await runHere(['import', ...filesUnder(folder), ...importFlags[0]!.split(' ')], {
    ...settings,
    data: target,
  });
  if (imported.status !== 0) throw new Error(`the import failed: ${imported.err}${imported.out}`);
  return target;
}

export function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function withMarket<T>(data: string, realm: Realm, work: (store: MarketStore) => Promise<T>): Promise<T> {
  const store = openSqliteStore({ folder: data, realm, exclusive: false });
  try {
    return await work(store.market);
  } finally {
    await store.close();
  }
}

/** All bars of a chart, ascending. */
export function barsOf(data: string, realm: Realm, symbol: string, interval: string, align = 'utc'): Promise<Bar[]> {
  return withMarket(data, realm, async (store) => {
    const sources = { store, view: new MarketView([{ ...CATALOGUE[0]!, symbol: asSymbol(symbol) }]) };
    const range = { symbol: asSymbol(symbol), from: 0, to: LATEST };
    return (await Array.fromAsync(streamBars(sources, parseChart({ interval, align }), range))).flat();
  });
}

/** All ticks of a kind, ascending, crossed quotes included. */
export function ticksOf(
  data: string,
  realm: Realm,
  symbol: string,
  kind: TickKind,
  crossed = true,
): Promise<unknown[]> {
  return withMarket(data, realm, async (store) => {
    const range = { symbol: asSymbol(symbol), kind, from: 0, to: LATEST, crossed };
    return (await Array.fromAsync(streamTicks(store, range))).flat().map(({ event }) => event);
  });
}
