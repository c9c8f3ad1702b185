// The pages of the terminal over the wire: their paths and their security headers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { TERMINAL_PATHS } from './pages.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
});
afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(service.url + path, { headers });

/** The directives of a content security policy by name. */
function policyOf(response: Response): Map<string, string> {
  const directives = (response.headers.get('content-security-policy') ?? '').split('; ');
  return new Map(directives.map((each) => [each.split(' ')[0] ?? '', each.slice(each.indexOf(' ') + 1)]));
}

async function assets(): Promise<string[]> {
  const html = await (await get('/')).text();
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
}

describe('every page of the terminal', () => {
  test('is served without a key and must be revalidated', async () => {
    for (const path of TERMINAL_PATHS) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-type')).toStartWith('text/html');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toContain('<title>Tickwire</title>');
      const again = await get(path, { 'If-None-Match': response.headers.get('etag') ?? '' });
      expect(again.status).toBe(304);
    }
  });

  test('may load and call only the service itself, and may not be framed', async () => {
    for (const path of TERMINAL_PATHS) {
      const response = await get(path);
      const policy = policyOf(response);
      expect(Object.fromEntries(policy)).toMatchObject({
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': "'self'",
        'connect-src': "'self'",
        'frame-ancestors': "'none'",
        'form-action': "'none'",
        'base-uri': "'none'",
        'require-trusted-types-for': "'script'",
      });
      expect([...policy.values()].join(' ')).not.toMatch(/unsafe|https?:|\*/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      // The setup link contains a token.
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('is the target of the setup link and of invitations', async () => {
    const { pathname, search } = new URL(service.app.setupUrl!);
    expect(TERMINAL_PATHS).toContain(pathname as '/setup');
    expect((await get(pathname + search)).status).toBe(200);
    expect((await get('/join?token=x')).status).toBe(200);
  });

  test('is not served at unknown paths', async () => {
    for (const path of ['/setup/', '/settings/keys', '/signin']) expect((await get(path)).status).toBe(404);
  });
});

test('scripts and style have names with a content hash, and are cached for a year', async () => {
  const paths = await assets();
  // The second script is preloaded, because the first one imports it.
  expect(paths.map((path) => path.replace(/.*\./, '')).sort()).toEqual(['css', 'js', 'js']);
  for (const path of paths) {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('a script that the terminal loads later is served like the first one', async () => {
  const script = (await assets()).find((path) => path.endsWith('.js')) ?? '';
  const imported = [...(await (await get(script)).text()).matchAll(/\bimport\("([^"]+)"\)/g)].map(([, path]) => path!);
  expect(imported.length).toBeGreaterThan(0);
  for (const path of imported) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-type')).toStartWith('text/javascript');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
});

describe('the terminal can be installed:', () => {
  test('the page links the manifest, and its policy allows it', async () => {
    const response = await get('/');
    expect(await response.text()).toContain('<link rel="manifest" href="/manifest.webmanifest">');
    expect(policyOf(response).get('manifest-src')).toBe("'self'");
  });

  test('the manifest has a start URL, and every icon exists in the stated size', async () => {
    const response = await get('/manifest.webmanifest');
    expect(response.headers.get('content-type')).toBe('application/manifest+json');
    const manifest = (await response.json()) as {
      start_url: string;
      display: string;
      icons: { src: string; type: string; sizes: string; purpose: string }[];
    };
    expect([manifest.start_url, manifest.display]).toEqual(['/', 'standalone']);
    const purposes = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`);
    expect(purposes).toEqual(expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']));
    for (const { src, type, sizes } of manifest.icons) {
      const icon = await get(src);
      expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, type]);
      const bytes = new DataView(await icon.arrayBuffer());
      // Width and height are at bytes 16 and 20 of a PNG.
      if (type === 'image/png') expect(`${bytes.getUint32(16)}x${bytes.getUint32(20)}`).toBe(sizes);
    }
  });
});
