// `tickwire migrate`: creates or upgrades the schema of the PostgreSQL database, or prints the SQL for its roles.
import { parsePostgresAddress } from '../config/postgres-address.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';

const HELP = `tickwire migrate [--print-roles]

Creates the tables in the PostgreSQL database of TICKWIRE_DATABASE_URL, or upgrades them to the schema of this release. A
migration cannot be undone: make a backup first. Services of the previous release may keep running if this release supports
it; otherwise they refuse to start. The files of a data folder need no command: "tickwire serve" migrates them.

  --print-roles
      changes nothing; prints the SQL that creates a role for gateway nodes, which cannot change market data or signals
`;

export async function migrateCommand(args: string[]): Promise<number> {
  const { words, on, config: read } = readArguments(args, { switches: ['print-roles'] });
  if (printHelp(on, HELP)) return 0;
  if (words.length > 0) throw new UsageError('usage: tickwire migrate [--print-roles]');
  const config = read();
  if (config.database_url === null)
    throw new UsageError(
      'TICKWIRE_DATABASE_URL is missing; the files of a data folder are migrated by "tickwire serve"',
    );
  const address = parsePostgresAddress(config.database_url);
  if (on.has('print-roles')) {
    const { gatewayRoleSql } = await import('../store/postgres/gateway-role.ts');
    process.stdout.write(gatewayRoleSql(address.user));
    return 0;
  }
  const [{ PostgresDatabase }, { migrateSchema }] = await Promise.all([
    import('../store/postgres/database.ts'),
    import('../store/postgres/migrate.ts'),
  ]);
  await using database = new PostgresDatabase({ address, searchPath: ['tickwire'], connections: 1 });
  const { from, to } = await migrateSchema(database);
  process.stdout.write(
    from === to
      ? `${address.shown} is already at schema version ${to}.\n`
      : `${address.shown} was migrated from schema version ${from} to ${to}.\n`,
  );
  return 0;
}
