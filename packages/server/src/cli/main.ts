// The `tickwire` command: runs a subcommand and prints expected errors as one line.
import manifest from '../../package.json' with { type: 'json' };
import { AccessError } from '../access/access-error.ts';
import { ConfigError } from '../config/config.ts';
import { StoreError } from '../errors/store-error.ts';
import { ExportError } from '../export/export-error.ts';
import { ImportError } from '../import/import-error.ts';
import { RemoteError } from '../signals/verify/remote-service.ts';
import { PRIVATE_UMASK } from '../store/private-files.ts';
import { UsageError } from './arguments.ts';

const HELP = `Tickwire: market data, trading signals and news over REST and WebSocket.

  tickwire serve                      run the service
  tickwire keys ACTION                create, list, rotate and revoke API keys
  tickwire accounts ACTION            list and rename accounts, set tiers, reset passwords
  tickwire import FILE… --symbol S    import price history into the store
  tickwire backfill SYMBOL --from D   fetch bars of the past from the venue of an instrument
  tickwire replay FILE… --symbol S    replay a recording through the service
  tickwire instruments ACTION         list, add, change and check instruments
  tickwire calendar ACTION            list the economic calendar, import iCalendar and CSV files
  tickwire signals void ID            void a signal, with a public reason
  tickwire verify                     verify the signal log, local or of another service
  tickwire mcp                        serve tools for AI agents over standard input and output
  tickwire ai eval FILE.csv           evaluate the sentiment model on labelled texts
  tickwire ai score "TEXT"            score the sentiment of a text
  tickwire audit                      show the audit log of accounts and keys
  tickwire backup FOLDER              back up all stored data, also while the service runs
  tickwire export bars|ticks FOLDER   write history as CSV, NDJSON, Parquet, Lean or freqtrade files
  tickwire export FILE                export all stored data, for "tickwire import FILE" into another store
  tickwire migrate                    create or upgrade the tables in PostgreSQL
  tickwire doctor                     check configuration, ports, store and feeds
  tickwire licenses                   print the notices of Tickwire and the libraries it contains

  tickwire help COMMAND               show the options of a command
  tickwire --version                  show the version
`;

type Command = (args: string[]) => Promise<number>;
/** Loaded on demand, since most commands need only a part of the code. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  keys: async () => (await import('./keys.ts')).keys,
  accounts: async () => (await import('./accounts.ts')).accounts,
  import: async () => (await import('./import.ts')).importFiles,
  backfill: async () => (await import('./backfill.ts')).backfillCommand,
  replay: async () => (await import('./replay.ts')).replay,
  instruments: async () => (await import('./instruments.ts')).instruments,
  calendar: async () => (await import('./calendar.ts')).calendar,
  signals: async () => (await import('./signals.ts')).signals,
  verify: async () => (await import('./verify.ts')).verify,
  mcp: async () => (await import('./mcp.ts')).mcp,
  ai: async () => (await import('./ai.ts')).ai,
  audit: async () => (await import('./audit.ts')).audit,
  backup: async () => (await import('./backup.ts')).backup,
  export: async () => (await import('./export.ts')).exportStore,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  doctor: async () => (await import('./doctor.ts')).doctor,
  licenses: async () => (await import('./licenses.ts')).licenses,
};

async function main([name, ...args]: string[]): Promise<number> {
  if (name === 'version' || name === '--version' || name === '-v') {
    process.stdout.write(`tickwire ${manifest.version}\n`);
    return 0;
  }
  // "tickwire help keys" is "tickwire keys --help".
  if (name === 'help' && args[0] !== undefined) return main([args[0], '--help']);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) throw new UsageError(`unknown command ${name}; run "tickwire help" for a list`);
  const command = await load();
  return command(args);
}

/** Runs a command and returns its exit status. An expected error is printed as one line. */
export async function runCommand(args: string[]): Promise<number> {
  try {
    return await main(args);
  } catch (error) {
    const expected =
      error instanceof UsageError ||
      error instanceof ConfigError ||
      error instanceof AccessError ||
      error instanceof ImportError ||
      error instanceof ExportError ||
      error instanceof RemoteError ||
      error instanceof StoreError;
    process.stderr.write(
      `tickwire: ${expected ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`,
    );
    return error instanceof UsageError || (error instanceof ConfigError && error.isUsage) ? 2 : 1;
  }
}

if (import.meta.main) {
  process.umask(PRIVATE_UMASK);
  // The reader of a pipe, such as `head`, has what it needs.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  // The launcher was killed: end as if it had passed on a signal.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  process.exitCode = await runCommand(process.argv.slice(2));
}
