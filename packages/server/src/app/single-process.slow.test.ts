// Ports, certificates and metrics of the whole service.
import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Prepared, preparedFolder } from '../../testing/prepared-folder.fixture.ts';
import { killLeftovers, runTickwire, ServiceProcess } from '../../testing/process.fixture.ts';
import { parsePrometheus } from '../../testing/prometheus.fixture.ts';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { TestStream } from '../../testing/stream.fixture.ts';
import { ConfigError, loadConfig } from '../config/config.ts';
import { createLog } from '../ops/log.ts';
import { startSingleProcess } from './single-process.ts';

const folder = temporaryFolder();
const copies: string[] = [];
const prepared = async (): Promise<Prepared> => {
  const made = await preparedFolder();
  copies.push(made.data);
  return made;
};
const foreign = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('somebody else') });
afterAll(async () => {
  await killLeftovers();
  await foreign.stop(true);
  for (const each of [folder, ...copies]) rmSync(each, { recursive: true, force: true });
});

describe('/metrics', () => {
  test('is on a separate port, is valid Prometheus text, and counts events', async () => {
    const { data, key } = await prepared();
    const service = await startService({ data, metrics_port: '0' });
    const { metricsUrl } = service.app;
    expect(metricsUrl).not.toBe(service.url);
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    const scrape = async () => {
      const answer = await fetch(`${metricsUrl}/metrics`);
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4');
      const families = parsePrometheus(await answer.text());
      return (name: string, labels = {}): number =>
        families.get(name)!.samples.find((sample) => Bun.deepEquals(sample.labels, labels))!.value;
    };
    await fetch(`${service.url}/healthz`);
    const before = await scrape();
    for (let times = 0; times < 5; times++) {
      await fetch(`${service.url}/api/session`, { headers: { 'X-API-Key': key } });
    }
    await fetch(`${service.url}/api/session`);
    const stream = new TestStream(service.url, 'market');
    await stream.subscribe(key, ['*']);
    await Bun.sleep(700);
    const after = await scrape();
    const grown = (name: string, labels = {}) => after(name, labels) - before(name, labels);
    expect(grown('tickwire_http_responses_total', { status: '200' })).toBe(5);
    expect(after('tickwire_http_responses_total', { status: '401' })).toBe(1);
    expect(after('tickwire_ws_clients')).toBe(1);
    expect(grown('tickwire_ticks_accepted_total')).toBeGreaterThan(10);
    expect(grown('tickwire_tape_ticks_written_total')).toBeGreaterThan(10);
    expect(after('tickwire_store_ok')).toBe(1);
    expect(after('tickwire_tape_ticks_lost_total')).toBe(0);
    expect((await fetch(`${metricsUrl}/other`)).status).toBe(404);
    stream.close();
    await service.stop();
    expect(await fetch(`${metricsUrl}/metrics`).catch(() => null)).toBeNull();
  });

  test('is off with a warning if the default port is in use', async () => {
    // Taken here, unless another program already has it.
    const holder = (() => {
      try {
        return Bun.serve({ port: 9464, hostname: '127.0.0.1', fetch: () => new Response('') });
      } catch {
        return null;
      }
    })();
    const lines: string[] = [];
    const log = createLog({ level: 'warn', plain: false, write: (line) => lines.push(line) });
    const { data } = await prepared();
    const app = await startSingleProcess(loadConfig({ flags: { port: '0', data }, env: {}, cwd: folder }), log);
    expect(app.metricsUrl).toBeNull();
    expect(lines.some((line) => line.includes('TICKWIRE_METRICS_PORT'))).toBe(true);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
    await app.stop();
    await holder?.stop(true);
  });
});

describe('a port in use by another program', () => {
  test.each(['port', 'metrics_port'])(
    'fails the start in one line that names the port and the setting %s',
    async (setting) => {
      const { data } = await prepared();
      const refusal = await startService({ data, [setting]: String(foreign.port) }).catch((error) => error);
      expect(refusal).toBeInstanceOf(ConfigError);
      expect(refusal.message).toBe(
        `port ${foreign.port} on 127.0.0.1 is in use by another program: set TICKWIRE_${setting.toUpperCase()} to a free one`,
      );
      // Nothing is left open: the folder can be used again.
      const service = await startService({ data });
      await service.stop();
    },
  );

  test('ends the command with status 1 and only that line', async () => {
    const { data } = await prepared();
    const { status, out, err } = await runTickwire(['serve', '--port', String(foreign.port)], { data });
    expect([status, out]).toEqual([1, '']);
    expect(err.split('\n').filter((line) => line.startsWith('tickwire: '))).toEqual([
      `tickwire: port ${foreign.port} on 127.0.0.1 is in use by another program: set TICKWIRE_PORT to a free one`,
    ]);
  });
});

test('an address of another machine fails the start in one line', async () => {
  const { data } = await prepared();
  const refusal = await startService({ data, host: '203.0.113.1' }).catch((error) => error);
  expect(refusal).toBeInstanceOf(ConfigError);
  expect(refusal.message).toContain('203.0.113.1');
  expect(refusal.message).not.toContain('\n');
});

test('a certificate that is missing or invalid fails the start in one line', async () => {
  const { data } = await prepared();
  const none = join(folder, 'none.pem');
  const missing = await startService({ data, tls_cert: none, tls_key: none }).catch((e) => e);
  expect(missing).toBeInstanceOf(ConfigError);
  expect(missing.message).toContain('TICKWIRE_TLS_CERT');
  const garbage = join(folder, 'garbage.pem');
  await Bun.write(garbage, 'no certificate');
  const bad = await startService({ data, tls_cert: garbage, tls_key: garbage }).catch((e) => e);
  expect(bad).toBeInstanceOf(ConfigError);
  expect(bad.message).not.toContain('\n');
});

test('an unknown environment variable is logged as a warning, and the service starts', async () => {
  const service = await ServiceProcess.start({ data: (await prepared()).data, prot: '80' });
  expect(service.err).toContain('"environment variable is not a setting","name":"TICKWIRE_PROT"');
  expect((await service.stop()).status).toBe(0);
});

test('a service that is stopped right after its first tick has it after a restart', async () => {
  const data = temporaryFolder();
  copies.push(data);
  const first = await startService({ feeds: 'push', data });
  const { key } = await first.key('free', ['ingest', 'read']);
  const line = JSON.stringify({ symbol: 'EURUSD', time: Date.now(), bid: 1.1, ask: 1.2 });
  await fetch(`${first.url}/ingest/ticks`, { method: 'POST', body: line, headers: { 'X-API-Key': key } });
  await first.stop();
  const second = await startService({ feeds: 'push', data });
  const answer = await fetch(`${second.url}/api/market/EURUSD/quote`, { headers: { 'X-API-Key': key } });
  expect(await answer.json()).toMatchObject({ bid: 1.1, ask: 1.2 });
  await second.stop();
});
