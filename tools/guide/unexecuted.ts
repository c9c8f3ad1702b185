// Every code block of the site that `npm run guide:check` does not run: why, and how it is checked instead. A block names its
// entry in the line above, `<!-- not run: docker -->`; a block without one is run. A test compares this list with the pages.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  AmendedSignal,
  Evidence,
  ExitedSignal,
  FilledSignal,
  PublishedSignal,
  SentimentCertainty,
  SignalRequest,
  SymbolSentiment,
  TradingHours,
} from '@tickwire/contract';
import { Glob } from 'bun';
import { parseCalendarSources } from '../../packages/server/src/calendar/sources/sources-file.ts';
import { loadConfig, type SettingName, variableName } from '../../packages/server/src/config/config.ts';
import { SETTINGS } from '../../packages/server/src/config/settings.ts';
import { parseSources } from '../../packages/server/src/news/sources/sources-file.ts';
import type { Block } from './blocks.ts';
import { documentsOf } from './example-output.ts';
import { tickwire } from './service.ts';

/** Throws if the block is wrong. */
type Check = (text: string) => void;

export interface Unexecuted {
  readonly reason: string;
  readonly checks: readonly Check[];
}

const ROOT = resolve(import.meta.dir, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function require(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

const has = (text: string, part: string, where: string): void =>
  require(text.includes(part), `${where} has no ${part}`);

/** Of every match: the first group. */
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, group]) => group!);

// Shell.

const shellSyntax: Check = (text) => {
  const { exitCode, stderr } = Bun.spawnSync(['bash', '-n', '-c', text]);
  require(exitCode === 0, stderr.toString());
};

/** Paths that start in a folder of the repository exist. */
const existingPaths: Check = (text) => {
  for (const path of all(text, /(?<![\w/.-])(?!deploy\/tickwire-)((?:deploy|examples|python|packages)\/[\w@./-]+)/g))
    require(existsSync(join(ROOT, path)), `${path} does not exist`);
};

const npmScripts: Check = (text) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const name of [...all(text, /npm run ([\w:]+)/g), ...all(text, /npm (start|test)\b/g)])
    require(name in scripts, `there is no npm script ${name}`);
};

const helps = new Map<string, string>();
const helpOf = (command: string): string => {
  const known = helps.get(command) ?? Bun.spawnSync(tickwire(command, '--help')).stdout.toString();
  helps.set(command, known);
  return known;
};

