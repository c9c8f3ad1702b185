// The API reference in a browser: addresses of errors lead to their page, the search finds and opens, samples follow the chosen
// language, and requests are sent with the reader's key only.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { DESKTOP, describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const PAGES = [
  '',
  '/market',
  '/history',
  '/signals',
  '/news',
  '/alerts',
  '/accounts',
  '/operating',
  '/streams',
  '/errors',
];

/** Waits for a response in a form. */
const answered = (details: Locator, status: number): Promise<void> =>
  details.locator('.status', { hasText: String(status) }).waitFor();

/** The form of an endpoint, opened. */
async function form(page: Page, id: string): Promise<Locator> {
  const details = page.locator(`[id="${id}"] .try`);
  await details.locator('summary').click();
  return details;
}

describeInBrowser('the API reference', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  let key: string;
  beforeAll(async () => {
    service = await Service.start({ news: 'none', house: 'none' });
    owner = await service.owner();
    key = await owner.key(['read', 'alerts', 'publish']);
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'leads from the address of an error to its page',
    () =>
      browser.visit(service.url, {}, async (page) => {
        await page.goto('/docs#error-symbol_not_found');
        await page.waitForURL('**/docs/errors#error-symbol_not_found');
        expect(await page.locator(':target').isVisible()).toBe(true);
        await page.goto('/docs#start');
        expect(await page.locator(':target').getAttribute('id')).toBe('start');
        expect(new URL(page.url()).pathname).toBe('/docs');
      }),
    TEST_MS,
  );

  test(
    'works without scripts: the address of an error has a link to its page',
    () =>
      browser.visit(service.url, { javaScriptEnabled: false }, async (page) => {
        await page.goto('/docs#error-symbol_not_found');
        await page.locator(':target a').click();
        await page.waitForURL('**/docs/errors#error-symbol_not_found');
        expect(await page.getByRole('searchbox').count()).toBe(0);
        await page.goto('/docs/market');
        expect(await page.getByText('Try it', { exact: true }).first().isVisible()).toBe(false);
        // All languages are shown.
        const samples = page.locator('[id="get-quote"] .languages figure');
        expect(await samples.evaluateAll((all) => all.map((each) => each.checkVisibility()))).toEqual([
          true,
          true,
          true,
        ]);
      }),
    TEST_MS,
  );

  test(
    'finds endpoints, messages, fields and errors with the keyboard',
    () =>
      browser.visit(service.url, {}, async (page) => {
        await page.goto('/docs');
        for (const [typed, first, address] of [
          ['take_profit', 'take_profit', /\/docs\/\w+#/],
          ['no_quote', 'no_quote', /\/docs\/errors#error-no_quote$/],
          ['MarketTick', 'MarketTick', /\/docs\/streams#message-MarketTick$/],
          ['position size', 'GET /api/position-size', /\/docs\/market#get-positionSize$/],
        ] as const) {
          await page.keyboard.press('/');
          await page.keyboard.type(typed);
          const results = page.getByRole('option');
          await results.first().waitFor();
          expect(await results.first().locator('code').textContent()).toBe(first);
          await page.keyboard.press('ArrowDown');
          await page.keyboard.press('ArrowUp');
          await page.keyboard.press('Enter');
          await page.waitForURL(address);
          await page.locator('body').click({ position: { x: 1, y: 300 } });
        }
        await page.keyboard.press('/');
        await page.keyboard.type('nothing like this');
        await page.getByText('Nothing found').waitFor();
        await page.keyboard.press('Escape');
        expect(await page.locator('#results').isVisible()).toBe(false);
      }),
    TEST_MS,
  );

  test(
    'shows samples in the chosen language on every page',
    () =>
      browser.visit(service.url, {}, async (page) => {
        await page.goto('/docs/market');
        const sample = page.locator('[id="get-quote"] .languages code:visible');
        expect(await sample.textContent()).toContain(`"${service.url}/api/market/EURUSD/quote"`);
        await page.locator('[id="get-quote"]').getByRole('button', { name: 'Python' }).click();
        expect(await sample.textContent()).toContain('client.quote("EURUSD")');
        await page.goto('/docs/history');
        expect(await page.locator('[id="get-bars"] .languages code:visible').textContent()).toContain('client.bars(');
      }),
    TEST_MS,
  );

  test(
    'sends a request with the key, which stays in the tab and out of the address',
    () =>
      browser.visit(service.url, { expected: [/status of (401|404)/] }, async (page, { context }) => {
        await page.goto('/docs/market');
        const quote = await form(page, 'get-quote');
        await quote.getByRole('button', { name: 'Send GET request' }).click();
        await answered(quote, 401);
        await quote.getByLabel('API key').fill(key);
        const [request] = await Promise.all([
          page.waitForRequest('**/api/market/**'),
          quote.getByRole('button', { name: 'Send GET request' }).click(),
        ]);
        expect(request.headers()['x-api-key']).toBe(key);
        expect(request.url()).not.toContain(key);
        await answered(quote, 200);
        expect(await quote.locator('.answer').textContent()).toMatch(/Data-Source: simulated[\s\S]*"symbol": "EURUSD"/);
        await quote.getByLabel('symbol').fill('NOSUCH');
        await quote.getByRole('button', { name: 'Send GET request' }).click();
        await quote.getByRole('link', { name: 'symbol_not_found' }).click();
        await page.waitForURL('**/docs/errors#error-symbol_not_found');
        // The other pages of the tab have it, a new tab does not.
        await page.goto('/docs/history');
        expect(await (await form(page, 'get-bars')).getByLabel('API key').inputValue()).toBe(key);
        const other = await context.newPage();
        await other.goto('/docs/history');
        expect(await (await form(other, 'get-bars')).getByLabel('API key').inputValue()).toBe('');
        expect(await other.evaluate(() => JSON.stringify(localStorage))).not.toContain(key);
      }),
    TEST_MS,
  );

  test(
    'uses the session only to read, and asks before it sends anything else',
    () =>
      browser.visit(service.url, { as: owner, expected: [/status of 401/] }, async (page) => {
        const alerts = async (): Promise<number> => (await owner.read<{ count: number }>('/api/alerts')).count;
        const before = await alerts();
        await page.goto('/docs/alerts');
        const list = await form(page, 'get-alerts');
        await list.getByRole('button', { name: 'Send GET request' }).click();
        await answered(list, 200);
        const create = await form(page, 'post-createAlert');
        await create
          .getByLabel('Body')
          .fill('{"symbol":"EURUSD","condition":{"type":"price","cross":"above","level":2}}');
        const send = create.getByRole('button', { name: 'Send POST request' });
        await send.click();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
        expect(await alerts()).toBe(before);
        await send.click();
        await page.getByRole('dialog').getByRole('button', { name: 'Send POST request' }).click();
        await answered(create, 401);
        expect(await alerts()).toBe(before);
        await create.getByLabel('API key').fill(key);
        await send.click();
        await page.getByRole('dialog').getByRole('button', { name: 'Send POST request' }).click();
        await answered(create, 201);
        expect(await alerts()).toBe(before + 1);
        await page.goto('/docs/accounts');
        expect(await page.locator('[id="post-signIn"] .try, [id="post-deleteAccount"] .try').count()).toBe(0);
        const sessions = await form(page, 'get-sessions');
        await sessions.getByRole('button', { name: 'Send GET request' }).click();
        await answered(sessions, 200);
      }),
    TEST_MS,
  );

  test(
    'shows the first events of a stream',
    () =>
      browser.visit(service.url, {}, async (page) => {
        await page.goto('/docs/streams');
        const events = await form(page, 'get-eventStream');
        await events.getByLabel('API key').fill(key);
        await events.getByRole('button', { name: 'Send GET request' }).click();
        await events.getByText('The stream was closed after the first events.').waitFor();
        expect(await events.locator('.answer').textContent()).toContain('data:');
      }),
    TEST_MS,
  );

  test(
    'fits every width without scrolling sideways',
    () =>
      browser.visit(service.url, {}, async (page) => {
        for (const path of PAGES) {
          await page.goto(`/docs${path}`);
          for (const viewport of [DESKTOP, PHONE, { width: 320, height: 640 }]) {
            await page.setViewportSize(viewport);
            const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            expect([path, viewport.width, Math.max(0, over)]).toEqual([path, viewport.width, 0]);
          }
        }
      }),
    TEST_MS,
  );
});
