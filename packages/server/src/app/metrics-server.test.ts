import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { type Port, Ports } from '../http/ports.ts';
import { silentLog } from '../ops/log.ts';
import { serveMetrics } from './metrics-server.ts';

const TOKEN = 'a-token-of-some-length';
const ports = new Ports(silentLog);
let server: Port | null = null;
afterEach(() => server?.stop());
afterAll(() => ports.stop());

function serve(settings: { metrics_token?: string; metrics_hosts?: string[] }): string {
  const config = { metrics_port: 0, host: '127.0.0.1', metrics_token: null, metrics_hosts: null, ...settings };
  server = serveMetrics(config, ports, () => 'up 1\n', silentLog);
  return server!.url.origin;
}
const get = (url: string, headers: Record<string, string> = {}, path = '/metrics') => fetch(url + path, { headers });

describe('the metrics port', () => {
  test('serves metrics to everyone by default', async () => {
    const response = await get(serve({}));
    expect([response.status, await response.text()]).toEqual([200, 'up 1\n']);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await get(server!.url.origin, {}, '/other')).status).toBe(404);
  });

  test('requires the bearer token if one is set', async () => {
    const url = serve({ metrics_token: TOKEN });
    for (const Authorization of ['', 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]) {
      const response = await get(url, { Authorization });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await response.text()).not.toContain('up');
    }
    expect((await get(url, { Authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  });

  test('accepts only the configured host names if there are any', async () => {
    const url = serve({ metrics_hosts: ['metrics.internal', '::1'] });
    for (const [host, status] of [
      ['metrics.internal', 200],
      ['METRICS.internal:9464', 200],
      ['[::1]:9464', 200],
      ['attacker.example', 421],
      ['metrics.internal.attacker.example', 421],
      ['127.0.0.1:9464', 421],
    ] as const)
      expect([host, (await get(url, { Host: host })).status]).toEqual([host, status]);
  });
});
