// `node sql.mjs FILE` runs the statements of a file in DuckDB and prints their rows as JSON. The recipes of the guide use it.
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create()).connect();
for (const statement of readFileSync(process.argv[2], 'utf8').split(/;\s*$/m)) {
  if (statement.trim() === '') continue;
  const rows = await connection.runAndReadAll(statement);
  for (const row of rows.getRowObjectsJson()) console.log(JSON.stringify(row));
}
