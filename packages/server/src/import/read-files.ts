// Reads files into rows, in batches: opens, decompresses, detects the format, parses and checks. Memory holds one chunk and
// its rows.
import { asEpochMs, DAY_MS, type EpochMs, type HoursName } from '@tickwire/engine';
import { detectFormat, formatNamed } from './detect-format.ts';
import { createSample, SAMPLE_BYTES } from './file-sample.ts';
import type { FormatName, FormatOptions } from './formats/format.ts';
import { ImportError } from './import-error.ts';
import { ImportReport } from './import-report.ts';
import type { ImportRow } from './import-row.ts';
import { RowSink } from './row-sink.ts';
import { SIZE_LIMITS, type SizeLimits } from './size-guard.ts';
import { type SourceEntry, SourceFile } from './source-file.ts';
import { asUtf8, concatBytes } from './text-encoding.ts';

/** A row may be ahead of our clock by this much. */
const MAX_AHEAD_MS = DAY_MS;

export interface ReadOptions extends FormatOptions {
  readonly format: FormatName | 'auto';
  /** Trading hours of the instrument: closed hours are not reported as gaps. */
  readonly hours?: HoursName;
  /** What to do with prices that have more digits than the instrument. Default: skip and report. */
  readonly finer?: 'skip' | 'round';
  /** Rows after this time are skipped. Default: a day ahead of the clock. */
  readonly notAfter?: EpochMs;
  readonly limits?: Partial<SizeLimits>;
}

export interface ImportBatch {
  /** The file, followed by `!entry` for an entry of a zip. */
  readonly file: string;
  readonly rows: readonly ImportRow[];
  /** Progress in bytes of the file on disk. */
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

export interface ImportRun {
  /** Rows in the order of the files. An empty batch still reports progress. */
  readonly batches: AsyncGenerator<ImportBatch>;
  /** Complete when the batches are; readable at any time, even after an error. */
  readonly report: ImportReport;
}

export function readImport(files: readonly string[], options: ReadOptions): ImportRun {
  const report = new ImportReport(options.hours ?? 'always');
  return { report, batches: readFiles(files, options, report) };
}

async function* readFiles(
  files: readonly string[],
  options: ReadOptions,
  report: ImportReport,
): AsyncGenerator<ImportBatch> {
  if (options.start !== undefined && files.length > 1) {
    throw new ImportError('start_required', '--start applies to one file: import files without a date one at a time');
  }
  for (const path of files) {
    let source: SourceFile | null = null;
    try {
      source = await SourceFile.open(path, { ...SIZE_LIMITS, ...options.limits });
      const entries = await source.entries();
      for (const entry of entries) yield* readEntry(entry, source, options, report, entries.length > 1);
      requireData(path, entries, report);
    } catch (error) {
      throw ImportError.in(path, error);
    } finally {
      await source?.close();
    }
  }
}

/** An archive may contain other files besides data, but not only others. */
function requireData(path: string, entries: readonly SourceEntry[], report: ImportReport): void {
  if (entries.length < 2 || report.files.some(({ file }) => file.startsWith(`${path}!`))) return;
  throw new ImportError('unknown_format', 'no file in the zip has a known format');
}

async function* readEntry(
  entry: SourceEntry,
  source: SourceFile,
  options: ReadOptions,
  report: ImportReport,
  mayIgnore: boolean,
): AsyncGenerator<ImportBatch> {
  try {
    for await (const rows of readFileRows(entry.name, entry.chunks(), options, report)) {
      yield { file: entry.name, rows, bytesRead: source.bytesRead, bytesTotal: source.bytesTotal };
    }
  } catch (error) {
    const isUnknown = error instanceof ImportError && ['unknown_format', 'empty_file'].includes(error.fault);
    if (!mayIgnore || !isUnknown) throw ImportError.in(entry.name, error);
    report.ignored.push(entry.name);
  }
}

/** The rows of one file from its decompressed bytes, in chunks of any size. */
export async function* readFileRows(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  report: ImportReport,
): AsyncGenerator<ImportRow[]> {
  const text = asUtf8(chunks);
  let head: Uint8Array = new Uint8Array(0);
  let isComplete = false;
  while (head.length < SAMPLE_BYTES && !isComplete) {
    const { value, done } = await text.next();
    isComplete = done === true;
    if (value) head = concatBytes(head, value);
  }
  const sample = createSample(name, head.subarray(0, SAMPLE_BYTES), isComplete && head.length <= SAMPLE_BYTES);
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
  const takeRows = (): ImportRow[] => {
    const rows = sink.take();
    file.rows += rows.length;
    return rows;
  };
  reader.chunk(head);
  yield takeRows();
  for await (const chunk of text) {
    reader.chunk(chunk);
    yield takeRows();
  }
  reader.end();
  yield takeRows();
}

/** Column names given as an option mean a CSV without a header. */
const detectAuto = (sample: Parameters<typeof detectFormat>[0], options: ReadOptions) =>
  options.columns === undefined ? detectFormat(sample) : formatNamed('csv');
