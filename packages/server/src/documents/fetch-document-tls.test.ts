// Feeds over TLS: the certificate is checked for the publisher's name, though the connection goes to an address.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportSkipped } from '../../testing/skipped.fixture.ts';
import { type FetchResult, fetchDocument } from './fetch-document.ts';

const openssl = Bun.which('openssl');
if (!openssl) reportSkipped('TLS tests', 'openssl is not installed');

describe.skipIf(!openssl)('a feed over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickwire-feeds-'));
  let server: Bun.Server<undefined>;
  let ca: string;

  beforeAll(() => {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const { exitCode, stderr } = Bun.spawnSync([
      ...[
        openssl!,
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
      ...['-subj', '/CN=feeds.example', '-addext', 'subjectAltName=DNS:feeds.example', '-out', cert, '-keyout', key],
    ]);
    if (exitCode !== 0) throw new Error(stderr.toString());
    ca = readFileSync(cert, 'utf8');
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: { cert: ca, key: readFileSync(key, 'utf8') },
      fetch: (request) =>
        new URL(request.url).pathname === '/down'
          ? new Response(null, { status: 301, headers: { Location: 'http://feeds.example/' } })
          : new Response(`for ${request.headers.get('host')}`),
    });
  });
  afterAll(async () => {
    await server.stop(true);
    rmSync(folder, { recursive: true });
  });

  const at = (name: string, path: string, trusted = true): Promise<FetchResult> =>
    fetchDocument({
      url: `https://${name}:${server.port}${path}`,
      ownHost: `${name}:${server.port}`,
      resolve: async () => ['127.0.0.1'],
      ...(trusted && { ca }),
    });

  test('is read from the checked address, under the requested name', async () => {
    const fetched = await at('feeds.example', '/feed');
    expect(fetched.kind === 'feed' && Buffer.from(fetched.bytes).toString()).toBe(`for feeds.example:${server.port}`);
  });

  test('is rejected with a certificate for another name, even right after a valid one', async () => {
    expect((await at('feeds.example', '/feed')).kind).toBe('feed');
    expect(await at('other.example', '/feed')).toMatchObject({
      kind: 'failed',
      name: 'unreachable',
      detail: expect.stringContaining('ALTNAME'),
    });
  });

  test('is rejected with an untrusted certificate', async () => {
    expect(await at('feeds.example', '/feed', false)).toMatchObject({
      kind: 'failed',
      name: 'unreachable',
      detail: expect.stringContaining('self signed'),
    });
  });

  test('does not redirect to plain http', async () => {
    expect(await at('feeds.example', '/down')).toMatchObject({
      name: 'bad_redirect',
      detail: 'a redirect from https to http://feeds.example',
    });
  });
});
