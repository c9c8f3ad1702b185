// Reads files into rows, in batches: opens, decompresses, detects the format, parses and checks. Memory holds one chunk and
// its rows. Each file is surveyed first (survey-files.ts), so that its rows are read by what the whole file shows.

import { asEpochMs, DAY_MS, type EpochMs, type HoursName } from '@tickwire/engine';
import { withHead } from './files/bytes.ts';
import { createSample, SAMPLE_BYTES } from './files/file-sample.ts';
import { SIZE_LIMITS, type SizeLimits } from './files/size-guard.ts';
import { type SourceEntry, SourceFile } from './files/source-file.ts';
import { asUtf8 } from './files/text-encoding.ts';
import { detectFormat, formatNamed } from './formats/detect-format.ts';
import type { FormatName, FormatOptions } from './formats/format.ts';
import { ImportError } from './import-error.ts';
import { ImportReport } from './import-report.ts';
import type { ImportRow } from './rows/import-row.ts';
import { RowSink } from './rows/row-sink.ts';
import { type FileFindings, NO_FINDINGS } from './survey/file-findings.ts';
import type { RowSurvey } from './survey/row-survey.ts';

/** A row may be ahead of our clock by this much. */
const MAX_AHEAD_MS = DAY_MS;

export interface ReadOptions extends FormatOptions {
  readonly format: FormatName | 'auto';
  /** Trading hours of the instrument: closed hours are not reported as gaps. */
  readonly hours?: HoursName;
  /** What to do with prices of ticks that have more digits than the instrument. Default: skip and report. */
  readonly finer?: 'skip' | 'round';
  /** The time zone is right, whatever the weekends of the files show. */
  readonly trustTimezone?: boolean;
  /** Of several bars with one time, import the last although they differ. */
  readonly lastWins?: boolean;
  /** Rows after this time are skipped. Default: a day ahead of the clock. */
  readonly notAfter?: EpochMs;
  readonly limits?: Partial<SizeLimits>;
}

export interface ImportBatch {
  /** The file, followed by `!entry` for an entry of a zip. */
  readonly file: string;
  readonly findings: FileFindings;
  readonly rows: readonly ImportRow[];
  /** Progress in bytes of the file on disk. */
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

/** What the survey found out about each file or entry of a zip. */
export type FindingsByFile = ReadonlyMap<string, FileFindings>;

export interface ImportRun {
  /** Rows in the order of the files. An empty batch still reports progress. */
  readonly batches: AsyncGenerator<ImportBatch>;
  /** Complete when the batches are; readable at any time, even after an error. */
  readonly report: ImportReport;
}

export function readImport(files: readonly string[], options: ReadOptions, findings: FindingsByFile): ImportRun {
  const report = new ImportReport(options.hours ?? 'always');
  return { report, batches: readFiles(files, options, report, findings) };
}

async function* readFiles(
  files: readonly string[],
  options: ReadOptions,
  report: ImportReport,
  findings: FindingsByFile,
): AsyncGenerator<ImportBatch> {
  for await (const { entry, source } of sourceEntries(files, options)) {
    const known = findings.get(entry.name);
    // In no known format, such as a readme.
    if (!known) {
      report.ignored.push(entry.name);
      continue;
    }
    for await (const rows of readFileRows(entry.name, entry.chunks(), options, report, known)) {
      const { bytesRead, bytesTotal } = source;
      yield { file: entry.name, findings: known, rows, bytesRead, bytesTotal };
    }
  }
}

export interface OpenEntry {
  readonly entry: SourceEntry;
  readonly source: SourceFile;
  /** The number of entries of the file; 1 if it is not a zip. */
  readonly siblings: number;
}

/** The entries of all files. An error gets the name of its file. */
export async function* sourceEntries(
  files: readonly string[],
  options: Pick<ReadOptions, 'start' | 'limits'>,
): AsyncGenerator<OpenEntry> {
  if (options.start !== undefined && files.length > 1) {
    throw new ImportError('start_required', '--start applies to one file: import files without a date one at a time');
  }
  for (const path of files) {
    let source: SourceFile | null = null;
    try {
      source = await SourceFile.open(path, { ...SIZE_LIMITS, ...options.limits });
      const entries = await source.entries();
      for (const entry of entries) yield { entry, source, siblings: entries.length };
    } catch (error) {
      throw ImportError.in(path, error);
    } finally {
      await source?.close();
    }
  }
}

/** The rows of one file from its decompressed bytes, in chunks of any size. With a survey, rows are only counted. */
export async function* readFileRows(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  report: ImportReport,
  findings: FileFindings = NO_FINDINGS,
  survey: RowSurvey | null = null,
): AsyncGenerator<ImportRow[]> {
  try {
    yield* readRows(name, chunks, options, report, findings, survey);
  } catch (error) {
    throw ImportError.in(name, error);
  }
}

async function* readRows(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  report: ImportReport,
  findings: FileFindings,
  survey: RowSurvey | null,
): AsyncGenerator<ImportRow[]> {
  const { head, all } = await withHead(asUtf8(chunks), SAMPLE_BYTES);
  const sample = createSample(name, head.subarray(0, SAMPLE_BYTES), head.length < SAMPLE_BYTES);
  if (head.length === 0 && !/\.bi5$/i.test(name)) throw new ImportError('empty_file', 'the file is empty');
  const format = options.format === 'auto' ? detectAuto(sample, options) : formatNamed(options.format);
  const sink = new RowSink(name, report, {
    digits: options.digits,
    pointDigits: options.pointDigits,
    barTime: options.barTime,
    finer: options.finer ?? 'skip',
    notAfter: options.notAfter ?? asEpochMs(Date.now() + MAX_AHEAD_MS),
    findings,
    survey,
  });
  const reader = format.rows({ sample, options, sink, findings });
  const file = { file: name, format: format.name, rows: 0 };
  report.files.push(file);
  const takeRows = (): ImportRow[] => {
    const rows = sink.take();
    file.rows += rows.length;
    return rows;
  };
  for await (const chunk of all) {
    reader.chunk(chunk);
    yield takeRows();
  }
  reader.end();
  yield takeRows();
}

/** Column names given as an option mean a CSV without a header. */
const detectAuto = (sample: Parameters<typeof detectFormat>[0], options: ReadOptions) =>
  options.columns === undefined ? detectFormat(sample) : formatNamed('csv');
