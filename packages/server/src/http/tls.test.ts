// HTTPS and WSS from the service itself, with a certificate made for the occasion.
import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { startService, temporaryFolder } from '../testing/service.fixture.ts';
import { isData, StreamClient } from '../testing/stream-client.fixture.ts';

const openssl = Bun.which('openssl');
if (!openssl) console.warn('openssl is not there: the TLS tests are skipped');

/** The certificate and its key in a folder, both PEM. */
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
  test('https and wss both work, and the certificate is really the one that was given', async () => {
    const folder = temporaryFolder();
    const files = makeCertificate(folder);
    const service = await startService({ sim_rate: '500', ...files });
    const { key } = await service.key();
    const ca = await Bun.file(files.tls_cert).text();
    expect(service.url).toStartWith('https://');
    const answer = await fetch(`${service.url}/api/market/EURUSD?bars=2`, {
      headers: { 'X-API-Key': key },
      tls: { ca },
    });
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { ohlcv: object[] }).ohlcv).toHaveLength(2);
    const stream = await StreamClient.open(`${service.wsUrl}/ws/market`, key, { tls: { ca } });
    await stream.ask({ action: 'subscribe', symbols: ['*'] });
    expect(await stream.take(50, isData)).toHaveLength(50);
    stream.close();
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a certificate that cannot be read stops the start and says which file', async () => {
    const folder = temporaryFolder();
    const { tls_key } = makeCertificate(folder);
    const started = startService({ data: join(folder, 'data'), tls_cert: join(folder, 'none.pem'), tls_key });
    await expect(started).rejects.toThrow(ConfigError);
    await expect(started).rejects.toThrow('TICKWIRE_TLS_CERT');
    rmSync(folder, { recursive: true, force: true });
  });
});
