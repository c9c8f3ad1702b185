// Exports a store line by line.
import { iso } from '@tickwire/contract';
import type { FileSettings } from '../data-files.ts';
import { type ArchiveFooter, type ArchiveHeader, encodeRow, FORMAT } from './format.ts';
import { filesOf, piecesOf } from './plain-files.ts';
import { type ArchiveSource, tableName, tablesOf } from './tables.ts';

/** Lines yielded at once. */
const LINES_AT_ONCE = 500;

export interface ArchiveExportOptions {
  readonly source: ArchiveSource;
  /** Where the plain files are. */
  readonly files: FileSettings;
  readonly at: number;
  readonly onProgress?: (done: number, total: number) => void;
  readonly onEnd?: (footer: ArchiveFooter) => void;
}

export async function* exportArchive(options: ArchiveExportOptions): AsyncGenerator<string> {
  const { source, at, onProgress, onEnd } = options;
  const tables = source.parts.flatMap(tablesOf);
  let total = 0;
  for (const table of tables) total += await source.count(table);
  const header: ArchiveHeader = {
    tickwire_export: FORMAT,
    at: iso(at),
    from: source.name,
    parts: source.parts,
    rows: total,
  };
  yield line(header);
  const counts: Record<string, number> = {};
  let done = 0;
  for (const table of tables) {
    const name = tableName(table);
    yield line({ table: name, columns: Object.keys(table.columns) });
    counts[name] = 0;
    for await (const rows of source.rows(table)) {
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
  let files = 0;
  for (const part of source.parts) {
    for (const name of filesOf(options.files, part)) {
      for await (const piece of piecesOf(options.files, name)) yield line(piece);
      files++;
    }
  }
  const footer: ArchiveFooter = { counts, files };
  yield line(footer);
  onEnd?.(footer);
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
