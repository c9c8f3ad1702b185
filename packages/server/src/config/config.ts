// Reads all settings once into a frozen object. Flags take precedence over environment variables, these over the
// configuration file, and the file over defaults. This is the only file that reads the environment.
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { type Markets, TIERS, type Tier } from '@tickwire/contract';
import { firstFault } from '../errors/validation.ts';
import { LIVE, withLiveMarkets } from './feeds.ts';
import type { ProxySettings } from './proxy.ts';
import type { Setting, Values } from './setting-kinds.ts';
import { EXAMPLE_STRATEGIES, SETTINGS } from './settings.ts';
import { FEEDS_OF, storedMarkets } from './stored-markets.ts';

/** An invalid setting. It stops the start with a one-line message. */
export class ConfigError extends Error {
  override name = 'ConfigError';

  constructor(
    message: string,
    /** Whether a flag is to blame. */
    readonly isUsage = false,
  ) {
    super(message);
  }
}

export type SettingName = keyof typeof SETTINGS;
/** The kind of data in a store. The store of a replay is emptied at each start. */
export type Realm = 'sim' | 'live' | 'replay';

export type Config = Readonly<
  Omit<Values<typeof SETTINGS>, 'news' | 'calendar' | 'house'> & {
    news: string;
    calendar: string;
    house: readonly (typeof EXAMPLE_STRATEGIES)[number][];
    tiers: Readonly<Record<string, Tier>>;
    /** Each realm has its own store: simulated and live data are never mixed. */
    realm: Realm;
    /** What sets the feeds, such as `TICKWIRE_FEEDS`; `null` if nothing does, and the stored choice or the default counts. */
    feedsFrom: string | null;
    /** Proxies for outgoing requests, from HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
    proxies: ProxySettings;
    /** Environment variables with the prefix TICKWIRE_ that are not settings. */
    unknown: readonly string[];
    /** Variables that Kubernetes sets for a service called tickwire. They are ignored. */
    serviceLinks: readonly string[];
  }
>;

/** Environment variables that are read elsewhere: by commands and test suites. */
const NOT_SETTINGS = /^TICKWIRE_(CONFIG|API_KEY|URL|TEST_.*)$/;

/**
 * Kubernetes describes services called tickwire, tickwire-link and so on with TICKWIRE_PORT=tcp://10.0.0.1:8080,
 * TICKWIRE_LINK_SERVICE_HOST and others.
 */
