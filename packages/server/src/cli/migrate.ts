// `tickwire migrate`: takes the PostgreSQL database to the schema of this release.
import { readAddress } from '../store/postgres/address.ts';
import { readArguments, UsageError } from './arguments.ts';

const HELP = `tickwire migrate

Makes the tables in the PostgreSQL database of TICKWIRE_DATABASE_URL, or takes them to the schema of this release. It goes
forward only: make a backup first. Services of the release before may go on meanwhile where this one allows it; where it does
not, they refuse to start on it. Files of a data folder need no command: they are migrated when they are opened.
`;

export async function migrate(args: string[]): Promise<number> {
  const { words, on, config: read } = readArguments(args, {});
  if (on.has('help')) {
    process.stdout.write(HELP);
    return 0;
  }
  if (words.length > 0) throw new UsageError('usage: tickwire migrate');
  const config = read();
  if (config.database_url === null)
    throw new UsageError('TICKWIRE_DATABASE_URL is missing: files of a data folder are migrated when they are opened');
  const address = readAddress(config.database_url);
  const [{ Database }, { migrate: migrateDatabase }] = await Promise.all([
    import('../store/postgres/database.ts'),
    import('../store/postgres/migrate.ts'),
  ]);
  const database = new Database({ address, searchPath: ['tickwire'], connections: 1 });
  try {
    const { from, to } = await migrateDatabase(database);
    process.stdout.write(
      from === to
        ? `${address.shown} has schema version ${to} already.\n`
        : `${address.shown} was taken from schema version ${from} to ${to}.\n`,
    );
    return 0;
  } finally {
    await database.close();
  }
}
