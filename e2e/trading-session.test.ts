// A trader's first ten minutes, from one page to the next without a dead end: open, compare two instruments, add RSI and VWAP, draw
// a channel, set an alert, publish from the chart, follow a publisher, check the evidence, and come back on a phone.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

describeInBrowser('a session of a trader', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ house: 'none' });
    owner = await service.owner();
    // Somebody to follow, with a closed signal.
    const paula = await service.guest(owner, 'Paula Publisher');
    const { ask } = await paula.read<{ ask: number }>('/api/market/GBPUSD/quote');
    const at = (factor: number): number => Number((ask * factor).toFixed(5));
    const terms = { symbol: 'GBPUSD', direction: 'buy', entry: ask, stop_loss: at(0.99), take_profit: at(1.02) };
    const { id } = await paula.must<{ id: string }>(201, paula.post('/api/signals', terms));
    // It closes with the next quote.
    await paula.post(`/api/signals/${id}/close`);
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'on a desk',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
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

        await chart.getByRole('button', { name: 'Compare', exact: true }).click();
        const compare = page.getByRole('dialog', { name: 'Compare' });
        await compare.getByLabel('Instrument').fill('eth');
        await compare.getByRole('button', { name: 'Compare with ETHUSD' }).click();
        await chart.locator('.chart-legend-figure', { hasText: /ETHUSD.*%/ }).waitFor();
        await compare.getByRole('button', { name: 'Remove ETHUSD' }).click();
        await page.keyboard.press('Escape');

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
        await chart.locator('.chart-legend-figure', { hasText: /^VWAP.*\d/ }).waitFor();

        await chart.getByRole('button', { name: 'Draw', exact: true }).click();
        await page.getByRole('button', { name: 'Parallel channel' }).click();
        const box = (await surface.boundingBox())!;
        for (const [left, top] of [
          [0.2, 0.35],
          [0.5, 0.25],
          [0.4, 0.15],
        ] as const)
          await page.mouse.click(box.x + box.width * left, box.y + box.height * top);
        await page.getByRole('button', { name: 'Delete', exact: true }).first().waitFor();
        await page.keyboard.press('Escape');

        await page.mouse.click(box.x + box.width * 0.7, box.y + box.height * 0.2, { button: 'right' });
        await page.getByRole('menuitem', { name: /^Alert when BTCUSD crosses/ }).click();
        await page.getByRole('contentinfo').getByText('Alert set').waitFor();

        await chart.getByRole('button', { name: 'Publish', exact: true }).click();
        const ticket = page.getByRole('region', { name: 'Publish BTCUSD' });
        await ticket.getByRole('button', { name: '2R' }).click();
        await ticket.getByRole('button', { name: 'Review' }).click();
        await page.getByRole('heading', { name: 'Publish a signal' }).waitFor();
        await page.getByRole('button', { name: 'Review' }).click();
        await page.getByRole('button', { name: 'Publish permanently' }).click();
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
        await chart.getByRole('button', { name: 'Draw', exact: true }).tap();
        await page
          .getByRole('button', { name: /Parallel channel/ })
          .nth(1)
          .waitFor();
        await page.keyboard.press('Escape');
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
      }),
    TEST_MS,
  );
});