const isServiceLink = ([name, value]: [string, string | undefined]): boolean =>
  /^TICKWIRE_(?:[A-Z]+_)?(?:SERVICE_(?:HOST|PORT)|PORT_\d)/.test(name) ||
  (/^TICKWIRE_(?:[A-Z]+_)?PORT$/.test(name) && /^(?:tcp|udp):\/\//.test(value ?? ''));

export const flagName = (name: string): string => `--${name.replaceAll('_', '-')}`;
export const variableName = (name: string): string => `TICKWIRE_${name.toUpperCase()}`;

export interface ConfigSources {
  readonly flags?: Readonly<Record<string, string | undefined>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** The switch `--live`: feeds `live`. */
  readonly live?: boolean;
  /** Counts in place of the stored choice of markets. */
  readonly markets?: Markets;
}

export function loadConfig(sources: ConfigSources = {}): Config {
  const { flags = {}, cwd = process.cwd(), live = false } = sources;
  const given = Object.entries(sources.env ?? process.env);
  const env = Object.fromEntries(given.filter((variable) => !isServiceLink(variable)));
  const file = readFile(flags.config ?? env.TICKWIRE_CONFIG, cwd);
  const raw: Record<string, unknown> = {};
  let feedsFrom: string | null = null;
  const refusal = (origin: string, text: string): ConfigError =>
    new ConfigError(`${origin}${text}`, origin.startsWith('--'));
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const { schema, fallback, allowed, secret }: Setting = SETTINGS[name];
    const [value, origin] =
      flags[name] !== undefined
        ? [flags[name], flagName(name)]
        : env[variableName(name)] !== undefined
          ? [env[variableName(name)], variableName(name)]
          : file.values[name] !== undefined
            ? [file.values[name], `${name} in ${file.path}`]
            : name === 'feeds' && live
              ? [LIVE, '--live']
              : [undefined, ''];
    if (value === undefined) {
      raw[name] = fallback;
      continue;
    }
    if (name === 'feeds') feedsFrom = origin;
    const blank = typeof value === 'string' && value.trim() === '';
    const parsed = schema.safeParse(value);
    const [issue] = parsed.error?.issues ?? [];
    // A field of an object, by its name.
    if (issue && issue.path.length > 0 && !Array.isArray(value) && typeof value === 'object')
      throw refusal(origin, `: ${firstFault(parsed.error!, schema, value, name)}`);
    if (blank || !parsed.success)
      throw refusal(origin, ` ${secret ? '' : `is ${shown(value)}, but `}must be ${allowed}`);
    raw[name] = parsed.data;
    if (name === 'feeds' && live && !(parsed.data as string[]).includes(LIVE))
      throw refusal('--live', ` contradicts ${origin}, which is ${shown(value)}. Remove one of them`);
  }
  const settings = raw as unknown as Omit<Config, 'realm' | 'unknown' | 'serviceLinks'>;
  const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(cwd, path));
  // The nodes of a cluster share no data folder.
  const isChosen = feedsFrom === null && settings.role === 'all';
  const chosen = isChosen ? (sources.markets ?? readChoice(absolute(settings.data))) : null;
  const feeds = chosen ? FEEDS_OF[chosen] : settings.feeds;
  const config = { ...settings, ...withLiveMarkets(feeds, settings.venues) };
  for (const [cert, key] of [
    ['tls_cert', 'tls_key'],
    ['link_cert', 'link_key'],
  ] as const) {
    if (!config[cert] === !config[key]) continue;
    const missing = config[cert] ? key : cert;
    throw new ConfigError(`${variableName(missing)} is missing. TLS needs both a certificate and its key`);
  }
  if (config.reuse_port && config.role !== 'gateway')
    throw new ConfigError('TICKWIRE_REUSE_PORT is true, but only gateways of a cluster can share a port');
  if (config.feeds.includes('oanda')) {
    for (const name of ['oanda_token', 'oanda_account'] as const) {
      if (!config[name])
        throw new ConfigError(`${variableName(name)} is missing. The feed oanda needs a token and an account`);
    }
  }
  for (const [name, needed, why] of [
    ['smtp_url', 'mail_from', 'E-mail needs a sender'],
    ['smtp_url', 'public_url', 'Every mail has a link to unsubscribe, which needs the address of the service'],
    ['vapid_private_key', 'vapid_subject', 'Push messages need a contact, such as mailto:you@example.org'],
  ] as const) {
    if (config[name] !== null && config[needed] === null)
      throw new ConfigError(`${variableName(needed)} is missing. ${why}`);
  }
  if (config.role !== 'all' && config.vapid_subject !== null && config.vapid_private_key === null)
    throw new ConfigError(
      'TICKWIRE_VAPID_PRIVATE_KEY is missing. All nodes of a cluster sign push messages with one key',
    );
  const absoluteOrNull = (path: string | null): string | null => (path === null ? null : absolute(path));
  const realm = config.feeds.includes('sim') ? 'sim' : 'live';
  return Object.freeze({
    ...config,
    data: absolute(config.data),
    tls_cert: absoluteOrNull(config.tls_cert),
    tls_key: absoluteOrNull(config.tls_key),
    link_cert: absoluteOrNull(config.link_cert),
    link_key: absoluteOrNull(config.link_key),
    instruments: absoluteOrNull(config.instruments),
    // Without a prototype, so that no tier is called `constructor`.
    tiers: Object.freeze(Object.assign(Object.create(null), TIERS, config.tiers)),
    head_file: absoluteOrNull(config.head_file),
    timestamp_ca: absoluteOrNull(config.timestamp_ca),
    log_key: absoluteOrNull(config.log_key),
    two_factor_key: absoluteOrNull(config.two_factor_key),
    delivery_key: absoluteOrNull(config.delivery_key),
    secrets_file: absoluteOrNull(config.secrets_file),
    news: sourcesOf('TICKWIRE_NEWS', config.news, realm, cwd),
    calendar: sourcesOf('TICKWIRE_CALENDAR', config.calendar, realm, cwd),
    proxies: {
      http: env.http_proxy ?? env.HTTP_PROXY,
      https: env.https_proxy ?? env.HTTPS_PROXY,
      except: env.no_proxy ?? env.NO_PROXY,
    },
    house: config.house ?? (realm === 'sim' ? EXAMPLE_STRATEGIES : []),
    realm,
    feedsFrom,
    unknown: Object.keys(env).filter(
      (key) =>
        key.startsWith('TICKWIRE_') && !NOT_SETTINGS.test(key) && !Object.hasOwn(SETTINGS, key.slice(9).toLowerCase()),
    ),
    serviceLinks: given.filter(isServiceLink).map(([name]) => name),
  });
}

