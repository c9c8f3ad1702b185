// `tickwire import FILE…`: imports price history into the store of live markets.

import { asSymbol, type InstrumentSpec } from '@tickwire/engine';
import type { Config } from '../config/config.ts';
import { dryRunImport } from '../import/dry-run/dry-run.ts';
import { ImportError } from '../import/import-error.ts';
import { importSummary, nextSteps, refusalSummary } from '../import/import-summary.ts';
import { symbolOf } from '../import/rows/symbol-filter.ts';
import { checkImport, type ImportOutcome, type ImportPlan, ImportRefused, writeImport } from '../import/run-import.ts';
import { type Survey, surveyFiles } from '../import/survey/survey-files.ts';
import { loadInstruments, withAdded } from '../market/instruments.ts';
import { formatCount, stderrProgress } from '../ops/progress.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';
import { importArchiveFile, isArchiveFile } from './import-archive.ts';
import {
  FILE_FLAGS,
  FILE_FLAGS_HELP,
  type FileOptions,
  fileOptions,
  requestedInstrument,
  withDigits,
} from './import-flags.ts';
import { INTERRUPTED, onInterruption } from './interruption.ts';

const HELP = `tickwire import FILE… --symbol S [--format auto]
tickwire import EXPORT        (- for standard input)

Imports ticks or bars into the store of live markets. Files may be plain, gzip or zip. They are read completely before
anything is stored: if they cannot be understood, or rows would be lost, nothing is. An import can be interrupted and
repeated without creating duplicates. The service must not run on the same data folder meanwhile.

${FILE_FLAGS_HELP}
  --allow-skipped      store the usable rows although others are not, or an archive is truncated
  --dry-run            store nothing: show what would be stored, and a preview of rows. The service may run

A file written by "tickwire export" is recognized automatically. It is imported completely or not at all into an empty
store, which is the data folder or the database of TICKWIRE_DATABASE_URL. The row counts of both sides are compared.
`;

/** Value of --symbol: import the instruments of the symbol column. */
const FROM_FILE = 'from-file';

export async function importFiles(args: string[]): Promise<number> {
  const given = readArguments(args, { ...FILE_FLAGS, switches: [...FILE_FLAGS.switches, 'allow-skipped', 'dry-run'] });
  if (printHelp(given.on, HELP)) return 0;
  if (given.words.length === 0) throw new UsageError('usage: tickwire import FILE… --symbol S');
  const [first, ...others] = given.words;
  if (others.length === 0 && isArchiveFile(first!)) return importArchiveFile(given.config(), first!);
  const options = fileOptions(given);
  const config = await withAdded(given.config());
  const instruments = loadInstruments(config);
  const chosen =
    given.flags.symbol === FROM_FILE
      ? await instrumentsInFiles(given.words, options, instruments)
      : [requestedInstrument(given.flags.symbol, instruments)];
  using interruption = onInterruption();
  const plans = chosen.map((instrument) => ({
    files: given.words,
    options,
    instrument: withDigits(instrument, given.flags.digits),
    instruments,
    spikePercent: config.spike_percent,
    allowSkipped: given.on.has('allow-skipped'),
    signal: interruption.signal,
  }));
  if (given.on.has('dry-run')) return await showDryRuns(plans);
  await using store = await openStore(config, { role: 'command', realm: 'live', exclusive: true });
  const { market } = store;
  return await runPlans(
    plans.map((plan) => ({ ...plan, store: market })),
    store,
    config,
  );
}

/** The exit status is that of the import. */
async function showDryRuns(plans: readonly Omit<ImportPlan, 'store'>[]): Promise<number> {
  let status = 0;
  for (const plan of plans) {
    const { symbol } = plan.instrument;
    const progress = stderrProgress(symbol);
    const onProgress = (done: number, total: number, rows: number): void => progress.update(done, total, rows);
    const { outcome, text } = await dryRunImport({ ...plan, onProgress })
      .catch(showRefusal)
      .finally(() => progress.end());
    const { fault } = outcome;
    process.stdout.write('Dry run: nothing is stored. The import would give:\n');
    process.stdout.write(importSummary(symbol, outcome, progress.elapsedMs));
    process.stdout.write(text);
    if (fault) process.stderr.write(`tickwire: ${fault.message}; the rows before it would be imported\n`);
    status = Math.max(status, statusOf(outcome));
  }
  return status;
}

/** An import that did less than it was asked has the status 1. */
const statusOf = ({ interrupted, fault, report }: ImportOutcome): number =>
  interrupted ? INTERRUPTED : fault || report.rows === 0 || report.leftOut.size > 0 ? 1 : 0;

/** Shows what was counted in files that are refused. */
function showRefusal(error: unknown): never {
  if (error instanceof ImportRefused) process.stdout.write(refusalSummary(error.report));
  throw error;
}

/** Checks all plans before the first one is written. */
async function runPlans(plans: readonly ImportPlan[], store: Store, config: Config): Promise<number> {
  const checked: Survey[] = [];
  const runs = plans.map((plan) => {
    const progress = stderrProgress(plan.instrument.symbol);
    return {
      progress,
      plan: { ...plan, onProgress: (done: number, total: number, rows: number) => progress.update(done, total, rows) },
    };
  });
  try {
    for (const { plan, progress } of runs) {
      checked.push(await checkImport(plan));
      progress.end();
    }
  } catch (error) {
    for (const { progress } of runs) progress.end();
    showRefusal(error);
  }
  let status = 0;
  for (const [index, { plan, progress }] of runs.entries()) {
    const ended = await writePlan(plan, checked[index]!, progress, store);
    status = Math.max(status, ended);
    if (ended === INTERRUPTED) break;
  }
  if (status === 0) {
    const imported = plans.map(({ instrument }) => instrument);
    process.stdout.write(nextSteps(imported, plans[0]!.instruments, config));
  }
  return status;
}

async function writePlan(
  plan: ImportPlan,
  survey: Survey,
  progress: ReturnType<typeof stderrProgress>,
  store: Store,
): Promise<number> {
  const { symbol } = plan.instrument;
  try {
    const outcome = await writeImport(plan, survey);
    progress.end();
    const { fault, report } = outcome;
    process.stdout.write(importSummary(symbol, outcome, progress.elapsedMs));
    await store.access.audit({
      at: Date.now(),
      actor: 'command line',
      action: 'history imported',
      subject: `${symbol}: ${formatCount(report.rows)} rows of ${plan.files.length} files`,
    });
    if (fault) process.stderr.write(`tickwire: ${fault.message}; the rows before it were imported\n`);
    else if (report.rows === 0 && !outcome.interrupted)
      process.stderr.write('tickwire: no row could be imported, for the reasons above\n');
    return statusOf(outcome);
  } finally {
    progress.end();
  }
}

/** The instruments of the symbol columns. */
async function instrumentsInFiles(
  files: readonly string[],
  options: FileOptions,
  known: readonly InstrumentSpec[],
): Promise<InstrumentSpec[]> {
  // Any instrument will do to read the symbols.
  const { symbols } = await surveyFiles(files, {
    ...options,
    symbol: '',
    digits: 0,
    finer: 'round',
    trustTimezone: true,
  });
  if (symbols.size === 0)
    throw new ImportError('wrong_symbol', 'the files have no symbol column: specify --symbol with the instrument');
  return [...new Set([...symbols].map(symbolOf))].map((symbol) => requestedInstrument(asSymbol(symbol), known));
}
