// Headers and limits that every response is subject to, whoever asks.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { RawSocket } from '../../testing/raw-socket.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await startService({ feeds: 'push', trusted_proxies: '127.0.0.1', anonymous_requests_per_minute: '12' });
  key = (await service.key('premium')).key;
});
afterAll(() => service.stop());

const from = (address: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(service.url + path, { ...init, headers: { 'X-Forwarded-For': address, ...init.headers } });
let used = 0;
/** Requests without a limit of their own come from a new address each. */
const fresh = (path: string, init: RequestInit = {}): Promise<Response> => from(`198.51.100.${++used}`, path, init);

describe('every response', () => {
  test.each([
    ['an answer', '/api/session', {}],
    ['a tagged answer', '/api/symbols', {}],
    ['a health check', '/healthz', {}],
    ['a page', '/docs', {}],
    ['a document', '/openapi.json', {}],
    ['an error', '/api/market/NOSUCH', {}],
    ['an unknown path', '/none', {}],
    ['a wrong method', '/api/session', { method: 'POST' }],
    ['a preflight', '/api/session', { method: 'OPTIONS', headers: { Origin: 'https://a.example' } }],
    ['a refused upgrade', '/ws/market', {}],
  ])('has X-Content-Type-Options: %s', async (_, path, init: RequestInit) => {
    const response = await fresh(path, { ...init, headers: { 'X-API-Key': key, ...init.headers } });
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.has('strict-transport-security')).toBe(false);
  });
});

describe('requests without a key or session', () => {
  test('count against their address: a WebSocket handshake', async () => {
    const address = `203.0.113.${++used}`;
    const handshake = async (headers: readonly string[]): Promise<string> => {
      const socket = await RawSocket.connect(service.url);
      const lines = [
        'GET /ws/market HTTP/1.1',
        'Host: localhost',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version: 13',
        `X-Forwarded-For: ${address}`,
        ...headers,
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      await socket.until(({ text }) => text.includes('\r\n\r\n'));
      socket.destroy();
      return socket.text.slice(9, 12);
    };
    for (let count = 0; count < 12; count++) expect(await handshake([])).toBe('101');
    expect(await handshake([])).toBe('429');
    expect(await handshake([`X-API-Key: ${key}`])).toBe('101');
  });

  test.each([
    ['a page', '/docs', {}],
    ['a public endpoint', '/api/account/registration', {}],
    ['an endpoint that needs a key', '/api/session', {}],
    ['a session endpoint', '/api/account/sessions', {}],
    ['an unknown path', '/none', {}],
    ['a wrong method', '/api/session', { method: 'POST' }],
    ['a preflight', '/api/session', { method: 'OPTIONS' }],
    ['a handshake without a WebSocket', '/ws/market', {}],
    ['an invalid key', '/api/session', { headers: { 'X-API-Key': 'tw_bad' } }],
  ])('count against their address: %s', async (_, path, init: RequestInit) => {
    const address = `203.0.113.${++used}`;
    const began = Date.now();
    for (let count = 0; count < 12; count++) {
      const response = await from(address, path, init);
      expect(response.status).not.toBe(429);
      await response.arrayBuffer();
    }
    const refused = await from(address, path, init);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(59 - (Date.now() - began) / 1000, 62);
    expect(await refused.json()).toMatchObject({ code: 'too_many_requests' });
    // A key has its own allowance, and other addresses are not affected.
    expect((await from(address, '/api/session', { headers: { 'X-API-Key': key } })).status).toBe(200);
    expect((await fresh('/docs')).status).toBe(200);
  });

  test('a key without the scope counts against the address as well', async () => {
    const { key: publisher } = await service.key('premium', ['publish']);
    const ask = (): Promise<Response> => from('203.0.113.250', '/api/session', { headers: { 'X-API-Key': publisher } });
    for (let count = 0; count < 12; count++) expect((await ask()).status).toBe(403);
    expect((await ask()).status).toBe(429);
  });

  test('health checks count against nothing', async () => {
    for (let count = 0; count < 40; count++)
      for (const path of ['/healthz', '/readyz']) expect((await from('203.0.113.251', path)).status).toBe(200);
    expect((await from('203.0.113.251', '/docs')).status).toBe(200);
  });
});
