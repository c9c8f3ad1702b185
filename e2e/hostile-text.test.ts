// Text from outside that would be a script if a page rendered it as HTML: it is shown as text or rejected.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PushedPrices } from './market.fixture.ts';
import { PASSWORD, type Person, Service } from './service.fixture.ts';

const STOLEN = 'window.stolen = document.domain';
const PAYLOADS = [
  `<img src=x onerror="${STOLEN}">`,
  `<script>${STOLEN}</script>`,
  `"><svg onload="${STOLEN}">`,
  `javascript:${STOLEN}`,
  `&lt;img src=x onerror=&quot;${STOLEN}&quot;&gt;`,
];
const NOTE = PAYLOADS.join(' ');

describeInBrowser('hostile text', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  let market: PushedPrices;
  beforeAll(async () => {
    service = await Service.start({ feeds: 'push', news: 'none', house: 'none', registration: 'open' });
    owner = await service.owner();
    market = await PushedPrices.by(owner, service.url);
    await market.quote('EURUSD', 1.084, 1.08412);
  }, TEST_MS);
  afterAll(() => service.stop());

  /** No script ran, and the page contains none. */
  async function harmless(page: Page): Promise<void> {
    expect(await page.evaluate(() => (window as { stolen?: string }).stolen)).toBeUndefined();
    const found = await page.evaluate(() =>
      [...document.querySelectorAll('body script, [onerror], [onload], [href^="javascript:"], img[src="x"]')].map(
        ({ outerHTML }) => outerHTML,
      ),
    );
    expect(found).toEqual([]);
  }

  test(
    'is shown as text in the note of a signal: in the feed, on its page and on that of its publisher',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const body = { symbol: 'EURUSD', direction: 'buy', entry: 1.08412, stop_loss: 1.082, take_profit: 1.088 };
        const { id } = await owner.must<{ id: string }>(201, owner.post('/api/signals', { ...body, note: NOTE }));
        await page.goto(`/signals/${id}`);
        await page.getByText(PAYLOADS[0]!).first().waitFor();
        expect(await page.getByText(NOTE).first().textContent()).toContain(PAYLOADS[4]!);
        await harmless(page);
        for (const path of ['/signals', '/publishers/Olivia%20Owner', '/markets/EURUSD/1m']) {
          await page.goto(path);
          await page.getByText('EURUSD').filter({ visible: true }).first().waitFor();
          await harmless(page);
        }
      }),
    TEST_MS,
  );

  test(
    'loses its markup in a headline and in the name of its source, and the rest is shown as text',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/news');
        await page.getByRole('heading', { name: 'News' }).waitFor();
        // One headline exists when the page opens, another arrives while it is open.
        for (const [at, payload] of PAYLOADS.entries())
          await market.headline(`Euro report number ${at} ${payload} says growth`, {
            source: `Wire ${payload}`,
            id: `${at}`,
          });
        for (const at of PAYLOADS.keys()) await page.getByText(`Euro report number ${at}`).first().waitFor();
        await harmless(page);
        await page.reload();
        await page.getByText('Euro report number 0').first().waitFor();
        await harmless(page);
        await page.goto('/markets/EURUSD/1m');
        await page.getByText('EURUSD').first().waitFor();
        await harmless(page);
      }),
    TEST_MS,
  );

  test(
    'is rejected as the name of an account and shown as text as the name of a key',
    () =>
      browser.visit(service.url, { expected: [/status of 40[01]/] }, async (page) => {
        await page.goto('/sign-up');
        await page.getByLabel('Name', { exact: true }).fill(PAYLOADS[0]!);
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: 'Create account' }).click();
        await page.getByText(/^Must be/).waitFor();
        await harmless(page);
        await browser.visit(service.url, { as: owner, expected: [/status of 400/] }, async (settings) => {
          await settings.goto('/settings#keys');
          await settings.getByLabel('Name', { exact: true }).fill(PAYLOADS[0]!);
          await settings.getByRole('button', { name: 'Create key' }).click();
          await settings
            .getByText(/^tw_/)
            .or(settings.getByText(/^Must be/))
            .first()
            .waitFor();
          await harmless(settings);
        });
      }),
    TEST_MS,
  );

  test(
    'is ignored in a URL',
    () =>
      browser.visit(service.url, { as: owner, expected: [/status of 404/] }, async (page) => {
        const hostile = encodeURIComponent(PAYLOADS[0]!);
        for (const path of [
          `/markets/${hostile}`,
          `/signals/${hostile}`,
          `/publishers/${hostile}`,
          `/signals?user=${hostile}`,
          `/settings#${hostile}`,
          `/join?token=${hostile}`,
        ]) {
          await page.goto(path);
          await page
            .getByRole('heading', { level: 1 })
            .or(page.getByText(/There is no|Nobody|No /))
            .filter({ visible: true })
            .first()
            .waitFor();
          await harmless(page);
        }
      }),
    TEST_MS,
  );
});
