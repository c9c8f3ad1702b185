// `tickwire doctor`: checks configuration, data folder, store, ports, feeds and the running service, and suggests fixes.
import { Database } from 'bun:sqlite';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { MODEL_VERSION } from '@tickwire/sentiment';
import { modelProblem } from '../ai/model-problem.ts';
import { METRICS_PORT } from '../app/metrics-server.ts';
import { STANDING_BY } from '../app/standby-server.ts';
import { readLinkCertificate } from '../cluster/link/link-certificate.ts';
import { type Config, requireKeyFiles } from '../config/config.ts';
import { SchemaError, StoreError } from '../errors/store-error.ts';
import { readTls } from '../http/listen.ts';
import { loadInstruments, withAdded } from '../market/instruments.ts';
import { clockProblem } from '../market/restore.ts';
import { lowOpenFilesLimit, openFilesLimit } from '../ops/open-files.ts';
import { logKeyFile } from '../signals/log-key.ts';
import { logKeyProblem } from '../signals/log-key-check.ts';
import type { TapeBlock } from '../store/market-store.ts';
import { openStore } from '../store/open-store.ts';
import { readKey } from '../store/secret-box.ts';
import { toStoreError } from '../store/sqlite/errors.ts';
import { rejectForeign, type Schema, schemaVersionOf, versionOf } from '../store/sqlite/migrate.ts';
import { ACCESS_SCHEMA, MARKET_SCHEMA, TAPE_SCHEMA } from '../store/sqlite/schema.ts';
import { damagedIn } from '../store/sqlite/tape-store.ts';
import { storedNumbers } from '../store/stored-numbers.ts';
import { placeOf } from '../store/tape-rows.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';
import { checkCalendars } from './calendar-check.ts';
import { checkVenues } from './venue-check.ts';

interface Finding {
  readonly part: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly what: string;
}

const HELP = `tickwire doctor [--json]

Checks configuration, ports and store, tries each venue, and suggests fixes. Exit status: 0 no check failed, 1 one did.
`;

const LOW_DISK_BYTES = 1024 ** 3;
/** Damaged blocks that are listed. */
const MAX_DAMAGED = 20;
/** Days of a tape in PostgreSQL that are read: all of them may be gigabytes. */
const TAPE_DAYS = 2;

export async function doctor(args: string[]): Promise<number> {
  const { words, on, config: read } = readArguments(args, { switches: ['json'] });
  if (printHelp(on, HELP)) return 0;
  if (words.length > 0) throw new UsageError('usage: tickwire doctor [--json]');
  const findings = await runChecks(read);
  const mark = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };
  for (const { part, state, what } of findings) {
    process.stdout.write(
      on.has('json') ? `${JSON.stringify({ part, state, what })}\n` : `${mark[state]}  ${part.padEnd(14)} ${what}\n`,
    );
  }
  return findings.some(({ state }) => state === 'fail') ? 1 : 0;
}

async function runChecks(read: () => Config): Promise<Finding[]> {
  let config: Config;
  try {
    config = read();
  } catch (error) {
    return [{ part: 'configuration', state: 'fail', what: (error as Error).message }];
  }
  const findings: Finding[] = [];
  const found = (part: string, state: Finding['state'], what: string): void => {
    findings.push({ part, state, what });
  };
  found('runtime', 'ok', `Bun ${Bun.version}`);
  found('configuration', 'ok', `data folder ${config.data}, realm ${config.realm}`);
  for (const name of config.unknown) found('configuration', 'warn', `${name} is set but is not a setting`);
  const attempt: Attempt = (part, look) => {
    try {
      const what = look();
      if (what !== null) found(part, 'ok', what);
    } catch (error) {
      found(part, 'fail', (error as Error).message);
    }
  };
  // A store that cannot be read is found below.
  const settings = await withAdded(config).catch(() => config);
  attempt('instruments', () => {
    const instruments = loadInstruments(settings);
    checkCalendars(instruments, Date.now(), found);
    return `${instruments.length} in the catalogue`;
  });
  attempt('tls', () => readTls(config) && 'certificate and key found');
  const model = await modelProblem();
  found('headline model', model ? 'fail' : 'ok', model ?? MODEL_VERSION);
  attempt('link', () => readLinkCertificate(config) && 'certificate, issuers and key found');
  attempt('key files', () => requireKeyFiles(config) ?? null);
  checkFolder(config.data, found);
  const lowLimit = config.role === 'ingest' ? null : lowOpenFilesLimit(config.max_connections);
  found('open files', lowLimit ? 'warn' : 'ok', lowLimit ?? `the limit is ${openFilesLimit()}`);
  if (config.database_url === null) checkFiles(config, found);
  else if (await checkDatabase(config.database_url, found)) {
    if (config.role === 'gateway') {
      await checkGatewayRole(config, found);
      checkTwoFactorKey(config, found, attempt);
    } else {
      await checkLogKey(config, found);
      await checkStoredTape(config, found);
    }
  }
  await checkClock(config, found);
  const running = await checkPorts(config, found);
  // A running service uses its metrics port itself.
  if (!running) await checkMetricsPort(config, found);
  if (config.realm === 'live') {
    found('feeds', 'ok', config.feeds.join(', '));
    // A gateway has no feeds of its own.
    if (config.role !== 'gateway')
      try {
        await checkVenues(settings, loadInstruments(settings), found);
      } catch (error) {
        found('feeds', 'fail', (error as Error).message);
      }
  } else
    found(
      'feeds',
      'ok',
      `sim: simulated markets, ${config.sim_seed === null ? 'random seed' : `seed ${config.sim_seed}`}, ${config.sim_rate} quotes per second`,
    );
  if (running) await checkService(running, found);
  return findings;
}

