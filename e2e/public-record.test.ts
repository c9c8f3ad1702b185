// The public page of a publisher, in a browser that is not signed in.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createSigningKey, Signer } from '@tickwire/client';
import type { Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const SIGNALS = 4;

/** Publishes at the market and closes again; both are signed if there is a signer. */
async function publishAndClose(person: Person, symbol: string, signer?: Signer): Promise<void> {
  const { ask } = await person.must<{ ask: number }>(200, person.get(`/api/market/${symbol}/quote`));
  const [stop_loss, take_profit] = [ask * 0.9, ask * 1.1].map((price) => Number(price.toFixed(2)));
  const terms = { symbol, direction: 'buy', entry: ask, stop_loss: stop_loss!, take_profit: take_profit! } as const;
  const request = signer ? await signer.publish(terms) : terms;
  const { id } = await person.must<{ id: string }>(201, person.post('/api/signals', request));
  const closing = signer ? { signed: await signer.close(id) } : {};
  await person.must(200, person.post(`/api/signals/${id}/close`, closing));
}

describeInBrowser('a public record', () => {
  const browser = new TestBrowser();
  let service: Service;
  const signing = createSigningKey();
  beforeAll(async () => {
    service = await Service.start({ news: 'none', house: 'none', sim_rate: '500', public_records: 'on' });
    const owner = await service.owner();
    const publisher = await service.guest(owner, 'Paula Publisher');
    for (let count = 0; count < SIGNALS; count++) await publishAndClose(publisher, count % 2 ? 'XAUUSD' : 'EURUSD');
    const signed = await service.guest(owner, 'Sam Signer');
    const { privateKey, publicKey } = await signing;
    await signed.confirm();
    await signed.must(200, signed.post('/api/account/signing-key', { public_key: publicKey }));
    const { id } = await signed.must(200, signed.get('/api/account'));
    await publishAndClose(signed, 'EURUSD', new Signer(id, privateKey));
  }, TEST_MS);
  afterAll(() => service.stop());

  const opened = async (page: Page): Promise<void> => {
    await page.goto('/p/Paula%20Publisher');
    await page.getByRole('heading', { level: 1, name: 'Paula Publisher' }).waitFor();
  };

  test(
    'is checked in the browser of a reader without an account, which says what it does not judge',
    () =>
      browser.visit(service.url, {}, async (page) => {
        await opened(page);
        await page.getByText(`of ${SIGNALS} signals checked in this browser: no faults found.`).waitFor();
        for (const check of ['Hashes', 'Hash chain', 'Number of signals'])
          expect(await page.locator('.steps li[data-outcome=passed]', { hasText: check }).count()).toBe(1);
        await page.getByRole('heading', { name: 'Not checked here' }).waitFor();
        await page.getByText('Whether the ticks lead to the results under the rules').waitFor();
        await page.getByText('That no signal is missing').waitFor();
        expect(await page.getByRole('table', { name: 'Newest closed signals' }).getByRole('row').count()).toBe(
          SIGNALS + 1,
        );
        expect(
          await page.getByAltText('Badge of Paula Publisher').evaluate((image: HTMLImageElement) => image.naturalWidth),
        ).toBeGreaterThan(100);
        expect(await page.title()).toBe('Paula Publisher · track record');
      }),
    TEST_MS,
  );

  test(
    'shows that a result was changed on the way to the reader',
    () =>
      browser.visit(service.url, {}, async (page) => {
        await page.route('**/records', async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, body: (await response.text()).replace(/"pnl_r":-?[\d.]+/, '"pnl_r":9') });
        });
        await opened(page);
        await page.getByText(`of ${SIGNALS} signals checked in this browser. Some checks failed.`).waitFor();
        await page.locator('.steps li[data-outcome=failed]', { hasText: 'does not match its hash' }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'has signatures that the browser verifies, of the key that the publisher holds',
    async () => {
      const { publicKey } = await signing;
      const step = (page: Page, outcome: string) =>
        page.locator(`.steps li[data-outcome=${outcome}]`, { hasText: 'Signatures of the publisher' });
      await browser.visit(service.url, {}, async (page) => {
        await page.goto('/p/Sam%20Signer');
        await step(page, 'passed').getByText(`2 of 2 requests are signed, with the key ${publicKey}.`).waitFor();
      });
      await browser.visit(service.url, {}, async (page) => {
        await page.route('**/records', async (route) => {
          const response = await route.fetch();
          // The first digit of each signature.
          const forge = (_: string, before: string, digit: string): string => before + (digit === '0' ? '1' : '0');
          await route.fulfill({ response, body: (await response.text()).replace(/("signature":")(.)/g, forge) });
        });
        await page.goto('/p/Sam%20Signer');
        await step(page, 'failed').getByText('is not what the publisher signed').waitFor();
      });
      await browser.visit(service.url, {}, async (page) => {
        await opened(page);
        await step(page, 'unavailable').getByText('The publisher signs nothing').waitFor();
      });
    },
    TEST_MS,
  );
});
