// `tickwire import FILE…`: history into the store of the real markets.
import { count, Progress } from '../import/progress.ts';
import { runImport } from '../import/run.ts';
import { summary } from '../import/summary.ts';
import { loadInstruments } from '../instruments.ts';
import { openStore } from '../store/open.ts';
import { readArguments, UsageError } from './arguments.ts';
import { FILE_FLAGS, FILE_FLAGS_HELP, fileOptions, instrumentOf } from './import-flags.ts';
import { importStore, isStoreExport } from './import-store.ts';

const HELP = `tickwire import FILE… --symbol S [--format auto]
tickwire import EXPORT        (-: from standard input)

Reads ticks or bars of one instrument into the store of the real markets (live), plain, gzipped or zipped. May be
repeated and interrupted: nothing is doubled. The service must not run on the same data folder meanwhile.

${FILE_FLAGS_HELP}

A file that "tickwire export" wrote is known by its beginning. It fills an empty store, the data folder or the database of
TICKWIRE_DATABASE_URL, with all that it holds or not at all, and the counts of both sides are shown.
`;

/** As a shell says of what Ctrl-C has ended. */
const INTERRUPTED = 130;

export async function importFiles(args: string[]): Promise<number> {
  const given = readArguments(args, FILE_FLAGS);
  if (given.on.has('help')) {
    process.stdout.write(HELP);
    return 0;
  }
  if (given.words.length === 0) throw new UsageError('usage: tickwire import FILE… --symbol S');
  const [first, ...others] = given.words;
  if (others.length === 0 && isStoreExport(first!)) return importStore(given.config(), first!);
  const options = fileOptions(given);
  const config = given.config();
  const instruments = loadInstruments(config);
  const instrument = instrumentOf(given.flags.symbol, instruments);
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => abort.abort());
  const store = await openStore(config, { role: 'command', realm: 'live', exclusive: true });
  const progress = new Progress({
    label: instrument.symbol,
    terminal: process.stderr.isTTY,
    write: (text) => process.stderr.write(text),
  });
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
    process.stdout.write(summary(instrument.symbol, outcome, progress.elapsedMs));
    await store.access.audit({
      at: Date.now(),
      actor: 'command line',
      act: 'history imported',
      subject: `${instrument.symbol}: ${count(report.rows)} rows of ${given.words.length} files`,
    });
    if (fault) process.stderr.write(`tickwire: ${fault.message}; what came before is kept\n`);
    else if (report.rows === 0) process.stderr.write('tickwire: no row could be taken, for the reasons above\n');
    return outcome.interrupted ? INTERRUPTED : fault || report.rows === 0 ? 1 : 0;
  } finally {
    progress.end();
    await store.close();
  }
}
