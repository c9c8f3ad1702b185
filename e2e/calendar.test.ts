// The economic calendar in simulated markets: its page, its filters, and the head of an instrument.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

describeInBrowser('the economic calendar', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ news: 'none', house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'lists the events of a week by day and filters them; the filters are in the address',
    () =>
      browser.visit(service.url, { as: owner, timezoneId: 'UTC' }, async (page) => {
        await page.goto('/markets');
        await page.getByRole('link', { name: 'Calendar' }).click();
        const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
        await rows.first().waitFor();
        expect(await page.getByRole('table').count()).toBeGreaterThan(3);
        const all = await rows.count();
        await page.getByRole('button', { name: 'high' }).click();
        await page.waitForURL('**/calendar?impact=high');
        await page.getByRole('cell', { name: 'medium' }).first().waitFor({ state: 'detached' });
        const high = await rows.count();
        expect(high).toBeGreaterThan(0);
        expect(high).toBeLessThan(all);
        await page.getByLabel('Country').selectOption('US');
        await page.waitForURL('**/calendar?impact=high&country=US');
        await page.getByRole('button', { name: 'Earlier' }).click();
        await page.waitForURL('**week=-1');
        // Released events have their values.
        await page.getByRole('cell', { name: /\d/ }).first().waitFor();
        await page.reload();
        await rows.first().waitFor();
        expect(await page.getByLabel('Country').inputValue()).toBe('US');
      }),
    TEST_MS,
  );

  test(
    'counts down to the next event of the instrument, which opens the calendar of the instrument',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const { next } = await owner.read<{ next: { title: string; time: string } | null }>(
          '/api/market/EURUSD/window?impact=medium,high',
        );
        await page.goto('/markets/EURUSD/5m');
        await page.getByLabel('EURUSD, 5m bars').waitFor();
        const countdown = page.locator('.event-countdown');
        if (next === null || Date.parse(next.time) - Date.now() > 86_000_000) return;
        await countdown.waitFor();
        expect(await countdown.innerText()).toMatch(/^(in [\d:]+|\d+:\d\d ago) · \w/);
        await countdown.click();
        await page.waitForURL('**/calendar?symbol=EURUSD');
      }),
    TEST_MS,
  );
});
