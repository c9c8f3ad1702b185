// Every setting of the service: one table, read once, frozen, passed on. Flags win over the environment, the environment
// over the file, the file over the defaults. This is the only file that reads the environment.
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { TIERS, type Tier } from '@tickwire/contract';
import type { z } from 'zod';
import type { ProxySettings } from './news/sources/proxies.ts';
import { HOUSE_STRATEGIES, SETTINGS } from './settings.ts';

/** A wrong setting: stops the start with one line that says which and why. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export type SettingName = keyof typeof SETTINGS;
type Raw = { -readonly [K in SettingName]: z.output<(typeof SETTINGS)[K]['schema']> };
type Nullable =
  | 'metrics_port'
  | 'tls_cert'
  | 'tls_key'
  | 'public_url'
  | 'database_url'
  | 'redis_url'
  | 'advertise'
  | 'log_key'
  | 'instruments'
  | 'oanda_token'
  | 'oanda_account'
  | 'spike_percent'
  | 'head_file'
  | 'head_webhook'
  | 'llm_url'
  | 'llm_model'
  | 'llm_key';

/** What kind of data a store holds. A replay's is emptied at each start. */
export type Realm = 'sim' | 'live' | 'replay';

export type Config = Readonly<
  Omit<Raw, Nullable | 'metrics_port'> & { [K in Exclude<Nullable, 'metrics_port'>]: Raw[K] | null } & {
    /** null: the usual port if it is free. */
    metrics_port: number | 'off' | null;
    tiers: Readonly<Record<string, Tier>>;
    /** Simulated and real data never share a store: each realm has its own. */
    realm: Realm;
    /** Of outgoing requests, as the usual variables have them. */
    proxies: ProxySettings;
    /** Environment variables that look like settings but are none. */
    unknown: readonly string[];
  }
>;

/** Environment variables of other commands and of the test suites. */
const NOT_SETTINGS = /^TICKWIRE_(CONFIG|API_KEY|TEST_.*)$/;

export const flagName = (name: string): string => `--${name.replaceAll('_', '-')}`;
export const variableName = (name: string): string => `TICKWIRE_${name.toUpperCase()}`;

export interface ConfigSources {
  readonly flags?: Readonly<Record<string, string | undefined>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

export function loadConfig({ flags = {}, env = process.env, cwd = process.cwd() }: ConfigSources = {}): Config {
  const file = readFile(flags.config ?? env.TICKWIRE_CONFIG, cwd);
  const raw: Record<string, unknown> = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const { schema, fallback, allowed } = SETTINGS[name];
    const [value, where] =
      flags[name] !== undefined
        ? [flags[name], flagName(name)]
        : env[variableName(name)] !== undefined
          ? [env[variableName(name)], variableName(name)]
          : file.values[name] !== undefined
            ? [file.values[name], `${name} in ${file.path}`]
            : [undefined, ''];
    if (value === undefined) {
      raw[name] = fallback;
      continue;
    }
    const blank = typeof value === 'string' && value.trim() === '';
    const parsed = schema.safeParse(value);
    if (blank || !parsed.success) throw new ConfigError(`${where} is ${shown(value)}: it must be ${allowed}`);
    raw[name] = parsed.data;
  }
  const config = raw as unknown as Omit<Config, 'realm' | 'unknown'>;
  if (!config.tls_cert !== !config.tls_key) {
    const missing = config.tls_cert ? 'tls_key' : 'tls_cert';
    throw new ConfigError(`${variableName(missing)} is missing: TLS needs the certificate and its key`);
  }
  if (config.feeds.includes('oanda')) {
    for (const name of ['oanda_token', 'oanda_account'] as const) {
      if (!config[name])
        throw new ConfigError(`${variableName(name)} is missing: the feed oanda needs a token and an account`);
    }
  }
  const inFolder = (path: string): string => (isAbsolute(path) ? path : resolve(cwd, path));
  const onPath = (path: string | null): string | null => (path === null ? null : inFolder(path));
  const realm = config.feeds.includes('sim') ? 'sim' : 'live';
  return Object.freeze({
    ...config,
    data: inFolder(config.data),
    tls_cert: onPath(config.tls_cert),
    tls_key: onPath(config.tls_key),
    instruments: onPath(config.instruments),
    // Without a prototype: nobody has the tier `constructor`.
    tiers: Object.freeze(Object.assign(Object.create(null), TIERS, config.tiers)),
    head_file: onPath(config.head_file),
    log_key: onPath(config.log_key),
    news: newsOf(config.news, realm, cwd),
    proxies: {
      http: env.http_proxy ?? env.HTTP_PROXY,
      https: env.https_proxy ?? env.HTTPS_PROXY,
      except: env.no_proxy ?? env.NO_PROXY,
    },
    house: config.house ?? (realm === 'sim' ? HOUSE_STRATEGIES : []),
    realm,
    unknown: Object.keys(env).filter(
      (key) =>
        key.startsWith('TICKWIRE_') && !NOT_SETTINGS.test(key) && !Object.hasOwn(SETTINGS, key.slice(9).toLowerCase()),
    ),
  });
}

/** What was given, without the password that an address may hold. */
const shown = (value: unknown): string => JSON.stringify(value).replace(/:\/\/[^@/"]*@/g, '://…@');

/** The key that commands call a service with; null where there is none. */
export function apiKey(env: ConfigSources['env'] = process.env): string | null {
  return env.TICKWIRE_API_KEY?.trim() || null;
}

/** Invented headlines belong to invented markets; a file is found from the working folder. */
function newsOf(setting: string | null, realm: Realm, cwd: string): string {
  if (setting === null) return realm === 'sim' ? 'sim' : 'none';
  if (setting === 'sim' && realm !== 'sim')
    throw new ConfigError('TICKWIRE_NEWS is "sim", but the markets are real: set it to feeds, a file or none');
  return setting.endsWith('.json') ? resolve(cwd, setting) : setting;
}

function readFile(named: string | undefined, cwd: string): { path: string; values: Record<string, unknown> } {
  const path = named ? resolve(cwd, named) : join(cwd, 'tickwire.json');
  if (!named && !existsSync(path)) return { path, values: {} };
  let values: unknown;
  try {
    values = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`configuration file ${path}: ${(error as Error).message}`);
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new ConfigError(`configuration file ${path} must hold a JSON object`);
  }
  for (const key of Object.keys(values)) {
    if (!Object.hasOwn(SETTINGS, key)) {
      throw new ConfigError(`${key} in ${path} is not a setting; there are ${Object.keys(SETTINGS).join(', ')}`);
    }
  }
  return { path, values: values as Record<string, unknown> };
}
