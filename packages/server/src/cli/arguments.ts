// Command-line arguments: flags of the command and flags for every setting, with one-line errors.
import { parseArgs } from 'node:util';
import { type Config, flagName, loadConfig } from '../config.ts';
import { SETTINGS } from '../settings.ts';

/** The command was called wrongly. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export interface Arguments {
  readonly words: string[];
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly on: ReadonlySet<string>;
  readonly config: () => Config;
}

export interface Flags {
  /** Flags with a value. */
  readonly values?: readonly string[];
  /** Flags without one. */
  readonly switches?: readonly string[];
}

/** Settings that make no sense as a flag. */
const FILE_ONLY = new Set(['tiers', 'venues']);
const settingFlags = Object.keys(SETTINGS).filter((name) => !FILE_ONLY.has(name));

export function readArguments(args: string[], { values = [], switches = [] }: Flags): Arguments {
  const names = [...values, 'config', ...settingFlags.map((name) => flagName(name).slice(2))];
  const options = {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    ...Object.fromEntries([...switches, 'help'].map((name) => [name, { type: 'boolean' as const }])),
  };
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    const given = Object.entries(parsed.values as Record<string, string | boolean | undefined>);
    const flags = Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
    const settings = Object.fromEntries(
      Object.entries(flags).map(([name, value]) => [name.replaceAll('-', '_'), value]),
    );
    return {
      words: parsed.positionals,
      flags,
      on: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
      config: () => loadConfig({ flags: settings }),
    };
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n')[0]!.replace(/\.$/, ''));
  }
}

export function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${flag} is ${JSON.stringify(text)}: it must be a whole number from ${min} to ${max}`);
}

export const settingsHelp = (): string =>
  settingFlags
    .map((name) => {
      const { fallback, help, allowed } = SETTINGS[name as keyof typeof SETTINGS];
      const usual = fallback === null ? '' : ` (${Array.isArray(fallback) ? fallback.join(',') || 'none' : fallback})`;
      return `  ${flagName(name).padEnd(26)} ${help}${usual}; ${allowed}`;
    })
    .join('\n');
