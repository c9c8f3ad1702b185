// The pages of the terminal over the wire: where they are, and what browsers are told to allow them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type RunningService, startService } from '../testing/service.fixture.ts';
import { TERMINAL_PATHS } from './pages.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
});
afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(service.url + path, { headers });

/** The directives of a content policy by name. */
function policyOf(answer: Response): Map<string, string> {
  const directives = (answer.headers.get('content-security-policy') ?? '').split('; ');
  return new Map(directives.map((each) => [each.split(' ')[0] ?? '', each.slice(each.indexOf(' ') + 1)]));
}

async function assets(): Promise<string[]> {
  const html = await (await get('/')).text();
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
}

describe('every page of the terminal', () => {
  test('is there, without a key, and asks each time whether it is still the same', async () => {
    for (const path of TERMINAL_PATHS) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('content-type')).toStartWith('text/html');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(await answer.text()).toContain('<title>Tickwire</title>');
      const again = await get(path, { 'If-None-Match': answer.headers.get('etag') ?? '' });
      expect(again.status).toBe(304);
    }
  });

  test('may load, call and be framed by nothing but the service itself', async () => {
    for (const path of TERMINAL_PATHS) {
      const answer = await get(path);
      const policy = policyOf(answer);
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
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
      // The link of the first start has a token in it.
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('is what the link of the first start and an invitation lead to', async () => {
    const { pathname, search } = new URL(service.app.setupUrl!);
    expect(TERMINAL_PATHS).toContain(pathname as '/setup');
    expect((await get(pathname + search)).status).toBe(200);
    expect((await get('/join?token=x')).status).toBe(200);
  });

  test('is not where there is none', async () => {
    for (const path of ['/setup/', '/settings/keys', '/signin']) expect((await get(path)).status).toBe(404);
  });
});

test('script and style have names that change with their content, and are kept for a year', async () => {
  const paths = await assets();
  expect(paths.map((path) => path.replace(/.*\./, '')).sort()).toEqual(['css', 'js']);
  for (const path of paths) {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

describe('the terminal can be installed:', () => {
  test('the page names the manifest, and its policy lets a browser read it', async () => {
    const answer = await get('/');
    expect(await answer.text()).toContain('<link rel="manifest" href="/manifest.webmanifest">');
    expect(policyOf(answer).get('manifest-src')).toBe("'self'");
  });

  test('the manifest says where it starts and has every icon it names, of the size it says', async () => {
    const answer = await get('/manifest.webmanifest');
    expect(answer.headers.get('content-type')).toBe('application/manifest+json');
    const manifest = (await answer.json()) as {
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
      // Width and height stand at bytes 16 and 20 of a PNG.
      if (type === 'image/png') expect(`${bytes.getUint32(16)}x${bytes.getUint32(20)}`).toBe(sizes);
    }
  });
});
