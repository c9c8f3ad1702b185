// Requests to addresses that users chose must not reach the machine and the network of the service.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FakeHttp } from '../../testing/delivery/fake-http.fixture.ts';
import { createSelfSignedCertificate } from '../ops/self-signed-certificate.ts';
import { type HttpAnswer, OutgoingHttp, type OutgoingHttpOptions } from './outgoing-http.ts';

const { signal } = new AbortController();
let server: FakeHttp;
beforeAll(async () => {
  server = await new FakeHttp(() => ({ status: 200, body: 'reached' })).listen();
});
afterAll(() => server[Symbol.asyncDispose]());

const PRIVATE = {
  kind: 'refused',
  reason: 'its host has a private address, and the operator has not set TICKWIRE_DELIVERY_ALLOW_PRIVATE',
} as const;
const post = (url: string, options: Partial<OutgoingHttpOptions> = {}, body = '{}'): Promise<HttpAnswer> =>
  new OutgoingHttp({ allowPrivate: false, ...options }).post({ url, headers: {}, body, signal });

describe('an address of this machine or its network is refused', () => {
  test.each([
    ['a loopback address', '127.0.0.1'],
    ['another loopback address', '127.9.9.9'],
    ['the unspecified address', '0.0.0.0'],
    ['a decimal number', '2130706433'],
    ['a hexadecimal number', '0x7f000001'],
    ['octal parts', '0177.0.0.1'],
    ['a short form', '127.1'],
    ['IPv6 loopback', '[::1]'],
    ['IPv4 in IPv6', '[::ffff:127.0.0.1]'],
    ['IPv4 in IPv6, in hexadecimal', '[::ffff:7f00:1]'],
    ['IPv4-compatible IPv6', '[::127.0.0.1]'],
    ['NAT64', '[64:ff9b::127.0.0.1]'],
    ['6to4', '[2002:7f00:1::]'],
    ['metadata of clouds', '169.254.169.254'],
    ['link-local IPv6', '[fe80::1]'],
    ['a private network', '10.0.0.1'],
    ['digits in another script', '①②⑦.⓪.⓪.①'],
  ])('%s', async (_, host) => {
    const before = server.requests.length;
    const url = `http://${host}:${server.port}/`;
    expect(await post(url)).toEqual(PRIVATE);
    expect(await new OutgoingHttp({ allowPrivate: false }).refusalOf(url)).toBe(PRIVATE.reason);
    expect(server.requests.length).toBe(before);
  });

  test('a name that resolves to one, among public ones or alone', async () => {
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '10.0.0.1'], ['::ffff:127.0.0.1']]) {
      const resolve = async () => addresses;
      // At an attempt, it may be a fault of the resolver: the message is tried again.
      const failed = { ...PRIVATE, kind: 'failed' as const };
      expect(await post(`http://a.example:${server.port}/`, { resolve })).toEqual(failed);
      expect(await new OutgoingHttp({ allowPrivate: false, resolve }).refusalOf('https://a.example/')).toBe(
        PRIVATE.reason,
      );
    }
    expect(await new OutgoingHttp({ allowPrivate: false }).refusalOf('http://localhost/')).toBe(PRIVATE.reason);
  });

  test('a name that resolves to a public address first and to a private one later', async () => {
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const http = new OutgoingHttp({ allowPrivate: false, resolve: async () => answers.shift()! });
    const url = `http://rebind.example:${server.port}/`;
    // Accepted when the destination is created, refused when the message is sent.
    expect(await http.refusalOf(url)).toBeNull();
    expect(await http.post({ url, headers: {}, body: '', signal })).toEqual({ ...PRIVATE, kind: 'failed' });
    expect(server.requests).toEqual([]);
  });

  test('the connection goes to the address that was checked: the name is resolved once', async () => {
    let resolved = 0;
    const resolve = async (): Promise<string[]> => {
      resolved++;
      return ['127.0.0.1'];
    };
    const answer = await post(`http://a.example:${server.port}/x`, { allowPrivate: true, resolve });
    expect(answer).toMatchObject({ kind: 'answer', text: 'reached' });
    expect(server.requests.at(-1)!.headers.host).toBe(`a.example:${server.port}`);
    expect(resolved).toBe(1);
  });

  test('a proxy does not get it either', async () => {
    await using proxy = await new FakeHttp(() => ({ status: 200 })).listen();
    const proxies = { http: proxy.url('') };
    expect(await post('http://169.254.169.254/', { proxies })).toEqual(PRIVATE);
    const failed = { ...PRIVATE, kind: 'failed' as const };
    for (const name of ['localhost', 'intranet', 'wiki.internal'])
      expect(await post(`http://${name}/`, { proxies })).toEqual(failed);
    const inside = async () => ['10.0.0.1'];
    expect(await post('http://a.example/', { proxies, resolve: inside })).toEqual(failed);
    expect(proxy.requests).toEqual([]);
    const unknown = async (): Promise<string[]> => {
      throw new Error('ENOTFOUND');
    };
    // Only the proxy can resolve it.
    expect(await post('http://a.example/', { proxies, resolve: unknown })).toMatchObject({
      kind: 'answer',
      status: 200,
    });
  });
});

