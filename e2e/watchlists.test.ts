// Watchlists: lists, favourites, order, columns, top movers and files; and how many requests the page needs.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { forgetDocuments, rowOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const gridOf = (page: Page): Locator => page.getByRole('treegrid', { name: 'Instruments' });
const menuOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Lists and columns' });
const viewsOf = (page: Page): Locator => page.getByLabel('Watchlist shown');
const symbolsOf = (page: Page): Promise<readonly string[]> =>
  gridOf(page)
    .locator('.row')
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.symbol ?? ''));
const openMenu = (page: Page): Promise<void> => page.getByRole('button', { name: 'Lists and columns' }).click();

async function createList(page: Page, name: string): Promise<void> {
  await openMenu(page);
  await menuOf(page).getByLabel('New list').fill(name);
  await menuOf(page).getByRole('button', { name: 'Create' }).click();
  await menuOf(page).getByText(`${name} was created.`).waitFor();
  await page.keyboard.press('Escape');
}

describeInBrowser('watchlists', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());
  beforeEach(() => forgetDocuments(owner));

  test(
    'the day and the line of all instruments are one request, and so are the headlines',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const paths: string[] = [];
        page.on('request', (request) => paths.push(new URL(request.url()).pathname));
        await page.goto('/markets/EURUSD/5m');
        await rowOf(page, 'EURUSD').waitFor();
        // Every visible row has its change of the day.
        await page.waitForFunction(() => {
          const cells = [...document.querySelectorAll('.row .change')];
          return cells.length > 20 && cells.slice(0, 20).every((cell) => /%/.test(cell.textContent ?? ''));
        });
        await page.getByRole('region', { name: 'Latest headlines' }).getByRole('listitem').first().waitFor();
        const count = (path: string): number => paths.filter((each) => each === path).length;
        expect([count('/api/overview'), count('/api/news')]).toEqual([1, 1]);
        // The chart alone.
        expect(paths.filter((path) => path.startsWith('/api/market/')).length).toBeLessThanOrEqual(3);
      }),
    TEST_MS,
  );

  test(
    'a list is made, filled, renamed, kept over a reload and deleted',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/XAUUSD/5m');
        await rowOf(page, 'XAUUSD').waitFor();
        await createList(page, 'Metals and more');
        await page.getByText('This list is empty.').waitFor();
        await openMenu(page);
        await menuOf(page).getByRole('checkbox', { name: 'Metals and more' }).check();
        await page.keyboard.press('Escape');
        // A search goes over all instruments, and what it finds can be added.
        await page.getByLabel('Search instruments').fill('btcusd');
        await rowOf(page, 'BTCUSD').click();
        await page.waitForURL('**/markets/BTCUSD/**');
        await openMenu(page);
        await menuOf(page).getByRole('checkbox', { name: 'Metals and more' }).check();
        await page.keyboard.press('Escape');
        await page.getByLabel('Search instruments').fill('');
        expect(await symbolsOf(page)).toEqual(['XAUUSD', 'BTCUSD']);

        await openMenu(page);
        await menuOf(page).getByLabel('Name of this list').fill('Mine');
        await menuOf(page).getByRole('button', { name: 'Rename' }).click();
        await menuOf(page).getByText('The list was renamed.').waitFor();
        await page.reload();
        await viewsOf(page).locator('option:checked', { hasText: 'Mine' }).waitFor({ state: 'attached' });
        expect(await symbolsOf(page)).toEqual(['XAUUSD', 'BTCUSD']);

        await openMenu(page);
        await menuOf(page).getByRole('button', { name: 'Delete Mine' }).click();
        await rowOf(page, 'EURUSD').waitFor();
        expect(await viewsOf(page).locator('option').allTextContents()).toEqual([
          'All instruments',
          'Favourites',
          'Top movers',
        ]);
      }),
    TEST_MS,
  );

  test(
    'the star on a row makes it a favourite; favourites are a list and the first group',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        const star = page.getByRole('button', { name: 'Favourite GBPUSD' });
        await star.click();
        await page.getByRole('button', { name: 'Favourite GBPUSD', pressed: true }).waitFor();
        // The star does not open the instrument.
        expect(new URL(page.url()).pathname).toBe('/markets/EURUSD/5m');
        expect((await symbolsOf(page))[0]).toBe('GBPUSD');
        await viewsOf(page).selectOption('Favourites');
        expect(await symbolsOf(page)).toEqual(['GBPUSD']);
        await page.reload();
        await rowOf(page, 'EURUSD').waitFor({ state: 'detached' });
        await rowOf(page, 'GBPUSD').waitFor();
        await page.getByRole('button', { name: 'Favourite GBPUSD' }).click();
        await page.getByText('No favourites yet.').waitFor();
      }),
    TEST_MS,
  );

  test(
    'a change is not lost if the page is left before the service has stored it',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        await rowOf(page, 'EURUSD').waitFor();
        // Writes are not answered until the page is left.
        const documents = '**/api/account/documents/**';
        await page.route(documents, (route) => (route.request().method() === 'GET' ? route.continue() : undefined));
        await createList(page, 'Made in a hurry');
        await page.getByText('This list is empty.').waitFor();
        await page.unroute(documents);
        await page.reload();
        await viewsOf(page).locator('option:checked', { hasText: 'Made in a hurry' }).waitFor({ state: 'attached' });
        await openMenu(page);
        await menuOf(page).getByRole('button', { name: 'Delete Made in a hurry' }).click();
        await rowOf(page, 'EURUSD').waitFor();
      }),
    TEST_MS,
  );

  test(
    'a column sorts all instruments, groups can be left out, and columns are chosen',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        await rowOf(page, 'EURUSD').waitFor();
        await gridOf(page).getByRole('button', { name: 'Instrument' }).click();
        const sorted = await symbolsOf(page);
        expect(sorted.length).toBeGreaterThan(20);
        expect(sorted).toEqual(sorted.toSorted((one, other) => one.localeCompare(other, 'en')));
        await gridOf(page).getByRole('button', { name: 'Instrument' }).click();
        await gridOf(page).getByRole('button', { name: 'Instrument' }).click();
        await gridOf(page).getByRole('row', { name: 'Forex' }).waitFor();
        await openMenu(page);
        await menuOf(page).getByRole('checkbox', { name: 'Group by type' }).uncheck();
        await gridOf(page).getByRole('row', { name: 'Forex' }).waitFor({ state: 'hidden' });
        await menuOf(page).getByRole('checkbox', { name: 'Day high' }).check();
        await menuOf(page).getByRole('checkbox', { name: 'Spread' }).uncheck();
        await gridOf(page).getByRole('columnheader', { name: 'High' }).waitFor();
        await page.reload();
        await gridOf(page).getByRole('columnheader', { name: 'High' }).waitFor();
        expect(await gridOf(page).getByRole('columnheader', { name: 'Spr' }).isVisible()).toBe(false);
        // No cell covers another.
        const overlaps = await rowOf(page, 'EURUSD').evaluate((row) => {
          const boxes = [...row.children]
            .map((cell) => cell.getBoundingClientRect())
            .filter(({ width }) => width > 0)
            .sort((one, other) => one.left - other.left);
          return boxes.filter((box, at) => at > 0 && box.left < boxes[at - 1]!.right - 0.5).length;
        });
        expect(overlaps).toBe(0);
      }),
    TEST_MS,
  );

  test(
    'top movers are sorted by the size of their change of the day',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        await rowOf(page, 'EURUSD').getByText(/%$/).waitFor();
        await viewsOf(page).selectOption('Top movers');
        // Shortly after midnight UTC, most instruments have no change of the day yet.
        const sorted = () => {
          const sizes = [...document.querySelectorAll('.row .change')].map((cell) =>
            Math.abs(Number((cell.textContent ?? '').replace('−', '-').replace('%', ''))),
          );
          // Prices go on while the order waits for its next turn.
          return sizes.length === 20 && sizes.every((size, at) => at === 0 || size <= sizes[at - 1]! + 0.1);
        };
        await page.waitForFunction(sorted, undefined, { timeout: 90_000 });
      }),
    TEST_MS,
  );

  test(
    'a file of symbols becomes a list, unknown ones are named, and a list becomes a file',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        await rowOf(page, 'EURUSD').waitFor();
        await openMenu(page);
        const file = {
          name: 'Swing.txt',
          mimeType: 'text/plain',
          buffer: Buffer.from('usdjpy\nOANDA:EURUSD\nNOSUCH\n'),
        };
        await menuOf(page).getByLabel('File of symbols').setInputFiles(file);
        await menuOf(page).getByText('Swing: 2 instruments imported. Left out because unknown: NOSUCH.').waitFor();
        await menuOf(page).getByRole('checkbox', { name: 'Group by type' }).uncheck();
        expect(await symbolsOf(page)).toEqual(['USDJPY', 'EURUSD']);
        const saved = page.waitForEvent('download');
        await menuOf(page).getByRole('button', { name: 'Export' }).click();
        const download = await saved;
        expect(download.suggestedFilename()).toBe('Swing.csv');
        expect(readFileSync((await download.path())!, 'utf8')).toBe('symbol\nUSDJPY\nEURUSD\n');
      }),
    TEST_MS,
  );
});
