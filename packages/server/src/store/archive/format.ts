// The file of an export: gzipped lines of JSON. First what it is and about how much; then, table by table, a line that
// names it and a line per row, an array with bytes in Base64; plain files in pieces; last the counts, without which it is not whole.

import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip, gunzipSync } from 'node:zlib';
import { StoreError } from '../store.ts';
import type { TableShape } from './shapes.ts';
import type { Cell, Row } from './sides.ts';

export const FORMAT = 1;
const MAX_LINE_BYTES = 64 * 1024 ** 2;
const MARK = '{"tickwire_export":';

export interface Heading {
  readonly tickwire_export: number;
  readonly at: string;
  readonly from: string;
  readonly parts: readonly string[];
  /** How many rows it will have, about. */
  readonly rows: number;
}
export interface TableLine {
  readonly table: string;
  readonly columns: readonly string[];
}
/** A plain file of a realm, whole when `last`. */
export interface FileLine {
  readonly file: string;
  readonly bytes: string;
  readonly last: boolean;
}
export interface Ending {
  readonly counts: Readonly<Record<string, number>>;
  readonly files: number;
}
export type Line = Heading | TableLine | FileLine | Ending | readonly (string | number | null)[];

export function encodeRow(row: Row): (string | number | null)[] {
  return row.map((cell) => {
    if (cell instanceof Uint8Array)
      return Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('base64');
    if (typeof cell === 'number' && !Number.isFinite(cell)) throw new StoreError(`${cell} cannot be exported`);
    return cell;
  });
}

/** Checks that the cells are what the table has: a file may come from anywhere. */
export function decodeRow(cells: readonly unknown[], { name, columns }: TableShape): Cell[] {
  const kinds = Object.entries(columns);
  if (cells.length !== kinds.length)
    throw new StoreError(`the export is damaged: a row of ${name} has ${cells.length} cells`);
  return kinds.map(([column, kind], index) => {
    const cell = cells[index];
    const wanted = kind === 'int' || kind === 'float' ? 'number' : 'string';
    if (cell !== null && typeof cell !== wanted)
      throw new StoreError(`the export is damaged: ${column} of ${name} is ${JSON.stringify(cell)}`);
    return kind === 'bytes' && cell !== null ? new Uint8Array(Buffer.from(cell as string, 'base64')) : (cell as Cell);
  });
}

/** Writes lines as they come, no faster than they are taken. */
export async function writeLines(lines: AsyncIterable<string>, to: Writable): Promise<void> {
  await pipeline(lines, createGzip({ level: 4 }), to);
}

export async function* readLines(from: Readable): AsyncGenerator<Line> {
  const unzipped = from.pipe(createGunzip());
  from.on('error', (error) => unzipped.destroy(error));
  let rest: Buffer[] = [];
  let held = 0;
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        const text = Buffer.concat([...rest, chunk.subarray(start, end)]).toString();
        rest = [];
        held = 0;
        start = end + 1;
        yield parse(text);
      }
      rest.push(chunk.subarray(start));
      held += chunk.length - start;
      if (held > MAX_LINE_BYTES) throw new StoreError('the export is damaged: a line of it has no end');
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`the export cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (held > 0) throw new StoreError('the export is cut off');
}

function parse(text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    throw new StoreError('the export is damaged: a line of it is no JSON');
  }
}

/** Whether a file that begins with these bytes is an export. */
export function isExport(beginning: Uint8Array): boolean {
  if (beginning[0] !== 0x1f || beginning[1] !== 0x8b) return false;
  try {
    return gunzipSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, MARK.length).toString() === MARK;
  } catch {
    return false;
  }
}
