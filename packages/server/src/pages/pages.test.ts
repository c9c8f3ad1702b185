// The pages of the terminal over the wire: their paths and their security headers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { FONT_PATH } from './page-font.ts';
import { createPages, partOf, TERMINAL_PATHS } from './pages.ts';
import { REFERENCE_PAGES } from './reference/domains.ts';

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
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path ?? '');
}

test('the paths of all pages are known before they are built, and others are not built for', async () => {
  for (const part of ['terminal', 'documents'] as const)
    expect([...(await createPages(part, false)).keys()].filter((path) => partOf(path) !== part)).toEqual([]);
  expect(['/markets/EURUSD/5m', '/docs/nothing'].map(partOf)).toEqual(['terminal', 'documents']);
  const others = ['/etc/passwd', '/api/x', '/robots.txt', '/docsx', '/assets', '/market', '/favicon.ico'];
  expect(others.filter((path) => partOf(path) !== null)).toEqual([]);
});

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

describe('an address that does not exist', () => {
  const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };

  test('shows a browser a page with links that work, without scripts', async () => {
    for (const path of ['/nonsense', '/settings/keys', '/api/nonsense', '/%3Cscript%3E']) {
      const response = await get(path, BROWSER);
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('vary')).toContain('Accept');
      const policy = policyOf(response);
      expect(policy.get('default-src')).toBe("'none'");
      expect([...policy.values()].join(' ')).not.toMatch(/unsafe|https?:|\*/);
      const html = await response.text();
      expect(html).toContain('<h1>Page not found</h1>');
      expect(html).not.toMatch(/<script|style="|onclick/);
      const style = /<style>([\s\S]*)<\/style>/.exec(html)![1]!;
      const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64');
      expect(policy.get('style-src')).toBe(`'sha256-${hash}'`);
      const targets = [...html.matchAll(/href="(\/[^"]*)"/g)].map(([, target]) => target!);
      expect(targets).toEqual(['/', '/docs', '/guide/']);
      const reference = await (await get('/docs')).text();
      // The guide has tests of its own; asking for it would build it.
      for (const target of targets.filter((each) => each !== '/guide/')) {
        const { pathname, hash: id } = new URL(target, service.url);
        expect((await get(pathname)).status).toBe(200);
        if (id !== '') expect(reference).toContain(`id="${id.slice(1)}"`);
      }
    }
  });

  test('answers every other client with a problem', async () => {
    const accepts = [
      '*/*',
      'application/json',
      'application/json, text/html',
      'text/html;q=0.5, */*',
      'text/html;q=0',
      '',
    ];
    for (const Accept of accepts) {
      const response = await get('/nonsense', { Accept });
      expect([Accept, response.status, response.headers.get('content-type')]).toEqual([
        Accept,
        404,
        'application/problem+json',
      ]);
      expect(await response.json()).toMatchObject({ code: 'not_found' });
    }
    const posted = await fetch(`${service.url}/nonsense`, { method: 'POST', headers: BROWSER });
    expect([posted.status, posted.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  test('is none of the addresses of the terminal that name an item', async () => {
    for (const path of ['/markets/EURUSD/5m', '/signals/sig_1', '/publishers/Ada', '/news/n_1', '/alerts/log'])
      expect([path, (await get(path, BROWSER)).status]).toEqual([path, 200]);
  });
});

test('the worker that receives push messages is at the root, and may only call the service', async () => {
  const response = await get('/push-worker.js');
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  // Browsers look for a new version at this address.
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(Object.fromEntries(policyOf(response))).toEqual({ 'default-src': "'none'", 'connect-src': "'self'" });
  const script = await response.text();
  expect(script).toContain('notificationclick');
  expect(script).not.toMatch(/^(?:import|export)\b/m);
  // The page may register this worker and create no other trusted script.
  const page = Object.fromEntries(policyOf(await get('/alerts')));
  expect(page).toMatchObject({ 'worker-src': "'self'", 'trusted-types': 'push-worker' });
});

test('scripts and style have names with a content hash, and are cached for a year', async () => {
  const paths = await assets();
  // Scripts that the first one imports are preloaded.
  expect(new Set(paths.map((path) => path.replace(/.*\./, '')))).toEqual(new Set(['css', 'js']));
  expect(paths.length).toBeGreaterThanOrEqual(3);
  for (const path of paths) {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

describe('the API reference', () => {
  test('is served without a key; its pages run only their own scripts and call only the service', async () => {
    for (const { path } of REFERENCE_PAGES) {
      const response = await get(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
      const html = await response.text();
      const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text!);
      const hash = (text: string): string => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`;
      const policy = policyOf(response);
      expect(Object.fromEntries(policy)).toMatchObject({
        'default-src': "'none'",
        'script-src': scripts.map(hash).join(' '),
        'style-src': hash(/<style>([\s\S]*?)<\/style>/.exec(html)![1]!),
        'connect-src': "'self'",
        'form-action': "'none'",
        'frame-ancestors': "'none'",
        'base-uri': "'none'",
        'require-trusted-types-for': "'script'",
        'trusted-types': "'none'",
      });
      expect([...policy.values()].join(' ')).not.toMatch(/unsafe|https?:|\*/);
      expect(html).not.toMatch(/\son\w+=|style="/);
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('has no other pages', async () => {
    for (const path of ['/docs/', '/docs/nothing', '/docs/market/', '/docs/nothing.md'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});

test('terminal and reference use the font of this service, which is small and cached for a year', async () => {
  for (const path of ['/', '/docs']) {
    const response = await get(path);
    expect(policyOf(response).get('font-src')).toBe("'self'");
    const text = await response.text();
    expect([path, text.includes(FONT_PATH)]).toEqual([path, true]);
  }
  const font = await get(FONT_PATH);
  expect(font.headers.get('content-type')).toBe('font/woff2');
  expect(font.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const bytes = new Uint8Array(await font.arrayBuffer());
  expect(new TextDecoder().decode(bytes.slice(0, 4))).toBe('wOF2');
  expect(bytes.byteLength).toBeLessThanOrEqual(50_000);
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