/** Settings that name a key, how to create it, and the role that does not read it. */
const KEY_FILES = [
  ['log_key', 'openssl genpkey -algorithm ed25519', 'gateway'],
  ['two_factor_key', 'openssl rand -base64 32', 'ingest'],
  ['delivery_key', 'openssl rand -base64 32', null],
] as const;

/** Throws if a configured key file is missing. Only keys in the data folder are created: a mistyped path must not give another key. */
export function requireKeyFiles(config: Pick<Config, 'role' | (typeof KEY_FILES)[number][0]>): void {
  for (const [name, command, unusedBy] of KEY_FILES) {
    const file = config[name];
    if (file !== null && config.role !== unusedBy && !existsSync(file))
      throw new ConfigError(
        `${variableName(name)}: there is no file ${file}. Correct the path, or create a key there with "${command}"`,
      );
  }
}

/** A value for an error message, without the password that a URL may contain. */
const shown = (value: unknown): string => JSON.stringify(value).replace(/:\/\/[^@/"]*@/g, '://…@');

/** The key that commands use to call a service; `null` if there is none. */
export function apiKey(env: ConfigSources['env'] = process.env): string | null {
  return env.TICKWIRE_API_KEY?.trim() || null;
}

/** The address of the service that commands call; `null` if none is given. */
export function serviceUrl(env: ConfigSources['env'] = process.env): string | null {
  return env.TICKWIRE_URL?.trim() || null;
}

/** Simulated headlines and events need simulated markets. A file is relative to the working directory. */
function sourcesOf(name: string, setting: string | null, realm: Realm, cwd: string): string {
  if (setting === null) return realm === 'sim' ? 'sim' : 'none';
  if (setting === 'sim' && realm !== 'sim')
    throw new ConfigError(`${name} is "sim", but the markets are not simulated. Set it to feeds, a file or none`);
  return setting.endsWith('.json') ? resolve(cwd, setting) : setting;
}

function readChoice(folder: string): Markets | null {
  try {
    return storedMarkets(folder);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function readFile(name: string | undefined, cwd: string): { path: string; values: Record<string, unknown> } {
  const path = name ? resolve(cwd, name) : join(cwd, 'tickwire.json');
  if (!name && !existsSync(path)) return { path, values: {} };
  let values: unknown;
  try {
    values = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`cannot read the configuration file ${path}: ${(error as Error).message}`);
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new ConfigError(`the configuration file ${path} must contain a JSON object`);
  }
  for (const key of Object.keys(values)) {
    if (!Object.hasOwn(SETTINGS, key)) {
      throw new ConfigError(
        `${key} in ${path} is not a setting. Available settings: ${Object.keys(SETTINGS).join(', ')}`,
      );
    }
  }
  return { path, values: values as Record<string, unknown> };
}
