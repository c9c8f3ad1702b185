import { afterEach, describe, expect, test } from 'bun:test';
import type { EndpointName } from '@tickwire/contract';
import type { Server } from 'bun';
import { eventually } from '../../../testing/process.fixture.ts';
import { type Caller, newMeter } from '../../access/caller.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { ApiResponse, EndpointHandler } from '../../http/handler.ts';
import type { BodyStream } from '../../http/streamed-response.ts';
import { createSelfSignedCertificate } from '../../ops/self-signed-certificate.ts';
import type { IngestLink } from './ingest-link.ts';
import { IngestProxy, type IngestProxyOptions } from './ingest-proxy.ts';
import { SignatureVerifier } from './link-signature.ts';

const SECRET = 's3cret';
/** Headers of a sealed day, as the ingest node sends them. */
const SEALED = {
  'Content-Type': 'application/x-ndjson',
  ETag: '"ab-gzip"',
  'Evidence-Source': 'sealed',
  'Evidence-SHA256': 'ab',
};

const caller = {
  keyId: 'k1',
  account: { publicId: 'pub_1' },
  scopes: new Set(['publish']),
  meter: newMeter(),
} as unknown as Caller;

const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ code, detail: `because of ${code}` }, { status, headers });

interface SeenRequest {
  readonly url: string;
  readonly headers: Headers;
}

/** Copies what a request loses once it is answered. */
const seen = ({ url, headers }: Request): SeenRequest => ({ url, headers: new Headers(headers) });

