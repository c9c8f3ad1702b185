// Writes a store down, line by line, and counts what it wrote against what the store says it has.
import { StoreError } from '../store.ts';
import { type Ending, encodeRow, FORMAT, type Heading } from './format.ts';
import { filesOf, piecesOf } from './plain-files.ts';
import { tableName, tablesOf } from './shapes.ts';
import type { Source } from './sides.ts';

/** Lines handed on at once. */
const LINES_AT_ONCE = 500;

export interface ExportOptions {
  readonly source: Source;
  /** The data folder, with the plain files of its realms. */
  readonly folder: string;
  readonly at: number;
  readonly onProgress?: (done: number, total: number) => void;
  readonly onEnd?: (ending: Ending) => void;
}

export async function* exportLines({ source, folder, at, onProgress, onEnd }: ExportOptions): AsyncGenerator<string> {
  let total = 0;
  for (const part of source.parts) for (const table of tablesOf(part)) total += await source.count(part, table);
  const heading: Heading = {
    tickwire_export: FORMAT,
    at: new Date(at).toISOString(),
    from: source.name,
    parts: source.parts,
    rows: total,
  };
  yield line(heading);
  const counts: Record<string, number> = {};
  let done = 0;
  for (const part of source.parts) {
    for (const table of tablesOf(part)) {
      const name = tableName(part, table);
      yield line({ table: name, columns: Object.keys(table.columns) });
      counts[name] = 0;
      for await (const rows of source.rows(part, table)) {
        for (let from = 0; from < rows.length; from += LINES_AT_ONCE)
          yield rows
            .slice(from, from + LINES_AT_ONCE)
            .map((row) => line(encodeRow(row)))
            .join('');
        counts[name] += rows.length;
        done += rows.length;
        onProgress?.(done, Math.max(total, done));
      }
    }
  }
  let files = 0;
  for (const part of source.parts) {
    if (part === 'access') continue;
    for (const name of filesOf(folder, part)) {
      for await (const piece of piecesOf(folder, name)) yield line(piece);
      files++;
    }
  }
  const ending: Ending = { counts, files };
  yield line(ending);
  onEnd?.(ending);
}

/** Throws where a table has another number of rows than were exported of it. */
export function checkCount(name: string, exported: number, stored: number): void {
  if (exported !== stored) throw new StoreError(`${name}: ${exported} rows were read, but the store has ${stored}`);
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
