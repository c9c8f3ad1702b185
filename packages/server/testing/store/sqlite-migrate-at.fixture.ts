// A process that opens a database at a given moment, so that several of them do it at once:
//   bun migrate-at.fixture.ts FILE BACKUPS MOMENT STEP…
import { openSqliteDatabase } from '../../src/store/sqlite/database.ts';
import { schemaVersionOf } from '../../src/store/sqlite/migrate.ts';

const [file, backups, moment, ...schema] = process.argv.slice(2);
while (Date.now() < Number(moment));
const database = openSqliteDatabase(file!, {
  schema,
  backups: backups!,
  onMigrated: () => process.stdout.write('migrated '),
});
process.stdout.write(`version ${schemaVersionOf(database)}\n`);
database.close();
