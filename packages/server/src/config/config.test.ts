import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { type Config, ConfigError, type ConfigSources, loadConfig, requireKeyFiles, variableName } from './config.ts';
import { LIVE_MARKETS } from './feeds.ts';
import { SETTINGS } from './settings.ts';
import { MARKETS_FILE } from './stored-markets.ts';

const root = temporaryFolder();
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
/** A folder with a tickwire.json of this content. */
const folderWith = (content?: unknown): string => {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  if (content !== undefined) {
    writeFileSync(join(folder, 'tickwire.json'), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
};
const load = (sources: ConfigSources): Config => loadConfig({ env: {}, cwd: root, ...sources });
function errorOf(sources: ConfigSources): string {
  try {
    load(sources);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as Error;
    expect(message).not.toContain('\n');
    return message;
  }
  throw new Error('it was accepted');
}

describe('the configuration', () => {
  test('prefers flags over environment variables over the file over defaults', () => {
    const cwd = folderWith({ port: 1, sim_rate: 10, host: 'file', log: 'warn' });
    const env = { TICKWIRE_PORT: '2', TICKWIRE_SIM_RATE: '20', TICKWIRE_HOST: 'env' };
    const config = load({ flags: { port: '3', sim_rate: '30' }, env, cwd });
    expect(config).toMatchObject({ port: 3, sim_rate: 30, host: 'env', log: 'warn', sim_hours: 'always' });
    expect(load({ flags: {}, env, cwd }).port).toBe(2);
    expect(load({ cwd }).port).toBe(1);
    expect(load({}).port).toBe(8080);
  });

  test('names a feed by its venue alone, and accepts the prefix crypto:', () => {
    const feedsOf = (feeds: string) => load({ flags: { feeds } }).feeds;
    expect(feedsOf('kraken,binance,push')).toEqual(['kraken', 'binance', 'push']);
    expect(feedsOf('crypto:binance,kraken,push')).toEqual(['binance', 'kraken', 'push']);
    expect(load({ flags: { feeds: 'kraken' } }).realm).toBe('live');
  });

  test('follows the stored choice of markets unless something sets the feeds, or the process is a node of a cluster', () => {
    const data = folderWith();
    const realmWith = (flags = {}, sources: ConfigSources = {}) =>
      load({ flags: { data, ...flags }, ...sources }).realm;
    expect(realmWith()).toBe('sim');
    writeFileSync(join(data, MARKETS_FILE), '{"markets":"live"}\n');
    expect(realmWith()).toBe('live');
    expect(load({ flags: { data } }).feeds).toEqual(Object.keys(LIVE_MARKETS));
    expect(realmWith({}, { markets: 'simulated' })).toBe('sim');
    expect(realmWith({ feeds: 'sim' })).toBe('sim');
    expect(realmWith({}, { env: { TICKWIRE_FEEDS: 'sim' } })).toBe('sim');
    expect(realmWith({}, { cwd: folderWith({ feeds: 'sim' }) })).toBe('sim');
    expect(realmWith({ role: 'ingest' })).toBe('sim');
    writeFileSync(join(data, MARKETS_FILE), '{"markets":"real"}');
    expect(errorOf({ flags: { data } })).toContain('must contain {"markets":"simulated"} or {"markets":"live"}');
  });

  test('writes out the feed live: its venues in its place, with its symbols unless the file has others', () => {
    const venues = Object.keys(LIVE_MARKETS);
    const config = load({ env: { TICKWIRE_FEEDS: 'live,push' } });
    expect(config).toMatchObject({ feeds: [...venues, 'push'], realm: 'live' });
    expect(config.venues.kraken?.symbols).toMatchObject({ BTCUSD: 'BTC/USD', EURUSD: 'EUR/USD' });
    const ws_url = 'ws://localhost:1';
    const own = load({ cwd: folderWith({ feeds: ['push', 'live'], venues: { kraken: { symbols: {}, ws_url } } }) });
    expect(own.feeds).toEqual(['push', ...venues]);
    expect(own.venues.kraken).toEqual({ symbols: {}, ws_url });
    expect(load({ cwd: folderWith({ venues: { kraken: { ws_url } } }), live: true }).venues.kraken).toEqual({
      symbols: { ...LIVE_MARKETS.kraken },
      ws_url,
    });
  });

  test('takes --live for the feed live, and rejects other feeds beside it', () => {
    const feeds = Object.keys(LIVE_MARKETS);
    expect(load({ live: true })).toMatchObject({ feeds, realm: 'live' });
    expect(load({ live: true, env: { TICKWIRE_FEEDS: 'live' } }).feeds).toEqual(feeds);
    expect(load({ live: true, flags: { feeds: 'live,push' } }).feeds).toEqual([...feeds, 'push']);
    expect(errorOf({ live: true, env: { TICKWIRE_FEEDS: 'sim' } })).toBe(
      '--live contradicts TICKWIRE_FEEDS, which is "sim". Remove one of them',
    );
    expect(errorOf({ live: true, flags: { feeds: 'kraken' } })).toStartWith('--live contradicts --feeds');
    expect(errorOf({ live: true, cwd: folderWith({ feeds: ['push'] }) })).toContain('feeds in ');
  });

  test('has the documented defaults', () => {
    expect(load({})).toMatchObject({
      port: 8080,
      metrics_port: null,
      host: '127.0.0.1',
      data: join(root, 'data'),
      feeds: ['sim'],
      realm: 'sim',
      log: 'info',
      tls_cert: null,
      tls_key: null,
      trusted_proxies: [],
      cors_origins: ['*'],
      max_active_signals: 1_000,
      head_file: null,
      head_webhook: null,
      head_telegram: null,
      head_telegram_url: 'https://api.telegram.org',
      head_minutes: 60,
      timestamp_urls: [],
      timestamp_ca: null,
      max_connections: 20_000,
      max_connections_per_address: 500,
      messages_per_second: 100,
      max_subscriptions: 5_000,
      resume_messages: 131_072,
      replay_bytes_per_minute: 33_554_432,
      authentication_seconds: 10,
      silence_seconds: 60,
    });
  });

  test('runs all example publishers in simulated markets and none otherwise by default', () => {
    const all = ['breakout', 'mean_reversion', 'trend'];
    const houseOf = (env: Record<string, string>) => load({ env }).house;
    expect(houseOf({})).toEqual(all as never);
    expect(houseOf({ TICKWIRE_FEEDS: 'push' })).toEqual([]);
    expect(houseOf({ TICKWIRE_HOUSE: 'none' })).toEqual([]);
    expect(houseOf({ TICKWIRE_HOUSE: ' trend , breakout ' })).toEqual(['trend', 'breakout']);
    expect(houseOf({ TICKWIRE_FEEDS: 'push', TICKWIRE_HOUSE: 'trend' })).toEqual(['trend']);
    expect(load({ cwd: folderWith({ house: ['mean_reversion'] }) }).house).toEqual(['mean_reversion']);
    expect(load({ cwd: folderWith({ house: 'none' }) }).house).toEqual([]);
  });

  test('simulates news in simulated markets and has none otherwise by default', () => {
    const newsOf = (env: Record<string, string>, cwd = root) => load({ env, cwd }).news;
    expect(newsOf({})).toBe('sim');
    expect(newsOf({ TICKWIRE_FEEDS: 'push' })).toBe('none');
    for (const feeds of ['sim', 'push'])
      for (const news of ['none', 'feeds']) expect(newsOf({ TICKWIRE_FEEDS: feeds, TICKWIRE_NEWS: news })).toBe(news);
    expect(newsOf({ TICKWIRE_NEWS: 'mine/sources.json' })).toBe(join(root, 'mine/sources.json'));
    expect(newsOf({ TICKWIRE_NEWS: '/etc/sources.json' })).toBe('/etc/sources.json');
    expect(load({})).toMatchObject({ news_days: 90, llm_url: null, llm_model: null, llm_key: null });
  });

  test('rejects simulated headlines with live markets', () => {
    const env = { TICKWIRE_FEEDS: 'push', TICKWIRE_NEWS: 'sim' };
    expect(errorOf({ env })).toBe(
      'TICKWIRE_NEWS is "sim", but the markets are not simulated. Set it to feeds, a file or none',
    );
  });

  test('has the targets and the interval of signal log heads', () => {
    const cwd = folderWith({
      head_file: 'kept/heads.jsonl',
      head_webhook: 'https://heads.example/in',
      head_telegram: '123456:ABC-DEF1234ghIkl-zyx57W2v1u/-1001234567890',
      head_minutes: 0.5,
      timestamp_urls: 'https://tsa.example/tsr, http://other.example',
      timestamp_ca: 'roots.pem',
    });
    expect(load({ cwd })).toMatchObject({
      head_file: join(cwd, 'kept/heads.jsonl'),
      head_webhook: 'https://heads.example/in',
      head_telegram: { token: '123456:ABC-DEF1234ghIkl-zyx57W2v1u', chat: '-1001234567890' },
      head_minutes: 0.5,
      timestamp_urls: ['https://tsa.example/tsr', 'http://other.example'],
      timestamp_ca: join(cwd, 'roots.pem'),
    });
  });

  test('has the channels of delivery, none of them by default', () => {
    expect(load({})).toMatchObject({
      delivery_allow_private: false,
      telegram_bot_token: null,
      telegram_api_url: 'https://api.telegram.org',
      discord_bot_token: null,
      discord_api_url: 'https://discord.com',
      smtp_url: null,
      mail_from: null,
      vapid_subject: null,
      vapid_private_key: null,
    });
    const env = {
      TICKWIRE_DELIVERY_ALLOW_PRIVATE: 'true',
      TICKWIRE_SMTP_URL: 'smtps://user:p%40ss@mail.example',
      TICKWIRE_MAIL_FROM: 'Tickwire alerts <alerts@example.org>',
      TICKWIRE_PUBLIC_URL: 'https://tick.example',
      TICKWIRE_VAPID_SUBJECT: 'mailto:you@example.org',
    };
    expect(load({ env })).toMatchObject({
      delivery_allow_private: true,
      mail_from: { name: 'Tickwire alerts', address: 'alerts@example.org' },
      vapid_subject: 'mailto:you@example.org',
    });
    const file = {
      delivery_allow_private: true,
      mail_from: 'a@b.example',
      vapid_subject: 'https://example.org/contact',
    };
    expect(load({ cwd: folderWith(file) })).toMatchObject({
      ...file,
      mail_from: { name: '', address: 'a@b.example' },
    });
  });

  test('reads the file of the flag or environment variable, or tickwire.json in the working directory', () => {
    const cwd = folderWith({ port: 1 });
    writeFileSync(join(cwd, 'other.json'), '{"port": 5}');
    writeFileSync(join(cwd, 'third.json'), '{"port": 6}');
    expect(load({ cwd, env: { TICKWIRE_CONFIG: 'other.json' } }).port).toBe(5);
    expect(load({ cwd, env: { TICKWIRE_CONFIG: 'other.json' }, flags: { config: 'third.json' } }).port).toBe(6);
  });

  test('resolves paths relative to the working directory', () => {
    const cwd = folderWith({ instruments: 'mine.json', data: '../there' });
    expect(load({ cwd })).toMatchObject({ instruments: join(cwd, 'mine.json'), data: join(root, 'there') });
    expect(load({ cwd, env: { TICKWIRE_DATA: '/absolute' } }).data).toBe('/absolute');
  });

  test('accepts comma-separated lists, and arrays in the file', () => {
    const list = { TICKWIRE_TRUSTED_PROXIES: '10.0.0.0/8, ::1 ,192.168.1.1' };
    expect(load({ env: list }).trusted_proxies).toEqual(['10.0.0.0/8', '::1', '192.168.1.1']);
    const cwd = folderWith({ cors_origins: ['https://a.example', 'http://localhost:3000'] });
    expect(load({ cwd }).cors_origins).toEqual(['https://a.example', 'http://localhost:3000']);
  });

  test('adds or replaces tiers from the file', () => {
    const desk = { requests_per_minute: 1, streams: 2, ai_calls_per_day: 3 };
    const { tiers } = load({ cwd: folderWith({ tiers: { desk, free: desk } }) });
    // Limits that are left out are those of the tier of the same name, or of premium.
    expect(tiers.desk).toEqual({
      ...desk,
      signals_per_day: 500,
      active_signals_per_symbol: 50,
      live_indicators: 1_000,
      export_rows_per_day: 500_000_000,
      alerts: 1_000,
      deliveries_per_day: 50_000,
      delivery_delay_seconds: 0,
      replays: 10,
      replay_symbols: 100,
      replay_events_per_minute: 30_000_000,
      chat_channels: 10,
    });
    expect(tiers.free).toEqual({
      ...desk,
      signals_per_day: 20,
      active_signals_per_symbol: 5,
      live_indicators: 100,
      export_rows_per_day: 5_000_000,
      alerts: 20,
      deliveries_per_day: 500,
      delivery_delay_seconds: 0,
      replays: 1,
      replay_symbols: 5,
      replay_events_per_minute: 500_000,
      chat_channels: 2,
    });
    expect(load({ cwd: folderWith({ tiers: { constructor: desk } }) }).tiers.constructor).toMatchObject({
      signals_per_day: 500,
    });
    const signals = { signals_per_day: 0, active_signals_per_symbol: 7, live_indicators: 3, export_rows_per_day: 9 };
    const replay = { replays: 2, replay_symbols: 3, replay_events_per_minute: 4, chat_channels: 5 };
    const chatty = { ...desk, ...signals, ...replay, alerts: 1, deliveries_per_day: 0, delivery_delay_seconds: 60 };
    expect(load({ cwd: folderWith({ tiers: { chatty } }) }).tiers.chatty).toEqual(chatty);
    expect(tiers.premium!.requests_per_minute).toBe(300);
  });

  test('is frozen', () => {
    const config = load({});
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.tiers)).toBe(true);
  });

  test('ignores what Kubernetes sets for a service called tickwire', () => {
    const links = {
      TICKWIRE_PORT: 'tcp://10.0.0.1:80',
      TICKWIRE_PORT_80_TCP_ADDR: '10.0.0.1',
      TICKWIRE_SERVICE_HOST: '10.0.0.1',
      TICKWIRE_SERVICE_PORT_HTTP: '80',
      TICKWIRE_METRICS_PORT: 'tcp://10.0.0.2:9464',
      TICKWIRE_METRICS_SERVICE_HOST: '10.0.0.2',
    };
    const config = load({ env: { ...links, TICKWIRE_LINK_PORT: '9000' } });
    expect(config).toMatchObject({ port: 8080, link_port: 9000, unknown: [], serviceLinks: Object.keys(links) });
  });

  test('lists unknown environment variables with the prefix', () => {
    const env = { TICKWIRE_PROT: '1', TICKWIRE_TEST_FULL: '1', TICKWIRE_API_KEY: 'x', TICKWIRE_URL: 'y', OTHER: 'y' };
    expect(load({ env }).unknown).toEqual(['TICKWIRE_PROT']);
  });
});

