// A trader's first ten minutes, from one page to the next without a dead end: set up, compare two instruments, add RSI and VWAP, draw
// a channel, save the chart, set an alert, publish a market order from the chart, follow a publisher, check the evidence, lay out four
// charts, and come back on a phone. It leaves a picture of each step in the folder that it names.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Person } from '../packages/server/testing/person.fixture.ts';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { recordDrawnText } from './drawn-text.fixture.ts';
import { lineOf, rowOf, statusOf, toolOf } from './market.fixture.ts';
import { PASSWORD, Service } from './service.fixture.ts';

const OWNER = 'Olivia Owner';
const PICTURES = join(tmpdir(), 'tickwire-trading-session');
let pictures = 0;

async function picture(page: Page, step: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  pictures++;
  await page.screenshot({ path: join(PICTURES, `${String(pictures).padStart(2, '0')}-${step}.png`) });
}

/** Remembers whether the status bar ever said that a connection was lost. */
const watchStatus = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    new MutationObserver(() => {
      if (/reconnecting/.test(document.querySelector('#status')?.textContent ?? ''))
        document.documentElement.dataset.lost = 'true';
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });

describeInBrowser('a session of a trader', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ house: 'none' });
    console.log(`pictures: ${PICTURES}`);
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'begins with the link of the first start',
    async () => {
      await browser.visit(service.url, {}, async (page) => {
        await page.goto(service.setupUrl);
        await page.getByLabel('Name', { exact: true }).fill(OWNER);
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await picture(page, 'set-up');
        await page.getByRole('button', { name: /create the owner/i }).click();
        await page.getByRole('button', { name: 'Open the terminal' }).click();
        await rowOf(page, 'EURUSD').filter({ hasText: /\d/ }).waitFor();
      });
      owner = new Person(service);
      await owner.must(200, owner.signIn(OWNER));
      // Somebody to follow, with a closed signal.
      const paula = await service.guest(owner, 'Paula Publisher');
      const { ask } = await paula.read<{ ask: number }>('/api/market/GBPUSD/quote');
      const at = (factor: number): number => Number((ask * factor).toFixed(5));
      const terms = { symbol: 'GBPUSD', direction: 'buy', entry: ask, stop_loss: at(0.99), take_profit: at(1.02) };
      const { id } = await paula.must<{ id: string }>(201, paula.post('/api/signals', terms));
      // It closes with the next quote.
      await paula.post(`/api/signals/${id}/close`);
    },
    TEST_MS,
  );

  test(
    'on a desk',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await watchStatus(page);
        await recordDrawnText(page);
        await page.goto('/');
        await page
          .getByRole('treegrid', { name: 'Instruments' })
          .getByRole('row', { name: /BTCUSD/ })
          .click();
        await page.waitForURL('**/markets/BTCUSD/5m');
        const chart = page.getByRole('region', { name: 'Chart', exact: true });
        await chart.getByRole('button', { name: '1h', exact: true }).click();
        const surface = page.getByLabel('BTCUSD, 1h bars');
        await surface.waitFor();
        await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
        await statusOf(page).getByText(/^live/).filter({ visible: true }).first().waitFor();
        expect(await page.evaluate(() => document.documentElement.dataset.lost)).toBeUndefined();
        await picture(page, 'chart');

        await (await toolOf(chart, 'Compare')).click();
        const compare = page.getByRole('dialog', { name: 'Compare' });
        await compare.getByLabel('Instrument').fill('eth');
        await compare.getByRole('button', { name: 'Compare with ETHUSD' }).click();
        await lineOf(chart, 'ETHUSD').getByText(/%$/).waitFor();
        await page.keyboard.press('Escape');
        await lineOf(chart, 'ETHUSD').getByRole('button', { name: 'Remove ETHUSD' }).click();

        await chart.getByRole('button', { name: 'Indicators', exact: true }).click();
        const indicators = page.getByRole('dialog', { name: 'Indicators' });
        for (const [search, name] of [
          ['rsi', /^Add Relative strength/i],
          ['vwap', /^Add .*volume/i],
        ] as const) {
          await indicators.getByLabel('Search indicators').fill(search);
          await indicators.getByRole('button', { name }).first().click();
        }
        await page.keyboard.press('Escape');
        await chart
          .getByRole('group', { name: 'RSI 14', exact: true })
          .getByText(/^\d+\.\d+$/)
          .waitFor();
        await lineOf(chart, 'VWAP day').getByText(/\d/).waitFor();

        await chart.getByRole('button', { name: 'Parallel channel' }).click();
        const box = (await surface.boundingBox())!;
        for (const [left, top] of [
          [0.2, 0.35],
          [0.5, 0.25],
          [0.4, 0.15],
        ] as const)
          await page.mouse.click(box.x + box.width * left, box.y + box.height * top);
        await page.getByRole('button', { name: 'Delete', exact: true }).first().waitFor();
        await picture(page, 'indicators-and-drawing');
        await page.keyboard.press('Escape');

        const saved = page.waitForEvent('download');
        const save = page.getByRole('button', { name: 'Save image or CSV', exact: true });
        if (!(await save.isVisible())) await chart.getByRole('button', { name: 'More tools' }).click();
        await save.click();
        await page.getByRole('menuitemradio', { name: 'Image (PNG)' }).click();
        expect((await saved).suggestedFilename()).toBe('BTCUSD-1h.png');
        // The heading of the image is drawn on a canvas that is on no page.
        const heading = await page.evaluate(() => [...window.drawnTexts.values()].flat().map(({ text }) => text));
        expect(heading).toContain('SIMULATED');
        expect(heading.find((text) => /RSI 14/.test(text) && /VWAP/.test(text))).toBeDefined();
        expect(heading.find((text) => / · times in /.test(text))).toBeDefined();

        await page.mouse.click(box.x + box.width * 0.7, box.y + box.height * 0.2, { button: 'right' });
        await page.getByRole('menuitem', { name: /^Alert when BTCUSD crosses/ }).click();
        await page.getByRole('contentinfo').getByText('Alert set').waitFor();
        await picture(page, 'alert');

        await (await toolOf(chart, 'Publish')).click();
        const ticket = page.getByRole('region', { name: 'Publish BTCUSD' });
        await ticket.getByRole('button', { name: '2R' }).click();
        expect(await ticket.getByLabel('Target 2').count()).toBe(0);
        await ticket.getByText('market order, at the ask').waitFor();
        await picture(page, 'ticket');
        await ticket.getByRole('button', { name: 'Review' }).click();
        await ticket
          .getByText(/market order/)
          .filter({ visible: true })
          .first()
          .waitFor();
        await ticket.getByRole('button', { name: 'Publish permanently' }).waitFor();
        await picture(page, 'review');
        await ticket.getByRole('button', { name: 'Publish permanently' }).click();
        await ticket.getByRole('link', { name: 'Open the page of the signal' }).click();
        await page.waitForURL(/\/signals\/(?!new)/);
        await page.getByRole('heading', { name: 'Evidence' }).waitFor();

        await page.getByRole('link', { name: 'Signals', exact: true }).first().click();
        await page.getByRole('link', { name: 'Publishers' }).first().click();
        await page.getByRole('link', { name: 'Paula Publisher' }).first().click();
        await page.getByRole('button', { name: 'Follow', exact: true }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Follow', exact: true }).click();
        await page
          .getByRole('button', { name: /^(Unfollow|Following)/ })
          .first()
          .waitFor();

        await page.goto('/signals?status=closed');
        await page
          .getByRole('link', { name: /GBPUSD.*entry|entry/ })
          .first()
          .click();
        await page.getByRole('button', { name: 'Check it in this browser' }).click();
        await page.getByRole('button', { name: 'Check again' }).waitFor();
        expect(await page.getByText(/does not match|failed/i).count()).toBe(0);
        await picture(page, 'evidence');

        await page.goto('/markets/BTCUSD/1h');
        await surface.waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('combobox').fill('layout: swing');
        await page.keyboard.press('Enter');
        for (const at of [1, 2, 3, 4]) await page.getByRole('region', { name: `Chart ${at}`, exact: true }).waitFor();
        await page.waitForFunction(() =>
          [...document.querySelectorAll<HTMLElement>('.chart-veil')].every((veil) => veil.hidden),
        );
        await picture(page, 'four-charts');
      }),
    TEST_MS,
  );

  test(
    'and later on a phone: drawing, indicators, alert and signal are there',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE, isMobile: true, hasTouch: true }, async (page) => {
        await page.goto('/markets/BTCUSD/1h');
        await page.getByLabel('BTCUSD, 1h bars').waitFor();
        const chart = page.getByRole('region', { name: 'Chart', exact: true });
        await chart.getByRole('group', { name: 'RSI 14', exact: true }).waitFor();
        await (await toolOf(chart, 'Draw')).tap();
        await page
          .getByRole('button', { name: /Parallel channel/ })
          .nth(1)
          .waitFor();
        await page.keyboard.press('Escape');
        await picture(page, 'phone-drawings');
        await page.getByRole('link', { name: 'Alerts', exact: true }).tap();
        await page
          .getByText(/crosses/)
          .first()
          .waitFor();
        await page.getByRole('link', { name: 'Signals', exact: true }).tap();
        await page
          .getByRole('link', { name: /BTCUSD/ })
          .first()
          .waitFor();
        await picture(page, 'phone-signals');
      }),
    TEST_MS,
  );
});
