import { describe, expect, test } from 'bun:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import * as fake from '../../testing/news/fake-publisher.fixture.ts';
import { FakePublisher } from '../../testing/news/fake-publisher.fixture.ts';
import { FETCH_LIMITS, type FetchDocumentOptions, type FetchResult, fetchDocument } from './fetch-document.ts';

/** Only for what sends too little: on a busy machine, short limits would also end what works. */
const NO_RESPONSE = { ...FETCH_LIMITS, firstByteMs: 300 };
const NOT_COMPLETE = { ...FETCH_LIMITS, totalMs: 600 };

/** Fetches like a source of the operator's own file: its own host may be private. */
const fetchOwn = (url: string, options: Partial<FetchDocumentOptions> = {}): Promise<FetchResult> =>
  fetchDocument({ url, ownHost: new URL(url).host, ...options });

const failure = (fetched: FetchResult): string =>
  fetched.kind === 'failed' ? `${fetched.name}: ${fetched.detail}` : fetched.kind;
const textOf = (fetched: FetchResult): string =>
  fetched.kind === 'feed' ? new TextDecoder().decode(fetched.bytes) : failure(fetched);

describe('a good publisher', () => {
  test('gets one request with a User-Agent, and its validators are sent back', async () => {
    await using publisher = await FakePublisher.open();
    const body = fake.rss([{ title: 'one' }]);
    publisher.on(
      '/feed',
      fake.versioned(() => body),
    );
    const first = await fetchOwn(publisher.url('/feed'), { contact: 'desk@example.com' });
    expect(textOf(first)).toBe(body);
    if (first.kind !== 'feed') throw new Error('no feed');
    expect(await fetchOwn(publisher.url('/feed'), { validators: first.validators })).toEqual({
      kind: 'unchanged',
      movedTo: null,
    });
    const [asked, again] = publisher.requests;
    expect(asked!.headers['user-agent']).toMatch(
      /^Tickwire\/\d+\.\d+\.\d+ \(news reader; contact: desk@example\.com\)$/,
    );
    expect(asked!.headers.host).toBe(`127.0.0.1:${publisher.port}`);
    expect(asked!.headers['if-none-match']).toBeUndefined();
    expect(again!.headers['if-none-match']).toBe(first.validators.etag!);
    expect(publisher.requests).toHaveLength(2);
  });

  test('gets its own Last-Modified in If-Modified-Since', async () => {
    await using publisher = await FakePublisher.open();
    const since = 'Mon, 02 Mar 2026 10:00:00 GMT';
    publisher.on('/feed', (socket, asked) =>
      (asked.headers['if-modified-since'] === since ? fake.status(304) : fake.feed('x', { 'Last-Modified': since }))(
        socket,
        asked,
      ),
    );
    const first = await fetchOwn(publisher.url('/feed'));
    if (first.kind !== 'feed') throw new Error('no feed');
    expect((await fetchOwn(publisher.url('/feed'), { validators: first.validators })).kind).toBe('unchanged');
    // Validators of one URL are not sent to another.
    publisher.on('/other', fake.feed('y'));
    await fetchOwn(publisher.url('/other'), { validators: first.validators });
    expect(publisher.requests.at(-1)!.headers['if-modified-since']).toBeUndefined();
  });

  test.each([
    ['gzip', gzipSync('packed')],
    ['x-gzip', gzipSync('packed')],
    ['deflate', deflateSync('packed')],
    ['deflate', deflateRawSync('packed')],
    ['br', brotliCompressSync('packed')],
    ['identity', Buffer.from('packed')],
  ])('may compress with %s', async (encoding, bytes) => {
    await using publisher = await FakePublisher.open();
    publisher.on('/feed', fake.feed(bytes, { 'Content-Encoding': encoding }));
    expect(textOf(await fetchOwn(publisher.url('/feed')))).toBe('packed');
  });

  test('may redirect permanently, which is remembered, or temporarily', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/old', fake.redirect('/newer', 301)).on('/newer', fake.redirect('/newest', 308));
    publisher.on('/newest', fake.redirect('/today', 302)).on('/today', fake.feed('here'));
    const fetched = await fetchOwn(publisher.url('/old'));
    expect(fetched).toMatchObject({ kind: 'feed', url: publisher.url('/today'), movedTo: publisher.url('/newest') });
    publisher.on('/now', fake.redirect('/newer', 307));
    expect(await fetchOwn(publisher.url('/now'))).toMatchObject({ kind: 'feed', movedTo: null });
  });
});

