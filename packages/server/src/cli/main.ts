// The `tickwire` command: finds the command that was asked for, and turns every expected failure into one line.
import { AccessError } from '../access/issue-key.ts';
import { ConfigError } from '../config.ts';
import { ImportError } from '../import/import-error.ts';
import { RemoteError } from '../signals/verify/log-source.ts';
import { StoreError } from '../store/store.ts';
import { UsageError } from './arguments.ts';

const HELP = `Tickwire: market data, signals and news over REST and WebSocket.

  tickwire serve                      run the service
  tickwire keys create                make an API key           keys list | revoke ID | rotate ID
  tickwire accounts list              who has keys              accounts set-tier WHO TIER | rename WHO NAME | reset-password WHO
  tickwire import FILE… --symbol S    history into the store
  tickwire replay FILE… --symbol S    play a recording through the service
  tickwire verify                     recompute the signal log, here or of a service elsewhere
  tickwire ai eval FILE.csv           how good the sentiment model is on labelled texts    ai score TEXT
  tickwire audit                      what was done to accounts and keys
  tickwire backup FOLDER              copy everything stored, while the service runs
  tickwire export FILE                everything stored, for "tickwire import FILE" into another store
  tickwire migrate                    make or upgrade the tables in PostgreSQL
  tickwire doctor                     check configuration, ports, store and feeds

  tickwire COMMAND --help             what a command takes
`;

type Command = (args: string[]) => Promise<number>;
/** Each is loaded when it is asked for: most need a fraction of the service. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  keys: async () => (await import('./keys.ts')).keys,
  accounts: async () => (await import('./accounts.ts')).accounts,
  import: async () => (await import('./import.ts')).importFiles,
  replay: async () => (await import('./replay.ts')).replay,
  verify: async () => (await import('./verify.ts')).verify,
  ai: async () => (await import('./ai.ts')).ai,
  audit: async () => (await import('./audit.ts')).audit,
  backup: async () => (await import('./backup.ts')).backup,
  export: async () => (await import('./export.ts')).exportStore,
  migrate: async () => (await import('./migrate.ts')).migrate,
  doctor: async () => (await import('./doctor.ts')).doctor,
};

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) throw new UsageError(`there is no command ${name}: "tickwire help" lists them`);
  const command = await load();
  return command(args);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const expected =
    error instanceof UsageError ||
    error instanceof ConfigError ||
    error instanceof AccessError ||
    error instanceof ImportError ||
    error instanceof RemoteError ||
    error instanceof StoreError;
  process.stderr.write(
    `tickwire: ${expected ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
