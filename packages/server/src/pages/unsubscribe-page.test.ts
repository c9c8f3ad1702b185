import { beforeEach, describe, expect, test } from 'bun:test';
import type { PeerLookup } from '../access/guard.ts';
import { readUnsubscribeToken, unsubscribeToken } from '../delivery/unsubscribe.ts';
import { StoreError } from '../errors/store-error.ts';
import { Api, type ApiOptions } from '../http/api.ts';
import type { RoutedRequest } from '../http/handler.ts';
import { silentLog } from '../ops/log.ts';
import { unsubscribeElsewhere, unsubscribeRoutes } from './unsubscribe-page.ts';

const KEY = new Uint8Array(32).fill(1);
const TOKEN = unsubscribeToken(KEY, 'dst_1');

let unsubscribed: string[];
let failing: Error | null;
const api = new Api({
  guard: { countAddress: () => {} },
  allowOrigin: () => null,
  simulated: true,
  tls: false,
  now: Date.now,
  log: silentLog,
} as unknown as ApiOptions);
const routes = unsubscribeRoutes(
  {
    destinationOf: (token) => readUnsubscribeToken(KEY, token),
    unsubscribe: async (destination) => {
      if (failing) throw failing;
      unsubscribed.push(destination);
    },
  },
  api,
);
beforeEach(() => {
  unsubscribed = [];
  failing = null;
});

async function ask(token: string, init: RequestInit = {}): Promise<Response> {
  const request = new Request(`http://tick.example/unsubscribe/${token}`, init) as RoutedRequest;
  Object.defineProperty(request, 'params', { value: { token } });
  return routes['/unsubscribe/:token']!(request, {} as PeerLookup);
}

describe('the page to unsubscribe', () => {
  test('of a node without the key says that it cannot check the link', async () => {
    const request = new Request(`http://tick.example/unsubscribe/${TOKEN}`) as RoutedRequest;
    Object.defineProperty(request, 'params', { value: { token: TOKEN } });
    const response = await unsubscribeElsewhere(api)['/unsubscribe/:token']!(request, {} as PeerLookup);
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('Try again later')]);
  });

  test('asks first: opening the link changes nothing', async () => {
    const response = await ask(TOKEN);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await response.text()).toContain('<form method="post"><button>Unsubscribe</button></form>');
    await ask(TOKEN, { method: 'HEAD' });
    expect(unsubscribed).toEqual([]);
  });

  test('unsubscribes with its button, or with one click in a mail program, without a cookie', async () => {
    const oneClick = {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    };
    for (const init of [{ method: 'POST' }, oneClick]) {
      const response = await ask(TOKEN, init);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('<h1>Unsubscribed</h1>');
    }
    expect(unsubscribed).toEqual(['dst_1', 'dst_1']);
  });

  test('does nothing for a link that is not valid', async () => {
    for (const method of ['GET', 'POST']) {
      const response = await ask(TOKEN.replace('dst_1', 'dst_2'), { method });
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('This link is not valid');
    }
    expect(unsubscribed).toEqual([]);
  });

  test('reports a store that is down, so that the mail program tries again', async () => {
    failing = new StoreError('locked');
    expect((await ask(TOKEN, { method: 'POST' })).status).toBe(503);
  });

  test('supports no other methods', async () => {
    const response = await ask(TOKEN, { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });
});
