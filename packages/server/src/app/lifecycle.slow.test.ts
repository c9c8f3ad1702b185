// Start and stop of a single process on a real SQLite store: the order of the steps, and that nothing stays open, neither after
// a stop nor after a start that failed at any step.
import { afterEach, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asEpochMs, asSymbol, type TickEvent } from '@tickwire/engine';
import {
  type NodeProcessOptions,
  type NodeProcessResult,
  runNodeProcess,
} from '../../testing/app/node-process.fixture.ts';
import { startWatch } from '../../testing/event-loop.fixture.ts';
import { freePort } from '../../testing/free-port.fixture.ts';
import { clientFrame, rawStream } from '../../testing/raw-socket.fixture.ts';
import { makeKey, temporaryFolder } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';
import { loadConfig } from '../config/config.ts';
import { type FeedSet, type OpenFeeds, openFeeds as openConfiguredFeeds } from '../market/feeds/open-feeds.ts';
import { createLog, silentLog } from '../ops/log.ts';
import { openStore } from '../store/open-store.ts';
import { startSingleProcess } from './single-process.ts';

const folders: string[] = [];
const dataFolder = (): string => {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const SETTINGS = { metrics_port: 'off', feeds: 'push', news: 'none' };

/** Fails if another process, or this one, still listens on the port. */
async function expectPortFree(port: number): Promise<void> {
  const server = Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response() });
  await server.stop(true);
}

/** Fails if the store is still locked. */
async function expectStoreFree(data: string): Promise<void> {
  const config = loadConfig({ flags: { data, ...SETTINGS }, env: {}, cwd: data });
  const store = await openStore(config, { role: 'service', exclusive: true });
  await store.close();
}

const statusOf = (url: string): Promise<number | null> =>
  fetch(url).then(
    ({ status }) => status,
    () => null,
  );

/** The configured feeds; `on` is called before each step. Opening them waits for it. */
const observedFeeds =
  (on: (step: 'open' | 'start' | 'stop') => unknown): OpenFeeds =>
  async (options) => {
    await on('open');
    const feeds: FeedSet = await openConfiguredFeeds(options);
    return {
      ...feeds,
      start() {
        on('start');
        feeds.start();
      },
      stop() {
        on('stop');
        feeds.stop();
      },
    };
  };

describe('a single process', () => {
  test('opens the port after the pipeline, starts the feeds after the port, and says so last', async () => {
    const data = dataFolder();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/readyz`;
    const steps: string[] = [];
    const statuses: Record<string, Promise<number | null>> = {};
    const log = createLog({ level: 'info', plain: false, write: (line) => steps.push(JSON.parse(line).message) });
    const openFeeds = observedFeeds((step) => {
      steps.push(step);
      if (step !== 'stop') statuses[step] = statusOf(url);
      return statuses[step];
    });
    const config = loadConfig({ flags: { data, port: String(port), ...SETTINGS }, env: {}, cwd: data });
    const app = await startSingleProcess(config, log, openFeeds);
    expect(steps).toEqual(['open', 'start', 'serving']);
    expect(await statuses.open!).toBeNull();
    expect(await statuses.start!).toBe(200);
    await app.stop();
    expect(steps).toEqual(['open', 'start', 'serving', 'stop', 'stopped']);
  });

  test('sends its clients everything, stores it, and frees port and store when it stops', async () => {
    const data = dataFolder();
    const port = await freePort();
    const { key } = await makeKey(data, 'premium', ['read', 'ingest']);
    const config = loadConfig({ flags: { data, port: String(port), ...SETTINGS }, env: {}, cwd: data });
    const app = await startSingleProcess(config, silentLog);
    const stream = await StreamClient.open(`ws://127.0.0.1:${port}/ws/market`, key);
    await stream.ask({ action: 'subscribe', symbols: ['EURUSD'] });
    const tick = JSON.stringify({ symbol: 'EURUSD', time: Date.now(), bid: 1.1, ask: 1.2 });
    await fetch(`${app.url}/ingest/ticks`, { method: 'POST', body: tick, headers: { 'X-API-Key': key } });
    await app.stop();
    expect(await stream.closed).toEqual({ code: 1012, reason: 'restart' });
    expect(stream.messages.slice(-2)).toMatchObject([{ bid: 1.1 }, { event: 'shutdown' }]);
    await expectPortFree(port);
    await expectStoreFree(data);
    const again = await startSingleProcess(config, silentLog);
    const response = await fetch(`${again.url}/api/market/EURUSD/quote`, { headers: { 'X-API-Key': key } });
    expect(await response.json()).toMatchObject({ bid: 1.1, ask: 1.2 });
    await again.stop();
  });

  test('stops the feeds first, then rejects new work while its clients drain, for a limited time', async () => {
    const data = dataFolder();
    const { key } = await makeKey(data, 'premium', ['read']);
    const steps: string[] = [];
    const config = loadConfig({ flags: { data, port: '0', ...SETTINGS }, env: {}, cwd: data });
    const app = await startSingleProcess(
      config,
      silentLog,
      observedFeeds((step) => steps.push(step)),
    );
    const slow = await rawStream(app.url, '/ws/market', key);
    slow.write(clientFrame(1, JSON.stringify({ action: 'subscribe', symbols: ['EURUSD'] })));
    await slow.until(({ received }) => received.includes('subscribed'));
    slow.pause();
    const event = { kind: 'tick', symbol: asSymbol('EURUSD'), time: asEpochMs(Date.now()) } as const;
    const ticks: TickEvent[] = Array(60_000).fill({ ...event, bid: 1.1, ask: 1.2, bidSize: 1, askSize: 1, volume: 1 });
    app.journal.append(ticks);
    const started = performance.now();
    const passed = startWatch();
    const stopped = app.stop();
    expect(steps).toEqual(['open', 'start', 'stop']);
    const health = await fetch(`${app.url}/healthz`);
    expect(await health.json()).toMatchObject({ status: 'stopping' });
    const quote = await fetch(`${app.url}/api/market/EURUSD/quote`, { headers: { 'X-API-Key': key } });
    expect(await quote.json()).toMatchObject({ code: 'shutting_down' });
    const stream = StreamClient.open(`${app.url.replace('http', 'ws')}/ws/market`, key);
    expect(await stream.catch(() => 'rejected')).toBe('rejected');
    await stopped;
    expect(performance.now() - started).toBeGreaterThan(1_500);
    expect(passed()).toBeLessThan(8_000);
    expect(await statusOf(`${app.url}/healthz`)).toBeNull();
    slow.destroy();
    await expectStoreFree(data);
  });

  test('leaves no file, timer, socket or thread open after a stop', async () => {
    const data = dataFolder();
    const result = await runNodeProcess({ role: 'all', settings: { data, ...SETTINGS, port: '0', metrics_port: '0' } });
    expect(result).toEqual({ failure: null, openFiles: [], log: ['serving', 'stopped'], exited: true });
    await expectStoreFree(data);
  });
});