test('redirects are answers, not followed', async () => {
  await using other = await new FakeHttp(() => ({ status: 302, headers: { Location: server.url('/') } })).listen();
  const before = server.requests.length;
  expect(await post(other.url('/'), { allowPrivate: true })).toMatchObject({ kind: 'answer', status: 302 });
  expect(server.requests.length).toBe(before);
});

test.each([
  ['http://user@a.example/', 'its address contains a user name or a password'],
  ['http://user:password@a.example/', 'its address contains a user name or a password'],
  ['http://a.example@127.0.0.1/', 'its address contains a user name or a password'],
  ['ftp://a.example/', 'it is not an http or https address'],
  ['file:///etc/passwd', 'it is not an http or https address'],
  ['gopher://a.example/', 'it is not an http or https address'],
  ['no address', 'it is not an http or https address'],
])('%p is refused', async (url, reason) => {
  expect(await post(url, { allowPrivate: true })).toEqual({ kind: 'refused', reason });
  expect(await new OutgoingHttp({ allowPrivate: true }).refusalOf(url)).toBe(reason);
});

describe('a request', () => {
  test('that is too large is refused', async () => {
    const limits = { requestBytes: 10 };
    expect(await post(server.url('/'), { allowPrivate: true, limits }, 'x'.repeat(11))).toMatchObject({
      kind: 'refused',
    });
  });

  test('ends in time, also if the body never ends or is too large', async () => {
    const options = { allowPrivate: true, limits: { totalMs: 1_000, bodyMs: 50, responseBytes: 20 } };
    server.misbehave('hang', 'endless', { status: 500, body: 'x'.repeat(21) });
    expect(await post(server.url('/'), options)).toEqual({ kind: 'failed', reason: 'no response within 1000 ms' });
    expect(await post(server.url('/'), options)).toMatchObject({ kind: 'answer', status: 200, text: '' });
    expect(await post(server.url('/'), options)).toMatchObject({ kind: 'answer', status: 500, text: '' });
  });

  test('ends in time if the name is not resolved', async () => {
    const resolve = (): Promise<string[]> => new Promise(() => {});
    expect(await post('http://a.example/', { resolve, limits: { totalMs: 50 } })).toMatchObject({ kind: 'failed' });
  });

  test('to create a destination is not held up by a resolver that does not answer', async () => {
    const resolve = (): Promise<string[]> => new Promise(() => {});
    const http = new OutgoingHttp({ allowPrivate: false, resolve, limits: { resolveMs: 20 } });
    expect(await http.refusalOf('https://a.example/')).toBeNull();
  });

  test('of an operator to their own server may be private', async () => {
    const http = new OutgoingHttp({ allowPrivate: false });
    const answer = await http.post({ url: server.url('/'), headers: {}, body: '', signal, ownServer: true });
    expect(answer).toMatchObject({ kind: 'answer', status: 200 });
  });
});

test('TLS is verified for the name, although the connection goes to an address', async () => {
  const { cert, key } = createSelfSignedCertificate('hooks.example');
  const secure = Bun.serve({ port: 0, hostname: '127.0.0.1', tls: { cert, key }, fetch: () => new Response('secure') });
  try {
    const options = { allowPrivate: true, resolve: async () => ['127.0.0.1'] };
    const at = (name: string, ca?: string) =>
      post(`https://${name}:${secure.port}/`, { ...options, ...(ca && { ca }) });
    expect(await at('hooks.example', cert)).toMatchObject({ kind: 'answer', text: 'secure' });
    expect(await at('other.example', cert)).toMatchObject({ kind: 'failed' });
    expect(await at('hooks.example')).toMatchObject({ kind: 'failed' });
  } finally {
    await secure.stop(true);
  }
});
