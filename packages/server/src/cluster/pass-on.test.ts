import { afterEach, describe, expect, test } from 'bun:test';
import type { Server } from 'bun';
import { type Caller, newMeter } from '../access/caller.ts';
import type { Answer } from '../http/answer-table.ts';
import { ApiError } from '../http/api-error.ts';
import type { FloorEndpoint } from '../http/floor-answers.ts';
import { PassOn } from './pass-on.ts';

const caller = {
  keyId: 'k1',
  account: { holder: { publicId: 'pub_1' } },
  scopes: new Set(['publish']),
  meter: newMeter(),
} as unknown as Caller;

const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  Response.json({ code, detail: `because of ${code}` }, { status, headers });

interface Asked {
  readonly url: string;
  readonly headers: Headers;
}

/** A request is gone once it is answered. */
const seen = ({ url, headers }: Request): Asked => ({ url, headers: new Headers(headers) });

describe('what a gateway passes on', () => {
  const servers: Server<undefined>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.stop(true);
  });
  /** An ingest that answers so, and what it was asked. */
  function ingest(answer: (request: Request, count: number) => Response | Promise<Response>) {
    const asked: Asked[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => answer(request, asked.push(seen(request))),
    });
    servers.push(server);
    return { asked, address: `http://gateway:s3cret@127.0.0.1:${server.port}` };
  }
  const ask = (passOn: PassOn, name: FloorEndpoint, path: string, init: RequestInit = {}): Promise<string> => {
    const call = {
      request: new Request(`http://front${path}`, init),
      params: {},
      caller,
    } as unknown as Parameters<Answer>[0];
    return Promise.resolve(passOn.answers[name](call) as Promise<string>);
  };
  const publish = (passOn: PassOn): Promise<string> =>
    ask(passOn, 'publishSignal', '/api/signals', { method: 'POST', body: '{"symbol":"EURUSD"}' });
  const refusal = async (work: Promise<string>): Promise<ApiError> => {
    const error = await work.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    return error;
  };

  test('comes with the caller, and with the secret that the ingest gave out, never with the key', async () => {
    const { asked, address } = ingest(() => Response.json({ id: 'sig_1' }));
    expect(await publish(new PassOn({ active: () => address }))).toBe('{"id":"sig_1"}');
    const { headers, url } = asked[0]!;
    expect(headers.get('authorization')).toBe('Bearer s3cret');
    expect(JSON.parse(headers.get('x-tickwire-caller')!)).toEqual({ key: 'k1', account: 'pub_1', scopes: ['publish'] });
    expect(url).not.toContain('s3cret');
  });

  test('is made once, though it is asked again with no answer to the first', async () => {
    const { asked, address } = ingest((_, count) => {
      if (count > 1) return Response.json({ id: 'sig_1' });
      servers[0]!.stop(true);
      return new Promise(() => {});
    });
    const { port } = new URL(address);
    const passOn = new PassOn({ active: () => address });
    const answer = publish(passOn);
    while (asked.length === 0) await Bun.sleep(5);
    // The same place answers again a moment later.
    servers.push(
      Bun.serve({
        port: Number(port),
        hostname: '127.0.0.1',
        fetch(request) {
          asked.push(seen(request));
          return Response.json({ id: 'sig_1' });
        },
      }),
    );
    expect(await answer).toBe('{"id":"sig_1"}');
    const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toBeTruthy();
    expect(new Set(keys).size).toBe(1);
    expect(passOn.repeated).toBeGreaterThan(0);
  });

  test('does not wait for an ingest that stands still once another is active', async () => {
    const standing = ingest(() => new Promise(() => {}));
    const other = ingest(() => Response.json({ id: 'sig_2' }));
    let active = standing.address;
    const answer = publish(new PassOn({ active: () => active }));
    while (standing.asked.length === 0) await Bun.sleep(5);
    active = other.address;
    expect(await answer).toBe('{"id":"sig_2"}');
    expect(other.asked[0]!.headers.get('idempotency-key')).toBe(standing.asked[0]!.headers.get('idempotency-key'));
  });

  test('an alert of TradingView, which has no key, is not asked twice once it may have arrived', async () => {
    const { asked, address } = ingest(() => {
      setTimeout(() => servers[0]!.stop(true), 10);
      return new Promise(() => {});
    });
    const passOn = new PassOn({ active: () => address });
    const { code } = await refusal(
      ask(passOn, 'tradingViewHook', '/hooks/tradingview/secret', { method: 'POST', body: '{}' }),
    );
    expect(code).toBe('no_active_ingest');
    expect(asked).toHaveLength(1);
    expect(asked[0]!.url).not.toContain('secret');
  });

  test('a refusal is told as the ingest told it', async () => {
    const { asked, address } = ingest(() => problem(422, 'level_reached'));
    const { code, message } = await refusal(publish(new PassOn({ active: () => address })));
    expect([code, message]).toEqual(['level_reached', 'because of level_reached']);
    expect(asked).toHaveLength(1);
  });

  test('while an ingest goes it is asked for again, and with none at all it is a 503 that says when to come back', async () => {
    const going = ingest((_, count) => (count < 3 ? problem(503, 'shutting_down') : Response.json({ id: 'sig_3' })));
    expect(await publish(new PassOn({ active: () => going.address }))).toBe('{"id":"sig_3"}');
    const none = await refusal(publish(new PassOn({ active: () => null, patienceMs: 150 })));
    expect([none.code, none.options.headers?.['Retry-After']]).toEqual(['no_active_ingest', '5']);
  });
});
