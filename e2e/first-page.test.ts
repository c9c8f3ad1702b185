// The cost of the first page: bytes on the wire from the real service, and the time until prices are live.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const MAX_SCRIPT_BYTES = 180_000;

describeInBrowser('the first page', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ news: 'none', house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'loads at most 180 KB of compressed JavaScript',
    () =>
      browser.visit(service.url, { as: owner }, async (page, { context }) => {
        const scripts = new Map<string, { encoding: string; bytes: number }>();
        const devtools = await context.newCDPSession(page);
        await devtools.send('Network.enable');
        const urls = new Map<string, { url: string; encoding: string }>();
        devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
          const encoding = response.headers['Content-Encoding'] ?? response.headers['content-encoding'] ?? 'none';
          if (type === 'Script') urls.set(requestId, { url: response.url, encoding });
        });
        // Bytes on the wire, including headers.
        devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) => {
          const script = urls.get(requestId);
          if (script) scripts.set(script.url, { encoding: script.encoding, bytes });
        });
        await page.goto('/');
        await page.getByRole('row', { name: /^EURUSD \d/ }).waitFor();
        await page.locator('.chart-legend').first().waitFor();
        // Also what the chart asks for once it is drawn.
        await page.waitForLoadState('networkidle');
        expect(scripts.size).toBeGreaterThan(0);
        const bytes = [...scripts.values()].reduce((sum, script) => sum + script.bytes, 0);
        const sizes = [...scripts].map(
          ([url, script]) => `${url.split('/').at(-1)} ${(script.bytes / 1000).toFixed(1)}`,
        );
        console.log(`JavaScript of the first page: ${(bytes / 1000).toFixed(1)} KB: ${sizes.join(', ')}`);
        for (const { encoding } of scripts.values()) expect(encoding).toBe('br');
        expect(bytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
      }),
    TEST_MS,
  );

  test(
    'loads what writes the snippets only when their section opens',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const scripts: string[] = [];
        page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
        await page.goto('/settings#keys');
        await page.getByRole('heading', { name: 'API keys' }).waitFor();
        const ofSnippets = () => scripts.filter((url) => url.includes('/snippet-'));
        // The four of the first page, the one with the settings, and the relay between tabs.
        expect(scripts.length).toBeLessThanOrEqual(6);
        expect(ofSnippets()).toEqual([]);
        await page.getByRole('link', { name: 'Snippets' }).click();
        await page.getByRole('region', { name: 'Snippet' }).getByText('curl').waitFor();
        expect(ofSnippets()).toHaveLength(1);
        expect(scripts.length).toBeLessThanOrEqual(7);
      }),
    TEST_MS,
  );
});
