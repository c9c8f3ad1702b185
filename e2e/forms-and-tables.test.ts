// Details that all pages share: errors of forms, long names in tables, the heads of the watchlist, the palette, and usage.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff-Wellenreiter';

/** Runs in the page: shows a long error at one field after the other; returns controls whose height changed. */
function stretchedControls(): string[] {
  const controls = [...document.querySelectorAll<HTMLElement>('main :is(input, select, textarea)')];
  const heights = () => controls.map((control) => Math.round(control.getBoundingClientRect().height));
  const before = heights();
  const stretched: string[] = [];
  for (const problem of document.querySelectorAll('main .field > .problem')) {
    const said = problem.textContent;
    problem.textContent = 'Must be a number above zero with at most five decimals, and below the entry. '.repeat(3);
    for (const [at, height] of heights().entries())
      if (height !== before[at]) stretched.push(`${controls[at]!.getAttribute('name')}: ${before[at]} → ${height}`);
    problem.textContent = said;
  }
  return stretched;
}

async function search(page: Page, typed: string): Promise<string[]> {
  const input = page.getByRole('combobox', { name: /^Instrument, page/ });
  if (!(await input.isVisible())) await page.keyboard.press('Control+k');
  await input.fill(typed);
  return page.getByRole('option').locator('.command').allTextContents();
}

