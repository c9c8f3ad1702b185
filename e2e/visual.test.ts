// The main pages look as stored in e2e/pictures, except for what changes with time: figures, times and charts are left out.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { DESKTOP, describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PushedPrices, rowOf } from './market.fixture.ts';
import { overlapsOf } from './overlap.fixture.ts';
import { type Person, Service } from './service.fixture.ts';
import { compareWithPicture, differenceOf } from './visual.fixture.ts';

const PAGES: readonly (readonly [name: string, path: string, ready: (page: Page) => Promise<unknown>])[] = [
  [
    'markets',
    '/markets/EURUSD/5m',
    async (page) => {
      await rowOf(page, 'EURUSD').filter({ hasText: '1.1000' }).waitFor();
      // The drawing tools, which a phone does not show, come with the first bars.
      await page.locator('.draw-rail [data-tool="measure"]').waitFor({ state: 'attached' });
    },
  ],
  ['signals', '/signals', (page) => page.getByRole('heading', { name: 'Signals' }).first().waitFor()],
  ['publish', '/signals/new', (page) => page.getByText('1.1000 / 1.1001').waitFor()],
  ['publishers', '/publishers', (page) => page.getByRole('heading', { name: 'Publishers' }).first().waitFor()],
  ['news', '/news', (page) => page.getByRole('heading', { name: 'News' }).first().waitFor()],
  ['alerts', '/alerts', (page) => page.getByRole('heading', { name: 'Alerts' }).first().waitFor()],
  ['alerts-new', '/alerts/new?symbol=EURUSD&level=1.2', (page) => page.getByLabel('Note').waitFor()],
  ['settings', '/settings#keys', (page) => page.getByRole('heading', { name: /keys/i }).first().waitFor()],
  [
    'display',
    '/settings#display',
    (page) =>
      page
        .getByRole('heading', { name: /display/i })
        .first()
        .waitFor(),
  ],
];

/** Leaves out what is never the same twice. Names of the month and figures have many lengths, so they leave no gap of their own. */
async function withoutFigures(page: Page): Promise<void> {
  while (
    (await page
      .getByText(/Loading…|Waiting for trades/)
      .filter({ visible: true })
      .count()) > 0
  )
    await Bun.sleep(20);
  await page.evaluate(() => {
    const hidden = 'canvas, time, td code, .age, .head-facts, .prices dd, .status, .chart-legend, [role="gridcell"]';
    for (const each of document.querySelectorAll<HTMLElement>(hidden)) each.style.visibility = 'hidden';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (/\d/.test(node.textContent!)) node.textContent = node.textContent!.replaceAll(/\d/g, '0');
    (document.activeElement as HTMLElement | null)?.blur();
  });
}

describeInBrowser('pages look as stored', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ feeds: 'push', news: 'none', house: 'none', calendar: 'none' });
    owner = await service.owner();
    const prices = await PushedPrices.by(owner, service.url);
    await prices.quote('EURUSD', 1.1, 1.1001);
    await prices.quote('BTCUSD', 111_000, 111_010);
  }, TEST_MS);
  afterAll(() => service.stop());

  for (const [size, viewport, colorScheme] of [
    ['desktop', DESKTOP, 'dark'],
    ['phone', PHONE, 'light'],
  ] as const)
    test(
      `on a ${size}, ${colorScheme}`,
      () =>
        browser.visit(
          service.url,
          { as: owner, viewport, colorScheme, reducedMotion: 'reduce', timezoneId: 'UTC' },
          async (page) => {
            const blank = await page.context().newPage();
            const faults: (readonly string[])[] = [];
            for (const [name, path, ready] of PAGES) {
              await page.goto(path);
              await ready(page);
              await withoutFigures(page);
              const found = await compareWithPicture(page, blank, `${name}-${size}`);
              if (found.length > 0) faults.push([name, ...found]);
            }
            expect(faults).toEqual([]);
          },
        ),
      TEST_MS,
    );

  test(
    'the comparison sees text over text and a control that moved, and forgives other edges of letters',
    () =>
      browser.visit(service.url, {}, async (page) => {
        const blank = await page.context().newPage();
        const shot = async (left: number, colour = '#222'): Promise<Buffer> => {
          await page.setContent(
            `<body style="margin:0;font:14px sans-serif;color:${colour}"><p style="margin:8px">Bid and ask of the market</p>` +
              `<p style="position:absolute;margin:0;top:${left === 0 ? 60 : 9}px;left:${left}px">Spread in points</p></body>`,
          );
          return page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 120 } });
        };
        const apart = await shot(0);
        expect(await overlapsOf(page)).toEqual([]);
        expect((await differenceOf(blank, apart, await shot(0, '#303030'))).squares).toEqual([]);
        const over = await shot(30);
        expect(await overlapsOf(page)).toEqual(['"Bid and ask of the market" over "Spread in points"']);
        expect((await differenceOf(blank, apart, over)).squares).not.toEqual([]);
      }),
    TEST_MS,
  );
});
