// Reads all rows of files or texts.

import { ImportReport } from '../../src/import/import-report.ts';
import { type ImportRun, type ReadOptions, readFileRows, readImport } from '../../src/import/read-files.ts';
import type { ImportBar, ImportQuote, ImportRow, ImportTrade } from '../../src/import/rows/import-row.ts';
import { surveyFile, surveyFiles } from '../../src/import/survey/survey-files.ts';

const OPTIONS: ReadOptions = { symbol: 'EURUSD', digits: 5, format: 'auto' };

export interface Imported {
  readonly rows: ImportRow[];
  readonly report: ImportReport;
}

/** Surveys the files, then reads them. */
export async function surveyedImport(files: readonly string[], options: Partial<ReadOptions> = {}): Promise<ImportRun> {
  const all = { ...OPTIONS, ...options };
  return readImport(files, all, (await surveyFiles(files, all)).findings);
}

export async function importAll(files: readonly string[], options: Partial<ReadOptions>): Promise<Imported> {
  const { batches, report } = await surveyedImport(files, options);
  const rows: ImportRow[] = [];
  for await (const batch of batches) for (const row of batch.rows) rows.push(row);
  return { rows, report };
}

/** Reads a file of this name and content in chunks of the given lengths; the rest is the last chunk. */
export async function importBytes(
  name: string,
  content: string | Uint8Array,
  options: Partial<ReadOptions> = {},
  lengths: readonly number[] = [],
): Promise<Imported> {
  const report = new ImportReport(options.hours ?? 'always');
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const rows: ImportRow[] = [];
  const all = { ...OPTIONS, ...options };
  const { findings } = await surveyFile(name, () => cut(bytes, lengths), all);
  for await (const batch of readFileRows(name, cut(bytes, lengths), all, report, findings)) rows.push(...batch);
  return { rows, report };
}

async function* cut(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  // As with a file, the buffer of one chunk is reused for the next.
  const buffer = new Uint8Array(bytes.length);
  for (const length of [...lengths, bytes.length]) {
    const chunk = bytes.subarray(at, at + length);
    buffer.fill(0).set(chunk);
    yield buffer.subarray(0, chunk.length);
    at += chunk.length;
  }
}

export const quotesIn = (rows: readonly ImportRow[]): ImportQuote[] => rows.filter((row) => row.kind === 'quote');
export const tradesIn = (rows: readonly ImportRow[]): ImportTrade[] => rows.filter((row) => row.kind === 'trade');
export const barsIn = (rows: readonly ImportRow[]): ImportBar[] => rows.filter((row) => row.kind === 'bar');

/** The number of skipped lines per reason. */
export const skippedIn = (report: ImportReport): Record<string, number> =>
  Object.fromEntries([...report.skipped].map(([reason, { count }]) => [reason, count]));

export const utc = (text: string): number => Date.parse(text);