describeInBrowser('forms and tables', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ house: 'none', news: 'none' });
    owner = await service.owner();
    await service.guest(owner, LONG_NAME);
    await owner.must(201, owner.post('/api/keys', { name: LONG_NAME, scopes: ['read'], expires_days: 1 }));
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'an error of one field leaves the others as high as they were',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        for (const [path, label] of [
          ['/signals/new', 'Direction'],
          ['/alerts/new?symbol=EURUSD', 'Instrument'],
          ['/settings#audit', 'Action'],
        ] as const) {
          await page.goto(path);
          await page.getByLabel(label, { exact: true }).first().waitFor();
          expect([path, ...(await page.evaluate(stretchedControls))]).toEqual([path]);
        }
      }),
    TEST_MS,
  );

  test(
    'a data link is created with the text for a spreadsheet, read without a key, and revoked',
    () =>
      browser.visit(service.url, { as: owner, expected: [/status of 404/] }, async (page) => {
        await page.goto('/settings#links');
        await page.getByText('No links yet').waitFor();
        await page.getByLabel('Reads').selectOption('Bars (CSV)');
        await page.getByLabel('Instrument', { exact: true }).fill('nothing');
        await page.getByLabel('Name').fill('Portfolio sheet');
        await page.getByLabel('Expires').selectOption('in 30 days');
        await page.getByRole('button', { name: 'Create link' }).click();
        await page
          .getByRole('status')
          .filter({ hasText: /NOTHING/ })
          .waitFor();
        // What was typed is still there.
        expect(await page.getByLabel('Name').inputValue()).toBe('Portfolio sheet');
        await page.getByLabel('Instrument', { exact: true }).fill('eurusd');
        await page.getByRole('button', { name: 'Create link' }).click();
        const sheet = await page.getByLabel('For Google Sheets').innerText();
        const [, address = ''] = /^=IMPORTDATA\("(http\S+\/link\/tw_\S+)"\)$/.exec(sheet) ?? [];
        expect(await page.locator('.secret').innerText()).toBe(address);
        const query = await page.getByLabel('For Excel').innerText();
        expect(query).toContain(`Web.Contents("${address}")`);
        const table = await fetch(address);
        expect([table.status, table.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')]);
        const columns = (await table.text()).split(/\r?\n/)[0]!.split(',');
        for (const [, name = ''] of query.matchAll(/\{"(\w+)", type/g)) expect(columns).toContain(name);

        const row = page.getByRole('row', { name: /Portfolio sheet/ });
        await row.getByText('/api/bars/EURUSD?interval=1d&limit=250&format=csv').waitFor();
        await page.getByRole('button', { name: 'Done' }).click();
        await row.getByRole('button', { name: 'Revoke' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
        await page.getByText('1 revoked or expired').waitFor();
        expect((await fetch(address)).status).toBe(401);
      }),
    TEST_MS,
  );

  test(
    'a long name without spaces breaks within its cell, and buttons stay on one line',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        for (const width of [1440, 1024]) {
          await page.setViewportSize({ width, height: 800 });
          for (const section of ['people', 'keys']) {
            await page.goto(`/settings#${section}`);
            const name = page.getByText(LONG_NAME).first();
            await name.waitFor();
            const { overflow, height, gap } = await name.evaluate((element) => {
              const box = element.closest('.table-box')!;
              const row = element.closest('tr')!;
              const right = element.getBoundingClientRect().right;
              const next = element.closest('td')!.nextElementSibling!.getBoundingClientRect().left;
              return {
                overflow: box.scrollWidth - box.clientWidth,
                height: row.getBoundingClientRect().height,
                gap: next - right,
              };
            });
            expect([section, width, overflow]).toEqual([section, width, 0]);
            expect(gap).toBeGreaterThanOrEqual(0);
            // The name on two or three lines, and no button on two.
            expect(height).toBeLessThan(80);
          }
        }
      }),
    TEST_MS,
  );

  test(
    'the columns of a wide watchlist align, however long the names are',
    () =>
      browser.visit(service.url, { as: owner, viewport: { width: 2_800, height: 1_080 } }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        await page
          .getByRole('row', { name: /^EURUSD Euro \/ US Dollar/ })
          .filter({ hasText: /\d/ })
          .waitFor();
        expect(await page.locator('.row .name').first().isVisible()).toBe(true);
        const { lefts, beyond } = await page.evaluate(() => {
          const rows = [...document.querySelectorAll<HTMLElement>('.rows :is(.columns, .row)')];
          const cells = rows.map((row) =>
            [...row.querySelectorAll('.number')].map((each) => each.getBoundingClientRect()),
          );
          const { right } = document.querySelector('.rows')!.getBoundingClientRect();
          return {
            lefts: [...new Set(cells.map((row) => row.map(({ left }) => Math.round(left)).join(' ')))],
            beyond: cells.flat().filter((cell) => cell.right > right).length,
          };
        });
        expect(lefts).toHaveLength(1);
        expect(beyond).toBe(0);
      }),
    TEST_MS,
  );

  test(
    'no row of the watchlist shows between or above its heads',
    () =>
      browser.visit(service.url, { as: owner, viewport: { width: 1280, height: 500 } }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        await page.getByRole('row', { name: /^EURUSD \d/ }).waitFor();
        const covered = await page.evaluate(() => {
          const rows = document.querySelector('.rows')!;
          const through: string[] = [];
          for (let scroll = 20; scroll < 140; scroll += 7) {
            rows.scrollTop = scroll;
            const { left, width, top } = rows.getBoundingClientRect();
            const heading = [...rows.querySelectorAll('.heading')].find(
              (each) => each.getBoundingClientRect().bottom > top + 26,
            )!;
            const bottom = Math.min(heading.getBoundingClientRect().bottom, top + 50);
            for (let y = top + 0.5; y < bottom; y += 0.5) {
              const hit = document.elementFromPoint(left + width * 0.6, y);
              if (hit?.closest('.row')) through.push(`${scroll}: ${y - top}`);
            }
          }
          return through;
        });
        expect(covered).toEqual([]);
      }),
    TEST_MS,
  );

  test(
    'the palette finds what was typed, and nothing for letters that are only scattered',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        await page.getByRole('row', { name: /^EURUSD \d/ }).waitFor();
        // Below it are pages of the guide that mention it.
        expect((await search(page, 'gold'))[0]).toBe('XAUUSD');
        expect((await search(page, 'eurusd'))[0]).toBe('EURUSD');
        expect((await search(page, 'news'))[0]).toBe('Go to news');
        expect((await search(page, 'time zone'))[0]).toBe('Display');
        expect((await search(page, 'two-factor'))[0]).toBe('Account');
        // The guide is found before the service has built it.
        await search(page, 'rules, log');
        await page.getByRole('option', { name: 'Signals: rules, log, verification Guide: Reference' }).waitFor();
        expect(await search(page, 'asdf')).toEqual([]);
        await page.getByRole('dialog').getByText('No matches').waitFor();
      }),
    TEST_MS,
  );

  test(
    'the palette has the tools of the chart, also those in its menu',
    () =>
      browser.visit(service.url, { as: owner, viewport: { width: 1024, height: 700 } }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        const chart = page.getByRole('region', { name: 'Chart', exact: true });
        const line = chart.getByRole('button', { name: 'Trend line', exact: true });
        await line.waitFor();
        expect((await search(page, 'trend line'))[0]).toBe('Trend line');
        await page.keyboard.press('Enter');
        await line.and(page.locator('[aria-pressed="true"]')).waitFor();
        await page.keyboard.press('Escape');
        expect((await search(page, 'chart type'))[0]).toBe('Chart type');
        await page.keyboard.press('Enter');
        await page.getByRole('menuitemradio', { name: 'Heikin Ashi' }).waitFor();
        await page.keyboard.press('Escape');
        // It is in the menu of a chart of this width.
        expect(await chart.getByRole('button', { name: 'Save image or CSV' }).count()).toBe(0);
        expect((await search(page, 'save image'))[0]).toBe('Save image or CSV');
        await page.keyboard.press('Enter');
        await page.getByRole('menuitemradio', { name: 'Image (PNG)' }).waitFor();
        // Elsewhere there is no chart.
        await page.goto('/news');
        expect(await search(page, 'trend line')).not.toContain('Trend line');
      }),
    TEST_MS,
  );

  test(
    'usage compares keys with the limits of the tier, and shows the terminal apart from them',
    async () => {
      // An account whose requests are only these.
      const uma = await service.guest(owner, 'Uma User', 'premium');
      await browser.visit(service.url, { as: uma }, async (page) => {
        const key = await uma.key(['read']);
        for (let count = 0; count < 3; count++)
          await fetch(`${service.url}/api/symbols`, { headers: { 'X-API-Key': key } });
        // More requests of the session than of the key.
        for (let count = 0; count < 20; count++) await uma.get('/api/session');
        await page.goto('/settings#usage');
        const requests = (whose: string) => page.getByRole('figure').filter({ hasText: `Requests of ${whose}` });
        await requests('keys')
          .getByText(/^peak [1-3] of 300 per minute/)
          .waitFor();
        expect(await requests('keys').locator('b').textContent()).toBe('3');
        const terminal = requests('the terminal');
        expect(Number(await terminal.locator('b').textContent())).toBeGreaterThanOrEqual(20);
        // Sessions have the limits of the tier once more.
        await terminal.getByText(/^peak \d+ of 300 per minute/).waitFor();
      });
    },
    TEST_MS,
  );
});
