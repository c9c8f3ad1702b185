// The page of docs/start/browser.md: a chart and a bot on another site, with a key.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Server } from 'bun';
import type { Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { Service } from './service.fixture.ts';

const GUIDE = readFileSync(new URL('../docs/start/browser.md', import.meta.url), 'utf8');
const WAIT_MS = 60_000;

/** The page as the guide has it, with the address of this test's service. */
function pageOf(service: string): string {
  const [, html = ''] = /```html\n(.*?)```/s.exec(GUIDE)!;
  return html.replace('http://127.0.0.1:8080', service);
}

const log = (page: Page): Promise<string[]> => page.locator('#log li').allTextContents();

describeInBrowser('the browser quickstart', () => {
  const browser = new TestBrowser();
  let service: Service;
  let site: Server<undefined>;
  let key: string;
  const onPage = (script: (page: Page) => Promise<void>): Promise<void> =>
    browser.visit(
      site.url.href,
      { expected: [/a request to another host: /, /favicon/, /401 \(Unauthorized\)/] },
      async (page) => {
        await page.goto('/');
        await script(page);
      },
    );

  beforeAll(async () => {
    service = await Service.start({ sim_rate: '500', house: 'none', news: 'none' });
    const owner = await service.owner();
    await owner.confirm();
    ({ key } = await owner.must<{ key: string }>(
      201,
      owner.post('/api/keys', { name: 'page', scopes: ['read', 'alerts', 'publish'] }),
    ));
    site = Bun.serve({
      port: 0,
      hostname: 'localhost',
      fetch: () => new Response(pageOf(service.url), { headers: { 'Content-Type': 'text/html' } }),
    });
  }, TEST_MS);
  afterAll(async () => {
    site.stop(true);
    await service.stop();
  });

  test(
    'shows history and live prices, publishes by hand, and publishes when its alert fires',
    () =>
      onPage(async (page) => {
        await page.fill('#key', key);
        await page.click('text=Connect');
        await page.locator('#buy:enabled').waitFor({ timeout: WAIT_MS });
        const points = await page.locator('polyline').getAttribute('points');
        expect(points!.split(' ').length).toBe(120);
        const first = await page.textContent('#price');
        expect(first).toMatch(/^EURUSD \d\.\d{5} \/ \d\.\d{5}$/);
        await page.waitForFunction((text) => document.getElementById('price')!.textContent !== text, first, {
          timeout: WAIT_MS,
        });

        await page.click('#sell');
        await page.locator('#log li', { hasText: /^published sig_\w+: sell at / }).waitFor({ timeout: WAIT_MS });

        await page.check('#bot');
        await page.locator('#log li', { hasText: 'crossed' }).first().waitFor({ timeout: WAIT_MS });
        await page.waitForFunction(
          () => document.getElementById('log')!.textContent!.match(/published/g)?.length === 2,
          undefined,
          { timeout: WAIT_MS },
        );
        await page.uncheck('#bot');
        await page.locator('#log li', { hasText: 'stopped watching' }).waitFor({ timeout: WAIT_MS });
        const lines = (await log(page)).reverse();
        expect(lines[1]).toMatch(/^watching \d/);
        const [, move] = /crossed (above|below)/.exec(lines[2]!)!;
        expect(lines[3]).toMatch(move === 'above' ? /: sell at / : /: buy at /);
        expect(lines.filter((line) => line.startsWith('not published'))).toEqual([]);
      }),
    TEST_MS,
  );

  test(
    'says that a wrong key is rejected',
    () =>
      onPage(async (page) => {
        await page.fill('#key', 'tw_wrong');
        await page.click('text=Connect');
        await page.locator('#log li', { hasText: 'invalid_key' }).waitFor({ timeout: WAIT_MS });
        expect(await page.locator('#buy').isDisabled()).toBe(true);
      }),
    TEST_MS,
  );
});
