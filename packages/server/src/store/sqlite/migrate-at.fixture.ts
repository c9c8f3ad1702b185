// A process that opens a database at a given moment, so that several of them do it at once:
//   bun migrate-at.fixture.ts FILE BACKUPS MOMENT STEP…
import { openDatabase, versionOf } from './database.ts';

const [file, backups, moment, ...schema] = process.argv.slice(2);
while (Date.now() < Number(moment));
const database = openDatabase(file!, {
  schema,
  backups: backups!,
  onMigrated: () => process.stdout.write('migrated '),
});
process.stdout.write(`version ${versionOf(database)}\n`);
database.close();
