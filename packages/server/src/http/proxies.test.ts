// Which address failed attempts count for: the peer, or the client that a trusted proxy reports.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';

let direct: RunningService;
let proxied: RunningService;
beforeAll(async () => {
  const settings = { feeds: 'push', failed_keys_per_minute: '3' };
  [direct, proxied] = await Promise.all([
    startService(settings),
    startService({ ...settings, trusted_proxies: '127.0.0.1' }),
  ]);
});
afterAll(async () => {
  await Promise.all([direct.stop(), proxied.stop()]);
});

const fail = async ({ url }: RunningService, forwardedFor: string): Promise<number> =>
  (await fetch(`${url}/api/session`, { headers: { 'X-API-Key': 'tw_bad', 'X-Forwarded-For': forwardedFor } })).status;

describe('X-Forwarded-For', () => {
  test('of a trusted proxy identifies the client', async () => {
    for (let count = 0; count < 3; count++) expect(await fail(proxied, '203.0.113.1')).toBe(401);
    expect(await fail(proxied, '203.0.113.1')).toBe(429);
    expect(await fail(proxied, '203.0.113.2')).toBe(401);
    // Values that the client wrote itself before the proxy's value are ignored.
    expect(await fail(proxied, '198.51.100.7, 203.0.113.1')).toBe(429);
  });

  test('identifies IPv6 clients by their network', async () => {
    for (let host = 1; host <= 3; host++) expect(await fail(proxied, `2001:db8:1:2::${host}`)).toBe(401);
    expect(await fail(proxied, '2001:db8:1:2:ffff::9')).toBe(429);
    expect(await fail(proxied, '2001:db8:1:3::1')).toBe(401);
  });

  test('of an untrusted peer is ignored', async () => {
    for (let count = 0; count < 3; count++) expect(await fail(direct, `203.0.113.${count}`)).toBe(401);
    expect(await fail(direct, '203.0.113.99')).toBe(429);
    const { key } = await direct.key();
    expect((await fetch(`${direct.url}/api/session`, { headers: { 'X-API-Key': key } })).status).toBe(200);
  });

  test('failures over REST and WebSocket count together', async () => {
    const bad = async (): Promise<unknown> => {
      const stream = await StreamClient.open(`${proxied.wsUrl}/ws/market`);
      const { code } = await stream.ask({ action: 'ping', api_key: 'tw_bad' });
      await stream.closed;
      return code;
    };
    expect([await bad(), await bad()]).toEqual(['invalid_key', 'invalid_key']);
    // The peer is the proxy: without the header it counts as the client.
    const response = await fetch(`${proxied.url}/api/session`, { headers: { 'X-API-Key': 'tw_bad' } });
    expect(response.status).toBe(401);
    expect(await bad()).toBe('too_many_failures');
  });
});