type Attempt = (part: string, look: () => string | null) => void;
type Found = (part: string, state: Finding['state'], what: string) => void;

function checkFolder(folder: string, found: Found): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const gigabytes = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
    if (free < LOW_DISK_BYTES)
      found('disk', 'warn', `only ${gigabytes} on the disk of ${folder}; free some space or lower TICKWIRE_TAPE_DAYS`);
    else found('disk', 'ok', gigabytes);
  } catch (error) {
    found('disk', 'fail', `cannot write to ${folder}: ${(error as Error).message}`);
  }
}

function checkFiles({ data, realm }: Config, found: Found): void {
  const tape = join(data, realm, 'tape');
  const days = existsSync(tape) ? readdirSync(tape).filter((name) => name.endsWith('.db')) : [];
  const files: readonly (readonly [string, Schema])[] = [
    [join(data, 'tickwire.db'), ACCESS_SCHEMA],
    [join(data, realm, 'market.db'), MARKET_SCHEMA],
    ...days.map((name) => [join(tape, name), TAPE_SCHEMA] as const),
  ];
  const present = files.filter(([file]) => existsSync(file));
  const older = new Set<number>();
  let intact = 0;
  for (const [file, schema] of present) {
    try {
      using database = new Database(file, { readonly: true });
      rejectForeign(file, database, schema);
      const version = schemaVersionOf(database);
      if (version < versionOf(schema)) older.add(version);
      const [row] = database.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').all();
      if (row?.quick_check !== 'ok')
        throw new StoreError(`${file}: ${row?.quick_check}; stop the service, move the file away and restore a backup`);
      if (file.startsWith(tape)) reportDamaged(damagedIn(database), found);
      intact++;
    } catch (error) {
      if (error instanceof SchemaError) {
        // One line for the whole folder.
        found('store', 'fail', error.message);
        return;
      }
      found('store', 'fail', (toStoreError(file, error) as Error).message);
    }
  }
  for (const version of older)
    found('store', 'warn', `the files have schema version ${version}; the next start of this release migrates them`);
  found(
    'store',
    'ok',
    present.length > 0 ? `${intact} of ${present.length} files are intact` : 'empty; the first start creates it',
  );
}

async function checkClock(config: Config, found: Found): Promise<void> {
  const [end] = await storedNumbers(config, config.realm, 'bars_until').catch(() => []);
  const problem = end && clockProblem(end.value, Date.now());
  if (problem) found('clock', 'fail', problem);
}

function reportDamaged(blocks: readonly TapeBlock[], found: Found): void {
  for (const block of blocks.slice(0, MAX_DAMAGED)) {
    const { file, symbol, minute } = placeOf(block);
    found('tape', 'fail', `${file} has a damaged block: ${symbol}, ${minute}; restore the file from a backup`);
  }
  if (blocks.length > MAX_DAMAGED) found('tape', 'fail', `and ${blocks.length - MAX_DAMAGED} more damaged blocks`);
}

async function checkStoredTape(config: Config, found: Found): Promise<void> {
  await using store = await openStore(config, { role: 'command' });
  reportDamaged(await Array.fromAsync(store.market.damagedTape(TAPE_DAYS)), found);
  const days = await store.market.tapeDays();
  const rest = days.length > TAPE_DAYS ? `; the others were not: "tickwire verify" reads all` : '';
  found('tape', 'ok', `${Math.min(days.length, TAPE_DAYS)} of ${days.length} days were read${rest}`);
}

