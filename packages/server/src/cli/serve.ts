// `tickwire serve`: starts the service, says where it is, and stops it in order when asked to.
import { startApp } from '../app.ts';
import type { Config } from '../config.ts';
import { createLog } from '../ops/log.ts';
import { readArguments, settingsHelp, UsageError } from './arguments.ts';
import { runHouse } from './house.ts';

/** What is not done by then is not worth waiting for: a supervisor would kill us anyway. */
const STOP_MS = 4_800;

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
  let asked = (): void => {};
  const stop = new Promise<void>((resolve) => {
    asked = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked());

  const app = await startApp(config, log);
  process.stdout.write(welcome(config, app.url, app.metricsUrl, app.demoKey));
  const house = runHouse(config, app, log);
  await stop;
  const deadline = setTimeout(() => {
    log.error('the stop took too long');
    process.exit(1);
  }, STOP_MS);
  await house.stop();
  await app.stop();
  clearTimeout(deadline);
  return 0;
}

function welcome(config: Config, url: string, metricsUrl: string | null, key: string | null): string {
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
    key
      ? `  Your demo key (premium), shown this once:\n\n    ${key}\n`
      : '  Keys: "npx tickwire keys create" makes one, "npx tickwire keys list" shows them.\n',
    `  Try it:\n\n    curl -H 'X-API-Key: ${shown}' ${url}/api/market/EURUSD/quote\n`,
    '',
  ]
    .filter((line, index, lines) => line !== '' || lines[index - 1] !== '')
    .join('\n');
}
