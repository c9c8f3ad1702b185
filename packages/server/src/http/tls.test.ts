// HTTPS and WSS served directly, with a certificate created for the test.
import { describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tickEvents } from '../../testing/market-events.fixture.ts';
import { startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { reportSkipped } from '../../testing/skipped.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';
import { ConfigError } from '../config/config.ts';
import { createSelfSignedCertificate } from '../ops/self-signed-certificate.ts';

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
    const service = await startService({ feeds: 'push', ...files });
    const { key } = await service.key();
    const ca = await Bun.file(files.tls_cert).text();
    expect(service.url).toStartWith('https://');
    const response = await fetch(`${service.url}/api/session`, {
      headers: { 'X-API-Key': key },
      tls: { ca },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
    const stream = await StreamClient.open(`${service.wsUrl}/ws/market`, key, { tls: { ca } });
    await stream.ask({ action: 'subscribe', symbols: ['*'] });
    service.app.journal.append(tickEvents(50));
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

  test('a certificate or key that cannot be used stops the start with an error that names setting, file and fault', async () => {
    const folder = temporaryFolder();
    const { tls_cert, tls_key } = makeCertificate(folder);
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const cert = readFileSync(tls_cert, 'utf8');
    const [text, cut] = [
      file('text.pem', 'no certificate'),
      file('cut.pem', cert.split('\n').toSpliced(2, 1).join('\n')),
    ];
    const other = file('other.pem', createSelfSignedCertificate('127.0.0.1').key);
    for (const [settings, message] of [
      [{ tls_cert: text, tls_key }, `TICKWIRE_TLS_CERT: ${text} contains no certificate in PEM`],
      [{ tls_cert: cut, tls_key }, `TICKWIRE_TLS_CERT: a certificate in ${cut} is damaged`],
      [{ tls_cert, tls_key: text }, `TICKWIRE_TLS_KEY: ${text} contains no private key in PEM without a password`],
      [
        { tls_cert, tls_key: other },
        `TICKWIRE_TLS_KEY: ${other} is not the key of the certificate in TICKWIRE_TLS_CERT`,
      ],
    ] as const)
      await expect(startService({ data: join(folder, 'data'), ...settings })).rejects.toThrow(message);
    rmSync(folder, { recursive: true, force: true });
  });
});
