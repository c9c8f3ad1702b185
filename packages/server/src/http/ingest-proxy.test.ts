import { afterEach, describe, expect, test } from 'bun:test';
import type { Server } from 'bun';
import { type Caller, newMeter } from '../access/caller.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { EndpointHandler } from './handler.ts';
import type { IngestEndpoint } from './ingest-handlers.ts';
import { IngestProxy } from './ingest-proxy.ts';

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
      fetch: (request) => response(request, requests.push(seen(request))),
    });
    servers.push(server);
    return { requests, address: `http://gateway:s3cret@127.0.0.1:${server.port}` };
  }
  const ask = (proxy: IngestProxy, name: IngestEndpoint, path: string, init: RequestInit = {}): Promise<string> => {
    const call = {
      request: new Request(`http://front${path}`, init),
      params: {},
      caller,
    } as unknown as Parameters<EndpointHandler>[0];
    return Promise.resolve(proxy.handlers[name](call) as Promise<string>);
  };
  const publish = (proxy: IngestProxy): Promise<string> =>
    ask(proxy, 'publishSignal', '/api/signals', { method: 'POST', body: '{"symbol":"EURUSD"}' });
  const refusal = async (work: Promise<string>): Promise<ServiceError> => {
    const error = await work.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    return error;
  };

  test('carries the caller and the secret of the ingest node, but never the key', async () => {
    const { requests, address } = ingest(() => Response.json({ id: 'sig_1' }));
    expect(await publish(new IngestProxy({ active: () => address }))).toBe('{"id":"sig_1"}');
    const { headers, url } = requests[0]!;
    expect(headers.get('authorization')).toBe('Bearer s3cret');
    expect(JSON.parse(headers.get('x-tickwire-caller')!)).toEqual({ key: 'k1', account: 'pub_1', scopes: ['publish'] });
    expect(url).not.toContain('s3cret');
  });

  test('takes effect once, even if it is retried after a missing response', async () => {
    const { requests, address } = ingest((_, count) => {
      if (count > 1) return Response.json({ id: 'sig_1' });
      servers[0]!.stop(true);
      return new Promise(() => {});
    });
    const { port } = new URL(address);
    const proxy = new IngestProxy({ active: () => address });
    const response = publish(proxy);
    while (requests.length === 0) await Bun.sleep(5);
    // The same address responds again a moment later.
    servers.push(
      Bun.serve({
        port: Number(port),
        hostname: '127.0.0.1',
        fetch(request) {
          requests.push(seen(request));
          return Response.json({ id: 'sig_1' });
        },
      }),
    );
    expect(await response).toBe('{"id":"sig_1"}');
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toBeTruthy();
    expect(new Set(keys).size).toBe(1);
    expect(proxy.retries).toBeGreaterThan(0);
  });

  test('does not wait for a stalled ingest node once another is active', async () => {
    const standing = ingest(() => new Promise(() => {}));
    const other = ingest(() => Response.json({ id: 'sig_2' }));
    let active = standing.address;
    const response = publish(new IngestProxy({ active: () => active }));
    while (standing.requests.length === 0) await Bun.sleep(5);
    active = other.address;
    expect(await response).toBe('{"id":"sig_2"}');
    expect(other.requests[0]!.headers.get('idempotency-key')).toBe(
      standing.requests[0]!.headers.get('idempotency-key'),
    );
  });

  test('a TradingView alert without an idempotency key is not retried once it may have arrived', async () => {
    const { requests, address } = ingest(() => {
      setTimeout(() => servers[0]!.stop(true), 10);
      return new Promise(() => {});
    });
    const proxy = new IngestProxy({ active: () => address });
    const { code } = await refusal(
      ask(proxy, 'tradingViewHook', '/hooks/tradingview/secret', { method: 'POST', body: '{}' }),
    );
    expect(code).toBe('no_active_ingest');
    expect(requests).toHaveLength(1);
    expect(requests[0]!.url).not.toContain('secret');
  });

  test('an error of the ingest node is passed to the client unchanged', async () => {
    const { requests, address } = ingest(() => problem(422, 'level_reached'));
    const { code, message } = await refusal(publish(new IngestProxy({ active: () => address })));
    expect([code, message]).toEqual(['level_reached', 'because of level_reached']);
    expect(requests).toHaveLength(1);
  });

  test('is retried while an ingest node stops, and gets a 503 with Retry-After if there is none', async () => {
    const going = ingest((_, count) => (count < 3 ? problem(503, 'shutting_down') : Response.json({ id: 'sig_3' })));
    expect(await publish(new IngestProxy({ active: () => going.address }))).toBe('{"id":"sig_3"}');
    const none = await refusal(publish(new IngestProxy({ active: () => null, retryForMs: 150 })));
    expect([none.code, none.options.retryAfterSeconds]).toEqual(['no_active_ingest', 5]);
  });
});
