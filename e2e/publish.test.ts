// The form to publish a signal: the preview at the expected fill, the review, and the draft that the tab keeps.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PushedPrices } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

interface Published {
  readonly items: readonly {
    readonly symbol: string;
    readonly direction: string;
    readonly entry: number;
    readonly note: string | null;
    readonly targets: readonly object[];
    readonly breakeven_after: number | null;
    readonly expires_at: string;
  }[];
}

describeInBrowser('publishing', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  let market: PushedPrices;
  beforeAll(async () => {
    service = await Service.start({ feeds: 'push', news: 'none', house: 'none' });
    owner = await service.owner();
    market = await PushedPrices.by(owner, service.url);
  }, TEST_MS);
  afterAll(() => service.stop());

  const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });
  const preview = (page: Page): Locator => page.getByRole('region', { name: 'Preview of the signal' });
  /** The value of a term in the preview. */
  const fact = (page: Page, term: string): Locator => preview(page).locator(`dt:text-is("${term}") + dd`);
  const fill = async (page: Page, levels: Readonly<Record<string, string>>): Promise<void> => {
    for (const [label, value] of Object.entries(levels)) await field(page, label).fill(value);
  };
  const signalsOf = (symbol: string): Promise<Published> =>
    owner.read<Published>(`/api/signals?symbol=${symbol}&detail=true`);

  test(
    'previews risk and reward at the expected fill, with the cost of the spread',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('EURUSD', 1.08401, 1.08441);
        await page.goto('/signals/new?symbol=EURUSD');
        await preview(page).getByText('1.08401 / 1.08441').waitFor();
        // One to one at the typed price, but the order fills at the ask, four pips above it.
        await fill(page, { Entry: '1.08401', Stop: '1.08308', Target: '1.08494' });
        await fact(page, 'Reward/risk').getByText('0.40 : 1', { exact: true }).waitFor();
        expect(await fact(page, 'Order').innerText()).toStartWith('market order');
        expect(await fact(page, 'Expected fill').innerText()).toBe('1.08441 or worse');
        expect(await fact(page, 'Spread').innerText()).toBe('0.00040 · 4.0 pips · 0.43 R');
        expect(await fact(page, 'Risk').innerText()).toBe('13.3 pips to the stop · 1.43 R');
        expect(await fact(page, 'Reward').innerText()).toBe('5.3 pips to the target · 0.57 R');
        await preview(page).getByText('The stop is closer than 10 spreads').waitFor();
        // The market moves, and the preview with it.
        await market.quote('EURUSD', 1.08399, 1.08409);
        await fact(page, 'Reward').getByText('8.5 pips to the target').waitFor();
        // A sell fills at the bid; a limit entry at its level.
        await field(page, 'Direction').selectOption('sell');
        await fill(page, { Entry: '1.08409', Stop: '1.0852', Target: '1.083' });
        await fact(page, 'Expected fill').getByText('1.08399 or worse').waitFor();
        await fill(page, { Entry: '1.086', Stop: '1.088', Target: '1.084' });
        await fact(page, 'Expected fill').getByText('1.08600, never better').waitFor();
        await fact(page, 'Reward/risk').getByText('1.00 : 1', { exact: true }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'counts an index in points',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('US500', 5_000.1, 5_000.6);
        await page.goto('/signals/new?symbol=US500');
        await preview(page).getByText('/ 5000.6').waitFor();
        await fill(page, { Entry: '5000.6', Stop: '4990.6', Target: '5020.6' });
        await fact(page, 'Risk').getByText('points to the stop · 1.00 R').waitFor();
        await fact(page, 'Reward').getByText('points to the target · 2.00 R').waitFor();
        expect(await page.locator('.publish').innerText()).not.toContain('pips');
      }),
    TEST_MS,
  );

  test(
    'shows in a review exactly what is recorded, and records exactly that',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('GBPUSD', 1.30001, 1.30011);
        await page.goto('/signals/new?symbol=GBPUSD');
        await preview(page).getByText('1.30001 / 1.30011').waitFor();
        await fill(page, { Entry: '1.31', Stop: '1.305' });
        await page.getByRole('button', { name: 'Add a target' }).click();
        await fill(page, { 'Target 1': '1.315', 'Target 2': '1.325', 'Note (optional)': 'Over the high of the week' });
        await field(page, 'Breakeven').selectOption('1');
        await field(page, 'Expires').selectOption('in 7 days');
        await page.getByRole('button', { name: 'Review' }).click();
        const review = page.getByRole('region', { name: 'Review', exact: true });
        await review.waitFor();
        expect(await field(page, 'Entry').isVisible()).toBe(false);
        const recorded = (term: string): Promise<string> =>
          review.locator(`dt:text-is("${term}") + dd`).first().innerText();
        expect(await recorded('Publisher')).toBe('Olivia Owner');
        expect(await recorded('Instrument')).toStartWith('GBPUSD · ');
        expect(await recorded('Direction')).toBe('▲ Buy');
        expect(await recorded('Entry')).toBe('1.31000, stop order');
        expect(await recorded('Stop')).toBe('1.30500');
        expect(await recorded('Target 1')).toBe('1.31500, 50 % of the position');
        expect(await recorded('Target 2')).toBe('1.32500, 50 % of the position');
        expect(await recorded('Breakeven')).toBe('stop to the entry after target 1');
        expect(await recorded('Note')).toBe('Over the high of the week');
        expect(await recorded('Expected fill')).toBe('1.31000 or worse');
        expect(await recorded('Reward/risk')).toBe('2.00 : 1');
        await review.getByText('The request, as it is sent').click();
        const sent = JSON.parse(await review.locator('pre').innerText());
        expect((await signalsOf('GBPUSD')).items).toEqual([]);

        // Back in the form nothing is lost; then it is published.
        await page.getByRole('button', { name: 'Back to the form' }).click();
        expect(await field(page, 'Target 2').inputValue()).toBe('1.325');
        await page.getByRole('button', { name: 'Review' }).click();
        await page.getByRole('button', { name: 'Publish permanently' }).click();
        await page.waitForURL('**/signals/sig_*');
        const [signal] = (await signalsOf('GBPUSD')).items;
        expect(signal).toMatchObject({
          symbol: 'GBPUSD',
          direction: 'buy',
          entry: 1.31,
          note: sent.note,
          targets: sent.targets,
          breakeven_after: 1,
        });
        expect(Math.abs(Date.parse(signal!.expires_at) - Date.parse(sent.expires_at))).toBeLessThanOrEqual(60_000);
        // A published form starts empty.
        await page.goto('/signals/new');
        await preview(page).waitFor();
        expect(await field(page, 'Entry').inputValue()).toBe('');
      }),
    TEST_MS,
  );

  test(
    'publishes one signal if a response is lost and the form is reviewed again minutes later',
    () =>
      browser.visit(service.url, { as: owner, expected: [/ERR_FAILED/] }, async (page) => {
        await market.quote('USDCHF', 0.88, 0.8801);
        await page.goto('/signals/new?symbol=USDCHF');
        await preview(page).getByText('0.8800 / 0.8801').waitFor();
        await fill(page, { Entry: '0.89', Stop: '0.885', Target: '0.9' });
        await field(page, 'Expires').selectOption('in 4 hours');
        await page.getByRole('button', { name: 'Review' }).click();
        const review = page.getByRole('region', { name: 'Review', exact: true });
        const expires = (): Promise<string> => review.locator('dt:text-is("Trade expires") + dd').first().innerText();
        const publish = review.getByRole('button', { name: 'Publish permanently' });
        const before = await expires();
        const isPublishing = (url: URL): boolean => url.pathname === '/api/signals';
        await page.route(isPublishing, async (route) => {
          if (route.request().method() !== 'POST') return route.fallback();
          await route.fetch();
          await route.abort();
        });
        await publish.click();
        await review.locator('.message:not(:empty)').waitFor();
        await page.unroute(isPublishing);
        await review.getByRole('button', { name: 'Back to the form' }).click();
        await page.clock.setFixedTime(Date.now() + 150_000);
        await page.getByRole('button', { name: 'Review' }).click();
        expect(await expires()).toBe(before);
        await publish.click();
        await page.waitForURL('**/signals/sig_*');
        expect((await signalsOf('USDCHF')).items).toHaveLength(1);
      }),
    TEST_MS,
  );

  test(
    'asks again if the price makes another order of it while it is reviewed, and names the deadline of that order',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('EURGBP', 0.85, 0.8501);
        await page.goto('/signals/new?symbol=EURGBP');
        await preview(page).getByText('0.8500 / 0.8501').waitFor();
        const byDefault = field(page, 'Expires').locator('option').first();
        await fill(page, { Entry: '0.852', Stop: '0.846', Target: '0.86' });
        await byDefault.getByText('default (entry 24 h, trade 30 days)').waitFor({ state: 'attached' });
        await page.getByRole('button', { name: 'Review' }).click();
        const review = page.getByRole('region', { name: 'Review', exact: true });
        const recorded = (term: string): Promise<string> =>
          review.locator(`dt:text-is("${term}") + dd`).first().innerText();
        const publish = review.getByRole('button', { name: 'Publish permanently' });
        expect([await recorded('Entry'), await recorded('Entry expires')]).toEqual([
          '0.8520, stop order',
          '24 hours after publication',
        ]);

        await market.quote('EURGBP', 0.8519, 0.852);
        await review.getByText('this is now a market order, not a stop order').waitFor();
        expect(await publish.isDisabled()).toBe(true);
        // The market goes on: what was agreed to is asked for, not what was offered before.
        await market.quote('EURGBP', 0.8529, 0.853);
        await review.getByText('this is now a limit order, not a stop order').waitFor();
        await market.quote('EURGBP', 0.85, 0.8501);
        await review.getByText('The price has moved').waitFor({ state: 'detached' });
        expect(await publish.isEnabled()).toBe(true);

        await market.quote('EURGBP', 0.8519, 0.852);
        await review.getByRole('button', { name: 'Continue with a market order' }).click();
        expect([await recorded('Entry'), await recorded('Entry expires')]).toEqual([
          '0.8520, market order',
          '60 s after publication',
        ]);
        await review.getByRole('button', { name: 'Back to the form' }).click();
        await byDefault.getByText('default (entry 60 s, trade 30 days)').waitFor({ state: 'attached' });
        await page.getByRole('button', { name: 'Review' }).click();
        await publish.click();
        await page.waitForURL('**/signals/sig_*');
        expect((await signalsOf('EURGBP')).items).toMatchObject([{ entry: 0.852 }]);
      }),
    TEST_MS,
  );

  test(
    'publishes a market order that stays one while the market moves, with a maximum slippage',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('NZDUSD', 0.60001, 0.60011);
        await page.goto('/signals/new?symbol=NZDUSD');
        await preview(page).getByText('0.60001 / 0.60011').waitFor();
        await fill(page, { Entry: '0.6001', Stop: '0.598', Target: '0.604' });
        await field(page, 'Order').selectOption('at the market');
        expect(await field(page, 'Entry').count()).toBe(0);
        await fact(page, 'Expected fill').getByText('0.60011 or worse', { exact: true }).waitFor();
        expect(await fact(page, 'Order').innerText()).toBe('market order: the next quote fills it');
        const slippage = field(page, 'Max slippage (optional)');
        await slippage.fill('0.000001');
        await preview(page).getByText('Max slippage must be a distance with at most 5 decimals.').waitFor();
        await slippage.fill('some');
        await page.getByRole('button', { name: 'Review' }).click();
        await page.locator('.problem', { hasText: 'Max slippage must be a distance in price units' }).waitFor();
        await slippage.fill('0.0002');
        await fact(page, 'Expected fill').getByText('0.60011 or worse, up to 0.60031').waitFor();
        // With a typed entry it would now be a limit order.
        await market.quote('NZDUSD', 0.60101, 0.60111);
        await fact(page, 'Expected fill').getByText('0.60111 or worse, up to 0.60131').waitFor();
        await page.getByRole('button', { name: 'Review' }).click();
        const review = page.getByRole('region', { name: 'Review', exact: true });
        await review.getByText('market order, at the ask when it is published').waitFor();
        await review.getByText('The request, as it is sent').click();
        expect(JSON.parse(await review.locator('pre').innerText())).toEqual({
          ...{ symbol: 'NZDUSD', direction: 'buy', order: 'market', max_slippage: 0.0002 },
          ...{ stop_loss: 0.598, take_profit: 0.604 },
        });
        // Another order has the entry again that was typed.
        await page.getByRole('button', { name: 'Back to the form' }).click();
        await field(page, 'Order').selectOption('at a price (limit or stop)');
        expect(await field(page, 'Entry').inputValue()).toBe('0.6001');
        await field(page, 'Order').selectOption('at the market');
        expect(await slippage.inputValue()).toBe('0.0002');
        await page.getByRole('button', { name: 'Review' }).click();
        await page.getByRole('button', { name: 'Publish permanently' }).click();
        await page.waitForURL('**/signals/sig_*');
        await page.getByText('0.60111, market order').waitFor();
        await market.quote('NZDUSD', 0.60131, 0.60141);
        await page.getByText('never', { exact: true }).waitFor();
        await page
          .getByText(/^Not filled/)
          .first()
          .waitFor();
      }),
    TEST_MS,
  );

  test(
    'is not reviewed while a level is wrong',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('EURUSD', 1.08401, 1.08411);
        await page.goto('/signals/new?symbol=EURUSD');
        await preview(page).getByText('1.08401 / 1.08411').waitFor();
        await fill(page, { Entry: '1.08411', Stop: '1.09', Target: '1.1' });
        await page.getByRole('button', { name: 'Review' }).click();
        await page.locator('.problem', { hasText: 'Stop must be below entry for a buy.' }).waitFor();
        expect(await field(page, 'Stop').evaluate((input) => input === document.activeElement)).toBe(true);
        expect(await page.getByRole('button', { name: 'Publish permanently' }).count()).toBe(0);
      }),
    TEST_MS,
  );

  test(
    'starts with the instrument in view, and the form survives other pages and a reload',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('USDJPY', 150, 150.01);
        await market.quote('EURUSD', 1.08401, 1.08411);
        await page.goto('/markets/USDJPY/5m');
        await page.getByLabel('USDJPY, 5m bars').waitFor();
        await page.getByRole('link', { name: 'Signals', exact: true }).first().click();
        await page.getByRole('link', { name: 'Publish a signal' }).click();
        expect(await field(page, 'Instrument').inputValue()).toBe('USDJPY');
        await field(page, 'Direction').selectOption('sell');
        await fill(page, { Entry: '150', Stop: '151' });
        await page.getByRole('button', { name: 'Add a target' }).click();
        await fill(page, { 'Target 1': '149', 'Target 2': '148', 'Share 1 in %': '70', 'Share 2 in %': '30' });
        await field(page, 'Note (optional)').fill('Half an idea');

        const isKept = async (): Promise<void> => {
          await field(page, 'Entry').waitFor();
          expect(await field(page, 'Instrument').inputValue()).toBe('USDJPY');
          expect(await field(page, 'Direction').inputValue()).toBe('sell');
          const labels = ['Entry', 'Stop', 'Target 1', 'Target 2', 'Share 1 in %', 'Share 2 in %', 'Note (optional)'];
          const values = await Promise.all(labels.map((label) => field(page, label).inputValue()));
          expect(values).toEqual(['150', '151', '149', '148', '70', '30', 'Half an idea']);
        };
        await page.getByRole('link', { name: '← All signals' }).click();
        await page.getByRole('heading', { name: 'Signals' }).waitFor();
        await page.goBack();
        await isKept();
        // Another instrument in view does not replace what was typed.
        await page.goto('/markets/EURUSD/5m');
        await page.getByLabel('EURUSD, 5m bars').waitFor();
        await page.goto('/signals/new');
        await isKept();
        await page.reload();
        await isKept();
        await page.getByRole('button', { name: 'Clear the form' }).click();
        expect(await field(page, 'Entry').inputValue()).toBe('');
        expect(await field(page, 'Target').inputValue()).toBe('');
        await page.reload();
        await field(page, 'Entry').waitFor();
        expect(await field(page, 'Instrument').inputValue()).toBe('EURUSD');
      }),
    TEST_MS,
  );

  test(
    'says that a quote is too old to publish',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('AUDUSD', 0.65001, 0.65011);
        await page.clock.install();
        await page.goto('/signals/new?symbol=AUDUSD');
        await preview(page).getByText('0.65001 / 0.65011').waitFor();
        expect(await page.getByText('The service accepts no signal').count()).toBe(0);
        await page.clock.fastForward(130_000);
        await page
          .getByText(/The last quote is \d min old. The service accepts no signal until a new one comes/)
          .waitFor();
      }),
    TEST_MS,
  );

  test(
    'fits a phone, in the form and in the review',
    () =>
      browser.visit(service.url, { as: owner, viewport: { ...PHONE, width: 320 } }, async (page) => {
        await market.quote('EURUSD', 1.08401, 1.08411);
        await page.goto('/signals/new?symbol=EURUSD');
        await preview(page).getByText('1.08401 / 1.08411').waitFor();
        await fill(page, { Entry: '1.08411', Stop: '1.08', Target: '1.09', 'Note (optional)': 'x'.repeat(200) });
        const fits = (): Promise<boolean> =>
          page.locator('.publish').evaluate((element) => element.scrollWidth <= element.clientWidth);
        expect(await fits()).toBe(true);
        await page.getByRole('button', { name: 'Review' }).click();
        await page.getByRole('button', { name: 'Publish permanently' }).waitFor();
        await page.getByText('The request, as it is sent').click();
        expect(await fits()).toBe(true);
      }),
    TEST_MS,
  );

  test(
    'fills the form from a pasted message, marks its values, and shows the review',
    () =>
      browser.visit(service.url, { as: owner, expected: [/422 \(Unprocessable/] }, async (page) => {
        await market.quote('EURUSD', 1.084, 1.08412);
        await page.goto('/signals/new?symbol=GBPUSD');
        await page.getByText('Paste a signal').click();
        const paste = page.locator('.paste');
        await paste
          .getByLabel('Message', { exact: true })
          .fill('🔥 EUR/USD BUY LIMIT 1.0820-1.0815 SL 1.0800 TP 1.0900');
        await paste.getByRole('button', { name: 'Read' }).click();
        await paste.getByText('The entry is a range. Write one price.').waitFor();
        expect(await paste.locator('mark').allInnerTexts()).toEqual(['1.0815']);

        await paste
          .getByLabel('Message', { exact: true })
          .fill('🔥 EUR/USD BUY LIMIT 1.0820\nTP1 1.0860\nTP2 1.0900\nSL 1.0800\nSL to BE after TP1');
        await paste.getByRole('button', { name: 'Read' }).click();
        await page.getByRole('button', { name: 'Publish permanently' }).click();
        await page.waitForURL('**/signals/sig_*');
        const { items } = await signalsOf('EURUSD');
        expect(items[0]).toMatchObject({
          direction: 'buy',
          entry: 1.082,
          targets: [
            { price: 1.086, fraction: 0.5 },
            { price: 1.09, fraction: 0.5 },
          ],
          breakeven_after: 1,
        });
      }),
    TEST_MS,
  );
});
