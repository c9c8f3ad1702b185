// Following a publisher, the list of what is followed, and the open positions of a publisher, with prices set by the test.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { FakeHttp } from '../packages/server/testing/delivery/fake-http.fixture.ts';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PushedPrices } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

/** As long as a name may be, without a place to break it. */
const LONG_NAME = 'Maximilianakatharinavonundzuhohenlohelangenburg';

describeInBrowser('a publisher', () => {
  const browser = new TestBrowser();
  const receiver = new FakeHttp(() => ({ status: 204 }));
  let service: Service;
  let owner: Person;
  let paula: Person;
  let market: PushedPrices;
  beforeAll(async () => {
    await receiver.listen();
    service = await Service.start({ feeds: 'push', news: 'none', house: 'none', delivery_allow_private: 'true' });
    owner = await service.owner();
    paula = await service.guest(owner, 'Paula Publisher');
    market = await PushedPrices.by(owner, service.url);
    await publish(paula);
  }, TEST_MS);
  afterAll(async () => {
    await service.stop();
    await receiver[Symbol.asyncDispose]();
  });

  async function publish(person: Person, more: object = {}): Promise<string> {
    await market.quote('EURUSD', 1.08401, 1.08411);
    const levels = { entry: 1.08411, stop_loss: 1.08211, take_profit: 1.08811, ...more };
    const request = person.post('/api/signals', { symbol: 'EURUSD', direction: 'buy', ...levels });
    return (await person.must<{ id: string }>(201, request)).id;
  }
  const followed = async (): Promise<readonly { readonly publisher: { readonly name: string } }[]> =>
    (await owner.read<{ items: readonly { readonly publisher: { readonly name: string } }[] }>('/api/subscriptions'))
      .items;
  const dialog = (page: Page): Locator => page.getByRole('dialog');

  test(
    'is followed from the own page, tells of a signal in the terminal, and is unfollowed from the list',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/publishers/Paula%20Publisher');
        await page.getByRole('button', { name: 'Follow', exact: true }).click();
        await dialog(page).getByText('This terminal, always').waitFor();
        await dialog(page).getByRole('link', { name: 'Add a destination' }).waitFor();
        await dialog(page).getByLabel('Notify me about').selectOption('new signals only');
        await dialog(page).getByRole('button', { name: 'Follow', exact: true }).click();
        await page.getByText('Following. Messages go to this terminal.').waitFor();
        expect((await followed()).map(({ publisher }) => publisher.name)).toEqual(['Paula Publisher']);

        await publish(paula);
        await page
          .getByRole('log')
          .getByText(/Paula Publisher/)
          .first()
          .waitFor();

        await page.getByRole('link', { name: '← All publishers' }).click();
        await page.getByRole('link', { name: 'Following', exact: true }).click();
        await page.waitForURL('**/publishers?view=following');
        const row = page.getByRole('table', { name: 'Following' }).getByRole('row', { name: /Paula Publisher/ });
        await row.getByText('published', { exact: true }).waitFor();
        await row.getByText('this terminal').waitFor();
        await row.getByRole('button', { name: 'Unfollow' }).click();
        await dialog(page).getByRole('button', { name: 'Unfollow' }).click();
        await page.getByText('You do not follow anyone yet.').waitFor();
        expect(await followed()).toEqual([]);
        // The list is an address of its own.
        await page.goBack();
        await page.getByRole('heading', { name: 'Publishers', level: 1 }).waitFor();
      }),
    TEST_MS,
  );

  test(
    'is followed from a signal, with a destination that the dialog leads to',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const id = await publish(paula);
        await page.goto(`/signals/${id}`);
        await page.getByRole('button', { name: 'Follow', exact: true }).click();
        await dialog(page).getByRole('link', { name: 'Add a destination' }).click();
        await page.waitForURL('**/alerts/destinations');
        expect(await dialog(page).count()).toBe(0);
        await page.getByLabel('Address').fill(receiver.url('/hook'));
        await page.getByRole('button', { name: 'Add', exact: true }).click();
        await page.getByRole('button', { name: 'Done' }).click();

        await page.goto(`/signals/${id}`);
        await page.getByRole('button', { name: 'Follow', exact: true }).click();
        expect(
          await dialog(page)
            .getByLabel(/Webhook/)
            .isChecked(),
        ).toBe(true);
        await dialog(page).getByRole('button', { name: 'Follow', exact: true }).click();
        await page.getByText(/Following\. Messages go to this terminal, Webhook /).waitFor();
        const published = await publish(paula);
        // The quotes of this test also fill earlier signals, and there is a message for each.
        const told = (): boolean =>
          receiver.requests.some(({ body }) => {
            const { type, data } = JSON.parse(String(body)) as { type: string; data: { signal?: { id: string } } };
            return type === 'signal.published' && data.signal?.id === published;
          });
        while (!told()) await Bun.sleep(20);

        await page.getByRole('button', { name: 'Unfollow' }).click();
        await dialog(page).getByRole('button', { name: 'Unfollow' }).click();
        await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
        expect(await followed()).toEqual([]);
      }),
    TEST_MS,
  );

  test(
    'has open positions with state, stop in force and R now, and a public record only if there is one',
    () =>
      browser.visit(service.url, { as: owner, expected: [/status of 404/] }, async (page) => {
        const wendy = await service.guest(owner, 'Wendy Writer');
        const targets = [
          { price: 1.08611, fraction: 0.5 },
          { price: 1.08811, fraction: 0.5 },
        ];
        await publish(wendy, { take_profit: undefined, targets, breakeven_after: 1 });
        await page.goto('/publishers/Wendy%20Writer');
        const row = page.getByRole('table', { name: 'Open positions' }).getByRole('row').last();
        await row.getByText('Pending market').waitFor();
        await market.quote('EURUSD', 1.08401, 1.08411);
        await row.getByText('Filled', { exact: true }).waitFor();
        await row.getByText('−0.05 R').waitFor();
        await market.quote('EURUSD', 1.08631, 1.08641);
        await row.getByText('Target 1/2 hit').waitFor();
        // Half at +1 R and half at 1.1 R; the stop is at the entry.
        await row.getByText('+1.05 R').waitFor();
        await row.getByText('1.08411').first().waitFor();
        await row.getByText('1.08811').waitFor();
        await page.getByRole('link', { name: 'Public record' }).click();
        await page.getByText('The operator of this service has not made track records public.').waitFor();
      }),
    TEST_MS,
  );

  test(
    'with a long name does not break its pages, and nobody follows the own account',
    async () => {
      const long = await service.guest(owner, LONG_NAME);
      const id = await publish(long);
      await browser.visit(service.url, { as: long }, async (page) => {
        for (const path of ['/publishers', `/publishers/${LONG_NAME}`, `/signals/${id}`, '/signals']) {
          await page.goto(path);
          for (const width of [1440, 1024, PHONE.width, 320]) {
            await page.setViewportSize({ width, height: 844 });
            await page.getByText(LONG_NAME).filter({ visible: true }).first().waitFor();
            const body = page.locator('.signals-page');
            expect([width, path, await body.evaluate((e) => e.scrollWidth - e.clientWidth)]).toEqual([width, path, 0]);
          }
        }
        await page.goto(`/publishers/${LONG_NAME}`);
        await page.getByRole('table', { name: 'Open positions' }).waitFor();
        expect(await page.getByRole('button', { name: 'Follow' }).count()).toBe(0);
      });
    },
    TEST_MS,
  );
});
