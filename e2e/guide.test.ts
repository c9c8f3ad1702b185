// Every page of the guide in a browser: its text is still there after its scripts have run. It is found from the terminal, and has
// its theme.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildGuide, SITE } from '../packages/guide/src/build.ts';
import { ALL_PAGES } from '../packages/guide/src/contents.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

/** The site may have to be built first. */
const BUILD_MS = 900_000;

describeInBrowser('the guide', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    await buildGuide();
    service = await Service.start({ feeds: 'push', news: 'none', house: 'none', calendar: 'none' });
    owner = await service.owner();
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
        await page.goto('/guide/reference/signals');
        await page.locator('main').getByText('{{plot_0}} to {{plot_19}}').waitFor();
      }),
    BUILD_MS,
  );

  test(
    'is found from the terminal, by its link and by the palette',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/settings#keys');
        await page.getByRole('banner').getByRole('link', { name: 'Guide' }).click();
        await page.getByRole('heading', { name: 'Getting started', level: 1 }).waitFor();
        await page.goBack();
        for (const [typed, name, path] of [
          ['rules of signals', 'Signals: rules, log, verification', '/guide/reference/signals'],
          ['pandas', 'pandas', '/guide/recipes/pandas'],
        ] as const) {
          await page.getByRole('heading', { name: 'API keys' }).waitFor();
          await page.keyboard.press('Control+k');
          await page.getByRole('dialog').getByRole('combobox').fill(typed);
          await page.getByRole('option', { name }).first().waitFor();
          await page.keyboard.press('Enter');
          await page.waitForURL(`**${path}`);
          await page.goBack();
        }
        // The help text of a section leads to its heading, in another tab.
        const [guide] = await Promise.all([
          page.context().waitForEvent('page'),
          page.getByRole('main').getByRole('link', { name: 'Guide: Keys and scopes' }).click(),
        ]);
        await guide.waitForURL('**/guide/accounts#keys');
        await guide.getByRole('heading', { name: /^Keys\b/ }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'and the reference have the theme of the terminal, also when it changes',
    () =>
      browser.visit(service.url, { as: owner, colorScheme: 'light' }, async (page, { context }) => {
        const [guide, docs] = [await context.newPage(), await context.newPage()];
        const both = (dark: boolean) =>
          Promise.all(
            [guide, docs].map((each) =>
              each.waitForFunction((wanted) => {
                const [red] = /\d+/.exec(getComputedStyle(document.body).backgroundColor) ?? ['255'];
                return Number(red) < 128 === wanted;
              }, dark),
            ),
          );
        await page.goto('/settings#display');
        await guide.goto('/guide/streaming');
        await docs.goto('/docs');
        await both(false);
        await page.getByRole('radio', { name: 'Dark' }).click();
        await both(true);
        // Kept, and there before the first paint.
        await Promise.all([guide.reload(), docs.reload()]);
        await both(true);
        await guide.getByRole('switch').click();
        await page.waitForFunction(() => document.documentElement.dataset.theme !== 'dark');
        await both(false);
      }),
    TEST_MS,
  );
});
