// The page of docs/plugs.md: Lightweight Charts on another site, fed by a data link.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Server } from 'bun';
import type { Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { drawnText, recordDrawnText } from './drawn-text.fixture.ts';
import { Service } from './service.fixture.ts';

const GUIDE = readFileSync(new URL('../docs/plugs.md', import.meta.url), 'utf8');
const LIBRARY = '/lightweight-charts.js';
const library = fileURLToPath(import.meta.resolve('lightweight-charts/package.json')).replace(
  'package.json',
  'dist/lightweight-charts.standalone.production.js',
);

/** The page as the guide has it, with the library and the link of this test. */
function pageOf(link: string): string {
  const [, html = ''] = /```html\n(.*?)```/s.exec(GUIDE)!;
  return html.replace(/https:\/\/unpkg\.com\/[^"]+/, LIBRARY).replace('https://YOUR-HOST/link/tw_…', link);
}

/** Evaluates an expression on the variables of the page. */
const evaluated = <T>(page: Page, expression: string): Promise<T> => page.evaluate<T>(expression);

async function until(page: Page, expression: string): Promise<void> {
  await page.waitForFunction(expression, undefined, { timeout: 20_000 });
}

describeInBrowser('a chart on another site', () => {
  const browser = new TestBrowser();
  let service: Service;
  let site: Server<undefined>;
  beforeAll(async () => {
    service = await Service.start({ news: 'none', house: 'none' });
    const owner = await service.owner();
    const { url } = await owner.must<{ url: string }>(
      201,
      owner.post('/api/links', { name: 'chart', path: '/udf', expires_days: 1 }),
    );
    site = Bun.serve({
      port: 0,
      hostname: 'localhost',
      fetch: (request) =>
        new URL(request.url).pathname === LIBRARY
          ? new Response(Bun.file(library))
          : new Response(pageOf(url), { headers: { 'Content-Type': 'text/html' } }),
    });
  }, TEST_MS);
  afterAll(async () => {
    site.stop(true);
    await service.stop();
  });

  test(
    'draws the bars of the feed, and older ones when it is dragged back',
    () =>
      browser.visit(
        site.url.href,
        { expected: [/a request to another host: \S+\/link\//, /favicon/] },
        async (page) => {
          await recordDrawnText(page);
          await page.goto('/');
          await until(page, 'bars.length >= 300 && !loading');
          const newest = await evaluated<{ time: number; close: number }>(page, 'bars.at(-1)');
          expect(Math.abs(newest.time - Date.now() / 1000)).toBeLessThan(600);
          // The axis shows prices around the newest close.
          const texts = (await drawnText(page)).map(({ text }) => Number(text));
          expect(texts.some((price) => Math.abs(price - newest.close) < 0.02)).toBe(true);
          const before = await evaluated<number>(page, 'bars.length');
          const canvas = (await page.locator('#chart canvas').first().boundingBox())!;
          const [x, y] = [canvas.x + canvas.width / 4, canvas.y + canvas.height / 2];
          for (let drag = 0; drag < 12; drag++) {
            await page.mouse.move(x, y);
            await page.mouse.down();
            await page.mouse.move(x + canvas.width / 2, y, { steps: 4 });
            await page.mouse.up();
          }
          await until(page, `bars.length >= ${before + 300} && !loading`);
          const times = await evaluated<number[]>(page, 'bars.map(({ time }) => time)');
          expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
          expect(times.every((time) => time % 300 === 0)).toBe(true);
        },
      ),
    TEST_MS,
  );
});
