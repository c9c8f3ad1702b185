import { expect, test } from 'bun:test';
import { ManualTiming } from '../../testing/manual-timing.ts';
import { TickwireClient } from '../client.ts';
import { Session } from './session.ts';

const ORIGIN = 'https://ticks.example.com';
const response = (...cookies: string[]): Response =>
  new Response(null, { headers: cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]) });
const SIGN_IN = response('__Host-tickwire=abc.def; Path=/; Max-Age=60; HttpOnly; Secure');
const SIGN_OUT = response('__Host-tickwire=; Path=/; Max-Age=0; HttpOnly; Secure');

test('keeps the cookie of a session until the service ends it', () => {
  const credentials = new Session(ORIGIN, undefined, true);
  expect(credentials.headers).toEqual({});
  credentials.keep(SIGN_IN);
  expect(credentials.headers).toEqual({ Cookie: '__Host-tickwire=abc.def', Origin: ORIGIN });
  expect(credentials.handshakeHeaders).toEqual(credentials.headers);
  credentials.keep(response());
  expect(credentials.handshakeHeaders).not.toBeNull();
  credentials.keep(SIGN_OUT);
  expect(credentials.headers).toEqual({});
});

test('a session replaces a key of the environment, but not one that was given', () => {
  const [fromEnvironment, given] = [new Session(ORIGIN, 'tw_key', true), new Session(ORIGIN, 'tw_key', false)];
  for (const each of [fromEnvironment, given]) each.keep(SIGN_IN);
  expect([fromEnvironment.apiKey, fromEnvironment.headers.Cookie]).toEqual([undefined, '__Host-tickwire=abc.def']);
  expect([given.headers, given.handshakeHeaders]).toEqual([{ 'X-API-Key': 'tw_key' }, null]);
});

test('a cookie of a proxy is not kept, and does not replace the key', () => {
  const credentials = new Session(ORIGIN, 'tw_key', true);
  credentials.keep(response('balancer=node-1; Path=/'));
  expect([credentials.headers, credentials.handshakeHeaders]).toEqual([{ 'X-API-Key': 'tw_key' }, null]);
});

test('streams share a connection only if the same session authenticates them', async () => {
  let opened = 0;
  class Silent {
    readonly readyState = 0;
    onopen = null;
    onmessage = null;
    onclose = null;
    onerror = null;
    constructor() {
      opened++;
    }
    send(): void {}
    close(): void {}
  }
  const fetch = async (_: unknown, { body }: RequestInit = {}): Promise<Response> =>
    new Response('{}', { headers: { 'Set-Cookie': `tickwire=${JSON.parse(String(body)).name}; HttpOnly` } });
  const client = new TickwireClient({ url: ORIGIN, fetch, WebSocket: Silent, timing: new ManualTiming() });
  const connections = (symbol: string): number => {
    streams.push(client.live.ticks({ symbols: [symbol] }));
    return opened;
  };
  const streams: { close(): void }[] = [];
  const counts = [connections('EURUSD'), connections('XAUUSD')];
  for (const name of ['Ada', 'Ada', 'Ben']) {
    await client.account.signIn({ name, password: 'a password' });
    counts.push(connections(`BTC${counts.length}`));
  }
  expect(counts).toEqual([1, 1, 2, 2, 3]);
  for (const each of streams) each.close();
});
