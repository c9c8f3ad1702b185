// `tickwire import FILE…`: imports price history into the store of live markets.
import { importSummary } from '../import/import-summary.ts';
import { runImport } from '../import/run-import.ts';
import { loadInstruments } from '../market/instruments.ts';
import { formatCount, stderrProgress } from '../ops/progress.ts';
import { openStore } from '../store/open-store.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';
import { importArchiveFile, isArchiveFile } from './import-archive.ts';
import { FILE_FLAGS, FILE_FLAGS_HELP, fileOptions, instrumentOf } from './import-flags.ts';

const HELP = `tickwire import FILE… --symbol S [--format auto]
tickwire import EXPORT        (- for standard input)

Imports ticks or bars of one instrument into the store of live markets. Files may be plain, gzip or zip. An import can be
interrupted and repeated without creating duplicates. The service must not run on the same data folder meanwhile.

${FILE_FLAGS_HELP}

A file written by "tickwire export" is recognized automatically. It is imported completely or not at all into an empty
store, which is the data folder or the database of TICKWIRE_DATABASE_URL. The row counts of both sides are compared.
`;

/** Exit status of a program that Ctrl-C has ended. */
const INTERRUPTED = 130;

export async function importFiles(args: string[]): Promise<number> {
  const given = readArguments(args, FILE_FLAGS);
  if (printHelp(given.on, HELP)) return 0;
  if (given.words.length === 0) throw new UsageError('usage: tickwire import FILE… --symbol S');
  const [first, ...others] = given.words;
  if (others.length === 0 && isArchiveFile(first!)) return importArchiveFile(given.config(), first!);
  const options = fileOptions(given);
  const config = given.config();
  const instruments = loadInstruments(config);
  const instrument = instrumentOf(given.flags.symbol, instruments);
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => abort.abort());
  const store = await openStore(config, { role: 'command', realm: 'live', exclusive: true });
  const progress = stderrProgress(instrument.symbol);
  try {
    const outcome = await runImport({
      files: given.words,
      options,
      instrument,
      instruments,
      store: store.market,
      spikePercent: config.spike_percent,
      signal: abort.signal,
      onProgress: (done, total, rows) => progress.update(done, total, rows),
    });
    progress.end();
    const { fault, report } = outcome;
    if (fault && report.rows + report.skippedLines === 0) throw fault;
    process.stdout.write(importSummary(instrument.symbol, outcome, progress.elapsedMs));
    await store.access.audit({
      at: Date.now(),
      actor: 'command line',
      act: 'history imported',
      subject: `${instrument.symbol}: ${formatCount(report.rows)} rows of ${given.words.length} files`,
    });
    if (fault) process.stderr.write(`tickwire: ${fault.message}; the rows before it were imported\n`);
    else if (report.rows === 0) process.stderr.write('tickwire: no row could be imported, for the reasons above\n');
    return outcome.interrupted ? INTERRUPTED : fault || report.rows === 0 ? 1 : 0;
  } finally {
    progress.end();
    await store.close();
  }
}
