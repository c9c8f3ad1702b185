// A process that opens a database at a given moment, so that several of them do it at once:
//   bun migrate-at.fixture.ts FILE BACKUPS MOMENT CREATE STEP…
import { openSqliteDatabase } from '../../src/store/sqlite/database.ts';
import { schemaVersionOf } from '../../src/store/sqlite/migrate.ts';

const [file, backups, moment, create, ...steps] = process.argv.slice(2);
while (Date.now() < Number(moment));
const database = openSqliteDatabase(file!, {
  schema: { create: [create, ...steps].join(';'), steps },
  migration: { backups: backups!, onMigrated: () => process.stdout.write('migrated ') },
});
process.stdout.write(`version ${schemaVersionOf(database)}\n`);
database.close();
