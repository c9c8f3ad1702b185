// Rows of small files and of texts, all at once.
import { type ImportOptions, readImport, readRows } from './read.ts';
import { ImportReport } from './report.ts';
import type { BarRow, QuoteRow, Row, TradeRow } from './row.ts';

const OPTIONS: ImportOptions = { symbol: 'EURUSD', digits: 5, format: 'auto' };

export interface Imported {
  readonly rows: Row[];
  readonly report: ImportReport;
}

export async function importAll(files: readonly string[], options: Partial<ImportOptions>): Promise<Imported> {
  const { batches, report } = readImport(files, { ...OPTIONS, ...options });
  const rows: Row[] = [];
  for await (const batch of batches) for (const row of batch.rows) rows.push(row);
  return { rows, report };
}

/** A file of this name and content, handed over in chunks of the given lengths; what is left comes as the last one. */
export async function importBytes(
  name: string,
  content: string | Uint8Array,
  options: Partial<ImportOptions> = {},
  lengths: readonly number[] = [],
): Promise<Imported> {
  const report = new ImportReport(options.hours ?? 'always');
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const rows: Row[] = [];
  for await (const batch of readRows(name, cut(bytes, lengths), { ...OPTIONS, ...options }, report))
    rows.push(...batch);
  return { rows, report };
}

async function* cut(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  // As with a file, the buffer of one chunk is used again for the next.
  const buffer = new Uint8Array(bytes.length);
  for (const length of [...lengths, bytes.length]) {
    const chunk = bytes.subarray(at, at + length);
    buffer.fill(0).set(chunk);
    yield buffer.subarray(0, chunk.length);
    at += chunk.length;
  }
}

export const quotesIn = (rows: readonly Row[]): QuoteRow[] => rows.filter((row) => row.kind === 'quote');
export const tradesIn = (rows: readonly Row[]): TradeRow[] => rows.filter((row) => row.kind === 'trade');
export const barsIn = (rows: readonly Row[]): BarRow[] => rows.filter((row) => row.kind === 'bar');

/** How often each reason to skip a line came up. */
export const skippedIn = (report: ImportReport): Record<string, number> =>
  Object.fromEntries([...report.skipped].map(([reason, { count }]) => [reason, count]));

export const utc = (text: string): number => Date.parse(text);
