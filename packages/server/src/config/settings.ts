// The table of all settings with their allowed values, defaults and help texts. config.ts reads them.
import { isIP } from 'node:net';
import { REGISTRATIONS } from '@tickwire/contract';
import { z } from 'zod';
import { ACCESS_SETTINGS } from './access-settings.ts';
import { DELIVERY_SETTINGS } from './delivery-settings.ts';
import { areFeeds, readFeeds } from './feeds.ts';
import { HEAD_SETTINGS } from './head-settings.ts';
import { KEY_SETTINGS } from './key-settings.ts';
import { LIMIT_SETTINGS } from './limit-settings.ts';
import { LLM_SETTINGS } from './llm-settings.ts';
import { postgresAddressError } from './postgres-address.ts';
import {
  choice,
  flag,
  httpAddress,
  integerFrom,
  nonEmpty,
  numberAbove0,
  port,
  type Setting,
  words,
} from './setting-kinds.ts';
import { TIER_SETTINGS } from './tier-settings.ts';

const network = z.string().refine(isNetwork, 'is not an address or a network such as 10.0.0.0/8');
const origin = z
  .string()
  .refine((text) => text === '*' || URL.parse(text)?.origin === text, 'is not an origin such as https://example.org');

/** The example publishers of packages/house. */
export const EXAMPLE_STRATEGIES = ['breakout', 'mean_reversion', 'trend'] as const;