test('the error for an invalid address does not contain its password', () => {
  for (const name of ['redis_url', 'database_url'])
    expect(() => load({ flags: { [name]: 'wrong://user:secret@host' } })).toThrow(/wrong:\/\/…@host(?!.*secret)/);
});

test('SECURITY.md names settings with their defaults and files that exist, as what bounds a resource', () => {
  const text = readFileSync(new URL('../../../../SECURITY.md', import.meta.url), 'utf8');
  const rows = text
    .split('### What is bounded by what')[1]!
    .split('###')[0]!
    .split('\n')
    .filter((line) => /^\| (?!---|resource)/.test(line));
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) {
    const [, bound, where] = row.split(' | ');
    for (const [, name] of where!.matchAll(/`TICKWIRE_(\w+)`/g)) {
      const { fallback } = SETTINGS[name!.toLowerCase() as 'max_connections'];
      const shown = name === 'REPLAY_BYTES_PER_MINUTE' ? `${fallback / 1024 ** 2} MiB` : fallback.toLocaleString('en');
      expect(bound).toMatch(new RegExp(`(^|[^\\d,])${shown}(?![\\d,]\\d)`));
    }
    for (const [, file] of where!.matchAll(/`([\w/-]+\.ts)`/g))
      expect(existsSync(new URL(`../${file}`, import.meta.url)), file).toBe(true);
  }
});