describe('a failed start leaves nothing open', () => {
  /** Runs a start that must fail; afterwards the port and the store must be free. */
  async function fails(
    changes: Readonly<Record<string, string>>,
    options: Partial<NodeProcessOptions> = {},
    prepare: (data: string) => unknown = () => {},
  ): Promise<string> {
    const data = dataFolder();
    const port = await freePort();
    await prepare(data);
    const settings = { data, port: String(port), ...SETTINGS, ...changes };
    const { failure, ...result }: NodeProcessResult = await runNodeProcess({ role: 'all', settings, ...options });
    expect(result).toEqual({ openFiles: [], log: [], exited: true });
    if (!changes.port) await expectPortFree(port);
    await expectStoreFree(data);
    return failure ?? 'it did not fail';
  }

  /** A data folder of an earlier start. */
  async function startOnce(data: string, changes: Readonly<Record<string, string>> = {}): Promise<void> {
    const flags = { data, port: '0', ...SETTINGS, ...changes };
    await (await startSingleProcess(loadConfig({ flags, env: {}, cwd: data }), silentLog)).stop();
  }

  test('if the TLS certificate cannot be read', async () => {
    const missing = join(dataFolder(), 'missing.pem');
    expect(await fails({ tls_cert: missing, tls_key: missing })).toContain('TICKWIRE_TLS_CERT');
  });

  test('if the store is locked by another process', async () => {
    const data = dataFolder();
    await startOnce(data);
    const config = loadConfig({ flags: { data, ...SETTINGS }, env: {}, cwd: data });
    const store = await openStore(config, { role: 'service', exclusive: true });
    const result = await runNodeProcess({ role: 'all', settings: { data, port: '0', ...SETTINGS } });
    await store.close();
    expect(result).toMatchObject({ openFiles: [], exited: true });
    expect(result.failure).toContain('another');
  });

  test('if the key of the signal log is another one', async () => {
    const failure = await fails({}, {}, async (data) => {
      await startOnce(data);
      const { privateKey } = generateKeyPairSync('ed25519');
      writeFileSync(join(data, 'live', 'log-key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    });
    expect(failure).toContain('log-key.pem');
  });

  test('if the feeds do not fit the store', async () => {
    const failure = await fails({ feeds: 'sim', sim_seed: '2' }, {}, (data) => startOnce(data, { feeds: 'sim' }));
    expect(failure).toContain('TICKWIRE_SIM_SEED');
  });

  test.each(['open', 'clock', 'start'] as const)('if the feeds fail at %s', async (failingFeeds) => {
    expect(await fails({}, { failingFeeds })).toBe(`the feeds fail at ${failingFeeds}`);
  });

  test.each(['port', 'metrics_port'])('if another program listens on the %s', async (setting) => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const failure = await fails({ [setting]: String(other.port) });
    await other.stop(true);
    expect(failure).toContain(`TICKWIRE_${setting.toUpperCase()}`);
  });
});
