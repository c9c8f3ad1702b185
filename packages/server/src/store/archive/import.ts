// Fills an empty store from the lines of an export. The caller keeps the result only if the import resolves.
import { StoreError } from '../../errors/store-error.ts';
import type { FileSettings } from '../data-files.ts';
import {
  type ArchiveFooter,
  type ArchiveHeader,
  type ArchiveLine,
  decodeRow,
  type FilePiece,
  FORMAT,
  type TableHeader,
} from './format.ts';
import { FileReceiver } from './plain-files.ts';
import { type ArchiveCell, type ArchiveTable, type ArchiveTarget, TABLES, tableName } from './tables.ts';

/** Rows per batch; the largest are tape blocks, with at most some tens of kilobytes. */
const ROWS_AT_ONCE = 2_000;

export interface TableCount {
  readonly table: string;
  readonly exported: number;
  readonly imported: number;
}

export interface ArchiveImportOptions {
  readonly lines: AsyncIterable<ArchiveLine>;
  readonly target: ArchiveTarget;
  /** Where the plain files go. */
  readonly files: FileSettings;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Returns the counts of both sides, which the caller compares before it keeps the result. */
export async function importArchive(options: ArchiveImportOptions): Promise<TableCount[]> {
  const { lines, target, onProgress } = options;
  const files = new FileReceiver(options.files);
  let header: ArchiveHeader | null = null;
  let footer: ArchiveFooter | null = null;
  let table: ArchiveTable | null = null;
  let batch: ArchiveCell[][] = [];
  let done = 0;
  const flush = async (): Promise<void> => {
    if (!table || batch.length === 0) return;
    await target.put(table, batch);
    done += batch.length;
    onProgress?.(done, Math.max(header?.rows ?? 0, done));
    batch = [];
  };
  for await (const line of lines) {
    if (footer) throw new StoreError('the export is damaged: it continues after its footer');
    if (!header) header = parseHeader(line);
    else if (Array.isArray(line)) {
      if (!table) throw new StoreError('the export is damaged: it has a row outside a table');
      batch.push(decodeRow(line, table));
      if (batch.length >= ROWS_AT_ONCE) await flush();
    } else {
      await flush();
      if ('table' in line) table = tableOf(line);
      else if ('file' in line) files.take(line as FilePiece);
      else if ('counts' in line) footer = line as ArchiveFooter;
      else throw new StoreError('the export is damaged: it has an unknown line');
    }
  }
  if (!header || !footer) throw new StoreError('the export is truncated: its footer is missing');
  const counted: TableCount[] = [];
  for (const [name, exported] of Object.entries(footer.counts)) {
    counted.push({ table: name, exported, imported: await target.count(findTable(name)) });
  }
  return [...counted, { table: 'files', exported: footer.files, imported: files.taken }];
}

export const countsAgree = (counts: readonly TableCount[]): boolean =>
  counts.every(({ exported, imported }) => exported === imported);

function parseHeader(line: ArchiveLine): ArchiveHeader {
  if (Array.isArray(line) || !('tickwire_export' in line)) throw new StoreError('this is not an export of Tickwire');
  if (line.tickwire_export === FORMAT) return line;
  if (line.tickwire_export < FORMAT)
    throw new StoreError(
      'the export was written by an earlier development version of Tickwire, which this version cannot read',
    );
  throw new StoreError(
    `the export has format ${line.tickwire_export}, this Tickwire reads ${FORMAT}: use the release that wrote it`,
  );
}

function tableOf({ table: name, columns }: TableHeader): ArchiveTable {
  const table = findTable(name);
  if (columns.join() !== Object.keys(table.columns).join())
    throw new StoreError(
      `${name} in the export has other columns than this Tickwire: import it with the release that wrote it, then upgrade`,
    );
  return table;
}

function findTable(name: string): ArchiveTable {
  const found = TABLES.find((table) => tableName(table) === name);
  if (found) return found;
  throw new StoreError(`the export has an unknown table ${name}: import it with the release that wrote it`);
}
