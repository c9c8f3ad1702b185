// `tickwire serve`: starts the service, prints a banner with its addresses, and stops it gracefully on a signal.

import type { App, FirstStartCredentials } from '../app/app.ts';
import { runService } from '../app/run-service.ts';
import type { SingleProcess } from '../app/single-process.ts';
import type { Config } from '../config/config.ts';
import { loadInstruments, venueSymbols, withAdded } from '../market/instruments.ts';
import { type Log, stderrLog } from '../ops/log.ts';
import { lowOpenFilesLimit } from '../ops/open-files.ts';
import { importedSymbols } from '../store/stored-numbers.ts';
import { printHelp, readArguments, settingsHelp, UsageError } from './arguments.ts';
import { reachable, runExamplePublishers } from './example-publishers.ts';
import { onInterruption } from './interruption.ts';
import { type FirstStartSecrets, writeSecretsFile } from './secrets-file.ts';

const HELP = `tickwire serve [FLAGS]

Runs the service. Every setting can be a flag (--sim-rate), an environment variable (TICKWIRE_SIM_RATE) or a key in
tickwire.json (sim_rate). Flags take precedence over variables, and variables over the file.

${settingsHelp()}
  --live
      real markets of public venues without an account; short for --feeds live
  --config
      configuration file
      a JSON file; default tickwire.json in the working directory, if it exists
`;

/** Time for a graceful stop: 12 s for deliveries under way, and that of everything else. Supervisors wait longer (deploy/). */
const STOP_MS = 20_000;
const LINGER_MS = 1_000;
const MAX_LISTED_SYMBOLS = 10;

export async function serve(args: string[]): Promise<number> {
  const { words, on, config: read } = readArguments(args, {});
  if (printHelp(on, HELP)) return 0;
  if (words.length > 0)
    throw new UsageError(`unexpected argument ${words[0]}; run "tickwire serve --help" for all flags`);
  const config = read();
  const log = stderrLog(config.log);
  if (config.serviceLinks.length > 0)
    log.warn('ignored variables that Kubernetes sets for a service called tickwire', { names: config.serviceLinks });
  for (const name of config.unknown) log.warn('environment variable is not a setting', { name });

  // A signal during the start must not kill the process halfway.
  const stopping = onInterruption();
  const isComplete = await runService({
    config,
    configOf: read,
    log,
    stopping: stopping.signal,
    onStarted: (app, running) => present(running, app, log),
  }).catch((error) => {
    // Stopped while it was waiting for something.
    if (!stopping.signal.aborted) throw error;
    log.info('stopped during the start', { reason: (error as Error).message });
    return true;
  });
  // A lingering connection must not keep the process alive, since a supervisor waits for its end.
  setTimeout(() => process.exit(), LINGER_MS).unref();
  return isComplete ? 0 : 1;
}

/** Prints what a start has to say, and starts what runs beside the service. Returns how to stop all of it. */
async function present(config: Config, app: App | SingleProcess, log: Log): Promise<() => Promise<boolean>> {
  const lowLimit = config.role === 'ingest' ? null : lowOpenFilesLimit(config.max_connections);
  if (lowLimit) log.warn(lowLimit);
  process.stdout.write(
    config.role === 'ingest' ? `\n  Tickwire ingest node on standby at ${app.url}\n\n` : await banner(config, app, log),
  );
  if (config.role === 'all') process.stdout.write(await hiddenHistory(config).catch(unread('')));
  void app.firstStart?.then((firstStart) => process.stdout.write(credentials(config, firstStart, log)));
  // Only for a single process: in a cluster every gateway would run its own.
  const publishers = 'keyring' in app ? runExamplePublishers(config, app, log) : null;
  return async () => {
    const deadline = setTimeout(() => {
      log.error('stopping took too long');
      process.exit(1);
    }, STOP_MS);
    await publishers?.stop();
    const stored = await app.stop();
    clearTimeout(deadline);
    return stored;
  };
}

