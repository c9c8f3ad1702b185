// Methods other than GET, and calls from browsers of other origins.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  type ActiveSignal,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  Problem,
  REQUEST_EXAMPLES,
} from '@tickwire/contract';
import { AlertUser, crossing } from '../../testing/alert-user.fixture.ts';
import { FAKE_BOT_TOKEN, FakeTelegram } from '../../testing/delivery/fake-telegram.fixture.ts';
import { newsEvent } from '../../testing/news.fixture.ts';
import { withPerpetuals } from '../../testing/perpetual.fixture.ts';
import { atMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { rawExchange } from '../../testing/raw-socket.fixture.ts';
import { newReplay } from '../../testing/replay/new-replay.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let telegram: FakeTelegram;
let open: RunningService;
/** An existing signal, for paths that name one. */
let published: ActiveSignal;
let alert: { readonly id: string };
let replay: { readonly id: string };
let channel: { readonly id: string };
/** The owner of the alert, the replay and the chat channel reads them. */
let reader: string;
let narrowed: RunningService;
beforeAll(async () => {
  telegram = await FakeTelegram.open();
  const bot = { telegram_api_url: telegram.url, telegram_bot_token: FAKE_BOT_TOKEN };
  [open, narrowed] = await Promise.all([
    startService({ sim_rate: '500', public_records: 'on', ...bot, ...withPerpetuals() }),
    startService({ sim_rate: '500', cors_origins: 'https://desk.example,https://lab.example:8443' }),
  ]);
  const publisher = await TestPublisher.of(open);
  published = await publisher.published(await atMarket(publisher));
  open.app.journal.append([newsEvent('news_4d9s2v7b')]);
  reader = (await open.key('premium', ['read', 'publish', 'alerts', 'admin'])).key;
  const user = new AlertUser(open.url, reader);
  alert = await user.alert({ condition: crossing(99) });
  replay = await newReplay(open.url, reader);
  const headers = { 'X-API-Key': reader };
  const created = await fetch(`${open.url}/api/chat-channels`, {
    method: 'POST',
    headers,
    body: '{"platform":"telegram"}',
  });
  channel = (await created.json()) as { id: string };
});
afterAll(async () => {
  await Promise.all([open.stop(), narrowed.stop()]);
  await telegram[Symbol.asyncDispose]();
});

const reading = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => {
  const { method, auth, lineResponse, eventStream }: Endpoint = ENDPOINTS[name];
  // evidence.test.ts and event-streams.test.ts have the tests of streamed responses.
  return method === 'GET' && auth !== 'session' && !lineResponse && !eventStream;
});
const PATHS = [...reading.map((name) => REQUEST_EXAMPLES[name]), '/openapi.json', '/asyncapi.json', '/docs', '/'];
/** The methods that a path supports: `/api/signals` also accepts POST, an alert PATCH and DELETE. */
function methodsOf(path: string): string {
  const [name] = reading.filter((each) => REQUEST_EXAMPLES[each] === path);
  const others = Object.values(ENDPOINTS).filter(
    (each) => name !== undefined && each.method !== 'GET' && each.path === ENDPOINTS[name].path,
  );
  return ['GET, HEAD', ...others.map(({ method }) => method), 'OPTIONS'].join(', ');
}
/** Its examples name things that exist only by another id. */
const real = (path: string): string =>
  path
    .replace(/sig_\w+/, published.id)
    .replace(/alr_\w+/, alert.id)
    .replace(/rpl_\w+/, replay.id)
    .replace(/chn_\w+/, channel.id)
    .replace('goldsmith', encodeURIComponent(published.user));

describe('methods', () => {
  test.each(PATHS)('HEAD %s has the headers of GET and no body', async (path) => {
    // Another key for every other path: all of them together exceed the allowance of one.
    const key = /alr_|rpl_|chn_/.test(path)
      ? reader
      : (await open.key('premium', ['read', 'publish', 'alerts', 'admin'])).key;
    const raw = await rawExchange(
      open.url,
      `HEAD ${real(path)} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`,
    );
    const got = await fetch(open.url + real(path), { headers: { 'X-API-Key': key } });
    expect(raw).toStartWith('HTTP/1.1 200');
    expect(raw).toEndWith('\r\n\r\n');
    expect(/content-type: ([^\r]+)/i.exec(raw)?.[1]).toBe(got.headers.get('content-type')!);
    expect(Number(/content-length: (\d+)/i.exec(raw)?.[1])).toBeGreaterThan(0);
  });

  test.each(PATHS)('OPTIONS %s lists the supported methods and needs no key', async (path) => {
    const response = await fetch(open.url + path, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([204, methodsOf(path), '']);
  });

  test.each(PATHS)('another method on %s gets a 405 that lists the supported ones', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      if (methodsOf(path).includes(method)) continue;
      const response = await fetch(open.url + path, { method, body: '{"a":1}' });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, methodsOf(path)]);
      expect(Problem.parse(await response.json()).code).toBe('method_not_allowed');
    }
  });

  test('a request with an unsupported method is not counted', async () => {
    const { key } = await open.key('free');
    await fetch(`${open.url}/api/symbols`, { method: 'POST', headers: { 'X-API-Key': key } });
    await fetch(`${open.url}/api/symbols`, { method: 'OPTIONS', headers: { 'X-API-Key': key } });
    const { headers } = await fetch(`${open.url}/api/symbols`, { headers: { 'X-API-Key': key } });
    expect(headers.get('x-ratelimit-remaining')).toBe('59');
  });
});

const preflight = ({ url }: RunningService, origin: string): Promise<Response> =>
  fetch(url + ENDPOINTS.symbols.path, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' },
  });

describe('browsers of other origins', () => {
  test('any origin may use a key, but none may send credentials', async () => {
    const { key } = await open.key();
    const { status, headers } = await preflight(open, 'https://anywhere.example');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-headers')).toContain('X-API-Key');
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PATCH, DELETE, OPTIONS');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    const response = await fetch(`${open.url}/api/symbols`, {
      headers: { Origin: 'https://anywhere.example', 'X-API-Key': key },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    for (const name of ['RateLimit', 'Retry-After', 'X-Request-Id', 'X-RateLimit-Remaining'])
      expect(response.headers.get('access-control-expose-headers')?.split(', ')).toContain(name);
  });

  test('errors are readable across origins, too', async () => {
    for (const path of ['/api/symbols', '/none-such', '/ws/market']) {
      const { headers } = await fetch(open.url + path, { headers: { Origin: 'null' } });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, '*']);
    }
  });

  test('a configured list allows its origins only', async () => {
    for (const origin of ['https://desk.example', 'https://lab.example:8443']) {
      const { headers } = await preflight(narrowed, origin);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('vary')).toBe('Origin');
    }
    for (const origin of [
      'https://anywhere.example',
      'http://desk.example',
      'https://lab.example',
      'https://desk.example.evil.example',
      'null',
    ]) {
      const { headers } = await preflight(narrowed, origin);
      expect([origin, headers.get('access-control-allow-origin')]).toEqual([origin, null]);
      expect(headers.get('vary')).toBe('Origin');
    }
  });

  test('a request without Origin gets no CORS headers', async () => {
    const { headers } = await fetch(`${open.url}/healthz`);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});
