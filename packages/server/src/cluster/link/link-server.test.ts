import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { loadConfig } from '../../config/config.ts';
import { Ports } from '../../http/ports.ts';
import { silentLog } from '../../ops/log.ts';
import { createSelfSignedCertificate } from '../../ops/self-signed-certificate.ts';
import { parseIngestLink } from './ingest-link.ts';
import { type LinkServer, startLinkServer } from './link-server.ts';

const folder = temporaryFolder();
const ports = new Ports(silentLog);
afterAll(() => {
  ports.stop();
  rmSync(folder, { recursive: true, force: true });
});
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const start = (settings: Record<string, string> = {}): LinkServer =>
  startLinkServer(
    loadConfig({ flags: { role: 'ingest', data: folder, ...settings }, env: {}, cwd: folder }),
    ports,
    Date.now,
  );

/** The response to a gateway that trusts the announcement. */
async function ask({ announcement, stop }: LinkServer): Promise<unknown> {
  const { url, certificate } = parseIngestLink(announcement)!;
  const response = await fetch(`${url}/api/feeds`, { tls: { ca: certificate } });
  await stop();
  return [response.status, await response.json()];
}
const notActive = [503, { code: 'no_active_ingest' }];

describe('the link port of an ingest node', () => {
  test('has a certificate of its own, and refuses requests before the node is active', async () => {
    expect(await ask(start())).toEqual(notActive);
  });

  test('is announced with the advertised name, and with its own port if none is given', async () => {
    const link = start({ advertise: 'https://ingest-1' });
    expect(parseIngestLink(link.announcement)!.url).toMatch(/^https:\/\/ingest-1:\d+$/);
    await link.stop();
    const other = start({ advertise: 'https://ingest-1:8081' });
    expect(parseIngestLink(other.announcement)!.url).toBe('https://ingest-1:8081');
    await other.stop();
  });

  test('uses the configured certificate', async () => {
    const { cert, key } = createSelfSignedCertificate('127.0.0.1');
    const link = start({ link_cert: file('own.pem', cert), link_key: file('own-key.pem', key) });
    expect(parseIngestLink(link.announcement)!.certificate).toBe(cert);
    expect(await ask(link)).toEqual(notActive);
  });

  test('uses a certificate of an authority with its issuer, and refuses one without it', async () => {
    const [ca, leaf] = [join(folder, 'ca'), join(folder, 'leaf')];
    await Bun.$`openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=authority -days 2 -keyout ${ca}.key -out ${ca}.pem`.quiet();
    await Bun.$`openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=ingest -keyout ${leaf}.key -out ${leaf}.csr`.quiet();
    const names = file('names.cnf', 'subjectAltName=IP:127.0.0.1');
    await Bun.$`openssl x509 -req -in ${leaf}.csr -CA ${ca}.pem -CAkey ${ca}.key -CAcreateserial -days 2 -extfile ${names} -out ${leaf}.pem`.quiet();
    const read = (name: string): Promise<string> => Bun.file(`${name}.pem`).text();
    const chain = file('chain.pem', (await read(leaf)) + (await read(ca)));
    expect(await ask(start({ link_cert: chain, link_key: `${leaf}.key` }))).toEqual(notActive);
    expect(() => start({ link_cert: `${leaf}.pem`, link_key: `${leaf}.key` })).toThrow('issuers');
  });

  test('refuses a certificate for another name, and a file without one', () => {
    const { cert, key } = createSelfSignedCertificate('ingest-1');
    const settings = { link_cert: file('other.pem', cert), link_key: file('other-key.pem', key) };
    expect(() => start(settings)).toThrow('TICKWIRE_LINK_CERT: the certificate is not for 127.0.0.1');
    expect(() => start({ ...settings, link_cert: file('empty.pem', '') })).toThrow('contains no certificate');
  });
});
