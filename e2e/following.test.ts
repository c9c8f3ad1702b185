// What an account follows: added and removed in the settings.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

describeInBrowser('what an account follows', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ house: 'none', news: 'none', delivery_allow_private: 'true' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'is added with a destination, listed and removed in the settings',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/settings#following');
        await page.getByText('Nothing yet.').waitFor();
        await page.getByRole('link', { name: 'Add a destination' }).waitFor();
        const hook = { channel: 'webhook', url: 'http://127.0.0.1:9/', name: 'my bot' };
        await owner.must(201, owner.post('/api/destinations', hook));
        await page.reload();
        await page.getByRole('button', { name: 'Instrument' }).click();
        await page.getByLabel('Instrument', { exact: true }).fill('eurusd');
        await page.getByRole('button', { name: 'Follow', exact: true }).click();
        await page.getByText('Choose at least one destination.').waitFor();
        await page.getByLabel('Webhook my bot').check();
        await page.getByRole('button', { name: 'Follow', exact: true }).click();
        const row = page.getByRole('row', { name: /^EURUSD .*Webhook my bot/ });
        await row.waitFor();
        const { items } = await owner.read<{ items: { symbol: string }[] }>('/api/subscriptions');
        expect(items.map(({ symbol }) => symbol)).toEqual(['EURUSD']);
        await row.getByRole('button', { name: 'Unfollow' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Unfollow' }).click();
        await page.getByText('Nothing yet.').waitFor();
      }),
    TEST_MS,
  );
});
