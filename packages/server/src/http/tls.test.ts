// HTTPS and WSS served directly, with a certificate created for the test.
import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { reportSkipped } from '../../testing/skipped.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';
import { ConfigError } from '../config/config.ts';

const openssl = Bun.which('openssl');
if (!openssl) reportSkipped('TLS tests', 'openssl is not installed');

/** A folder with the certificate and its key as PEM files. */
function makeCertificate(folder: string): { tls_cert: string; tls_key: string } {
  const files = { tls_cert: join(folder, 'cert.pem'), tls_key: join(folder, 'key.pem') };
  const { exitCode, stderr } = Bun.spawnSync([
    ...[openssl!, 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...[
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-out',
      files.tls_cert,
      '-keyout',
      files.tls_key,
    ],
  ]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return files;
}

describe.skipIf(!openssl)('TLS', () => {
  test('HTTPS and WSS work with the configured certificate', async () => {
    const folder = temporaryFolder();
    const files = makeCertificate(folder);
    const service = await startService({ sim_rate: '500', ...files });
    const { key } = await service.key();
    const ca = await Bun.file(files.tls_cert).text();
    expect(service.url).toStartWith('https://');
    const response = await fetch(`${service.url}/api/market/EURUSD?bars=2`, {
      headers: { 'X-API-Key': key },
      tls: { ca },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(((await response.json()) as { ohlcv: object[] }).ohlcv).toHaveLength(2);
    const stream = await StreamClient.open(`${service.wsUrl}/ws/market`, key, { tls: { ca } });
    await stream.ask({ action: 'subscribe', symbols: ['*'] });
    expect(await stream.take(50, isData)).toHaveLength(50);
    stream.close();
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('an unreadable certificate stops the start with an error that names the file', async () => {
    const folder = temporaryFolder();
    const { tls_key } = makeCertificate(folder);
    const started = startService({ data: join(folder, 'data'), tls_cert: join(folder, 'none.pem'), tls_key });
    await expect(started).rejects.toThrow(ConfigError);
    await expect(started).rejects.toThrow('TICKWIRE_TLS_CERT');
    rmSync(folder, { recursive: true, force: true });
  });
});