/** The service runs by now: what it prints must not end it. */
const unread =
  <T>(instead: T) =>
  (error: Error): T => {
    process.stderr.write(`tickwire: ${error.message}\n`);
    return instead;
  };

/** Imported history that this service does not show, and how to see it. */
async function hiddenHistory(config: Config): Promise<string> {
  const served =
    config.realm === 'sim'
      ? new Set()
      : new Set<string>(loadInstruments(await withAdded(config)).map(({ symbol }) => symbol));
  const hidden = (await importedSymbols(config, 'live')).filter((symbol) => !served.has(symbol));
  if (hidden.length === 0) return '';
  const names = hidden.slice(0, MAX_LISTED_SYMBOLS).join(', ') + (hidden.length > MAX_LISTED_SYMBOLS ? ', …' : '');
  const how =
    config.realm === 'sim'
      ? 'it belongs to the live markets. Start with --feeds push, or another live feed, to see it'
      : 'these instruments are not configured. Add the venue that has them (--feeds), or an instruments file';
  return `  Imported history of ${names} is not shown: ${how}.\n\n`;
}

const setupText = (link: string): string =>
  `  Nobody owns this service yet. Open this link to create the owner account:\n\n    ${link}\n`;
const LASTING_KEY =
  'Make one that lasts under Settings › API keys in the terminal, or with\n  "npx tickwire keys create --tier premium".';
const demoKeyText = (key: string): string =>
  `  Your demo API key (premium tier), shown only once. It ends after 7 days.\n  ${LASTING_KEY}\n\n    ${key}\n`;

/** Writes the secrets to the configured file and returns a text without them. */
function storeSecrets(file: string, secrets: FirstStartSecrets, log: Log): string {
  try {
    writeSecretsFile(file, secrets);
  } catch (error) {
    log.error('cannot write the secrets file', { file, error });
    return '';
  }
  return secrets.setupUrl || secrets.demoKey ? `  The secrets of the first start are in ${file}\n` : '';
}

/** What the first start of a cluster created. The link works at every gateway. */
function credentials(
  { public_url, secrets_file }: Config,
  { demoKey, setupToken }: FirstStartCredentials,
  log: Log,
): string {
  const link = `${public_url ?? 'http://<a gateway>'}/setup?token=${setupToken}`;
  if (secrets_file !== null) return storeSecrets(secrets_file, { setupUrl: setupToken && link, demoKey }, log);
  return `${setupToken ? `\n${setupText(link)}` : ''}${demoKey ? `\n${demoKeyText(demoKey)}` : ''}`;
}

async function banner(config: Config, { url, metricsUrl, demoKey, setupUrl }: App, log: Log): Promise<string> {
  const link = setupUrl?.replace(url, reachable(url)) ?? null;
  const { secrets_file: file } = config;
  // A gateway has no secrets.
  const stored = file !== null && config.role === 'all' ? storeSecrets(file, { setupUrl: link, demoKey }, log) : null;
  const key = file === null ? demoKey : null;
  const [example = 'EURUSD'] = venueSymbols(config, loadInstruments(await withAdded(config).catch(unread(config))));
  return [
    '',
    `  Tickwire is serving at ${url}`,
    config.realm === 'sim'
      ? '  SIMULATED MARKETS: all prices are generated, for trying things out.'
      : `  Prices from ${config.feeds.join(', ')}.`,
    '',
    `  Terminal   ${url}/`,
    `  Guide      ${url}/guide/`,
    `  API docs   ${url}/docs`,
    metricsUrl ? `  Metrics    ${metricsUrl}/metrics` : null,
    `  Data       ${config.data}`,
    '',
    stored || null,
    link && file === null ? setupText(link) : null,
    key ? demoKeyText(key) : '  Create an API key with "npx tickwire keys create".\n',
    `  Try it:\n\n    curl -H 'X-API-Key: ${key ?? '<API_KEY>'}' ${url}/api/market/${example}/quote\n`,
    '',
  ]
    .filter((line) => line !== null)
    .join('\n');
}
