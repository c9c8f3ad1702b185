// Layouts of the markets page: several charts that share what the user chooses, panels of any width, and named arrangements.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { drawnText, recordDrawnText } from './drawn-text.fixture.ts';
import { forgetDocuments } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const chart = (page: Page, number: number) => page.getByRole('region', { name: `Chart ${number}`, exact: true });
const activate = (page: Page, number: number) =>
  chart(page, number)
    .locator('.chart-surface')
    .click({ position: { x: 200, y: 150 } });
const openMenu = async (page: Page) => {
  const menu = page.getByRole('dialog', { name: 'Layout' });
  if (!(await menu.isVisible())) await page.getByRole('button', { name: 'Layout' }).click();
  await menu.waitFor();
  return menu;
};
const showsBars = (page: Page, number: number, symbol: string, interval: string) =>
  chart(page, number).getByLabel(`${symbol}, ${interval} bars`).waitFor();

describeInBrowser('layouts of the markets page', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ news: 'none', house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());
  beforeEach(() => forgetDocuments(owner));

  test(
    'two charts of one instrument: the watchlist changes both, an interval only the active one',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        const menu = await openMenu(page);
        await menu.getByRole('button', { name: '2', exact: true }).click();
        await page.keyboard.press('Escape');
        await showsBars(page, 1, 'EURUSD', '5m');
        await showsBars(page, 2, 'EURUSD', '5m');
        // The toolbar is that of the active chart.
        expect(await page.locator('.chart-bar').filter({ visible: true }).count()).toBe(1);
        await activate(page, 2);
        await chart(page, 2).getByRole('button', { name: '1h', exact: true }).click();
        await showsBars(page, 2, 'EURUSD', '1h');
        await showsBars(page, 1, 'EURUSD', '5m');
        await page.waitForURL('**/markets/EURUSD/1h');
        await page
          .getByRole('treegrid', { name: 'Instruments' })
          .getByRole('row', { name: /BTCUSD/ })
          .click();
        await showsBars(page, 1, 'BTCUSD', '5m');
        await showsBars(page, 2, 'BTCUSD', '1h');
        // The other chart becomes active: its interval is in the address.
        await activate(page, 1);
        await page.waitForURL('**/markets/BTCUSD/5m');
        await page.reload();
        await showsBars(page, 1, 'BTCUSD', '5m');
        await showsBars(page, 2, 'BTCUSD', '1h');
      }),
    TEST_MS,
  );

  test(
    'charts that do not share the instrument keep theirs, and a linked crosshair is shown in both',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/1h');
        const menu = await openMenu(page);
        await menu.getByRole('button', { name: '2', exact: true }).click();
        await menu.getByRole('button', { name: 'Instrument', exact: true }).click();
        await page.keyboard.press('Escape');
        await showsBars(page, 2, 'EURUSD', '1h');
        await page
          .getByRole('treegrid', { name: 'Instruments' })
          .getByRole('row', { name: /XAUUSD/ })
          .click();
        await showsBars(page, 1, 'XAUUSD', '1h');
        await showsBars(page, 2, 'EURUSD', '1h');
        const time = (number: number) => chart(page, number).locator('.chart-legend-time');
        await time(1).filter({ hasText: /\d/ }).waitFor();
        const newest = await time(2).textContent();
        const surface = await chart(page, 1).locator('.chart-surface').boundingBox();
        await page.mouse.move(surface!.x + surface!.width / 3, surface!.y + surface!.height / 3);
        await time(2).filter({ hasNotText: newest! }).waitFor();
        const pointed = await time(2).textContent();
        expect(pointed).toBe((await time(1).textContent())!);
        await page.mouse.move(5, 5);
        // Not the same text as before: a new bar may have begun.
        await time(2).filter({ hasNotText: pointed! }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'a linked crosshair is not drawn at the edge of a chart that does not show its bar',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await recordDrawnText(page);
        await page.goto('/markets/EURUSD/1h');
        const menu = await openMenu(page);
        await menu.getByRole('button', { name: '2', exact: true }).click();
        await page.keyboard.press('Escape');
        await showsBars(page, 2, 'EURUSD', '1h');
        await activate(page, 2);
        await chart(page, 2).getByRole('button', { name: '15m', exact: true }).click();
        await showsBars(page, 2, 'EURUSD', '15m');
        const time = (number: number) => chart(page, number).locator('.chart-legend-time');
        await time(2).filter({ hasText: /:/ }).waitFor();
        const surface = (await chart(page, 1).locator('.chart-surface').boundingBox())!;
        const { x } = (await chart(page, 2).boundingBox())!;
        // The label of the crosshair at the time axis has the day and the time; those of the axis have one of them.
        const hasLabel = async () =>
          (await drawnText(page)).some(({ text, left }) => left > x && /^\d+ \w+ \d\d:\d\d$/.test(text));
        const pointAt = async (share: number): Promise<void> => {
          const before = (await time(1).textContent())!;
          await page.mouse.move(surface.x + surface.width * share, surface.y + surface.height / 3);
          await time(1).filter({ hasNotText: before }).waitFor();
        };
        // Beside the newest bar, which both charts show.
        await pointAt(0.1);
        await pointAt(0.68);
        while (!(await hasLabel())) await Bun.sleep(20);
        await pointAt(0.1);
        while (await hasLabel()) await Bun.sleep(20);
      }),
    TEST_MS,
  );

  test(
    'ready-made layouts, own ones by name, and panels that are hidden or of another width',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        let menu = await openMenu(page);
        await menu.getByRole('button', { name: /^Swing trader/ }).click();
        for (const [at, interval] of ['1h', '4h', '1d', '15m'].entries())
          await showsBars(page, at + 1, 'EURUSD', interval);
        await page.getByRole('region', { name: 'Order flow' }).waitFor({ state: 'hidden' });
        await menu.getByLabel('Save as').fill('Four of them');
        await menu.getByRole('button', { name: 'Save', exact: true }).click();
        await menu.getByRole('button', { name: 'Four of them', exact: true }).waitFor();
        await menu.getByRole('button', { name: /^One chart/ }).click();
        await page.getByRole('region', { name: 'Chart', exact: true }).waitFor();
        await page.getByRole('region', { name: 'Order flow' }).waitFor();
        await page.reload();
        menu = await openMenu(page);
        await menu.getByRole('button', { name: 'Four of them', exact: true }).click();
        await showsBars(page, 4, 'EURUSD', '15m');
        await menu.getByRole('button', { name: 'Delete the layout Four of them' }).click();
        await menu.getByText('None yet').waitFor();
        await page.keyboard.press('Escape');
        const watchlist = page.getByRole('region', { name: 'Watchlist' });
        const before = (await watchlist.boundingBox())!.width;
        const edge = page.getByRole('separator', { name: 'Width of the watchlist' });
        await edge.focus();
        for (let at = 0; at < 4; at++) await page.keyboard.press('ArrowRight');
        expect((await watchlist.boundingBox())!.width).toBeCloseTo(before + 64, -1);
        const box = (await edge.boundingBox())!;
        await page.mouse.move(box.x + box.width / 2, box.y + 200);
        await page.mouse.down();
        await page.mouse.move(box.x - 95, box.y + 200, { steps: 4 });
        await page.mouse.up();
        expect((await watchlist.boundingBox())!.width).toBeLessThan(before);
      }),
    TEST_MS,
  );

  test(
    'four charts of a laptop have legends of one line, which a button opens',
    () =>
      browser.visit(service.url, { as: owner, viewport: { width: 1280, height: 720 } }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        const menu = await openMenu(page);
        await menu.getByRole('button', { name: /^Swing trader/ }).click();
        await page.keyboard.press('Escape');
        for (const number of [1, 2, 3, 4]) {
          const legend = chart(page, number).locator('.chart-legend');
          const figure = (name: string) => legend.locator(`[data-of="${name}"]`);
          await figure('C').waitFor();
          await figure('change').waitFor();
          await figure('O').waitFor({ state: 'hidden' });
          expect((await legend.boundingBox())!.height).toBeLessThanOrEqual(26);
        }
        // Narrower, the time gives way.
        await page.setViewportSize({ width: 1024, height: 720 });
        for (const number of [1, 2, 3, 4]) {
          const legend = chart(page, number).locator('.chart-legend');
          expect((await legend.boundingBox())!.height).toBeLessThanOrEqual(26);
          const more = (await legend.locator('.chart-legend-rest').boundingBox())!;
          const whole = (await chart(page, number).boundingBox())!;
          expect(more.x + more.width).toBeLessThanOrEqual(whole.x + whole.width);
        }
        await page.setViewportSize({ width: 1280, height: 720 });
        const legend = chart(page, 4).locator('.chart-legend');
        const more = legend.getByRole('button', { name: /^Show \d+ more figures$/ });
        // Figures come and go with the bar under the pointer, so what is compared is counted at once.
        const [hidden, announced] = await legend.evaluate((element) => [
          element.querySelectorAll('.chart-legend-more:not([hidden]), .chart-legend-lines > *').length,
          [...element.querySelectorAll('button')].find((each) => /^\+\d+$/.test(each.textContent))?.textContent,
        ]);
        expect(announced).toBe(`+${hidden}`);
        await more.click();
        for (const name of ['O', 'H', 'L', 'V']) await legend.locator(`[data-of="${name}"]`).waitFor();
        const counts = await legend.evaluate((element) => {
          const figures = [...element.querySelectorAll<HTMLElement>('.chart-legend-more, .chart-legend-lines > *')];
          return [figures.filter((each) => !each.hidden), figures.filter((each) => each.checkVisibility())];
        });
        expect(counts[1]).toHaveLength(counts[0]!.length);
        await legend.getByRole('button', { name: 'Show fewer figures' }).click();
        await legend.locator('[data-of="H"]').waitFor({ state: 'hidden' });
        // The others were not opened with it, and a wide chart has no button.
        await page.setViewportSize({ width: 1920, height: 1080 });
        await legend.locator('[data-of="H"]').waitFor();
        expect(await more.isVisible()).toBe(false);
      }),
    TEST_MS,
  );

  test(
    'a phone shows the active chart alone',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE, hasTouch: true, isMobile: true }, async (page) => {
        const charts = ['5m', '1h'].map((interval) => ({ symbol: 'EURUSD', interval }));
        await page.addInitScript(
          (stored) => localStorage.setItem('tickwire.layout', stored),
          JSON.stringify({ charts }),
        );
        await page.goto('/markets/EURUSD/5m');
        await showsBars(page, 1, 'EURUSD', '5m');
        expect(await page.getByRole('region', { name: /^Chart \d/ }).count()).toBe(1);
        expect(await chart(page, 2).isVisible()).toBe(false);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      }),
    TEST_MS,
  );
});
