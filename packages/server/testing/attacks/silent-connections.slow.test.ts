// A client without a key opens more TCP connections than the service may have open files, and sends nothing, or the beginning of a
// request or of a TLS handshake. The service must survive that on each of its ports, go on with open streams, count them, and accept
// connections again afterwards.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createSelfSignedCertificate } from '../../src/ops/self-signed-certificate.ts';
import { freePort } from '../free-port.fixture.ts';
import { eventually, killLeftovers, ServiceProcess } from '../process.fixture.ts';
import { temporaryFolder } from '../service.fixture.ts';
import { isData, StreamClient } from '../stream-client.fixture.ts';

const OPEN_FILES = 512;
const SILENT = 600;
/** The runtime ends a connection that has sent no complete request head, or not ended the handshake of TLS, after 12 s. */
const HANDSHAKE_MS = 20_000;
/** What an unfinished handshake has sent: of HTTP and of TLS. */
const BEGINNINGS = ['', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', Buffer.from([0x16, 3, 1, 2, 0, 1])];

const folder = temporaryFolder();
const tls = { rejectUnauthorized: false };
let service: ServiceProcess;
let encrypted: ServiceProcess;
let metricsUrl: string;
const sockets: Socket[] = [];
let unfinished: Socket[];
let drip: ReturnType<typeof setInterval>;

beforeAll(async () => {
  const { cert, key } = createSelfSignedCertificate('127.0.0.1');
  const files = { tls_cert: join(folder, 'cert.pem'), tls_key: join(folder, 'key.pem') };
  writeFileSync(files.tls_cert, cert);
  writeFileSync(files.tls_key, key);
  const metrics_port = String(await freePort());
  metricsUrl = `http://127.0.0.1:${metrics_port}`;
  // Headlines, whose scores need a thread, and example publishers, whose requests need connections, stay on.
  const start = (name: string, settings: Record<string, string>): Promise<ServiceProcess> =>
    ServiceProcess.start({ data: join(folder, name), ...settings }, [], `ulimit -n ${OPEN_FILES}`);
  [service, encrypted] = await Promise.all([
    start('plain', { metrics_port }),
    start('encrypted', { ...files, metrics_port: '0' }),
  ]);
  // They take a while, and the attacks do not end them.
  unfinished = [service.url, metricsUrl, encrypted.url].flatMap((url) => BEGINNINGS.map((each) => open(url, each)));
  drip = setInterval(() => {
    for (const socket of unfinished) if (!socket.destroyed) socket.write('a');
  }, 2_000);
});
afterAll(async () => {
  clearInterval(drip);
  for (const socket of sockets) socket.destroy();
  await killLeftovers();
  rmSync(folder, { recursive: true, force: true });
});

function open(url: string, first: string | Uint8Array = ''): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(first));
  // Refused while the port is closed.
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

const readMetric = async (name: string, url = metricsUrl): Promise<number> => {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
};
const subscribed = async ({ url, demoKey }: ServiceProcess): Promise<StreamClient> => {
  const stream = await StreamClient.open(`${url.replace('http', 'ws')}/ws/market`, demoKey!, { tls });
  await stream.ask({ action: 'subscribe', symbols: ['*'] });
  return stream;
};
/** Of a connection of its own. */
const status = (url: string): Promise<number | null> =>
  fetch(url, { headers: { Connection: 'close' }, signal: AbortSignal.timeout(2_000), tls }).then(
    (response) => response.status,
    () => null,
  );

test('unfinished handshakes are counted', async () => {
  // Bytes of the wrong protocol end the connection at once.
  const open = BEGINNINGS.length - 1;
  const [, encryptedMetrics] = /Metrics +(\S+)\/metrics/.exec(encrypted.out)!;
  const idle = (url?: string): Promise<number> => readMetric('tickwire_idle_connections', url);
  // A connection without any byte is accepted after a while.
  await eventually('those without TLS', async () => (await idle()) >= 2 * open);
  await eventually('those with TLS', async () => (await idle(encryptedMetrics)) >= open);
});

describe(`${SILENT} silent connections at a limit of ${OPEN_FILES} open files`, () => {
  test.each<[name: string, target: () => ServiceProcess, url: () => string]>([
    ['the port', () => service, () => service.url],
    ['the port with TLS', () => encrypted, () => encrypted.url],
    ['the metrics port', () => service, () => `${metricsUrl}/metrics`],
  ])('at %s: the service survives, streams go on, and connections are accepted again', async (_, target, url) => {
    const attacked = target();
    const stream = await subscribed(attacked);
    const silent = Array.from({ length: SILENT }, (_, at) => open(url(), BEGINNINGS[at % BEGINNINGS.length]));
    await Bun.sleep(2_500);
    expect(attacked.launcher.exitCode).toBeNull();
    expect(stream.closing).toBeNull();
    // Ticks of now, not those that were on their way.
    const { length } = stream.messages;
    await eventually('ticks during the attack', () => stream.messages.slice(length).filter(isData).length > 20);
    for (const socket of silent) socket.destroy();
    await eventually('accepted again', async () => (await status(new URL('/metrics', url()).href)) !== null);
    const later = await subscribed(attacked);
    await later.take(20, isData);
    await stream.take(20, isData);
    for (const each of [stream, later]) each.close();
  });

  test('are in the log and in the metrics', async () => {
    for (const { err } of [service, encrypted]) {
      expect(err).toContain(`the limit of open files is ${OPEN_FILES}, but TICKWIRE_MAX_CONNECTIONS is 20000`);
      expect(err).toContain('no connections are accepted: too many files are open');
      expect(err).toContain('connections are accepted again');
    }
    expect(await readMetric('tickwire_port_pauses_total')).toBeGreaterThan(0);
    expect(await readMetric('process_open_fds')).toBeWithin(64, OPEN_FILES);
    expect(await readMetric('process_max_fds')).toBe(OPEN_FILES);
  });
});

test('an unfinished handshake ends, also if its client goes on sending single bytes', async () => {
  await eventually('all ended', () => unfinished.every(({ destroyed }) => destroyed), HANDSHAKE_MS);
});
