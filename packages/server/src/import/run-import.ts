// Runs an import in two steps. The check reads all files and stores nothing: it throws if they cannot be read as a whole, or if
// rows would be lost. Then the files are read again and their rows are written.
import { statSync } from 'node:fs';
import type { InstrumentSpec } from '@tickwire/engine';
import { formatCount } from '../ops/progress.ts';
import type { MarketStore } from '../store/store.ts';
import { ImportError } from './import-error.ts';
import type { ImportReport } from './import-report.ts';
import { requirePlausiblePrices } from './plausible-prices.ts';
import { type ReadOptions, readImport } from './read-files.ts';
import { symbolOf } from './rows/symbol-filter.ts';
import { requireUsableRows } from './skip-rule.ts';
import { type Survey, surveyFiles } from './survey/survey-files.ts';
import { ImportWriter, type WriteCounts } from './write/import-writer.ts';
import { recoverBars } from './write/recover-bars.ts';

export interface ImportPlan {
  readonly files: readonly string[];
  readonly options: Omit<ReadOptions, 'symbol' | 'digits' | 'hours'>;
  readonly instrument: InstrumentSpec;
  /** All instruments of the service. */
  readonly instruments: readonly InstrumentSpec[];
  readonly store: MarketStore;
  readonly spikePercent?: number | null;
  /** Store the usable rows however many others there are, and those before a fault of an archive. */
  readonly allowSkipped?: boolean;
  /** Stops after the current batch. Written rows stay, and the import can be repeated. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number, rows: number) => void;
}

const MAX_LISTED_SYMBOLS = 10;

/** A failed check, with what it has counted. */
export class ImportRefused extends ImportError {
  readonly report: ImportReport;

  constructor({ fault, message, file }: ImportError, report: ImportReport) {
    super(fault, message);
    this.file = file;
    this.report = report;
  }
}

export interface ImportOutcome {
  readonly report: ImportReport;
  readonly written: WriteCounts;
  readonly sides: { readonly byQuoteRule: number; readonly byTickRule: number };
  readonly interrupted: boolean;
  /** Whether price spikes were imported. */
  readonly spikesKept: boolean;
  /** Why not all files could be read; `null` if they could. */
  readonly fault: ImportError | null;
}

export async function runImport(plan: ImportPlan): Promise<ImportOutcome> {
  return writeImport(plan, await checkImport(plan));
}

/** Reads all files without storing anything. Throws ImportRefused if the rows cannot be stored completely. */
export async function checkImport(plan: ImportPlan): Promise<Survey> {
  const progress = progressOf(plan, 0);
  const survey = await surveyFiles(plan.files, readOptions(plan), {
    signal: plan.signal,
    onProgress: (file, bytesRead, rows) => progress(file, bytesRead, rows),
  });
  if (plan.allowSkipped || plan.signal?.aborted) return survey;
  try {
    if (survey.fault) {
      const message = `${survey.fault.message}; nothing was stored. --allow-skipped imports the ${formatCount(survey.report.rows)} rows before the fault`;
      throw Object.assign(new ImportError(survey.fault.fault, message), { file: survey.fault.file });
    }
    requireSymbol(survey, plan.instrument.symbol);
    requireUsableRows(survey.report, plan.instrument.symbol, plan.instrument.digits);
    requirePlausiblePrices(survey.report, plan.instrument, plan.options.pointDigits);
  } catch (error) {
    throw new ImportRefused(error as ImportError, survey.report);
  }
  return survey;
}

/** Writes the rows of files that were checked. */
export async function writeImport(plan: ImportPlan, { findings, fault }: Survey): Promise<ImportOutcome> {
  const { files, instrument, store, signal } = plan;
  await recoverBars(store, plan.instruments);
  const writer = await ImportWriter.open({ store, instrument, spikePercent: plan.spikePercent ?? null });
  const { batches, report } = readImport(files, readOptions(plan), findings);
  const progress = progressOf(plan, 1);
  let interrupted = signal?.aborted ?? false;
  let entry = '';
  try {
    for await (const { file, findings: found, rows, bytesRead } of batches) {
      if (interrupted) break;
      if (file !== entry) await writer.startFile(found);
      entry = file;
      writer.exclude(report.takeSkippedTimes());
      await writer.add(rows);
      progress(file.split('!')[0]!, bytesRead, report.rows);
      interrupted = signal?.aborted ?? false;
    }
  } catch (error) {
    // The check has met the same fault.
    if (!fault || !(error instanceof ImportError)) throw error;
  }
  if (!interrupted) await writer.end();
  const { byQuoteRule, byTickRule } = writer.events;
  const spikesKept = (plan.spikePercent ?? null) === null;
  return { report, written: writer.written, sides: { byQuoteRule, byTickRule }, interrupted, spikesKept, fault };
}

function requireSymbol({ report, symbols }: Survey, symbol: string): void {
  if (report.rows > 0 || symbols.size === 0) return;
  if ([...symbols].some((found) => symbolOf(found) === symbolOf(symbol))) return;
  const found = [...symbols].slice(0, MAX_LISTED_SYMBOLS).join(', ');
  throw new ImportError(
    'wrong_symbol',
    `no row is of ${symbol}: its symbol column has ${found}${symbols.size > MAX_LISTED_SYMBOLS ? ', …' : ''}. Specify --symbol with one of them, or --symbol from-file to import all; if they are other names of ${symbol}, name the columns with --columns and call that one "ignored"`,
  );
}

const readOptions = ({ options, instrument: { symbol, digits, hours } }: ImportPlan): ReadOptions => ({
  ...options,
  symbol,
  digits,
  hours,
});

/** Reports the progress of the check (step 0) or of the writing (step 1), in bytes of both. */
function progressOf(
  { files, onProgress }: ImportPlan,
  step: 0 | 1,
): (file: string, bytes: number, rows: number) => void {
  const sizes = new Map(files.map((file) => [file, statSync(file, { throwIfNoEntry: false })?.size ?? 0]));
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return (file, bytes, rows) => {
    if (!onProgress) return;
    let before = step * total;
    for (const [path, size] of sizes) {
      if (path === file) break;
      before += size;
    }
    onProgress(before + bytes, 2 * total, rows);
  };
}
