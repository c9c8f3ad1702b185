// Remembers which files of an export are complete, so that one that was interrupted can be continued. It lies in the folder of
// the export, one JSON object per line, and is deleted when the export is complete.
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DataGap } from '@tickwire/engine';
import { fileError } from './atomic-file.ts';

/** What identifies an export. A change of anything makes it another one. */
export type ExportRequest = Readonly<Record<string, string | number | null>>;

export interface CompleteFile {
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
  /** Start times of its first and its last row. */
  readonly first: number;
  readonly last: number;
  /** End of its last row. */
  readonly until: number;
  /** Rows of its period that belong into another file. */
  readonly others: number;
  /** How many of its rows are bars of bid prices. */
  readonly bidBars: number;
  /** Crossed quotes of its period that were left out. */
  readonly crossed: number;
  /** Decimals of its prices, at least those of the instrument. */
  readonly digits: number;
  /** Number of gaps that end in it, and the longest of them. */
  readonly gaps: number;
  readonly longestGaps: readonly DataGap[];
}

interface Header {
  readonly request: ExportRequest;
  /** The range, as it was decided when the export began. */
  readonly from: number;
  readonly to: number;
}

export class ExportJournal {
  readonly #file: string;
  #descriptor: number | null = null;
  /** `null` if no export was interrupted here. */
  readonly earlier: (Header & { readonly files: ReadonlyMap<string, CompleteFile> }) | null;

  /** `name`: of the dataset. */
  constructor(folder: string, name: string) {
    this.#file = join(folder, `.tickwire-export-${name}.jsonl`);
    this.earlier = readEarlier(this.#file);
  }

  /** Whether the earlier export asked for the same. */
  continues(request: ExportRequest): boolean {
    return this.earlier !== null && canonical(this.earlier.request) === canonical(request);
  }

  /** Starts a new export, or continues the earlier one. The folder must exist. */
  open(header: Header, isContinued: boolean): void {
    this.#write(() => {
      this.#descriptor = openSync(this.#file, isContinued ? 'a' : 'w');
      if (!isContinued) writeSync(this.#descriptor, `${JSON.stringify(header)}\n`);
    });
  }

  add(file: CompleteFile): void {
    this.#write(() => writeSync(this.#descriptor!, `${JSON.stringify(file)}\n`));
  }

  /** The export is complete. */
  delete(): void {
    this.close();
    rmSync(this.#file, { force: true });
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #write(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw fileError(this.#file, error);
    }
  }
}

function readEarlier(file: string): ExportJournal['earlier'] {
  if (!existsSync(file)) return null;
  const [header, ...files] = readFileSync(file, 'utf8').split('\n').map(parseLine);
  if (!header || !('request' in header)) return null;
  const complete = files.filter((line): line is CompleteFile => line !== null && 'path' in line);
  return { ...header, files: new Map(complete.map((line) => [line.path, line])) };
}

/** The last line may be cut. */
function parseLine(line: string): Header | CompleteFile | null {
  try {
    return JSON.parse(line) as Header | CompleteFile;
  } catch {
    return null;
  }
}

const canonical = (request: ExportRequest): string => JSON.stringify(Object.entries(request).sort());
