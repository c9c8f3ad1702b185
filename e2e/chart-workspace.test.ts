// What makes the chart a workspace: panes as high as the chart, trading sessions, and line styles of drawings.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type DrawnText, drawnText, recordDrawnText } from './drawn-text.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const chartOf = (page: Page): Locator => page.getByRole('region', { name: 'Chart', exact: true });
const buttonOf = (page: Page, name: string): Locator => chartOf(page).getByRole('button', { name, exact: true });
const heightOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())!.height;

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await Bun.sleep(20);
}

describeInBrowser('the chart as a workspace', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ sim_rate: '1', news: 'none', house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'the names of trading sessions are above the attribution of the chart library, also with a pane below the prices',
    async () => {
      // The indicator is kept with the account.
      const guest = await service.guest(owner, 'Gina Guest');
      await browser.visit(service.url, { as: guest, viewport: { width: 1024, height: 600 } }, async (page) => {
        await recordDrawnText(page);
        await page.goto('/markets/EURUSD/15m');
        await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
        const isSession = ({ text }: DrawnText): boolean => /^(?:Asia|London|New York)$/.test(text);
        const attribution = page.getByRole('link', { name: 'Charts by TradingView Lightweight Charts' });
        const isAbove = async (): Promise<boolean> => {
          // Both have some space above and below their letters.
          const top = (await attribution.boundingBox())!.y + 4;
          const names = (await drawnText(page)).filter(isSession);
          return names.length > 0 && names.every(({ y }) => y <= top);
        };
        await until(isAbove);
        await buttonOf(page, 'Indicators').click();
        const panel = page.getByRole('dialog', { name: 'Indicators' });
        await panel.getByLabel('Search indicators').fill('rsi');
        await panel.getByRole('button', { name: 'Add Relative strength index' }).click();
        await page.keyboard.press('Escape');
        const title = chartOf(page).getByRole('group', { name: 'RSI 14', exact: true });
        await title.waitFor();
        const pane = (await title.locator('xpath=..').boundingBox())!;
        await until(async () => {
          const lowest = Math.max(...(await drawnText(page)).filter(isSession).map(({ y }) => y));
          return lowest <= pane.y && lowest > pane.y - 12;
        });
      });
    },
    TEST_MS,
  );

  test(
    'a pane is as high as the chart, and then as it was; trading sessions and line styles are switched',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/15m');
        await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
        await buttonOf(page, 'Indicators').click();
        const panel = page.getByRole('dialog', { name: 'Indicators' });
        await panel.getByLabel('Search indicators').fill('rsi');
        await panel.getByRole('button', { name: 'Add Relative strength index' }).click();
        await page.keyboard.press('Escape');
        const title = chartOf(page).getByRole('group', { name: 'RSI 14', exact: true });
        const pane = title.locator('xpath=..');
        const before = await heightOf(pane);
        await title.getByRole('button', { name: 'Maximise or restore RSI 14' }).click();
        await until(async () => (await heightOf(pane)) > 2 * before);
        // The legend of the prices does not cover the button.
        await title.getByRole('button', { name: 'Maximise or restore RSI 14' }).click();
        await until(async () => (await heightOf(pane)) === before);

        const sessions = page.getByRole('menuitemcheckbox', { name: 'Trading sessions' });
        await buttonOf(page, 'Chart type').click();
        expect(await sessions.getAttribute('aria-checked')).toBe('true');
        await sessions.click();
        await buttonOf(page, 'Chart type').click();
        expect(await sessions.getAttribute('aria-checked')).toBe('false');
        await page.keyboard.press('Escape');

        await buttonOf(page, 'Horizontal line').click();
        const { x, y, width } = (await page.getByLabel('EURUSD, 15m bars').boundingBox())!;
        await page.mouse.click(x + width * 0.4, y + 120);
        const bar = page.getByRole('toolbar', { name: 'Drawing' });
        await bar.getByRole('button', { name: 'Dotted' }).click();
        await bar.getByRole('button', { name: 'Violet' }).click();
        expect(await bar.getByRole('button', { name: 'Dotted' }).getAttribute('aria-pressed')).toBe('true');
      }),
    TEST_MS,
  );
});
