// The list of publishers with its filters and order, and the record of one, in simulated markets.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { publishSampleSignals } from './pages.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

describeInBrowser('publishers', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ news: 'none', house: 'none' });
    owner = await service.owner();
    await publishSampleSignals(owner);
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'can be filtered and sorted, and the address keeps it',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/publishers');
        const name = page.getByRole('link', { name: 'Olivia Owner' });
        await name.waitFor();
        await page.getByText('the time conditions (20 days, 8 weeks) are waived').waitFor();
        await page.getByText('at least 30 are needed').waitFor();
        await page.getByLabel('Status', { exact: true }).selectOption('ranked');
        await page.getByText('No publisher matches this filter.').waitFor();
        await page.getByRole('button', { name: 'Clear filter' }).click();
        await name.waitFor();
        await page.getByLabel('Period').selectOption('90');
        await page.getByLabel('Instrument').selectOption('XAUUSD');
        await page.getByRole('button', { name: 'Total' }).click();
        await page.waitForURL('**/publishers?symbol=XAUUSD&period=90&sort=total_r');
        await page.getByRole('columnheader', { name: 'Total ▾' }).waitFor();
        await page.reload();
        await name.waitFor();
        expect(await page.getByLabel('Period').inputValue()).toBe('90');
        // An order without a column, and back to the rank.
        await page.getByLabel('Sort by').selectOption('profit_factor');
        await page.waitForURL('**/publishers?symbol=XAUUSD&period=90&sort=profit_factor');
        await page.getByLabel('Sort by').selectOption('rank');
        await page.waitForURL('**/publishers?symbol=XAUUSD&period=90');
      }),
    TEST_MS,
  );

  test(
    'have a record with months at a chosen risk, and files of their signals',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/publishers/Olivia%20Owner');
        const months = page.getByRole('table', { name: 'By month' });
        await months.waitFor();
        const account = months.getByRole('cell').last();
        const atOne = Number.parseFloat((await account.innerText()).replace('−', '-'));
        await page.getByRole('button', { name: '5 %', exact: true }).click();
        await page.getByText('with 5 % at risk on each decision').waitFor();
        const atFive = Number.parseFloat((await account.innerText()).replace('−', '-'));
        // One decision is complete: five times the risk is five times the loss, up to rounding.
        expect(Math.abs(atFive - 5 * atOne)).toBeLessThan(0.05);
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Signals (CSV)' }).click(),
        ]);
        expect(download.suggestedFilename()).toBe('Olivia-Owner-signals.csv');
        const text = await Bun.file(await download.path()).text();
        expect(text.split('\n')[0]).toStartWith('id,published_at,symbol,');
        expect(text).toContain('XAUUSD');
      }),
    TEST_MS,
  );

  test(
    'have results for followers with a delay, by delay, by signal and on the page of the signal',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/signals?status=closed');
        await page.getByRole('link', { name: /Buy XAUUSD/ }).click();
        const panel = page.locator('.signal-panel', { hasText: 'For followers' });
        await panel.getByText('30 s later').waitFor();
        // The page loads the result of the longest delay once its quote is on the tape.
        await panel.getByText('unknown').first().waitFor({ state: 'detached', timeout: 60_000 });
        const inR = (text: string): string[] => [...text.matchAll(/[+−]?\d+\.\d\d R/g)].map(String);
        const results = inR(await panel.innerText());
        expect(results).toHaveLength(4);
        await page.goto('/publishers/Olivia%20Owner');
        const delays = page.getByRole('table', { name: 'Delays' });
        await delays.waitFor();
        const [, published, ...later] = await delays.getByRole('row').allInnerTexts();
        expect(published).toMatch(/^As published\s+[+−]?\d+\.\d\d R\s+–/);
        expect(later.map((row) => /^(\d+ s) later\s+[+−]?\d+\.\d\d R\s+[+−]?\d+\.\d{3} R/.exec(row)?.[1])).toEqual([
          '1 s',
          '5 s',
          '30 s',
        ]);
        await page.getByText('One closed signal.').waitFor();
        await page.getByText('By signal').click();
        const row = page.getByRole('table', { name: 'Followed signals' }).getByRole('row').last();
        expect(inR(await row.innerText())).toEqual(results);
        await row.getByRole('link', { name: 'XAUUSD' }).waitFor();
      }),
    TEST_MS,
  );
});
