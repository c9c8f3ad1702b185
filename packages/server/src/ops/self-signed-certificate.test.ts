import { expect, test } from 'bun:test';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSelfSignedCertificate } from './self-signed-certificate.ts';

test.each([
  ['127.0.0.1', 'IP Address:127.0.0.1'],
  ['::1', 'IP Address:0:0:0:0:0:0:0:1'],
  ['fe80::1:2', 'IP Address:FE80:0:0:0:0:0:1:2'],
  ['tickwire-ingest-0.tickwire-ingest', 'DNS:tickwire-ingest-0.tickwire-ingest'],
])('a certificate for %s names it, is signed with its own key and issues no others', (host, name) => {
  const { cert, key } = createSelfSignedCertificate(host);
  const certificate = new X509Certificate(cert);
  expect(certificate.subjectAltName).toBe(name);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(certificate.ca).toBe(false);
});

test('every certificate is new, and a client that pins one accepts no other', async () => {
  const [own, other] = [createSelfSignedCertificate('127.0.0.1'), createSelfSignedCertificate('127.0.0.1')];
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', tls: own, fetch: () => new Response('hello') });
  const ask = async (ca: string): Promise<string> => (await fetch(server.url, { tls: { ca } })).text();
  expect(await ask(own.cert)).toBe('hello');
  await expect(ask(other.cert)).rejects.toThrow('unable to verify');
  await server.stop(true);
});