/** Whether the database can be used. */
async function checkDatabase(url: string, found: Found): Promise<boolean> {
  try {
    const { openPostgresDatabase } = await import('../store/postgres/open-postgres-store.ts');
    await using database = await openPostgresDatabase(url);
    const [server] = await database.rows<{ server_version: string }>('SHOW server_version');
    found('store', 'ok', `${database.shown}: PostgreSQL ${server!.server_version}, schema is up to date`);
    return true;
  } catch (error) {
    found('store', 'fail', (error as Error).message);
    return false;
  }
}

/** A gateway node needs no right to write signals. */
async function checkGatewayRole({ database_url, realm }: Config, found: Found): Promise<void> {
  const [{ openPostgresDatabase }, { writableSignalTables }] = await Promise.all([
    import('../store/postgres/open-postgres-store.ts'),
    import('../store/postgres/gateway-role.ts'),
  ]);
  await using database = await openPostgresDatabase(database_url!);
  const writable = await writableSignalTables(database, realm);
  if (writable.length === 0) found('database role', 'ok', 'cannot change signals');
  else
    found(
      'database role',
      'warn',
      `this gateway node can change ${writable.join(', ')}: give it a role of its own ("tickwire migrate --print-roles" prints the SQL)`,
    );
}

/** The gateways of a cluster share no folder, so a key must be configured. */
function checkTwoFactorKey({ two_factor_key: file }: Config, found: Found, attempt: Attempt): void {
  const part = 'two-factor key';
  if (file !== null)
    attempt(part, () => {
      readKey(file);
      return `${file} can be read`;
    });
  else
    found(
      part,
      'warn',
      'secrets of two-factor sign-in are stored unencrypted: set TICKWIRE_TWO_FACTOR_KEY to the same key for all gateways',
    );
}

async function checkLogKey(config: Config, found: Found): Promise<void> {
  const file = logKeyFile(config);
  await using store = await openStore(config, { role: 'command' });
  const problem = await logKeyProblem(store.signals, file);
  if (problem !== null) found('log key', 'fail', problem);
  else found('log key', 'ok', existsSync(file) ? `${file} fits the signal log` : 'the first start creates it');
}

/** The address of the running service, or `null` if the port is free or used by another program. */
async function checkPorts(config: Config, found: Found): Promise<string | null> {
  const scheme = config.tls_cert ? 'https' : 'http';
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  const url = `${scheme}://${host}:${config.port}`;
  if (await isFree(config.port, config.host)) {
    found('port', 'ok', `${config.port} is free; the service is not running`);
    return null;
  }
  const response = await request(`${url}/healthz`);
  if (response?.headers.has('api-version')) {
    found('port', 'ok', `the service is running at ${url}`);
    return url;
  }
  found(
    'port',
    'fail',
    `${config.port} on ${config.host} is in use by another program; set TICKWIRE_PORT to a free port`,
  );
  return null;
}

async function checkMetricsPort({ metrics_port, host }: Config, found: Found): Promise<void> {
  if (metrics_port === 'off') return;
  const port = metrics_port ?? METRICS_PORT;
  if (await isFree(port, host)) found('metrics port', 'ok', `${port} is free`);
  else {
    const what = `${port} on ${host} is in use by another program; set TICKWIRE_METRICS_PORT to a free port or to off`;
    // Only a configured port makes the start fail; without the default port there are just no metrics.
    found('metrics port', metrics_port === null ? 'warn' : 'fail', what);
  }
}

async function checkService(url: string, found: Found): Promise<void> {
  const response = await request(`${url}/readyz`);
  if (!response) {
    found('service', 'fail', `${url}/readyz does not respond`);
    return;
  }
  const { status, checks } = (await response.json()) as { status: string; checks: Record<string, string> };
  for (const [part, state] of Object.entries(checks))
    found(`service ${part}`, state === 'ok' || state === STANDING_BY ? 'ok' : 'fail', state);
  found('service', status === 'ok' ? 'ok' : 'warn', status);
}

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    if (port === 0) return resolve(true);
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });

async function request(url: string): Promise<Response | null> {
  try {
    // The certificate may be self-signed. This checks only whether the service responds.
    return await fetch(url, { signal: AbortSignal.timeout(3_000), tls: { rejectUnauthorized: false } });
  } catch {
    return null;
  }
}