describe('a bad publisher is rejected with a named failure', () => {
  test.each<[string, fake.PublisherBehaviour, string]>([
    ['sends nothing', fake.silent, 'timeout: no response within 300 ms'],
    ['sends its headers slowly', fake.drip(20, 'HTTP/1.1 200 OK\r\nX-Slow: '), 'timeout: no response within 300 ms'],
    ['sends its body slowly', fake.drip(20), 'timeout: not complete within 600 ms'],
    ['sends an endless body', fake.endless(), 'too_large: more than 5242880 bytes'],
    ['sends endless headers', fake.endless('HTTP/1.1 200 OK\r\nX-Endless: '), 'unreachable: ResponseHeadersTooLarge'],
    ['declares 6 MB', fake.answer(200, { 'Content-Length': 6e6 }, ''), 'too_large: more than 5242880 bytes'],
    ['sends a decompression bomb', fake.bomb(200), 'too_large: more than 5242880 bytes'],
    ['truncates its gzip', fake.truncatedGzip, 'bad_encoding: gzip cannot be decompressed: unexpected end of file'],
    [
      'declares gzip and sends text',
      fake.feed('<rss/>', { 'Content-Encoding': 'gzip' }),
      'bad_encoding: gzip cannot be',
    ],
    [
      'compresses twice',
      fake.feed('x', { 'Content-Encoding': 'gzip, gzip' }),
      'bad_encoding: unknown Content-Encoding gzip, gzip',
    ],
    [
      'compresses with zstd',
      fake.feed('x', { 'Content-Encoding': 'zstd' }),
      'bad_encoding: unknown Content-Encoding zstd',
    ],
    ['sends less than declared', fake.shortBody, 'unreachable: ECONNRESET'],
    ['resets the connection', fake.reset, 'unreachable: ECONNRESET'],
    ['resets the connection in the body', fake.resetMidway, 'unreachable: ECONNRESET'],
    ['does not speak HTTP', (socket) => socket.end('220 smtp ready\r\n\r\n'), 'unreachable: '],
    ['redirects in a loop', fake.redirect('/feed'), 'too_many_redirects: more than 5 redirects'],
    ['redirects without a location', fake.answer(302, {}), 'bad_redirect: a redirect without a valid location'],
    ['redirects to a file', fake.redirect('file:///etc/passwd'), 'bad_redirect: a redirect to file:'],
    [
      'redirects to cloud metadata',
      fake.redirect('http://169.254.169.254/latest'),
      'private_address: 169.254.169.254 is a',
    ],
    [
      'redirects to a private network',
      fake.redirect('http://10.0.0.1/'),
      'private_address: 10.0.0.1 is a private address',
    ],
    ['redirects to another port', fake.redirect('http://127.0.0.1:1/'), 'private_address: 127.0.0.1 is a private'],
    [
      'redirects to a disguised address',
      fake.redirect('http://0x7f.1:1/'),
      'private_address: 127.0.0.1 is a private address',
    ],
    ['redirects by IPv6', fake.redirect('http://[::ffff:7f00:1]/'), 'private_address: ::ffff:7f00:1 is a private'],
    [
      'redirects with a password',
      fake.redirect('http://a:b@example.com/'),
      'bad_redirect: a redirect with credentials',
    ],
    ['sends 304 without a condition', fake.status(304), 'bad_status: status 304'],
    ['returns 404', fake.status(404), 'bad_status: status 404'],
    ['returns 204', fake.status(204), 'bad_status: status 204'],
    ['returns 500', fake.status(500), 'bad_status: status 500'],
  ])('that %s', async (_, behaviour, expected) => {
    await using publisher = await FakePublisher.open();
    publisher.on('/feed', behaviour);
    const limits = expected.includes('300 ms')
      ? NO_RESPONSE
      : expected.includes('600 ms')
        ? NOT_COMPLETE
        : FETCH_LIMITS;
    expect(failure(await fetchOwn(publisher.url('/feed'), { limits }))).toStartWith(expected);
    expect(publisher.requests.length).toBeLessThanOrEqual(6);
    // The connection is closed too.
    for (let wait = 0; publisher.connections > 0 && wait < 6_000; wait++) await Bun.sleep(10);
    expect(publisher.connections).toBe(0);
  });

  test('Retry-After is read as seconds or as a date', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/feed', fake.status(429, { 'Retry-After': 120 }));
    expect(await fetchOwn(publisher.url('/feed'))).toMatchObject({ name: 'bad_status', retryAfterMs: 120_000 });
    publisher.on('/feed', fake.status(503, { 'Retry-After': new Date(Date.now() + HOUR_MS).toUTCString() }));
    const fetched = await fetchOwn(publisher.url('/feed'));
    if (fetched.kind !== 'failed') throw new Error('no failure');
    expect(fetched.retryAfterMs).toBeWithin(HOUR_MS - MINUTE_MS, HOUR_MS + 1);
  });

  test('410 Gone is reported as gone', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/feed', fake.status(410));
    expect(await fetchOwn(publisher.url('/feed'))).toEqual({ kind: 'gone' });
  });

  test('an abort ends the request immediately', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/feed', fake.silent);
    const stopping = new AbortController();
    const fetching = fetchOwn(publisher.url('/feed'), { signal: stopping.signal });
    await Bun.sleep(50);
    stopping.abort();
    expect(failure(await fetching)).toBe('stopped: stopped');
  });
});

