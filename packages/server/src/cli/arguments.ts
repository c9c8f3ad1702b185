// Parses command-line arguments: the flags of a command and a flag for every setting. Errors are one line.
import { parseArgs } from 'node:util';
import type { Markets } from '@tickwire/contract';
import { type Config, flagName, loadConfig } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';

/** The command was called with invalid arguments. The exit status is 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export interface Arguments {
  readonly words: string[];
  /** Flags with a value. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** Switches that are set. */
  readonly on: ReadonlySet<string>;
  /** `markets`: counts in place of the stored choice of markets. */
  readonly config: (markets?: Markets) => Config;
}

export interface Flags {
  /** Flags with a value. */
  readonly values?: readonly string[];
  /** Flags without one. */
  readonly switches?: readonly string[];
}

/** Settings that only the configuration file can have. */
const FILE_ONLY = new Set(['tiers', 'venues']);
const settingFlags = Object.keys(SETTINGS).filter((name) => !FILE_ONLY.has(name));

export function readArguments(args: string[], { values = [], switches = [] }: Flags): Arguments {
  const names = [...values, 'config', ...settingFlags.map((name) => flagName(name).slice(2))];
  const options = {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    ...Object.fromEntries([...switches, 'live', 'help'].map((name) => [name, { type: 'boolean' as const }])),
  };
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true, tokens: true });
    const valued = parsed.tokens.flatMap((token) => (token.kind === 'option' && token.value ? [token.name] : []));
    const repeated = valued.find((name, index) => valued.indexOf(name) !== index);
    // The last value would win in silence.
    if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice; separate several values by commas`);
    const given = Object.entries(parsed.values as Record<string, string | boolean | undefined>);
    const flags = Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
    const settings = Object.fromEntries(
      Object.entries(flags).map(([name, value]) => [name.replaceAll('-', '_'), value]),
    );
    const on = new Set(given.filter(([, value]) => value === true).map(([name]) => name));
    return {
      words: parsed.positionals,
      flags,
      on,
      config: (markets) => loadConfig({ flags: settings, live: on.has('live'), ...(markets && { markets }) }),
    };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(inOurWords(error as NodeJS.ErrnoException));
  }
}

/** What the parser of the runtime says names the flag in quotes. */
function inOurWords({ code, message }: NodeJS.ErrnoException): string {
  const flag = /'(?:-\w, )?(-[^' ]+)/.exec(message)?.[1] ?? 'an argument';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `unknown flag ${flag}; --help lists all flags`;
  return /not take an argument/.test(message) ? `${flag} takes no value` : `${flag} needs a value`;
}

/** Prints the help text if `--help` is given. */
export function printHelp(on: Arguments['on'], help: string): boolean {
  if (on.has('help')) process.stdout.write(help);
  return on.has('help');
}

export const settingsHelp = (): string =>
  settingFlags
    .map((name) => {
      const { fallback, help, allowed } = SETTINGS[name as keyof typeof SETTINGS];
      const text = Array.isArray(fallback) ? fallback.join(',') || 'none' : fallback;
      const note = fallback === null ? '' : `; default ${text}`;
      return `  ${flagName(name)}\n      ${help}\n      ${allowed}${note}`;
    })
    .join('\n');