test('docs/reference/configuration.md has one row for every setting, and for nothing else', () => {
  const text = readFileSync(new URL('../../../../docs/reference/configuration.md', import.meta.url), 'utf8');
  const cells = text.split('\n').flatMap((line) => /^\| (`TICKWIRE_[^|]+)/.exec(line)?.[1] ?? []);
  const rows = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  const inFilesOnly = ['tiers', 'venues'];
  const settings = Object.keys(SETTINGS).filter((name) => !inFilesOnly.includes(name));
  expect(rows.toSorted()).toEqual(settings.map(variableName).toSorted());
  for (const name of inFilesOnly) expect(text).toContain(`\`${name}\``);
});

describe('an invalid setting gives a one-line error that names it', () => {
  const WRONG: Record<keyof typeof SETTINGS, string[]> = {
    port: ['-1', '65536', '80.5', 'http', '', ' '],
    reuse_port: ['yes', '1'],
    metrics_port: ['on', '70000', ''],
    metrics_token: ['', 'too short', 'x'.repeat(257), 'with a space in it'],
    metrics_hosts: ['', ' , '],
    anonymous_requests_per_minute: ['0', '1.5', 'many', ''],
    host: ['', ' '],
    data: [''],
    feeds: ['', 'Nasdaq', 'sim,sim', 'sim,push', 'push,push', 'crypto:', 'sim,live', 'binance,crypto:binance'],
    venues: ['binance'],
    oanda_token: [''],
    oanda_account: [''],
    oanda_host: ['demo', ''],
    spike_percent: ['0', '-1', 'big'],
    trusted_sources: ['', 'Binance', 'push:goldsmith'],
    ingest_lines_per_minute: ['0', 'many'],
    log: ['loud', 'INFO', ''],
    tls_cert: [''],
    tls_key: [''],
    trusted_proxies: ['10.0.0.0/33', 'proxy.example', '1.2.3', '::1/129', '1.2.3.4/', '10.0.0.0/8/8'],
    cors_origins: ['example.org', 'https://example.org/', 'https://example.org/path', ''],
    registration: ['', 'everyone'],
    public_records: ['', 'yes', 'true'],
    database_url: ['', 'localhost', 'http://host/name', 'postgres://host', 'postgres://host/name?sslmode=maybe'],
    role: ['', 'both', 'Gateway'],
    advertise: ['', 'ingest-1:8080', 'ftp://ingest-1', 'http://ingest-1:8080'],
    link_port: ['-1', '65536', 'x'],
    link_cert: [''],
    link_key: [''],
    cluster_name: ['', 'two words', 'a:b'],
    log_key: [''],
    redis_url: ['', 'localhost:6379', 'http://localhost:6379', 'redis'],
    public_url: ['', 'tick.example', 'https://tick.example/path', 'ftp://tick.example'],
    instruments: [''],
    house: ['', 'scalper', 'trend,scalper', 'trend,trend', 'none,trend', 'Trend', ','],
    max_active_signals: ['0', '-1', '1.5', '100001', 'many', ''],
    head_file: ['', ' '],
    head_webhook: ['', 'heads.example', 'ftp://heads.example/', 'file:///heads', 'javascript:alert(1)'],
    head_telegram: [],
    head_telegram_url: ['', 'telegram', 'ftp://telegram'],
    timestamp_urls: ['here', 'ftp://tsa.example', 'https://a.example/,https://a.example/?x'],
    timestamp_ca: ['', ' '],
    head_minutes: ['0', '-1', '0.001', '10081', 'hourly', 'NaN', ''],
    delivery_allow_private: ['', 'yes', '1', 'TRUE'],
    telegram_bot_token: [],
    telegram_api_url: ['', 'telegram', 'ftp://telegram', 'https://api.example/?x=1'],
    discord_bot_token: [],
    discord_api_url: ['', 'discord', 'ftp://discord', 'https://api.example/?x=1'],
    smtp_url: [],
    mail_from: ['', 'alerts', 'alerts@host', 'a@b.example, c@d.example', 'A\nBcc: b@c.example <a@b.example>'],
    vapid_subject: [
      '',
      'you@example.org',
      'mailto:you',
      'mailto:you@localhost',
      'http://example.org',
      'https://localhost',
    ],
    vapid_private_key: [],
    news: ['real', 'feeds.txt', ''],
    news_days: ['0', '1.5', 'forever'],
    calendar: ['real', 'calendar.txt', ''],
    calendar_days: ['30', '1.5', 'forever'],
    secrets_file: ['', ' '],
    session_days: ['0', '1.5', '366', 'long', ''],
    session_idle_hours: ['0', '0.2', '8761', 'NaN', ''],
    two_factor_key: ['', ' '],
    delivery_key: ['', ' '],
    audit_days: ['0', '1.5', '36501', 'forever', ''],
    audit_entries: ['999', '1.5', '10000001', 'all', ''],
    llm_url: ['ftp://example.org', 'here', ''],
    llm_model: ['', 'two words'],
    llm_key: ['', 'a key'],
    llm_timeout_ms: ['10', 'soon'],
    llm_requests_per_day: ['-1', '1.5', 'all'],
    llm_price_in: ['-1', 'free'],
    llm_price_out: ['-1', 'free'],
    sim_seed: ['-1', '9007199254740992', '1.5', 'seed'],
    sim_rate: ['0', '-5', '1000001', 'fast', 'NaN', 'Infinity'],
    sim_hours: ['never', ''],
    sim_calibration_days: ['-1', '1.5', '91', 'all', ''],
    tape_days: ['0', '1.5', 'forever', '36501'],
    failed_keys_per_minute: ['0', 'x'],
    max_connections: ['0', '-1', '1.5', '1000001', 'all', ''],
    max_connections_per_address: ['0', '1.5', '1000001', 'all', ''],
    messages_per_second: ['0', '9', '10.5', '1000001', 'many', ''],
    max_subscriptions: ['0', '1.5', '1000001', 'all', ''],
    replay_bytes_per_minute: ['0', '65535', '65536.5', 'all', ''],
    resume_messages: ['0', '15', '16.5', '16777217', 'all', ''],
    authentication_seconds: ['0', '-1', '0.5', '3601', 'soon', 'NaN', ''],
    silence_seconds: ['0', '-1', '0.5', '3601', 'never', 'Infinity', ''],
    key_creations_per_day: ['0', '1.5', '1000001', 'many', ''],
    revoked_key_days: ['0', '1.5', '36501', 'never', ''],
    tiers: ['gold'],
  };

  test.each(Object.entries(WRONG))('%s', (name, values) => {
    const variable = `TICKWIRE_${name.toUpperCase()}`;
    for (const value of values) {
      const message = errorOf({ env: { [variable]: value } });
      expect(message).toBe(`${variable} is ${JSON.stringify(value)}, but must be ${SETTINGS[name as 'port'].allowed}`);
    }
  });

  test('without repeating a secret or the credentials in an address', () => {
    for (const value of ['', '123456:short/@chat', '123456:ABC-DEF1234ghIkl-zyx57W2v1u', 'bot/@chat']) {
      const message = errorOf({ env: { TICKWIRE_HEAD_TELEGRAM: value } });
      expect(message).toBe(`TICKWIRE_HEAD_TELEGRAM must be ${SETTINGS.head_telegram.allowed}`);
    }
    const secrets = {
      telegram_bot_token: ['', '123456:short', '123456:ABC-DEF1234ghIkl-zyx57W2v1u/@chat'],
      discord_bot_token: ['', 'MTk4NjIyNDgzNDcxOTI1MjQ4', 'MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.short'],
      smtp_url: ['', 'mail.example', 'http://mail.example', 'smtp://a:b@mail.example/?secure=false', 'smtp://%ff@mail'],
      vapid_private_key: ['', 'AAAA', 'A'.repeat(43), '!'.repeat(43)],
    };
    for (const [name, values] of Object.entries(secrets))
      for (const value of values)
        expect(errorOf({ env: { [variableName(name)]: value } })).toBe(
          `${variableName(name)} must be ${SETTINGS[name as 'smtp_url'].allowed}`,
        );
    for (const name of ['TICKWIRE_HEAD_TELEGRAM_URL', 'TICKWIRE_TIMESTAMP_URLS'])
      expect(errorOf({ env: { [name]: 'https://user:p@a.example/' } })).toStartWith(
        `${name} is "https://…@a.example/",`,
      );
  });

  test('by its flag, its variable, or its name in the file', () => {
    const cwd = folderWith({ port: 'x' });
    expect(errorOf({ flags: { port: 'x' } })).toStartWith('--port is "x"');
    expect(errorOf({ flags: { sim_rate: 'x' } })).toStartWith('--sim-rate is "x"');
    expect(errorOf({ env: { TICKWIRE_PORT: 'x' } })).toStartWith('TICKWIRE_PORT is "x"');
    expect(errorOf({ cwd })).toStartWith(`port in ${join(cwd, 'tickwire.json')} is "x"`);
  });

  test('for a value of the wrong type in the file', () => {
    const wrong = { port: [8080], log: 1, sim_rate: null, data: {}, trusted_proxies: [1], tape_days: true };
    for (const [name, value] of Object.entries(wrong)) {
      expect(errorOf({ cwd: folderWith({ [name]: value }) })).toStartWith(`${name} in `);
    }
  });

  test('with the field and the maximum of a limit', () => {
    const desk = { requests_per_minute: 60, streams: 2, ai_calls_per_day: 3 };
    const faultOf = (changes: object): string => {
      const message = errorOf({ cwd: folderWith({ tiers: { desk: { ...desk, ...changes } } }) });
      expect(message).toStartWith('tiers in ');
      return message.split('.json: ')[1]!;
    };
    expect(faultOf({ requests_per_minute: 0 })).toBe('desk.requests_per_minute must be at least 1');
    expect(faultOf({ requests_per_minute: undefined })).toBe('desk.requests_per_minute must be a number');
    expect(faultOf({ streams: 100_001 })).toBe('desk.streams must be at most 100000');
    expect(faultOf({ alerts: '5' })).toBe('desk.alerts must be a number');
    expect(errorOf({ cwd: folderWith({ tiers: { 'Bad Name': desk } }) })).toContain('tiers in');
    expect(errorOf({ cwd: folderWith({ venues: { kraken: { url: 'x' } } }) })).toContain('kraken must be an object');
    for (const { allowed } of Object.values(SETTINGS)) expect(allowed).not.toContain('at least');
  });

  test('for a key file that does not exist, unless the role does not read it', () => {
    const file = join(root, 'mistyped.pem');
    for (const name of ['log_key', 'two_factor_key', 'delivery_key'])
      expect(() => requireKeyFiles(load({ flags: { [name]: file } }))).toThrow(
        `${variableName(name)}: there is no file ${file}. Correct the path, or create a key there with "openssl `,
      );
    const cluster = { database_url: 'postgres://u@h/n', redis_url: 'redis://h' };
    requireKeyFiles(load({ flags: { ...cluster, role: 'gateway', log_key: file } }));
    requireKeyFiles(load({ flags: { ...cluster, role: 'ingest', two_factor_key: file } }));
    requireKeyFiles(load({ flags: { log_key: import.meta.path } }));
  });

  test('for a certificate without a key, or a key without a certificate', () => {
    expect(errorOf({ env: { TICKWIRE_TLS_CERT: 'a.pem' } })).toBe(
      'TICKWIRE_TLS_KEY is missing. TLS needs both a certificate and its key',
    );
    expect(errorOf({ flags: { tls_key: 'a.pem' } })).toContain('TICKWIRE_TLS_CERT is missing');
  });

  test('for a shared port of a process that is no gateway', () => {
    expect(errorOf({ env: { TICKWIRE_REUSE_PORT: 'true' } })).toBe(
      'TICKWIRE_REUSE_PORT is true, but only gateways of a cluster can share a port',
    );
  });

  test('for a mail server without a sender, or a push key without a contact', () => {
    expect(errorOf({ env: { TICKWIRE_SMTP_URL: 'smtp://mail.example' } })).toBe(
      'TICKWIRE_MAIL_FROM is missing. E-mail needs a sender',
    );
    expect(errorOf({ env: { TICKWIRE_SMTP_URL: 'smtp://mail.example', TICKWIRE_MAIL_FROM: 'a@mail.example' } })).toBe(
      'TICKWIRE_PUBLIC_URL is missing. Every mail has a link to unsubscribe, which needs the address of the service',
    );
    expect(errorOf({ env: { TICKWIRE_VAPID_PRIVATE_KEY: Buffer.alloc(32, 7).toString('base64url') } })).toBe(
      'TICKWIRE_VAPID_SUBJECT is missing. Push messages need a contact, such as mailto:you@example.org',
    );
    expect(errorOf({ env: { TICKWIRE_ROLE: 'gateway', TICKWIRE_VAPID_SUBJECT: 'mailto:you@example.org' } })).toBe(
      'TICKWIRE_VAPID_PRIVATE_KEY is missing. All nodes of a cluster sign push messages with one key',
    );
  });

  test('for a file that is missing, not JSON or not an object, and for an unknown setting in it', () => {
    expect(errorOf({ cwd: folderWith('{"port": ') })).toStartWith('cannot read the configuration file ');
    expect(errorOf({ cwd: folderWith([1]) })).toContain('must contain a JSON object');
    expect(errorOf({ env: { TICKWIRE_CONFIG: 'none.json' } })).toContain(join(root, 'none.json'));
    const unknown = errorOf({ cwd: folderWith({ prot: 80 }) });
    expect(unknown).toStartWith('prot in ');
    expect(unknown).toContain('is not a setting. Available settings: port, reuse_port, metrics_port');
    for (const inherited of ['toString', 'constructor', '__proto__']) {
      const cwd = folderWith(`{"${inherited}": 1}`);
      expect(errorOf({ cwd })).toContain('is not a setting');
    }
  });
});
