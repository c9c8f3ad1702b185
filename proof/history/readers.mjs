// Reads a year of minutes with other programs' readers and compares them with the pages of REST: DuckDB reads the CSV and the
// Parquet file, hyparquet reads the Parquet file over HTTP ranges, and the commands of the recipe are run as they are, apart from
// address and dates. Arguments: address of the service, API key, folder. Python with pandas is that of the environment variable
// PYTHON, by default the system's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';

const [url, key, folder] = process.argv.slice(2);
const DAY = 86_400_000;
const headers = { 'X-API-Key': key };
const to = Math.floor(Date.now() / DAY) * DAY;
const range = `interval=1m&from=${to - 365 * DAY}&to=${to}`;
const path = `${url}/api/bars/EURUSD?${range}`;

async function request(address) {
  const response = await fetch(address, { headers });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return response;
}

async function download(format) {
  const file = join(folder, `bars.${format}`);
  writeFileSync(file, new Uint8Array(await (await request(`${path}&format=${format}`)).arrayBuffer()));
  return file;
}

async function pages() {
  const items = [];
  for (let next = ''; next !== null; ) {
    const page = await (await request(`${path}&limit=10000${next && `&cursor=${next}`}`)).json();
    items.push(...page.items);
    next = page.next;
  }
  return items;
}

const [csv, parquet] = [await download('csv'), await download('parquet')];
const rest = await pages();
assert.ok(rest.length >= 250 * 1_440, `only ${rest.length} bars`);
const json = join(folder, 'rest.ndjson');
writeFileSync(json, rest.map((item) => JSON.stringify(item)).join('\n'));

const database = await (await DuckDBInstance.create()).connect();
const query = async (sql) => (await database.runAndReadAll(sql)).getRowObjectsJson();
const columns = 'epoch_ms(time::TIMESTAMPTZ) AS time, open, high, low, close, volume::DOUBLE AS volume';
const tables = { csv: `read_csv('${csv}')`, parquet: `read_parquet('${parquet}')`, rest: `read_json('${json}')` };
for (const [name, table] of Object.entries(tables))
  await database.run(`CREATE TABLE ${name} AS SELECT ${columns} FROM ${table}`);
for (const name of ['csv', 'parquet']) {
  const [{ rows }] = await query(`SELECT count(*) AS rows FROM ${name}`);
  assert.equal(Number(rows), rest.length, name);
  for (const [from, except] of [
    [name, 'rest'],
    ['rest', name],
  ])
    assert.deepEqual(
      await query(`SELECT * FROM ${from} EXCEPT SELECT * FROM ${except} LIMIT 3`),
      [],
      `${from} − ${except}`,
    );
}

let requests = 0;
const counted = (input, init) => {
  requests++;
  return fetch(input, init);
};
const file = await asyncBufferFromUrl({ url: `${path}&format=parquet`, requestInit: { headers }, fetch: counted });
const { num_rows, key_value_metadata } = await parquetMetadataAsync(file);
assert.equal(Number(num_rows), rest.length);
const metadata = Object.fromEntries(key_value_metadata.map(({ key: name, value }) => [name, value]));
assert.deepEqual([metadata.symbol, metadata.interval, metadata.align], ['EURUSD', '1m', 'utc']);
const rows = await parquetReadObjects({ file });
assert.deepEqual(
  rows.map(({ time, ...other }) => ({ time: time.toISOString(), ...other })),
  rest,
);
const recipe = readFileSync(join(import.meta.dirname, '../../docs/recipes/duckdb.md'), 'utf8')
  .split('\n## A year of minutes\n')[1]
  .split('\n## ')[0]
  .replaceAll('http://127.0.0.1:8080', url)
  .replaceAll(/interval=1m&from=[\d-]+&to=[\d-]+/g, range);
const [shell, python, script] = ['sh', 'python', 'js'].map((language) => {
  const [, block] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(recipe) ?? [];
  assert.ok(block?.includes('bars'), `the recipe has no commands in ${language}`);
  return block;
});
const run = (program, args, cwd = folder) =>
  execFileSync(program, args, { cwd, env: { ...process.env, TICKWIRE_API_KEY: key }, encoding: 'utf8' });
run('sh', ['-c', shell]);
// A refusal is shown with the words of the service.
const explained = `
import sys
sys.excepthook = lambda kind, error, trace: print(kind, error, error.read() if hasattr(error, 'read') else '', file=sys.stderr)
`;
const compared = `
rest = pandas.read_json('rest.ndjson', lines=True, precise_float=True, convert_dates=False)
assert list(bars.columns) == list(rest.columns), bars.columns
for name in rest.columns:
    assert (bars[name] == rest[name]).all(), bars[bars[name] != rest[name]]
print(len(bars))`;
assert.equal(
  Number(run(process.env.PYTHON ?? '/usr/bin/python3', ['-c', explained + python + compared])),
  rest.length,
  'pandas',
);
const counting = script.replace(/^(import .*\n)/, '$1process.chdir(process.argv[1]);\n');
const read = run(
  'node',
  ['--input-type=module', '-e', `${counting}console.log(bars.currentRowCount)`, folder],
  import.meta.dirname,
);
assert.equal(Number(read), rest.length, 'DuckDB, as in the recipe');

console.log(
  `${rest.length} bars are equal in REST, in CSV and Parquet read by DuckDB, in pandas, and over HTTP in ${requests} requests`,
);