describe('a request forwarded by a gateway', () => {
  const tls = createSelfSignedCertificate('127.0.0.1');
  const servers: Server<undefined>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.stop(true);
  });
  /** An ingest node with this behaviour, and the requests it got. */
  function ingest(response: (request: Request, count: number) => Response | Promise<Response>) {
    const requests: SeenRequest[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls,
      fetch: (request) => response(request, requests.push(seen(request))),
    });
    servers.push(server);
    const link: IngestLink = { url: `https://127.0.0.1:${server.port}`, secret: SECRET, certificate: tls.cert };
    return { requests, link };
  }
  const proxyTo = (active: IngestProxyOptions['active'], changes: Partial<IngestProxyOptions> = {}): IngestProxy =>
    new IngestProxy({ active, now: Date.now, ...changes });
  const ask = (proxy: IngestProxy, name: EndpointName, path: string, init: RequestInit = {}): Promise<string> => {
    const call = {
      request: new Request(`http://front${path}`, init),
      params: {},
      caller,
    } as unknown as Parameters<EndpointHandler>[0];
    return Promise.resolve(proxy.handler(name)(call) as Promise<string>);
  };
  const publish = (proxy: IngestProxy): Promise<unknown> =>
    ask(proxy, 'publishSignal', '/api/signals', { method: 'POST', body: '{"symbol":"EURUSD"}' });
  const refusal = async (work: Promise<unknown>): Promise<ServiceError> => {
    const error = await work.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    return error as ServiceError;
  };

  test('passes the tape of a day on as it arrives, in gzip, and ends the request if nobody reads it', async () => {
    const packed = Bun.gzipSync(new TextEncoder().encode('{"seq":1}\n{"seq":2}\n'));
    let left = 0;
    const { requests, link } = ingest((request) => {
      request.signal.addEventListener('abort', () => left++);
      const isSealed = request.url.includes('2026-03-02');
      const body = new ReadableStream({
        async start(controller) {
          controller.enqueue(packed.subarray(0, 10));
          await Bun.sleep(20);
          if (!isSealed) return;
          controller.enqueue(packed.subarray(10));
          controller.close();
        },
      });
      const headers = { 'Content-Encoding': 'gzip', ...(isSealed ? SEALED : { 'Evidence-Source': 'tape' }) };
      return new Response(body, { headers });
    });
    const proxy = proxyTo(() => link);
    const read = (day: string) =>
      ask(proxy, 'evidence', `/api/evidence/${day}/EURUSD?after=7`) as unknown as Promise<
        ApiResponse & { readonly body: BodyStream }
      >;
    const sealed = await read('2026-03-02');
    expect([sealed.tag, sealed.headers]).toEqual([
      'ab',
      { 'Content-Type': 'application/x-ndjson', 'Evidence-Source': 'sealed', 'Evidence-SHA256': 'ab' },
    ]);
    expect(Buffer.compare(await new Response(sealed.body.open()).bytes(), packed)).toBe(0);
    const { pathname, search } = new URL(requests[0]!.url);
    expect([pathname + search, requests[0]!.headers.get('accept-encoding')]).toEqual([
      '/api/evidence/2026-03-02/EURUSD?after=7',
      'gzip',
    ]);
    const [unread, halfRead] = [await read('2026-03-03'), await read('2026-03-03')];
    expect([unread.tag, unread.headers]).toEqual([undefined, { 'Evidence-Source': 'tape' }]);
    unread.body.discard();
    const reader = halfRead.body.open().getReader();
    await reader.read();
    await reader.cancel();
    await eventually('both requests end', () => left === 2);
  });

  test('carries the caller and a signature, but neither the key nor the secret', async () => {
    const verifier = new SignatureVerifier(SECRET, Date.now);
    let refusal: string | null = 'none came';
    const { requests, link } = ingest(async (request) => {
      refusal = verifier.refusal(request) ?? String(verifier.hasBody(request, await request.bytes()));
      return Response.json({ id: 'sig_1' });
    });
    expect(await publish(proxyTo(() => link))).toEqual({ body: '{"id":"sig_1"}', status: 200 });
    expect(refusal).toBe('true');
    const { headers, url } = requests[0]!;
    expect(JSON.parse(headers.get('x-tickwire-caller')!)).toEqual({ key: 'k1', account: 'pub_1', scopes: ['publish'] });
    expect(headers.get('authorization')).toBeNull();
    expect(url + JSON.stringify([...headers])).not.toContain(SECRET);
  });

  test('is not sent to a server with another certificate', async () => {
    const { requests, link } = ingest(() => Response.json({ id: 'sig_1' }));
    const other = createSelfSignedCertificate('127.0.0.1').cert;
    const { code } = await refusal(publish(proxyTo(() => ({ ...link, certificate: other }), { retryForMs: 150 })));
    expect([code, requests]).toEqual(['no_active_ingest', []]);
  });

  test('is not sent to another server or through a proxy, whatever the environment says', async () => {
    const { requests, link } = ingest(() => Response.json({ id: 'sig_1' }));
    const environment = { NODE_TLS_REJECT_UNAUTHORIZED: '0', HTTPS_PROXY: 'http://127.0.0.1:9' };
    const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, environment);
    try {
      expect(await publish(proxyTo(() => link))).toEqual({ body: '{"id":"sig_1"}', status: 200 });
      const other = createSelfSignedCertificate('127.0.0.1').cert;
      await refusal(publish(proxyTo(() => ({ ...link, certificate: other }), { retryForMs: 150 })));
      expect(requests.length).toBe(1);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  test('is retried with the new secret after the ingest node was restarted', async () => {
    const { link } = ingest(async (request) => {
      const reason = new SignatureVerifier('new', Date.now).refusal(request);
      if (reason === null) return Response.json({ id: 'sig_1' });
      return Response.json({ code: 'link_refused', detail: reason }, { status: 403 });
    });
    const reasons: string[] = [];
    const proxy = proxyTo(() => ({ ...link, secret: reasons.length > 0 ? 'new' : 'old' }), {
      onRefused: (reason) => reasons.push(reason),
    });
    expect(await publish(proxy)).toEqual({ body: '{"id":"sig_1"}', status: 200 });
    expect(reasons).toEqual(['the signature is wrong']);
    const never = proxyTo(() => link, { retryForMs: 150 });
    expect((await refusal(publish(never))).code).toBe('no_active_ingest');
  });

  test('takes effect once, even if it is retried after a missing response', async () => {
    const { requests, link } = ingest((_, count) => {
      if (count > 1) return Response.json({ id: 'sig_1' });
      servers[0]!.stop(true);
      return new Promise(() => {});
    });
    const { port } = new URL(link.url);
    const proxy = proxyTo(() => link);
    const response = publish(proxy);
    while (requests.length === 0) await Bun.sleep(5);
    // The same address responds again a moment later.
    servers.push(
      Bun.serve({
        port: Number(port),
        hostname: '127.0.0.1',
        tls,
        fetch(request) {
          requests.push(seen(request));
          return Response.json({ id: 'sig_1' });
        },
      }),
    );
    expect(await response).toEqual({ body: '{"id":"sig_1"}', status: 200 });
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toBeTruthy();
    expect(new Set(keys).size).toBe(1);
    expect(proxy.retries).toBeGreaterThan(0);
  });

  test('does not wait for a stalled ingest node once another is active', async () => {
    const standing = ingest(() => new Promise(() => {}));
    const other = ingest(() => Response.json({ id: 'sig_2' }));
    let active = standing.link;
    const response = publish(proxyTo(() => active));
    while (standing.requests.length === 0) await Bun.sleep(5);
    active = { ...other.link, secret: 'of the other node' };
    expect(await response).toEqual({ body: '{"id":"sig_2"}', status: 200 });
    expect(other.requests[0]!.headers.get('idempotency-key')).toBe(
      standing.requests[0]!.headers.get('idempotency-key'),
    );
  });

  test('a TradingView alert without an idempotency key is not retried once it may have arrived', async () => {
    const { requests, link } = ingest(() => {
      setTimeout(() => servers[0]!.stop(true), 10);
      return new Promise(() => {});
    });
    const proxy = proxyTo(() => link);
    const { code } = await refusal(
      ask(proxy, 'tradingViewHook', '/hooks/tradingview/secret', { method: 'POST', body: '{}' }),
    );
    expect(code).toBe('no_active_ingest');
    expect(requests).toHaveLength(1);
    expect(requests[0]!.url).not.toContain('secret');
  });

  test('an error of the ingest node is passed to the client unchanged', async () => {
    const { requests, link } = ingest(() => problem(422, 'level_reached'));
    const { code, message } = await refusal(publish(proxyTo(() => link)));
    expect([code, message]).toEqual(['level_reached', 'because of level_reached']);
    expect(requests).toHaveLength(1);
  });

  test('is retried while an ingest node stops, and gets a 503 with Retry-After if there is none', async () => {
    const going = ingest((_, count) => (count < 3 ? problem(503, 'shutting_down') : Response.json({ id: 'sig_3' })));
    expect(await publish(proxyTo(() => going.link))).toEqual({ body: '{"id":"sig_3"}', status: 200 });
    const none = await refusal(publish(proxyTo(() => null, { retryForMs: 150 })));
    expect([none.code, none.options.retryAfterSeconds]).toEqual(['no_active_ingest', 5]);
  });
});
