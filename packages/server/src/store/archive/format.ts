// The file of an export: gzipped lines of JSON. A header with the format and the approximate size; for each table a
// line that names it and one line per row (an array, bytes in Base64); plain files in pieces; and a footer with the
// counts, without which the file is incomplete.
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip, gunzipSync } from 'node:zlib';
import { StoreError } from '../../errors/store-error.ts';
import type { ArchiveCell, ArchiveRow, ArchiveTable } from './tables.ts';

/** Development versions before the first release wrote 1 to 3. */
export const FORMAT = 4;
const MAX_LINE_BYTES = 64 * 1024 ** 2;
const MARK = '{"tickwire_export":';

export interface ArchiveHeader {
  readonly tickwire_export: number;
  readonly at: string;
  readonly from: string;
  readonly parts: readonly string[];
  /** Approximate number of rows. */
  readonly rows: number;
}
export interface TableHeader {
  readonly table: string;
  readonly columns: readonly string[];
}
/** A piece of a plain file; complete when `last`. */
export interface FilePiece {
  readonly file: string;
  readonly bytes: string;
  readonly last: boolean;
}
export interface ArchiveFooter {
  readonly counts: Readonly<Record<string, number>>;
  readonly files: number;
}
export type ArchiveLine = ArchiveHeader | TableHeader | FilePiece | ArchiveFooter | readonly (string | number | null)[];

export function encodeRow(row: ArchiveRow): (string | number | null)[] {
  return row.map((cell) => {
    if (cell instanceof Uint8Array)
      return Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('base64');
    if (typeof cell === 'number' && !Number.isFinite(cell)) throw new StoreError(`${cell} cannot be exported`);
    return cell;
  });
}

/** Checks that the cells match the table: a file may come from anywhere. */
export function decodeRow(cells: readonly unknown[], { name, columns }: ArchiveTable): ArchiveCell[] {
  const kinds = Object.entries(columns);
  if (cells.length !== kinds.length)
    throw new StoreError(`the export is damaged: a row of ${name} has ${cells.length} cells`);
  return kinds.map(([column, kind], index) => {
    const cell = cells[index];
    const wanted = kind === 'int' || kind === 'float' ? 'number' : 'string';
    if (cell !== null && typeof cell !== wanted)
      throw new StoreError(`the export is damaged: ${column} of ${name} is ${JSON.stringify(cell)}`);
    return kind === 'bytes' && cell !== null
      ? new Uint8Array(Buffer.from(cell as string, 'base64'))
      : (cell as ArchiveCell);
  });
}

/** Writes lines as they come, with back-pressure. */
export async function writeArchive(lines: AsyncIterable<string>, to: Writable): Promise<void> {
  await pipeline(lines, createGzip({ level: 4 }), to);
}

export async function* readArchive(from: Readable): AsyncGenerator<ArchiveLine> {
  const unzipped = from.pipe(createGunzip());
  from.on('error', (error) => unzipped.destroy(error));
  let partial: Buffer[] = [];
  let held = 0;
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        const text = Buffer.concat([...partial, chunk.subarray(start, end)]).toString();
        partial = [];
        held = 0;
        start = end + 1;
        yield parse(text);
      }
      partial.push(chunk.subarray(start));
      held += chunk.length - start;
      if (held > MAX_LINE_BYTES) throw new StoreError('the export is damaged: it has a line that is too long');
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`the export cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (held > 0) throw new StoreError('the export is truncated');
}

function parse(text: string): ArchiveLine {
  try {
    return JSON.parse(text) as ArchiveLine;
  } catch {
    throw new StoreError('the export is damaged: it has a line that is not JSON');
  }
}

/** Whether a file that begins with these bytes is an export. */
export function isArchive(beginning: Uint8Array): boolean {
  if (beginning[0] !== 0x1f || beginning[1] !== 0x8b) return false;
  try {
    return gunzipSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, MARK.length).toString() === MARK;
  } catch {
    return false;
  }
}