export const SETTINGS = {
  port: {
    ...port,
    fallback: 8080,
    help: 'port of the API and the terminal',
  },
  reuse_port: {
    ...flag,
    fallback: false,
    help: 'whether several gateways on this machine share the port; the kernel spreads connections over them',
  },
  metrics_port: {
    schema: z.union([z.literal('off'), port.schema]),
    allowed: `${port.allowed}, or off`,
    fallback: null,
    help: 'port of the Prometheus metrics (default 9464; off to disable)',
  },
  metrics_token: {
    schema: z.string().regex(/^[\x21-\x7e]{16,256}$/),
    fallback: null,
    allowed: 'a token of 16 to 256 printable characters without spaces',
    help: 'bearer token that requests for metrics must send',
  },
  metrics_hosts: {
    schema: words.pipe(z.array(z.string()).min(1)),
    fallback: null,
    allowed: 'host names or addresses without ports, comma-separated',
    help: 'values of the Host header that requests for metrics may have (default: any)',
  },
  host: {
    ...nonEmpty('an address of this machine'),
    fallback: '127.0.0.1',
    help: 'address to listen on; 0.0.0.0 for all',
  },
  data: {
    ...nonEmpty('a folder'),
    fallback: './data',
    help: 'data folder',
  },
  feeds: {
    schema: words.transform(readFeeds).pipe(z.array(z.string()).min(1).refine(areFeeds)),
    fallback: ['sim'],
    allowed:
      'sim alone, or any of live, push, oanda and venues such as kraken (simulated and live prices are never mixed)',
    help: 'sources of prices; live: a set of public venues that need no account',
  },
  venues: {
    schema: z.record(
      z.string(),
      z.strictObject({
        symbols: z.record(z.string(), z.string()).optional(),
        ws_url: z.url().optional(),
        rest_url: z.url().optional(),
      }),
    ),
    fallback: {},
    allowed: 'an object of venues, each with symbols, ws_url or rest_url',
    help: 'symbols and addresses of venues (configuration file only)',
  },
  oanda_token: {
    ...nonEmpty('a token'),
    fallback: null,
    help: 'access token for the OANDA v20 API',
  },
  oanda_account: {
    ...nonEmpty('an account id'),
    fallback: null,
    help: 'OANDA account whose prices are streamed',
  },
  oanda_host: {
    schema: z.union([z.enum(['practice', 'live']), z.url()]),
    fallback: 'practice',
    allowed: 'practice, live or an address',
    help: 'OANDA environment',
  },
  spike_percent: {
    ...numberAbove0(1_000, 'a percentage'),
    fallback: null,
    help: 'price jumps between two ticks above this percentage are held until a second quote confirms them (default by asset class and volatility: 1.5 to 5 for forex, 6 to 30 for equities)',
  },
  trusted_sources: {
    schema: words.pipe(z.array(z.string().regex(/^(?:[a-z0-9]+|push:pub_[0-9a-f]{16})$/)).min(1)),
    fallback: null,
    allowed:
      'names of feeds, push, or push: and the id of a publisher such as push:pub_0123456789abcdef, comma-separated',
    help: 'sources whose prices count for the ranking of publishers (default: all but pushed prices)',
  },
  ingest_lines_per_minute: {
    ...integerFrom(1, 1_000_000_000),
    fallback: 20_000_000,
    help: 'lines that an account may push per minute',
  },
  log: {
    ...choice(['debug', 'info', 'warn', 'error', 'silent']),
    fallback: 'info',
    help: 'log level (standard error)',
  },
  tls_cert: {
    ...nonEmpty('a PEM file'),
    fallback: null,
    help: 'certificate chain; enables HTTPS and WSS',
  },
  tls_key: {
    ...nonEmpty('a PEM file'),
    fallback: null,
    help: 'private key of the certificate',
  },
  trusted_proxies: {
    schema: words.pipe(z.array(network)),
    fallback: [],
    allowed: 'addresses or networks, comma-separated',
    help: 'proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host headers are trusted',
  },
  cors_origins: {
    schema: words.pipe(z.array(origin)),
    fallback: ['*'],
    allowed: 'origins such as https://example.org, comma-separated, or *',
    help: 'web origins whose pages may call the API',
  },
  registration: {
    ...choice(REGISTRATIONS),
    fallback: 'invitation',
    help: 'who may sign up: anyone (open), invited people (invitation) or nobody (closed)',
  },
  public_url: {
    schema: httpAddress.refine((text) => URL.parse(text)?.origin === text.replace(/\/$/, '')),
    fallback: null,
    allowed: 'an address such as https://tick.example.org, without a path',
    help: 'address under which browsers reach the service, if a proxy is in front of it',
  },
  database_url: {
    schema: z.string().refine((text) => postgresAddressError(text) === null),
    fallback: null,
    allowed: 'an address such as postgres://user:password@host:5432/name?sslmode=verify-full',
    help: 'PostgreSQL 15 or newer as the store, instead of files in the data folder',
  },
  role: {
    ...choice(['all', 'ingest', 'gateway']),
    fallback: 'all',
    help: 'role of this process: all, or ingest or gateway in a cluster (needs database_url and redis_url)',
  },
  advertise: {
    schema: z.string().refine((text) => URL.parse(text)?.protocol === 'https:'),
    fallback: null,
    allowed: 'an address such as https://ingest-1:8081',
    help: 'address under which the gateways of a cluster reach the link port of this ingest node, if not host and link port',
  },
  link_port: {
    ...integerFrom(0, 65_535),
    fallback: 0,
    help: 'port of an ingest node for the gateways of its cluster, always with TLS; 0: any free port',
  },
  link_cert: {
    ...nonEmpty('a PEM file'),
    fallback: null,
    help: 'certificate of the link port with its issuers up to the root (default: a new self-signed one at each start)',
  },
  link_key: {
    ...nonEmpty('a PEM file'),
    fallback: null,
    help: 'private key of the certificate of the link port',
  },
  cluster_name: {
    schema: z.string().regex(/^[\w-]{1,40}$/),
    fallback: 'tickwire',
    allowed: '1 to 40 letters, digits, - and _',
    help: 'name of the cluster; separates clusters that share a Redis',
  },
  log_key: {
    ...nonEmpty('a file with an Ed25519 private key in PEM'),
    fallback: null,
    help: 'key that signs the heads of the signal log (default log-key.pem in the data folder); the same for all ingest nodes of a cluster',
  },
  redis_url: {
    schema: z.url({ protocol: /^rediss?$/ }),
    fallback: null,
    allowed: 'an address such as redis://:password@host:6379, or rediss:// for TLS',
    help: 'Redis 7+ or Valkey shared by the processes of a cluster',
  },
  instruments: {
    ...nonEmpty('a JSON file'),
    fallback: null,
    help: 'instruments that extend or replace the built-in ones',
  },
  house: {
    schema: z.union([
      z.literal('none').transform(() => []),
      words.pipe(
        z
          .array(z.enum(EXAMPLE_STRATEGIES))
          .min(1)
          .refine((names) => new Set(names).size === names.length),
      ),
    ]),
    fallback: null,
    allowed: `any of ${EXAMPLE_STRATEGIES.join(', ')}, comma-separated, or none`,
    help: 'example publishers to run (default: all in simulated markets, none otherwise)',
  },
  max_active_signals: {
    ...integerFrom(1, 100_000),
    fallback: 1_000,
    help: 'maximum number of active signals of an account',
  },
  ...HEAD_SETTINGS,
  news: {
    schema: z.string().refine((text) => ['sim', 'feeds', 'none'].includes(text) || text.endsWith('.json')),
    fallback: null,
    allowed: 'sim, feeds, none or a JSON file of sources',
    help: 'sources of news (default: sim in simulated markets, none otherwise)',
  },
  news_days: {
    ...integerFrom(1, 36_500),
    fallback: 90,
    help: 'number of days to keep news',
  },
  ...DELIVERY_SETTINGS,
  calendar: {
    schema: z.string().refine((text) => ['sim', 'feeds', 'none'].includes(text) || text.endsWith('.json')),
    fallback: null,
    allowed: 'sim, feeds, none or a JSON file of sources',
    help: 'sources of the economic calendar (default: sim in simulated markets, none otherwise)',
  },
  calendar_days: {
    ...integerFrom(31, 36_500),
    fallback: 3_650,
    help: 'number of days to keep events of the economic calendar',
  },
  ...ACCESS_SETTINGS,
  ...LLM_SETTINGS,
  ...LIMIT_SETTINGS,
  ...KEY_SETTINGS,
  sim_seed: {
    ...integerFrom(0, Number.MAX_SAFE_INTEGER),
    fallback: null,
    help: 'seed of the simulated markets (default: a random one for each new store)',
  },
  sim_rate: {
    ...numberAbove0(1_000_000),
    fallback: 50,
    help: 'simulated quotes per second over all instruments',
  },
  sim_hours: {
    ...choice(['always', 'real']),
    fallback: 'always',
    help: 'trading hours of simulated markets',
  },
  sim_calibration_days: {
    ...integerFrom(0, 90),
    fallback: 14,
    help: 'days of simulated headlines that fill the calibration of news in a new store; 0 leaves it empty',
  },
  tape_days: {
    ...integerFrom(1, 36_500),
    fallback: 14,
    help: 'number of days to keep ticks',
  },
  failed_keys_per_minute: {
    ...integerFrom(1, 1_000_000),
    fallback: 20,
    help: 'invalid keys that an address may send per minute',
  },
  anonymous_requests_per_minute: {
    ...integerFrom(1, 1_000_000),
    fallback: 6_000,
    help: 'requests without a valid key or session that an address may send per minute',
  },
  ...TIER_SETTINGS,
} as const satisfies Record<string, Setting>;

function isNetwork(text: string): boolean {
  const [address, bits, rest] = text.split('/');
  const family = isIP(address ?? '');
  if (family === 0 || rest !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
