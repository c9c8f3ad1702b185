// Checks of code blocks that are not run: each throws if the block is wrong.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig, type SettingName, variableName } from '../../packages/server/src/config/config.ts';
import { SETTINGS } from '../../packages/server/src/config/settings.ts';
import { documentsOf } from './example-output.ts';
import { tickwire } from './service.ts';

export type Check = (text: string) => void;

export const ROOT = resolve(import.meta.dir, '../..');
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export function require(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

export const has = (text: string, part: string, where: string): void =>
  require(text.includes(part), `${where} has no ${part}`);

/** Of every match: the first group. */
export const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, group]) => group!);

// Shell.

export const shellSyntax: Check = (text) => {
  const { exitCode, stderr } = Bun.spawnSync(['bash', '-n', '-c', text]);
  require(exitCode === 0, stderr.toString());
};

/** Paths that start in a folder of the repository exist. */
const existingPaths: Check = (text) => {
  for (const path of all(text, /(?<![\w/.-])(?!deploy\/tickwire-)((?:deploy|examples|python|packages)\/[\w@./-]+)/g))
    require(existsSync(join(ROOT, path)), `${path} does not exist`);
};

export const npmScripts: Check = (text) => {
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
export const tickwireCommands: Check = (text) => {
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

export const shell = [shellSyntax, existingPaths, npmScripts, tickwireCommands];

/** Another step of CI runs the block, or the program that it starts. */
export const coveredBy =
  (path: string, ...parts: readonly string[]): Check =>
  () => {
    const text = read(path);
    for (const part of parts) has(text, part, path);
  };

/** Variables that the block sets are read by a file. */
export const variablesOf =
  (path: string): Check =>
  (text) => {
    for (const name of all(text, /(?:^|\s)(?!XDG_)([A-Z][A-Z_]+)=/g)) has(read(path), name, path);
  };

export const composeServices =
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

export const assignedSettings: Check = (text) => {
  const assigned = [...text.matchAll(/(TICKWIRE_[A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name!, value!] as const);
  require(assigned.length > 0, 'nothing is set');
  settings(Object.fromEntries(assigned));
};

export const settingsFile: Check = (text) => {
  const file = JSON.parse(text) as Record<string, unknown>;
  for (const name of Object.keys(file)) require(name in SETTINGS, `there is no setting ${name}`);
  for (const [name, value] of Object.entries(file)) {
    const { error } = SETTINGS[name as SettingName].schema.safeParse(value);
    require(error === undefined, `${name}: ${error}`);
  }
};

const HOSTS_OF_OTHERS =
  /^(?:(?:api|ws)\.twelvedata\.com|(?:ws\.)?finnhub\.io|(?:stream\.)?data\.alpaca\.markets|paper-api\.alpaca\.markets|(?:api|stream)-fxpractice\.oanda\.com)$/;

/** Requests to known hosts, and the JSON that is sent. */
export const addressesOfOthers: Check = (text) => {
  const addresses = all(text, /^GET (\S+)$/gm);
  require(addresses.length > 0, 'there is no request');
  for (const address of addresses) {
    const { protocol, hostname } = new URL(address);
    const isTheirs = /^(?:https|wss):$/.test(protocol) && HOSTS_OF_OTHERS.test(hostname);
    require(isTheirs, `${address} is not an address of these services`);
  }
  for (const line of all(text, /^(\{.*)$/gm)) JSON.parse(line);
};

export const pythonSyntax: Check = (text) => {
  const { exitCode, stderr } = Bun.spawnSync([
    'python3',
    '-c',
    'import sys; compile(sys.argv[1], "block", "exec")',
    text,
  ]);
  require(exitCode === 0, stderr.toString());
};

/** Every document fits one of the schemas of the contract. */
export const documents =
  (...schemas: readonly { safeParse(value: unknown): { success: boolean } }[]): Check =>
  (text) => {
    const found = documentsOf(text);
    if (typeof found === 'string') throw new Error(found);
    for (const each of found)
      require(schemas.some((schema) => schema.safeParse(each).success), `not in the contract: ${JSON.stringify(each)}`);
  };

export const json: Check = (text) => {
  const found = documentsOf(text);
  if (typeof found === 'string') throw new Error(found);
};

/** Runs a script that uses the charting library, with stand-ins for what the library has. */
export const chartingLibrary: Check = (text) => {
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
export const agentSettings: Check = (text) => {
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

export const grafanaSource: Check = (text) => {
  const shown = (Bun.YAML.parse(text) as { datasources: Record<string, unknown>[] }).datasources[0]!;
  const file = Bun.YAML.parse(read('deploy/grafana/provisioning/datasources/tickwire.yaml'));
  const real = (file as { datasources: Record<string, unknown>[] }).datasources[0]!;
  for (const name of ['uid', 'type', 'access']) require(shown[name] === real[name], `another ${name}`);
  const keysOf = (of: unknown): string[] => Object.keys(of as object);
  for (const name of ['jsonData', 'secureJsonData'])
    for (const key of keysOf(shown[name])) require(keysOf(real[name]).includes(key), `${name} has no ${key}`);
};

export const kernelSettings: Check = (text) => {
  for (const line of text.split('\n')) {
    const [name = '', value = ''] = line.split(' = ');
    require(/^[\w.-]+$/.test(name) && /^[\d ]+$/.test(value), `not a setting: ${line}`);
    const path = `/proc/sys/${name.replaceAll('.', '/')}`;
    // A container may hide the settings of a subsystem.
    if (existsSync(path.replace(/\/[^/]+\/[^/]+$/, ''))) require(existsSync(path), `the kernel has no ${name}`);
  }
};

export const powerQuery: Check = (text) => {
  require(/^let\n[\s\S]+\nin\n/.test(text), 'not a query');
  for (const [open, close] of ['()', '[]', '{}'])
    require(text.split(open!).length === text.split(close!).length, `${open} and ${close} are not balanced`);
  const columns = all(text, /\{"(\w+)", type/g).join(',');
  require(columns === 'time,open,high,low,close,volume', `other columns: ${columns}`);
};

export const ownWords =
  (path: string): Check =>
  (text) => {
    for (const line of text.split('\n').filter((each) => /^ {2}\S/.test(each) && !/127\.0\.0\.1/.test(each)))
      has(read(path), line.trim(), path);
  };
