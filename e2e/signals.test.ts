// A signal from the form to its verified close, with prices set by the test.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createSigningKey, Signer } from '@tickwire/client';
import type { Page } from 'playwright-core';
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
    'is published with the form, hits its target, and the browser checks its records',
    () =>
      browser.visit(service.url, { as: publisher }, async (page) => {
        await market.quote('EURUSD', 1.084, 1.08412);
        await page.goto('/signals');
        await page.getByRole('link', { name: 'Publish a signal' }).click();
        await page.getByText('1.08400 / 1.08412').waitFor();
        await page.getByLabel('Order', { exact: true }).selectOption('market');
        expect(await page.getByLabel('Entry', { exact: true }).count()).toBe(0);
        await page.getByLabel('Stop', { exact: true }).fill('1.082');
        await page.getByLabel('Target', { exact: true }).fill('1.088');
        await page.getByLabel('Note (optional)').fill('Breakout over the morning high');
        await page.getByRole('button', { name: 'Review' }).click();
        await page.getByRole('button', { name: 'Publish permanently' }).click();
        await page.waitForURL('**/signals/sig_*');
        await page.getByText('Breakout over the morning high').waitFor();
        expect(await page.getByText('✓ verified').count()).toBe(0);
        // The next quote fills it.
        await market.quote('EURUSD', 1.084, 1.08412);
        await page.getByText('Filled', { exact: true }).first().waitFor();

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
        await page.getByLabel('Order', { exact: true }).selectOption('market');
        // A buy with its stop above and its target below the entry.
        await page.getByLabel('Stop', { exact: true }).fill('1.09');
        await page.getByLabel('Target', { exact: true }).fill('1.08');
        await page.getByRole('button', { name: 'Review' }).click();
        await page.locator('[aria-invalid=true]').first().waitFor();
        expect(new URL(page.url()).pathname).toBe('/signals/new');
      }),
    TEST_MS,
  );

  test(
    'has several targets, of which one is hit, and its publisher tightens the stop and closes it',
    () =>
      browser.visit(service.url, { as: publisher, expected: [/status of 4\d\d/] }, async (page) => {
        await market.quote('XAUUSD', 2400, 2400.3);
        await page.goto('/signals/new?symbol=XAUUSD');
        await page.getByText('2400.00 / 2400.30').waitFor();
        await page.getByLabel('Order', { exact: true }).selectOption('market');
        await page.getByLabel('Stop', { exact: true }).fill('2390.3');
        await page.getByLabel('Balance').fill('10000');
        // 1 % of 10,000 is 100, and one lot of 100 ounces loses 1,000.
        await page.getByText('100.00 USD (1.00 %)').waitFor();
        await page.getByRole('button', { name: 'Add a target' }).click();
        await page.getByLabel('Target 1', { exact: true }).fill('2410.3');
        await page.getByLabel('Share 1 in %').fill('60');
        await page.getByLabel('Target 2', { exact: true }).fill('2430.3');
        await page.getByText('they add up to 110 %').waitFor();
        await page.getByLabel('Share 2 in %').fill('40');
        await page.getByLabel('Breakeven').selectOption('1');
        // 0.6 × 1 + 0.4 × 3.
        await page.getByText('1.80 : 1').first().waitFor();
        await page.getByRole('button', { name: 'Review' }).click();
        await page.getByRole('button', { name: 'Publish permanently' }).click();
        await page.waitForURL('**/signals/sig_*');
        await page.getByText('pending: the entry waits for its fill').waitFor();
        await market.quote('XAUUSD', 2400, 2400.3);
        await page.getByText('open', { exact: true }).waitFor();
        await market.quote('XAUUSD', 2411, 2411.3);
        await page.getByText('open: 1 of 2 targets hit').waitFor();
        await page.getByText('2400.30, the entry').waitFor();

        const tighten = async (stop: string): Promise<void> => {
          await page.getByLabel('New stop').fill(stop);
          await page.getByRole('dialog').getByRole('button', { name: 'Tighten stop' }).click();
        };
        await page.getByRole('button', { name: 'Tighten stop' }).click();
        await tighten('2395');
        await page.getByRole('dialog').getByText('A stop can only be tightened').waitFor();
        await tighten('2405');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.getByText('Stop in force').waitFor();
        await page.getByText('2405.00', { exact: true }).waitFor();

        await page.getByRole('button', { name: 'Close', exact: true }).click();
        await page.getByRole('button', { name: 'Close at market' }).click();
        // No quote comes while the request waits for one.
        await page.getByText('it closes with the next quote of XAUUSD').waitFor();
        await market.quote('XAUUSD', 2412, 2412.3);
        await page.getByText('✓ verified').first().waitFor();
        // 0.6 × 10 + 0.4 × 10.7, at the worse of both quotes, for a risk of 10.
        await page.getByText('+1.03 R').first().waitFor();
        const records = page.getByRole('table', { name: 'Records' });
        await records.getByText('Closed by publisher').waitFor();
        const events = await records.locator('tbody td:first-child').allInnerTexts();
        expect(events).toEqual([
          'Published, market order',
          'Filled at 2400.30',
          'Target 1 hit: 60 % out at 2410.30',
          'Stop tightened to 2405.00',
          'Close requested',
          'Closed by publisher: 40 % out at 2411.00',
        ]);
        await records.getByText(/^2412.00 \/ 2412.30, push:pub_/).waitFor();
        await page.getByText('✓ verified').first().click();
        await page.getByText(/\d+ of \d+ checks passed/).waitFor();
      }),
    TEST_MS,
  );

  test(
    'is voided by the operator, with a reason that everybody reads',
    async () => {
      await market.quote('GBPUSD', 1.3, 1.3001);
      const levels = { entry: 1.3001, stop_loss: 1.29, take_profit: 1.32 };
      const request = publisher.post('/api/signals', { symbol: 'GBPUSD', direction: 'buy', ...levels });
      const { id } = await publisher.must<{ id: string }>(201, request);
      await browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto(`/signals/${id}`);
        await page.getByRole('button', { name: 'Void…' }).click();
        await page.getByLabel('Public reason').fill('A bad tick of the feed at 11:03:12 UTC');
        await page.getByRole('button', { name: 'Void for good' }).click();
        await page.getByText('Voided by an operator.').waitFor();
      });
      await browser.visit(service.url, { as: publisher }, async (page) => {
        await page.goto(`/signals/${id}#evidence`);
        await page.getByText('Voided by an operator. A bad tick of the feed at 11:03:12 UTC').waitFor();
        await page.getByRole('cell', { name: 'Voided: A bad tick of the feed at 11:03:12 UTC' }).waitFor();
        expect(await page.getByRole('button', { name: 'Void…' }).count()).toBe(0);
        await page.getByText(/\d+ of \d+ checks passed/).waitFor();
        await page.locator('.steps li[data-outcome=passed]', { hasText: 'Tick: 1.30000 / 1.30010' }).first().waitFor();
        await page.getByText('Whether the ticks lead to this result under the rules').waitFor();
      });
    },
    TEST_MS,
  );

  test(
    'is signed by its publisher, and the browser verifies the signature, or says that it cannot',
    async () => {
      const signing = await service.guest(owner, 'Sam Signer');
      const { privateKey, publicKey } = await createSigningKey();
      await signing.confirm();
      await signing.must(200, signing.post('/api/account/signing-key', { public_key: publicKey }));
      const signer = new Signer((await signing.must(200, signing.get('/api/account'))).id, privateKey);
      await market.quote('USDJPY', 150, 150.01);
      const levels = { entry: 150.01, stop_loss: 149.5, take_profit: 151 };
      const request = await signer.publish({ symbol: 'USDJPY', direction: 'buy', ...levels, note: 'Signed' });
      const { id } = await signing.must<{ id: string }>(201, signing.post('/api/signals', request));
      const step = (page: Page, outcome: string) =>
        page.locator(`.steps li[data-outcome=${outcome}]`, { hasText: 'Signatures of the publisher' });

      await browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto(`/signals/${id}#evidence`);
        await step(page, 'passed').getByText(`1 request is signed with the key ${publicKey}`).waitFor();
        await page.getByRole('table', { name: 'Records' }).getByText('signed', { exact: true }).waitFor();
      });
      await browser.visit(service.url, { as: owner }, async (page) => {
        // The service shows another stop than the one that was signed.
        await page.route(`**/signals/${id}/proof`, async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, body: (await response.text()).replaceAll('149.5', '149.4') });
        });
        await page.goto(`/signals/${id}#evidence`);
        await step(page, 'failed').getByText('is not what the publisher signed').waitFor();
      });
      await browser.visit(service.url, { as: owner }, async (page) => {
        // As a browser that does not know Ed25519 rejects it.
        await page.addInitScript(() => {
          const reject = () => Promise.reject(new DOMException('Unrecognized name', 'NotSupportedError'));
          Object.assign(crypto.subtle, { generateKey: reject });
        });
        await page.goto(`/signals/${id}#evidence`);
        await step(page, 'unavailable').getByText('This browser cannot verify Ed25519 signatures').waitFor();
      });
    },
    TEST_MS,
  );
});
