// Every page of the guide in a browser: its text is still there after its scripts have run.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildGuide, SITE } from '../packages/guide/src/build.ts';
import { ALL_PAGES } from '../packages/guide/src/contents.ts';
import { describeInBrowser, TestBrowser } from './browser.fixture.ts';
import { Service } from './service.fixture.ts';

/** The site may have to be built first. */
const BUILD_MS = 300_000;

describeInBrowser('the guide', () => {
  const browser = new TestBrowser();
  let service: Service;
  beforeAll(async () => {
    await buildGuide();
    service = await Service.start({ feeds: 'push', news: 'none', house: 'none', calendar: 'none' });
  }, BUILD_MS);
  afterAll(() => service.stop());

  test(
    'shows each page',
    () =>
      browser.visit(service.url, {}, async (page) => {
        const pages = JSON.parse(readFileSync(join(SITE, 'pages.json'), 'utf8')) as { path: string; title: string }[];
        expect(pages.length).toBe(ALL_PAGES.length);
        await page.goto('/guide/');
        // Set when the scripts have taken over the page.
        await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));
        for (const { path, title } of pages.filter((each) => each.path !== 'index')) {
          // As if the link of the page was clicked: loads only its own script.
          await page.evaluate((href) => {
            const link = Object.assign(document.createElement('a'), { href });
            document.body.append(link);
            link.click();
            link.remove();
          }, `/guide/${path}`);
          const heading = page.locator('main h1').filter({ hasText: title.replaceAll('`', '') });
          await heading.waitFor();
          expect((await page.locator('main').innerText()).length, path).toBeGreaterThan(500);
        }
        await page.goto('/guide/signals');
        await page.locator('main').getByText('{{plot_0}} to {{plot_19}}').waitFor();
      }),
    BUILD_MS,
  );
});
