// Fills an empty store from the lines of an export. The caller keeps what was put only where it ends well.
import { StoreError } from '../store.ts';
import { decodeRow, type Ending, type FileLine, FORMAT, type Heading, type Line, type TableLine } from './format.ts';
import { FileReceiver } from './plain-files.ts';
import { PARTS, type Part, type TableShape, tableName, tablesOf } from './shapes.ts';
import type { Cell, Target } from './sides.ts';

/** Rows put at once; tape blocks are the large ones, with some tens of kilobytes at the most. */
const ROWS_AT_ONCE = 2_000;

export interface TableCount {
  readonly table: string;
  readonly exported: number;
  readonly imported: number;
}

export interface ImportOptions {
  readonly lines: AsyncIterable<Line>;
  readonly target: Target;
  /** The data folder that plain files are put into. */
  readonly folder: string;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Both sides' counts, which the caller compares before it keeps anything. */
export async function importLines({ lines, target, folder, onProgress }: ImportOptions): Promise<TableCount[]> {
  const known = new Map(
    PARTS.flatMap((part) => tablesOf(part).map((table) => [tableName(part, table), { part, table }] as const)),
  );
  const files = new FileReceiver(folder);
  let heading: Heading | null = null;
  let ending: Ending | null = null;
  let current: { readonly part: Part; readonly table: TableShape; readonly order: readonly number[] } | null = null;
  let waiting: Cell[][] = [];
  let done = 0;
  const flush = async (): Promise<void> => {
    if (!current || waiting.length === 0) return;
    await target.put(current.part, current.table, waiting);
    done += waiting.length;
    onProgress?.(done, Math.max(heading?.rows ?? 0, done));
    waiting = [];
  };
  for await (const line of lines) {
    if (ending) throw new StoreError('the export is damaged: it goes on after its end');
    if (!heading) heading = headingOf(line);
    else if (Array.isArray(line)) {
      if (!current) throw new StoreError('the export is damaged: a row belongs to no table');
      const cells = line as readonly unknown[];
      waiting.push(
        decodeRow(
          cells.length === current.order.length ? current.order.map((index) => cells[index]) : cells,
          current.table,
        ),
      );
      if (waiting.length >= ROWS_AT_ONCE) await flush();
    } else {
      await flush();
      if ('table' in line) current = tableOf(line, known);
      else if ('file' in line) files.take(line as FileLine);
      else if ('counts' in line) ending = line as Ending;
      else throw new StoreError('the export is damaged: a line of it is unknown');
    }
  }
  if (!heading || !ending) throw new StoreError('the export is cut off: its end is missing');
  const counted: TableCount[] = [];
  for (const [name, exported] of Object.entries(ending.counts)) {
    const place = known.get(name);
    if (!place) throw new StoreError(`the export has a table ${name} that this Tickwire does not know`);
    counted.push({ table: name, exported, imported: await target.count(place.part, place.table) });
  }
  return [...counted, { table: 'files', exported: ending.files, imported: files.taken }];
}

export const agree = (counts: readonly TableCount[]): boolean =>
  counts.every(({ exported, imported }) => exported === imported);

function headingOf(line: Line): Heading {
  if (Array.isArray(line) || !('tickwire_export' in line)) throw new StoreError('this is no export of Tickwire');
  if (line.tickwire_export === FORMAT) return line;
  throw new StoreError(
    `the export has format ${line.tickwire_export}, this Tickwire reads ${FORMAT}: use the release that wrote it`,
  );
}

/** An export of another release may have its columns in another order, but must have the same. */
function tableOf({ table: name, columns }: TableLine, known: ReadonlyMap<string, { part: Part; table: TableShape }>) {
  const place = known.get(name);
  if (!place) throw new StoreError(`the export has a table ${name} that this Tickwire does not know`);
  const wanted = Object.keys(place.table.columns);
  const order = wanted.map((column) => columns.indexOf(column));
  if (columns.length !== wanted.length || order.includes(-1))
    throw new StoreError(
      `${name} of the export has other columns than this Tickwire: import it with the release that wrote it, then upgrade`,
    );
  return { ...place, order };
}
