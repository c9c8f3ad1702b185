// `tickwire serve`: starts the service, says where it is, and stops it in order when asked to.
import { type App, type Founded, startRole } from '../app.ts';
import type { Config } from '../config.ts';
import { createLog } from '../ops/log.ts';
import { readArguments, settingsHelp, UsageError } from './arguments.ts';
import { reachable, runHouse } from './house.ts';

/** What is not done by then is not worth waiting for: a supervisor would kill us anyway. */
const STOP_MS = 4_800;
const LINGER_MS = 1_000;

export async function serve(args: string[]): Promise<number> {
  const { words, on, config: read } = readArguments(args, {});
  if (on.has('help')) {
    process.stdout.write(
      `tickwire serve: runs the service.\n\nEvery setting is a flag, an environment variable (--sim-rate is TICKWIRE_SIM_RATE) or a key in\ntickwire.json (sim_rate), in this order:\n${settingsHelp()}\n  --config FILE              configuration file (tickwire.json where there is one)\n`,
    );
    return 0;
  }
  if (words.length > 0) throw new UsageError(`serve takes no ${words[0]}: "tickwire serve --help" lists the flags`);
  const config = read();
  const log = createLog({
    level: config.log,
    plain: process.stderr.isTTY,
    write: (line) => process.stderr.write(line),
  });
  for (const name of config.unknown) log.warn('this environment variable is not a setting', { name });

  // Signals that come while we start must not kill us half-way.
  const asked = new AbortController();
  const stop = new Promise<void>((resolve) => asked.signal.addEventListener('abort', () => resolve()));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked.abort());

  const app = await startRole(config, log, asked.signal).catch((error) => {
    // What it waited for need not come any more.
    if (!asked.signal.aborted) throw error;
    log.info('stopped before it had begun', { reason: (error as Error).message });
    return null;
  });
  if (!app) return 0;
  process.stdout.write(
    config.role === 'ingest' ? `\n  Tickwire stands by as an ingest at ${app.url}\n\n` : welcome(config, app),
  );
  void app.founded?.then((founded) => process.stdout.write(foundation(config, founded)));
  // Beside one process; in a cluster they would publish as often as there are gateways.
  const house = 'keyring' in app ? runHouse(config, app, log) : null;
  const failure = await Promise.race([stop, ...(app.ended ? [app.ended] : [])]);
  if (failure) log.error('the service cannot go on', { error: failure });
  const deadline = setTimeout(() => {
    log.error('the stop took too long');
    process.exit(1);
  }, STOP_MS);
  await house?.stop();
  await app.stop();
  clearTimeout(deadline);
  // A connection that lingers must not keep a process that has stopped: whoever supervises it waits for its end.
  setTimeout(() => process.exit(), LINGER_MS).unref();
  return failure ? 1 : 0;
}

/** What the first ingest of a cluster made. The link works at every gateway. */
function foundation({ public_url }: Config, { demoKey, setupToken }: Founded): string {
  const link = `${public_url ?? 'http://<a gateway>'}/setup?token=${setupToken}`;
  return [
    setupToken ? `\n  Nobody owns this service yet. Open this link once to make your account:\n\n    ${link}\n` : '',
    demoKey ? `\n  Your demo key (premium), shown this once:\n\n    ${demoKey}\n` : '',
  ].join('');
}

function welcome(config: Config, { url, metricsUrl, demoKey: key, setupUrl }: App): string {
  const shown = key ?? '<API_KEY>';
  return [
    '',
    `  Tickwire is serving at ${url}`,
    config.realm === 'sim' ? '  SIMULATED MARKETS: every price here is made up, for trying things out.' : '',
    '',
    `  terminal   ${url}/`,
    `  reference  ${url}/docs`,
    metricsUrl ? `  metrics    ${metricsUrl}/metrics` : '',
    `  data       ${config.data}`,
    '',
    setupUrl
      ? `  Nobody owns this service yet. Open this link once to make your account:\n\n    ${setupUrl.replace(url, reachable(url))}\n`
      : '',
    key
      ? `  Your demo key (premium), shown this once:\n\n    ${key}\n`
      : '  Keys: "npx tickwire keys create" makes one, "npx tickwire keys list" shows them.\n',
    `  Try it:\n\n    curl -H 'X-API-Key: ${shown}' ${url}/api/market/EURUSD/quote\n`,
    '',
  ]
    .filter((line, index, lines) => line !== '' || lines[index - 1] !== '')
    .join('\n');
}
