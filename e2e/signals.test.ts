// A signal from the form to its verified close, with prices set by the test.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PushedPrices } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

describeInBrowser('a signal', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  let publisher: Person;
  let market: PushedPrices;
  beforeAll(async () => {
    service = await Service.start({ feeds: 'push', news: 'none', house: 'none' });
    owner = await service.owner();
    publisher = await service.guest(owner, 'Paula Publisher');
    market = await PushedPrices.by(owner, service.url);
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'is published with the form, hits its target, and the browser verifies its result',
    () =>
      browser.visit(service.url, { as: publisher }, async (page) => {
        await market.quote('EURUSD', 1.084, 1.08412);
        await page.goto('/signals');
        await page.getByRole('link', { name: 'Publish a signal' }).click();
        await page.getByText('1.08400 / 1.08412').waitFor();
        await page.getByRole('button', { name: 'Market', exact: true }).click();
        expect(await page.getByLabel('Entry', { exact: true }).inputValue()).toBe('1.08412');
        await page.getByLabel('Stop', { exact: true }).fill('1.082');
        await page.getByLabel('Target', { exact: true }).fill('1.088');
        await page.getByLabel('Note (optional)').fill('Breakout over the morning high');
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
        await page.waitForURL('**/signals/sig_*');
        await page.getByText('Breakout over the morning high').waitFor();
        expect(await page.getByText('✓ verified').count()).toBe(0);

        // The bid is above the target: a buy closes at the bid.
        await market.quote('EURUSD', 1.0885, 1.08862);
        await page.getByText('✓ verified').first().waitFor();
        // 1.0880 − 1.08412.
        await page
          .getByText(/\+38\.8/)
          .first()
          .waitFor();
        await page.getByText('✓ verified').first().click();
        await page.getByText(/\d+ of \d+ checks passed/).waitFor();

        await page.getByRole('link', { name: '← All signals' }).click();
        await page.getByRole('button', { name: 'Closed', exact: true }).click();
        await page.getByRole('link', { name: /Buy EURUSD by Paula Publisher/ }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'is rejected in the form if its levels are invalid',
    () =>
      browser.visit(service.url, { as: owner, expected: [/status of 4\d\d/] }, async (page) => {
        await market.quote('EURUSD', 1.084, 1.08412);
        await page.goto('/signals/new?symbol=EURUSD');
        await page.getByText('1.08400 / 1.08412').waitFor();
        await page.getByRole('button', { name: 'Market', exact: true }).click();
        // A buy with its stop above and its target below the entry.
        await page.getByLabel('Stop', { exact: true }).fill('1.09');
        await page.getByLabel('Target', { exact: true }).fill('1.08');
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
        await page.locator('[aria-invalid=true]').first().waitFor();
        expect(new URL(page.url()).pathname).toBe('/signals/new');
      }),
    TEST_MS,
  );
});