/** Commands of `tickwire`, their actions and flags are in its help. */
const tickwireCommands: Check = (text) => {
  const calls = text
    .replaceAll('\\\n', ' ')
    .matchAll(/(?:tickwire(?:\.mjs"?)?|gateway-1) +(keys|export|import|migrate|mcp|doctor|verify)\b([^|)\n]*)/g);
  for (const [, command, words] of calls) {
    const help = helpOf(command!);
    require(help !== '', `tickwire has no command ${command}`);
    for (const flag of all(words!, /(--[a-z-]+)/g)) has(help, flag, `the help of ${command}`);
    const action = /^ +([a-z][a-z-]+)/.exec(words!)?.[1];
    if (action !== undefined) has(help, `${command} ${action}`, `the help of ${command}`);
  }
};

const shell = [shellSyntax, existingPaths, npmScripts, tickwireCommands];

/** Another step of CI runs the block, or the program that it starts. */
const coveredBy =
  (path: string, ...parts: readonly string[]): Check =>
  () => {
    const text = read(path);
    for (const part of parts) has(text, part, path);
  };

/** Variables that the block sets are read by a file. */
const variablesOf =
  (path: string): Check =>
  (text) => {
    for (const name of all(text, /(?:^|\s)(?!XDG_)([A-Z][A-Z_]+)=/g)) has(read(path), name, path);
  };

const composeServices =
  (path: string): Check =>
  (text) => {
    const { services } = Bun.YAML.parse(read(path)) as { services: Record<string, unknown> };
    for (const name of all(text, /docker compose run --rm ([\w-]+)/g))
      require(name in services, `${path} has no ${name}`);
    require(Object.keys(services).length > 0, `${path} has no services`);
  };

// Settings and other files.

const settings = (variables: Record<string, string>): void => {
  const known = new Set((Object.keys(SETTINGS) as SettingName[]).map(variableName));
  for (const name of Object.keys(variables)) require(known.has(name), `there is no setting ${name}`);
  loadConfig({ flags: {}, env: variables, cwd: '/' });
};

const assignedSettings: Check = (text) => {
  const assigned = [...text.matchAll(/(TICKWIRE_[A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name!, value!] as const);
  require(assigned.length > 0, 'nothing is set');
  settings(Object.fromEntries(assigned));
};

const settingsFile: Check = (text) => {
  const file = JSON.parse(text) as Record<string, unknown>;
  for (const name of Object.keys(file)) require(name in SETTINGS, `there is no setting ${name}`);
  for (const [name, value] of Object.entries(file)) {
    const { error } = SETTINGS[name as SettingName].schema.safeParse(value);
    require(error === undefined, `${name}: ${error}`);
  }
};

/** Every document fits one of the schemas of the contract. */
const documents =
  (...schemas: readonly { safeParse(value: unknown): { success: boolean } }[]): Check =>
  (text) => {
    const found = documentsOf(text);
    if (typeof found === 'string') throw new Error(found);
    for (const each of found)
      require(schemas.some((schema) => schema.safeParse(each).success), `not in the contract: ${JSON.stringify(each)}`);
  };

const json: Check = (text) => {
  const found = documentsOf(text);
  if (typeof found === 'string') throw new Error(found);
};

/** Runs a script that uses the charting library, with stand-ins for what the library has. */
const chartingLibrary: Check = (text) => {
  const feeds: string[] = [];
  class Feed {
    constructor(address: string) {
      feeds.push(address);
    }
  }
  class Widget {
    constructor(options: { datafeed: unknown; symbol: string; interval: string }) {
      require(options.datafeed instanceof Feed, 'the widget has no data feed');
      require(/^[A-Z]+$/.test(options.symbol) && /^\d+$/.test(options.interval), 'the widget shows nothing');
    }
  }
  new Function('TradingView', 'Datafeeds', text)({ widget: Widget }, { UDFCompatibleDatafeed: Feed });
  require(feeds.length === 1 && feeds[0]!.includes('/link/'), 'the feed is not a data link');
};

interface AgentServer {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The settings of an agent: an address with a key, or a command that exists. */
const agentSettings: Check = (text) => {
  const file = JSON.parse(text) as { mcpServers?: Record<string, AgentServer>; servers?: Record<string, AgentServer> };
  const servers = Object.values(file.mcpServers ?? file.servers ?? {});
  require(servers.length === 1, 'there is not one server');
  const { command, args = [], env = {}, url, headers = {} } = servers[0]!;
  if (command === undefined) {
    require(url === 'http://127.0.0.1:8080/mcp', `wrong address ${url}`);
    require('X-API-Key' in headers, 'no key is sent');
    return;
  }
  require(existsSync(args[0]!.replace('/path/to/tickwire', ROOT)), `${args[0]} does not exist`);
  tickwireCommands(`tickwire ${args.slice(1).join(' ')}`);
  for (const name of Object.keys(env)) has(helpOf('mcp'), name, 'the help of mcp');
};

const grafanaSource: Check = (text) => {
  const shown = (Bun.YAML.parse(text) as { datasources: Record<string, unknown>[] }).datasources[0]!;
  const file = Bun.YAML.parse(read('deploy/grafana/provisioning/datasources/tickwire.yaml'));
  const real = (file as { datasources: Record<string, unknown>[] }).datasources[0]!;
  for (const name of ['uid', 'type', 'access']) require(shown[name] === real[name], `another ${name}`);
  const keysOf = (of: unknown): string[] => Object.keys(of as object);
  for (const name of ['jsonData', 'secureJsonData'])
    for (const key of keysOf(shown[name])) require(keysOf(real[name]).includes(key), `${name} has no ${key}`);
};

const kernelSettings: Check = (text) => {
  for (const line of text.split('\n')) {
    const [name = '', value = ''] = line.split(' = ');
    require(/^[\w.-]+$/.test(name) && /^[\d ]+$/.test(value), `not a setting: ${line}`);
    const path = `/proc/sys/${name.replaceAll('.', '/')}`;
    // A container may hide the settings of a subsystem.
    if (existsSync(path.replace(/\/[^/]+\/[^/]+$/, ''))) require(existsSync(path), `the kernel has no ${name}`);
  }
};

const powerQuery: Check = (text) => {
  require(/^let\n[\s\S]+\nin\n/.test(text), 'not a query');
  for (const [open, close] of ['()', '[]', '{}'])
    require(text.split(open!).length === text.split(close!).length, `${open} and ${close} are not balanced`);
  const columns = all(text, /\{"(\w+)", type/g).join(',');
  require(columns === 'time,open,high,low,close,volume', `other columns: ${columns}`);
};

const ownWords =
  (path: string): Check =>
  (text) => {
    for (const line of text.split('\n').filter((each) => /^ {2}\S/.test(each) && !/127\.0\.0\.1/.test(each)))
      has(read(path), line.trim(), path);
  };

export const UNEXECUTED: Readonly<Record<string, Unexecuted>> = {
  // Installing and starting.
  'a clone': {
    reason: 'The last step of .ci/run installs a clean copy of the repository and starts it.',
    checks: [...shell, coveredBy('.ci/run', 'npm ci', 'npm start')],
  },
  'all packages': {
    reason: 'The tests of packages install each of them in an empty folder and start it.',
    checks: [
      ...shell,
      coveredBy('tools/pack/service-package.slow.test.ts', 'npx'),
      coveredBy('Dockerfile', 'HEALTHCHECK'),
    ],
  },
  'the client package': {
    reason: 'tools/pack/client-package.slow.test.ts runs these lines of the page with the packed file and Node 22.',
    checks: [shellSyntax, coveredBy('tools/pack/client-package.slow.test.ts', 'docs/start/typescript.md')],
  },
  'the output of the client package': {
    reason: 'The same test compares it with what the bot prints.',
    checks: [coveredBy('tools/pack/client-package.slow.test.ts', 'wrongText')],
  },
  'an npm install': {
    reason: 'The package is not on the registry. The tests of packages install the packed file.',
    checks: [shellSyntax, coveredBy('tools/pack/client-package.slow.test.ts', 'install(')],
  },
  'the Python package': {
    reason: 'tools/pack/python-package.slow.test.ts runs these lines of the page without a network.',
    checks: [...shell, coveredBy('tools/pack/python-package.slow.test.ts', 'docs/start/python.md')],
  },
  'a pip install': {
    reason:
      'It installs into the Python of this machine. The tests of packages install the wheel and the sdist in a folder.',
    checks: [...shell, coveredBy('tools/pack/python-package.slow.test.ts', '--no-build-isolation')],
  },
  'the Python verifier': {
    reason: 'It needs the installed package. The tests of the package run the command against a service.',
    checks: [shellSyntax, coveredBy('python/tests/test_service.py', 'tickwire.verify.command')],
  },
  'the banner': {
    reason: 'It is printed once, by the first start of the service that all pages use.',
    checks: [ownWords('packages/server/src/cli/serve.ts')],
  },
  'the tests': {
    reason: 'These commands are steps of .ci/run.',
    checks: [...shell, coveredBy('.ci/run', 'npm test', 'npm run guide:check')],
  },
  'the Python tests': {
    reason: 'python/run-tests takes minutes, and is a step of .ci/run.',
    checks: [...shell, coveredBy('.ci/run', 'python/run-tests')],
  },
  'the benchmark': {
    reason: 'It takes a quarter of an hour. Its harness has tests.',
    checks: [...shell, coveredBy('bench/run.ts', 'brokers')],
  },
  'the Python reference': {
    reason: 'Signatures, and examples with placeholders. A test of the package binds their calls to the methods.',
    checks: [coveredBy('python/tests/test_package.py', 'reference.md')],
  },

  // Programs of others.
  docker: {
    reason: 'Docker is not on this machine. Tests in deploy/ compare the compose files with the code.',
    checks: [...shell, composeServices('deploy/compose.yaml')],
  },
  'docker for Grafana': {
    reason: 'Docker is not on this machine. A test in deploy/ runs the queries of the dashboard against a service.',
    checks: [...shell, composeServices('deploy/grafana/compose.yaml'), variablesOf('deploy/grafana/compose.yaml')],
  },
  'a file of Grafana': { reason: 'Grafana reads it.', checks: [grafanaSource] },
  'a public Caddy': {
    reason: 'It needs Caddy and a public host name.',
    checks: [...shell, variablesOf('deploy/Caddyfile')],
  },
  'a local Caddy': {
    reason: 'It needs Caddy.',
    checks: [...shell, variablesOf('deploy/Caddyfile'), coveredBy('deploy/Caddyfile', '\theader Strict', '{\n')],
  },
  systemd: {
    reason: 'It needs systemd as the first process, and root.',
    checks: [
      ...shell,
      coveredBy('deploy/systemd/tickwire@.service', '/opt/tickwire/', '/etc/tickwire/%i.env', 'User=tickwire'),
    ],
  },
  kubectl: {
    reason: 'It needs a cluster. A test in deploy/ builds and checks its objects.',
    checks: [
      ...shell,
      coveredBy(
        'deploy/kubernetes/secret.example.yaml',
        'tickwire.json',
        'gateway.json',
        'log-key.pem',
        'two-factor.key',
      ),
      coveredBy('deploy/kubernetes.test.ts', 'tickwire-gateway', 'tickwire-ingest'),
    ],
  },
  'moving to a cluster': {
    reason: 'It needs a stopped process and an empty database. The tests of the archive move a store both ways.',
    checks: [...shell, coveredBy('packages/server/src/store/archive/archive.test.ts', 'postgres')],
  },
  doctor: {
    reason: 'It judges an installation; the service of the pages is none. Its tests run it on good and bad ones.',
    checks: [...shell, coveredBy('packages/server/src/cli/doctor.slow.test.ts', 'doctor')],
  },
  'an exchange': {
    reason: 'It needs a connection to an exchange or a broker. The tests of the feeds have recorded messages.',
    checks: [shellSyntax, npmScripts, assignedSettings],
  },
  'Claude Code': {
    reason: 'It needs Claude Code. The tests of MCP speak the protocol with the same address and command.',
    checks: [...shell, coveredBy('packages/server/src/cli/mcp.slow.test.ts', 'mcp')],
  },
  'settings of an agent': { reason: 'An agent reads this file.', checks: [agentSettings] },
  'the charting library': {
    reason:
      'The library is licensed by TradingView. The script runs with stand-ins; udf.test.ts has a client of the protocol.',
    checks: [chartingLibrary],
  },
  'Power Query': { reason: 'Excel runs it.', checks: [powerQuery] },
  vite: {
    reason:
      'It needs packages of the npm registry. examples/pages.slow.test.ts builds the chart and opens it in a browser.',
    checks: [shellSyntax, coveredBy('examples/pages.slow.test.ts', 'react-chart')],
  },
  telegram: {
    reason: "It needs a bot at Telegram. examples/examples.slow.test.ts runs it against a fake of Telegram's server.",
    checks: [
      shellSyntax,
      variablesOf('examples/telegram-bot.ts'),
      coveredBy('examples/examples.slow.test.ts', 'telegram-bot.ts'),
    ],
  },
  freqtrade: {
    reason: 'freqtrade is not on this machine. examples/adapters.test.ts checks the layout of the strategy.',
    checks: [...shell, coveredBy('examples/freqtrade/tickwire_strategy.py', 'class TickwireSignals(')],
  },
  lean: {
    reason: 'Lean is not on this machine. examples/adapters.test.ts checks the layout of the algorithm.',
    checks: [...shell, coveredBy('examples/lean/main.py', '"tickwire-signals"', '"start"', '"end"')],
  },
  'the DuckDB client': {
    reason: 'proof/history runs these lines, where the client is installed, and compares the bars.',
    checks: [coveredBy('proof/history/readers.mjs', 'docs/recipes/duckdb.md')],
  },
  'a query of Prometheus': {
    reason: 'Prometheus runs it.',
    checks: [
      (text) => {
        const files = [...new Glob('packages/server/src/*/{metrics,server,module}.ts').scanSync(ROOT)];
        const metrics = files.map(read).join('\n');
        for (const metric of all(text, /(tickwire_\w+)/g)) has(metrics, metric, 'the service');
      },
    ],
  },
  'settings of the kernel': { reason: 'They need root.', checks: [kernelSettings] },

  // Settings, messages and pictures.
  settings: { reason: 'Settings of a service, not commands. They are read as at a start.', checks: [assignedSettings] },
  'a settings file': { reason: 'A service reads it. Each setting is parsed as at a start.', checks: [settingsFile] },
  'news sources': {
    reason: 'Its sources are on the internet. The list is parsed as at a start.',
    checks: [(text) => void parseSources(text, 'the block')],
  },
  'calendar sources': {
    reason: 'Its sources are on the internet. The list is parsed as at a start.',
    checks: [(text) => void parseCalendarSources(text, 'the block', '/')],
  },
  'messages of a signal': {
    reason: 'A signal takes minutes to be filled and amended. The messages are compared with the contract.',
    checks: [documents(FilledSignal.strict(), ExitedSignal.strict(), AmendedSignal.strict())],
  },
  'a market order': {
    reason: 'The simulated price may be beyond its levels. Request and response are compared with the contract.',
    checks: [documents(SignalRequest, PublishedSignal.strict())],
  },
  evidence: { reason: 'Part of a record of the log. It is compared with the contract.', checks: [documents(Evidence)] },
  'a certainty': {
    reason: 'Part of a headline. It is compared with the contract.',
    checks: [documents(SentimentCertainty)],
  },
  'trading hours': {
    reason: 'The service of all pages is always open. A test of trading hours has the same day of a market with hours.',
    checks: [
      documents(TradingHours),
      coveredBy('packages/server/src/market/trading-hours.test.ts', 'UK100', '2026-12-24T12:30:00.000Z'),
    ],
  },
  'a crontab': {
    reason: 'Cron runs it every hour and every week. Its command and options are compared with the help.',
    checks: [tickwireCommands],
  },
  'sentiments of an item': {
    reason: 'Part of a headline. It is compared with the contract.',
    checks: [documents(SymbolSentiment.array())],
  },
  'what is signed': {
    reason: 'It is signed, not sent. examples/publisher.py signs it, and a test verifies the signature.',
    checks: [
      json,
      coveredBy('python/tickwire/signing/signer.py', '"action"', '"publisher"', '"signed_at"', '"note_sha256"'),
    ],
  },
  'the log of the page': {
    reason: 'A browser shows it. e2e/browser-quickstart.test.ts opens the page and reads it.',
    checks: [coveredBy('e2e/browser-quickstart.test.ts', 'docs/start/browser.md', 'watching', 'published')],
  },
  'a picture': {
    reason: 'A drawing of characters, or a list of files.',
    checks: [(text) => require(/[─▶]|^data\//m.test(text), 'neither a drawing nor a list of files')],
  },
};

/** What is wrong with a block that is not run, or null. */
export function wrongUnexecuted({ directive, text }: Pick<Block, 'directive' | 'text'>): string | null {
  if (directive.kind !== 'not run') return null;
  const entry = UNEXECUTED[directive.name];
  if (!entry) return `tools/guide/unexecuted.ts has no entry "${directive.name}"`;
  try {
    for (const check of entry.checks) check(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