describe('private addresses', () => {
  const resolve = async (): Promise<string[]> => ['127.0.0.1'];

  test('are rejected by number and by name, unless the operator named that host', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/feed', fake.feed('inside'));
    const own = publisher.url('/feed', 'feeds.example');
    const at = (url: string, ownHost: string | null): Promise<FetchResult> => fetchDocument({ url, ownHost, resolve });
    expect(failure(await at(publisher.url('/feed'), null))).toBe('private_address: 127.0.0.1 is a private address');
    expect(failure(await at(own, null))).toBe(
      'private_address: feeds.example resolves to 127.0.0.1, a private address',
    );
    expect(failure(await at(own, 'feeds.example'))).toContain('private_address');
    expect(failure(await at(own, `other.example:${publisher.port}`))).toContain('private_address');
    expect(publisher.requests).toHaveLength(0);
    expect(textOf(await at(own, `feeds.example:${publisher.port}`))).toBe('inside');
  });

  test('a host with one private address is rejected', async () => {
    const mixed = async (): Promise<string[]> => ['93.184.215.14', '192.168.1.1'];
    const fetched = await fetchDocument({ url: 'http://mixed.example/', resolve: mixed });
    expect(failure(fetched)).toBe('private_address: mixed.example resolves to 192.168.1.1, a private address');
  });

  test('a name is resolved once per request', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/feed', fake.feed('inside'));
    let lookups = 0;
    const counting = async (): Promise<string[]> => {
      lookups++;
      return ['127.0.0.1'];
    };
    const url = publisher.url('/feed', 'feeds.example');
    expect(textOf(await fetchOwn(url, { resolve: counting }))).toBe('inside');
    expect(lookups).toBe(1);
    // The Host header is the name, though the connection went to an address.
    expect(publisher.requests[0]!.headers.host).toBe(`feeds.example:${publisher.port}`);
  });

  test('the next address is tried if one is dead', async () => {
    await using publisher = await FakePublisher.open();
    publisher.on('/feed', fake.feed('inside'));
    const several = async (): Promise<string[]> => ['::1', '127.0.0.9', '127.0.0.1'];
    expect(textOf(await fetchOwn(publisher.url('/feed', 'feeds.example'), { resolve: several }))).toBe('inside');
  });

  test('a name that does not resolve, or not in time, is a failure', async () => {
    const broken = async (): Promise<string[]> => Promise.reject(new Error('getaddrinfo ENOTFOUND'));
    expect(failure(await fetchDocument({ url: 'http://no.example/', resolve: broken }))).toContain('ENOTFOUND');
    expect(failure(await fetchDocument({ url: 'http://no.example/', resolve: async () => [] }))).toContain(
      'no address',
    );
    const stuck = (): Promise<string[]> => new Promise(() => undefined);
    const fetched = await fetchDocument({ url: 'http://slow.example/', resolve: stuck, limits: NO_RESPONSE });
    expect(failure(fetched)).toBe('timeout: no response within 300 ms');
  });
});

describe('through a proxy', () => {
  test('names go to the proxy unresolved; literal private addresses are rejected', async () => {
    await using proxy = await FakePublisher.open();
    const target = 'http://feeds.example/feed';
    proxy.on(target, fake.feed('by proxy')).on('http://127.0.0.1:9/feed', fake.feed('inside'));
    const proxies = { http: proxy.url('/') };
    const resolve = async (): Promise<string[]> => Promise.reject(new Error('nobody resolves here'));
    expect(textOf(await fetchDocument({ url: target, proxies, resolve }))).toBe('by proxy');
    expect(failure(await fetchDocument({ url: 'http://127.0.0.1:9/feed', proxies }))).toContain('private_address');
    expect(failure(await fetchDocument({ url: 'http://localhost/feed', proxies }))).toContain('private_address');
    expect(
      failure(await fetchDocument({ url: target, proxies: { ...proxies, except: 'example' }, resolve })),
    ).toContain('nobody resolves');
    expect(proxy.requests.map(({ path }) => path)).toEqual([target]);
  });
});
