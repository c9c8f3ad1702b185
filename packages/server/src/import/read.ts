// The whole way from files to rows, in batches: open, unpack, recognise, read, check. Memory holds one chunk and its rows.
import { asEpochMs, type EpochMs, type HoursName } from '@tickwire/engine';
import { detectFormat, formatNamed } from './detect.ts';
import type { FormatName, FormatOptions } from './formats/format.ts';
import { ImportError } from './import-error.ts';
import { ImportReport } from './report.ts';
import type { Row } from './row.ts';
import { RowSink } from './row-sink.ts';
import { SAMPLE_BYTES, sampleOf } from './sample.ts';
import { SIZE_LIMITS, type SizeLimits } from './size-guard.ts';
import { type SourceEntry, SourceFile } from './source-file.ts';
import { asUtf8, joined } from './text-encoding.ts';

/** Clocks of whoever wrote the file may be ahead; by more than a day they are wrong. */
const MAX_AHEAD_MS = 86_400_000;

export interface ImportOptions extends FormatOptions {
  readonly format: FormatName | 'auto';
  /** Trading hours of the instrument: a gap while the market is closed is none. */
  readonly hours?: HoursName;
  /** What to do with prices finer than the instrument's digits; left out they are skipped and reported. */
  readonly finer?: 'skip' | 'round';
  /** Rows after this time are refused; left out, what is more than a day ahead of the clock. */
  readonly notAfter?: EpochMs;
  readonly limits?: Partial<SizeLimits>;
}

export interface ImportBatch {
  /** The file, with `!entry` behind it for one in a zip. */
  readonly file: string;
  readonly rows: readonly Row[];
  /** Progress through the file as it lies on the disk. */
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

export interface ImportRun {
  /** Rows in the order of the files. A batch may be empty: it still tells progress. */
  readonly batches: AsyncGenerator<ImportBatch>;
  /** Complete when the batches are; readable at any time, also after an error. */
  readonly report: ImportReport;
}

export function readImport(files: readonly string[], options: ImportOptions): ImportRun {
  const report = new ImportReport(options.hours ?? 'always');
  return { report, batches: readFiles(files, options, report) };
}

async function* readFiles(
  files: readonly string[],
  options: ImportOptions,
  report: ImportReport,
): AsyncGenerator<ImportBatch> {
  if (options.start !== undefined && files.length > 1) {
    throw new ImportError('start_required', '--start belongs to one file: import files without a date one by one');
  }
  for (const path of files) {
    let source: SourceFile | null = null;
    try {
      source = await SourceFile.open(path, { ...SIZE_LIMITS, ...options.limits });
      const entries = await source.entries();
      for (const entry of entries) yield* readEntry(entry, source, options, report, entries.length > 1);
      requireSome(path, entries, report);
    } catch (error) {
      throw ImportError.in(path, error);
    } finally {
      await source?.close();
    }
  }
}

/** An archive may hold a readme beside its data, but not readmes alone. */
function requireSome(path: string, entries: readonly SourceEntry[], report: ImportReport): void {
  if (entries.length < 2 || report.files.some(({ file }) => file.startsWith(`${path}!`))) return;
  throw new ImportError('unknown_format', 'no format reads any file in the zip');
}

async function* readEntry(
  entry: SourceEntry,
  source: SourceFile,
  options: ImportOptions,
  report: ImportReport,
  oneOfMany: boolean,
): AsyncGenerator<ImportBatch> {
  try {
    for await (const rows of readRows(entry.name, entry.chunks(), options, report)) {
      yield { file: entry.name, rows, bytesRead: source.bytesRead, bytesTotal: source.bytesTotal };
    }
  } catch (error) {
    const strange = error instanceof ImportError && ['unknown_format', 'empty_file'].includes(error.fault);
    if (!oneOfMany || !strange) throw ImportError.in(entry.name, error);
    report.ignored.push(entry.name);
  }
}

/** One file's rows from its unpacked bytes, cut anywhere. */
export async function* readRows(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
  report: ImportReport,
): AsyncGenerator<Row[]> {
  const text = asUtf8(chunks);
  let head: Uint8Array = new Uint8Array(0);
  let whole = false;
  while (head.length < SAMPLE_BYTES && !whole) {
    const { value, done } = await text.next();
    whole = done === true;
    if (value) head = joined(head, value);
  }
  const sample = sampleOf(name, head.subarray(0, SAMPLE_BYTES), whole && head.length <= SAMPLE_BYTES);
  if (head.length === 0 && !/\.bi5$/i.test(name)) throw new ImportError('empty_file', 'the file is empty');
  const format = options.format === 'auto' ? detectAuto(sample, options) : formatNamed(options.format);
  const sink = new RowSink(name, report, {
    digits: options.digits,
    pointDigits: options.pointDigits,
    finer: options.finer ?? 'skip',
    notAfter: options.notAfter ?? asEpochMs(Date.now() + MAX_AHEAD_MS),
  });
  const reader = format.rows({ sample, options, sink });
  const file = { file: name, format: format.name, rows: 0 };
  report.files.push(file);
  const taken = (): Row[] => {
    const rows = sink.take();
    file.rows += rows.length;
    return rows;
  };
  reader.chunk(head);
  yield taken();
  for await (const chunk of text) {
    reader.chunk(chunk);
    yield taken();
  }
  reader.end();
  yield taken();
}

/** Names of columns given by hand mean a CSV that has none of its own. */
const detectAuto = (sample: Parameters<typeof detectFormat>[0], options: ImportOptions) =>
  options.columns === undefined ? detectFormat(sample) : formatNamed('csv');
