// A process that holds the write lock of databases until it is killed: bun sqlite-hold-lock.fixture.ts FILE…
import { Database } from 'bun:sqlite';

const held = process.argv.slice(2).map((file) => {
  const database = new Database(file);
  database.run('PRAGMA busy_timeout = 5000');
  database.run('BEGIN EXCLUSIVE');
  return database;
});
process.stdout.write(`holding ${held.length}\n`);
setInterval(() => held.length, 60_000);
