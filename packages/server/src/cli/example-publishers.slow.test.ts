import { afterEach, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '@tickwire/engine';
import { withAccessStore } from '../../testing/access.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { type Settings, temporaryFolder } from '../../testing/service.fixture.ts';
import { type SingleProcess, startSingleProcess } from '../app/single-process.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { createLog, silentLog } from '../ops/log.ts';
import { PUBLISHER_KEYS } from '../store/data-files.ts';
import { reachable, runExamplePublishers, troubleLog } from './example-publishers.ts';

interface Running {
  readonly app: SingleProcess;
  readonly config: Config;
  readonly said: () => string;
  /** Whether the service has seen every publisher's key. */
  heard(): boolean;
}

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A service with example publishers, as `tickwire serve` runs them. */
async function running(settings: Settings = {}): Promise<Running> {
  const data = temporaryFolder();
  endings.push(() => rmSync(data, { recursive: true, force: true }));
  const flags = { port: '0', metrics_port: 'off', news: 'none', data, ...settings };
  const config = loadConfig({ flags, env: {}, cwd: data });
  let said = '';
  const log = createLog({
    level: 'info',
    plain: true,
    write: (line) => {
      said += line;
    },
  });
  const app = await startSingleProcess(config, silentLog);
  endings.push(() => app.stop());
  const house = runExamplePublishers(config, app, log);
  endings.push(() => house.stop());
  const keys = (): string[] => Object.values(JSON.parse(readFileSync(join(data, PUBLISHER_KEYS), 'utf8')));
  const used = (key: string): boolean => (app.keyring.authenticate(key, Date.now())?.lastUsedAt ?? 0) > 0;
  return { app, config, said: () => said, heard: () => said.includes('started') && keys().every(used) };
}

describe('the example publishers', () => {
  test('have keys that work from the first request on', async () => {
    const { heard, said } = await running();
    await eventually('all are heard', heard);
    expect(said()).toContain('House Breakout');
    expect(said()).not.toContain('invalid_key');
    expect(said()).not.toMatch(/tw_[0-9a-z]+_[0-9a-z]/);
  });

  test('reach a service that listens on all addresses over the loopback', async () => {
    const { heard, app } = await running({ host: '0.0.0.0' });
    expect(app.url).toContain('0.0.0.0');
    await eventually('all are heard', heard);
  });

  test('do not send their keys to a proxy of the environment', async () => {
    let asked = 0;
    const proxy = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(`${++asked}`) });
    const before = process.env.http_proxy;
    process.env.http_proxy = proxy.url.origin;
    endings.push(() => {
      if (before === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = before;
      return proxy.stop(true);
    });
    const { heard } = await running();
    await eventually('all are heard', heard);
    expect(asked).toBe(0);
  });

  test.skipIf(!Bun.which('openssl'))('accept a local certificate for another name', async () => {
    const folder = temporaryFolder();
    endings.push(() => rmSync(folder, { recursive: true, force: true }));
    const files = { tls_cert: join(folder, 'cert.pem'), tls_key: join(folder, 'key.pem') };
    const made = Bun.spawnSync([
      ...[
        'openssl',
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '1',
      ],
      ...['-subj', '/CN=ticks.example.com', '-out', files.tls_cert, '-keyout', files.tls_key],
    ]);
    expect(made.exitCode).toBe(0);
    const { heard, app } = await running(files);
    expect(app.url).toStartWith('https://');
    await eventually('all are heard', heard);
  });

  test('are not started if disabled', async () => {
    const { config, said } = await running({ house: 'none' });
    await Bun.sleep(50);
    expect(await withAccessStore(config.data, (store) => store.accounts())).toMatchObject([{ name: 'demo' }]);
    expect(said()).toBe('');
  });

  test('log an error if they cannot start, and the service continues', async () => {
    const data = temporaryFolder();
    // The key file cannot replace a folder.
    mkdirSync(join(data, PUBLISHER_KEYS, 'x'), { recursive: true });
    endings.push(() => rmSync(data, { recursive: true, force: true }));
    const { app, said } = await running({ data });
    await eventually('the report', () => said().includes('could not be started'));
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  });
});

test('reachable replaces only wildcard addresses', () => {
  expect(reachable('http://0.0.0.0:8080')).toBe('http://127.0.0.1:8080');
  expect(reachable('https://[::]:8443')).toBe('https://[::1]:8443');
  expect(reachable('https://0.0.0.0')).toBe('https://127.0.0.1');
  for (const url of ['http://127.0.0.1:8080', 'http://192.0.2.7', 'https://ticks.example.com:8443'])
    expect(reachable(url)).toBe(url);
});

test('an error that recurs every minute is logged once an hour', () => {
  const lines: string[] = [];
  let now = 0;
  const tell = troubleLog(createLog({ level: 'info', plain: true, write: (line) => lines.push(line) }), () => now);
  const error = Object.assign(new Error('invalid_key: revoked'), { code: 'invalid_key' });
  for (let minute = 0; minute < 120; minute++) {
    now = minute * MINUTE_MS;
    tell({ strategy: 'trend', symbol: null, error });
  }
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('House Trend');
  tell({ strategy: 'breakout', symbol: 'EURUSD', error });
  tell({ strategy: 'trend', symbol: null, error: Object.assign(new Error('internal: x'), { code: 'internal' }) });
  expect(lines).toHaveLength(4);
});
