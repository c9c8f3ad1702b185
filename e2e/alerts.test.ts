// Alerts on the page and on the chart, with prices set by the test and a webhook receiver.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { FakeHttp } from '../packages/server/testing/delivery/fake-http.fixture.ts';
import { FAKE_BOT_TOKEN, FakeTelegram } from '../packages/server/testing/delivery/fake-telegram.fixture.ts';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PushedPrices } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

interface StoredAlert {
  readonly id: string;
  readonly symbol: string;
  readonly condition: { readonly level: number };
  readonly state: string;
}

describeInBrowser('an alert', () => {
  const browser = new TestBrowser();
  const receiver = new FakeHttp(() => ({ status: 204 }));
  let telegram: FakeTelegram;
  let service: Service;
  let owner: Person;
  let market: PushedPrices;
  beforeAll(async () => {
    await receiver.listen();
    telegram = (await FakeTelegram.open()).chat({ id: 77, type: 'private', title: 'Olivia' });
    service = await Service.start({
      feeds: 'push',
      news: 'none',
      house: 'none',
      delivery_allow_private: 'true',
      telegram_bot_token: FAKE_BOT_TOKEN,
      telegram_api_url: telegram.url,
    });
    owner = await service.owner();
    market = await PushedPrices.by(owner, service.url);
  }, TEST_MS);
  afterAll(async () => {
    await service.stop();
    await receiver[Symbol.asyncDispose]();
    await telegram[Symbol.asyncDispose]();
  });

  const alertsOf = async (symbol: string): Promise<readonly StoredAlert[]> =>
    (await owner.read<{ items: readonly StoredAlert[] }>(`/api/alerts?symbol=${symbol}`)).items;
  const toast = (page: Page, title: RegExp): Locator => page.getByRole('log').getByText(title);

  test(
    'on an instrument that is no longer configured says that it is not checked',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const condition = { type: 'price', cross: 'above', level: 2.5 };
        const { id } = await owner.must<StoredAlert>(201, owner.post('/api/alerts', { symbol: 'GBPUSD', condition }));
        const row = page.getByRole('row', { name: /GBPUSD/ });
        await page.goto('/alerts');
        await row.getByText('Active').waitFor();
        // As the service answers once its configuration lacks the instrument.
        await page.route('**/api/alerts', async (route) => {
          const response = await route.fetch();
          const { items, ...rest } = (await response.json()) as { items: readonly StoredAlert[] };
          const gone = items.map((each) =>
            each.symbol === 'GBPUSD' ? { ...each, not_checked: 'instrument_not_configured' } : each,
          );
          await route.fulfill({ response, json: { ...rest, items: gone } });
        });
        await page.reload();
        await row.getByText('Not checked').waitFor();
        await row.getByText('instrument is not configured').waitFor();
        expect(await row.getByText('Active').count()).toBe(0);
        // It has no chart to lead to.
        expect(await row.getByRole('link', { name: 'GBPUSD', exact: true }).count()).toBe(0);
        await owner.delete(`/api/alerts/${id}`);
      }),
    TEST_MS,
  );

  test(
    'is created on the page, fires, and its signed webhook is in the delivery log',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await market.quote('EURUSD', 1.084, 1.08412);
        await page.goto('/alerts/destinations');
        await page.getByLabel('Address').fill(receiver.url('/hook'));
        await page.getByRole('button', { name: 'Add', exact: true }).click();
        const secret = await page.getByText(/^whsec_/).innerText();
        await page.getByRole('button', { name: 'Done' }).click();
        expect(await page.getByText(/^whsec_/).count()).toBe(0);

        await page.getByRole('link', { name: 'New alert' }).click();
        await page.getByLabel('Instrument').selectOption('EURUSD');
        await page.getByLabel('Trigger').selectOption('crosses above');
        await page.getByLabel('Level').fill('high');
        await page.getByRole('button', { name: 'Create alert' }).click();
        await page.getByText('Must be a number above 0.').waitFor();
        await page.getByLabel('Level').fill('1.085');
        await page.getByText('EURUSD: Bid crosses above 1.08500').waitFor();
        await page.getByLabel('Note (optional)').fill('Sell half');
        await page.getByLabel(/Webhook/).check();
        await page.getByRole('button', { name: 'Create alert' }).click();
        const row = page.getByRole('row', { name: /Bid crosses above 1\.08500/ });
        await row.getByText('Active').waitFor();

        await market.quote('EURUSD', 1.0851, 1.08522);
        await toast(page, /EURUSD bid crossed above 1\.08500/).waitFor();
        await row.getByText('Fired').waitFor();
        await page.getByRole('link', { name: 'Log', exact: true }).click();
        await page.getByRole('row', { name: /EURUSD bid crossed above 1\.08500.*Sell half/ }).waitFor();
        await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
        await page.getByRole('row', { name: /crossed above 1\.08500.*Webhook.*Delivered/ }).waitFor();

        const { headers, body } = receiver.requests[0]!;
        const verified = new Webhook(secret).verify(body, headers);
        expect(verified).toMatchObject({ type: 'alert.fired', data: { symbol: 'EURUSD', note: 'Sell half' } });
      }),
    TEST_MS,
  );

  test(
    'that fired while no page was open is marked in the navigation until somebody looks',
    async () => {
      await market.quote('AUDUSD', 0.65, 0.6501);
      const condition = { type: 'price', cross: 'above', level: 0.6505 };
      await owner.must(201, owner.post('/api/alerts', { symbol: 'AUDUSD', condition, note: 'Look at me' }));
      await market.quote('AUDUSD', 0.651, 0.6511);
      while (!(await alertsOf('AUDUSD')).some(({ state }) => state === 'done')) await Bun.sleep(20);
      const mark = (page: Page): Locator => page.getByRole('navigation', { name: 'Pages' }).getByRole('button');
      await browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/markets/EURUSD/5m');
        await mark(page)
          .and(page.getByLabel(/^Last alerts, \d unread$/))
          .waitFor();
        const stored = page.waitForResponse((response) => response.request().method() === 'PUT');
        await mark(page).click();
        const menu = page.getByRole('dialog', { name: 'Last alerts' });
        await menu.getByRole('listitem').filter({ hasText: 'Look at me' }).getByText(/new$/).waitFor();
        await page.keyboard.press('Escape');
        await mark(page)
          .and(page.getByLabel('Last alerts', { exact: true }))
          .waitFor();
        expect((await stored).ok()).toBe(true);
        await page.reload();
        await mark(page)
          .and(page.getByLabel('Last alerts', { exact: true }))
          .waitFor();
        await mark(page).click();
        await menu.getByRole('link', { name: /AUDUSD/ }).click();
        await page.waitForURL('**/markets/AUDUSD');
        expect(await menu.count()).toBe(0);
      });
    },
    TEST_MS,
  );

  test(
    'has messages in the time zone and number format that the page sets',
    () =>
      browser.visit(service.url, { as: owner, timezoneId: 'Europe/Berlin' }, async (page) => {
        await page.goto('/alerts/destinations');
        await page.getByRole('button', { name: 'Use Europe/Berlin' }).click();
        await page.getByLabel('Numbers').selectOption({ label: 'German: 1.234.567,50' });
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved. New messages use this format.').waitFor();
        expect(await owner.read<object>('/api/preferences')).toEqual({
          time_zone: 'Europe/Berlin',
          number_format: 'de',
        });
        await page.reload();
        await page.getByLabel('Time zone').waitFor();
        expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin');
        expect(await page.getByLabel('Numbers').inputValue()).toBe('de');
      }),
    TEST_MS,
  );

  test(
    'is paused, resumed and deleted, and the service says why a condition is not possible',
    () =>
      browser.visit(service.url, { as: owner, expected: [/status of 422/] }, async (page) => {
        await market.quote('GBPUSD', 1.3, 1.3001);
        await page.goto('/alerts/new?symbol=GBPUSD&type=indicator');
        await page.getByLabel('Indicator', { exact: true }).fill('rsx(14)');
        await page.getByLabel('Value or indicator').fill('70');
        await page.getByRole('button', { name: 'Create alert' }).click();
        await page.getByText(/rsx/).last().waitFor();
        await page.getByLabel('Indicator', { exact: true }).fill('rsi(14)');
        await page.getByRole('button', { name: 'Create alert' }).click();
        const row = page.getByRole('row', { name: /GBPUSD rsi\(14\) on 5m bars crosses above 70/ });
        await row.getByRole('button', { name: 'Pause' }).click();
        await row.getByText('Paused').waitFor();
        await row.getByRole('button', { name: 'Resume' }).click();
        await row.getByText('Active').waitFor();
        await row.getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await row.waitFor({ state: 'detached' });
        expect(await alertsOf('GBPUSD')).toEqual([]);
      }),
    TEST_MS,
  );

  test(
    'is set on the chart with a right click, moved by dragging its line, and fires; another one is removed',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        for (const [bid, ask] of [
          [150, 150.01],
          [150.2, 150.21],
          [150.1, 150.11],
        ] as const)
          await market.quote('USDJPY', bid, ask);
        await page.goto('/markets/USDJPY/1m');
        const chart = page.getByLabel('USDJPY, 1m bars');
        await chart.waitFor();
        await page.getByText(/^O$/).first().waitFor();
        const { x, y, width, height } = (await chart.boundingBox())!;
        const at = { x: x + width * 0.4, y: y + height * 0.25 };
        const item = page.getByRole('menuitem', { name: /^Alert when USDJPY crosses/ });
        // Until the chart is drawn, its points have no price.
        do await page.mouse.click(at.x, at.y, { button: 'right' });
        while (!(await item.isVisible()));
        const level = Number((await item.innerText()).split(' ').at(-1));
        await item.click();
        await page.getByRole('contentinfo').getByText('Alert set').waitFor();
        expect((await alertsOf('USDJPY')).map(({ condition }) => condition.level)).toEqual([level]);

        const line = await moveToLine(page, at);
        await page.mouse.down();
        await page.mouse.move(line.x, line.y - 30, { steps: 5 });
        await page.mouse.up();
        await page.getByRole('contentinfo').getByText('Alert moved').waitFor();
        const [moved] = await alertsOf('USDJPY');
        expect(moved!.condition.level).toBeGreaterThan(level);

        // Without a mouse: the menu at the newest price, then the second item.
        await chart.focus();
        await page.keyboard.press('a');
        await page.getByRole('menu').waitFor();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        const ticket = page.getByRole('region', { name: 'Alert on USDJPY' });
        await ticket.getByLabel('Level').waitFor();
        expect(page.url()).toEndWith('/markets/USDJPY/1m');
        await page.keyboard.press('Escape');
        await ticket.waitFor({ state: 'detached' });

        const over = Number((moved!.condition.level + 0.05).toFixed(3));
        await market.quote('USDJPY', over, Number((over + 0.01).toFixed(3)));
        await toast(page, /USDJPY/).waitFor();
        expect((await alertsOf('USDJPY')).map(({ state }) => state)).toEqual(['done']);

        await page.mouse.click(at.x, at.y, { button: 'right' });
        await item.click();
        await page.getByRole('contentinfo').getByText('Alert set').waitFor();
        const { x: lineX, y: lineY } = await moveToLine(page, at);
        await page.mouse.click(lineX, lineY, { button: 'right' });
        const remove = page.getByRole('menuitem', { name: /^Remove the alert at/ });
        await remove.click();
        await page.getByRole('contentinfo').getByText('Alert removed').waitFor();
        expect((await alertsOf('USDJPY')).map(({ state }) => state)).toEqual(['done']);
      }),
    TEST_MS,
  );

  test(
    'is set and changed beside the chart: presets, the distance as the price moves, and a line to drag',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        for (const [bid, ask] of [
          [0.9, 0.9001],
          [0.91, 0.9101],
          [0.9, 0.9001],
        ] as const)
          await market.quote('USDCAD', bid, ask);
        await page.goto('/markets/USDCAD/1m');
        const surface = page.getByLabel('USDCAD, 1m bars');
        await surface.waitFor();
        await page.getByText(/^O$/).first().waitFor();
        const before = (await surface.boundingBox())!;
        const button = page.getByRole('button', { name: 'Alert', exact: true });
        expect(await button.getAttribute('aria-pressed')).toBe('false');
        await button.click();
        const ticket = page.getByRole('region', { name: 'Alert on USDCAD' });
        await ticket.waitFor();
        expect(await button.getAttribute('aria-pressed')).toBe('true');
        const level = ticket.getByLabel('Level');
        await ticket.getByRole('button', { name: '+1%' }).click();
        expect(await level.inputValue()).toBe('0.9090');
        await ticket.getByText('+90.0 pips, +1.00% from the bid').waitFor();
        await ticket.getByText('0.9000 / 0.9001 · 1.0 pips').waitFor();
        await market.quote('USDCAD', 0.901, 0.9011);
        await ticket.getByText('+80.0 pips, +0.89% from the bid').waitFor();
        await ticket.getByRole('button', { name: 'High' }).click();
        expect(await level.inputValue()).toBe('0.9100');
        // The chart made room: nothing lies over the bars.
        const after = (await surface.boundingBox())!;
        const box = (await ticket.boundingBox())!;
        expect(after.width).toBeLessThan(before.width - 250);
        expect(box.x).toBeGreaterThanOrEqual(after.x + after.width - 1);

        const line = await grabTicketLine(page, surface);
        await page.mouse.down();
        await page.mouse.move(line.x, line.y + 25, { steps: 5 });
        await page.mouse.up();
        const dragged = Number(await level.inputValue());
        expect(dragged).toBeLessThan(0.91);
        await ticket.getByLabel('Trigger').selectOption('crosses above');
        await ticket.getByRole('button', { name: 'Create alert' }).click();
        await page.getByRole('contentinfo').getByText('Alert set').waitFor();
        await ticket.waitFor({ state: 'detached' });
        expect((await surface.boundingBox())!.width).toBe(before.width);
        const [alert] = await alertsOf('USDCAD');
        expect(alert!.condition).toEqual({ type: 'price', side: 'bid', cross: 'above', level: dragged } as never);

        const at = await moveToLine(page, { x: before.x + before.width * 0.4, y: before.y + before.height * 0.3 });
        await page.mouse.click(at.x, at.y, { button: 'right' });
        await page.getByRole('menuitem', { name: /^Edit the alert at/ }).click();
        await ticket.getByRole('button', { name: 'Save' }).waitFor();
        expect(Number(await level.inputValue())).toBe(dragged);
        await level.fill('0.905');
        await ticket.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('contentinfo').getByText('Alert changed').waitFor();
        expect((await alertsOf('USDCAD')).map(({ condition }) => condition.level)).toEqual([0.905]);
        expect(page.url()).toEndWith('/markets/USDCAD/1m');
      }),
    TEST_MS,
  );

  test(
    'reaches a Telegram chat, which is linked by a code',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto('/alerts/destinations');
        await page.getByLabel('Channel').selectOption('telegram');
        await page.getByRole('button', { name: 'Add', exact: true }).click();
        await page.getByRole('heading', { name: 'Link your chat' }).waitFor();
        telegram.say(77, await page.locator('code.secret').innerText());
        await page.getByRole('heading', { name: 'The chat is linked' }).waitFor();
        const before = telegram.sent.length;
        await page
          .getByRole('row', { name: /Telegram.*Active/ })
          .getByRole('button', { name: 'Test' })
          .click();
        while (telegram.sent.length === before) await Bun.sleep(20);
        expect(telegram.sent.at(-1)!.chat).toBe(77);
      }),
    TEST_MS,
  );

  test(
    'is set on a phone with a long press',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE, isMobile: true, hasTouch: true }, async (page) => {
        for (const [bid, ask] of [
          [0.9, 0.9001],
          [0.902, 0.9021],
          [0.901, 0.9011],
        ] as const)
          await market.quote('USDCHF', bid, ask);
        await page.goto('/markets/USDCHF/1m');
        const chart = page.getByLabel('USDCHF, 1m bars');
        await chart.waitFor();
        await page.getByText(/^C$/).first().waitFor();
        const { x, y, width, height } = (await chart.boundingBox())!;
        const session = await page.context().newCDPSession(page);
        const touch = (type: 'touchStart' | 'touchEnd') => {
          const touchPoints = type === 'touchEnd' ? [] : [{ x: x + width * 0.3, y: y + height * 0.5 }];
          return session.send('Input.dispatchTouchEvent', { type, touchPoints });
        };
        await touch('touchStart');
        await page.getByRole('menu').waitFor();
        await touch('touchEnd');
        await page.getByRole('menuitem', { name: /^Alert when USDCHF crosses/ }).tap();
        await page.getByRole('contentinfo').getByText('Alert set').waitFor();
        expect(await alertsOf('USDCHF')).toHaveLength(1);
      }),
    TEST_MS,
  );

  test(
    'works with an API key, too',
    async () => {
      const key = await owner.key(['read', 'alerts']);
      await browser.visit(service.url, {}, async (page) => {
        await page.addInitScript((given) => sessionStorage.setItem('tickwire.api-key', given), key);
        await market.quote('EURGBP', 0.85, 0.8501);
        await page.goto('/alerts/new?symbol=EURGBP&level=0.86');
        await page.getByRole('button', { name: 'Create alert' }).click();
        const row = page.getByRole('row', { name: /EURGBP Bid crosses 0\.86/ });
        await row.getByText('Active').waitFor();
        await market.quote('EURGBP', 0.861, 0.8611);
        await row.getByText('Fired').waitFor();
      });
    },
    TEST_MS,
  );
});

/** Moves the pointer down the chart to the line of the ticket. */
async function grabTicketLine(page: Page, surface: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await surface.boundingBox())!;
  const isOver = page.locator('.chart-surface[data-ticket="line"]');
  for (let down = 0; down < height; down += 3) {
    await page.mouse.move(x + width * 0.5, y + down);
    if ((await isOver.count()) > 0) return { x: x + width * 0.5, y: y + down };
  }
  throw new Error('the chart shows no line of the ticket');
}

/** Moves the pointer to the only alert's line. It is near the given point: the scale may have changed since. */
async function moveToLine(
  page: Page,
  near: { readonly x: number; readonly y: number },
): Promise<{ x: number; y: number }> {
  const isOver = page.locator('.chart-surface[data-line="true"]');
  for (let step = 0; step < 400; step += 1) {
    const by = (step % 50) * 3;
    const y = near.y + (step % 2 === 0 ? by : -by);
    await page.mouse.move(near.x, y);
    if ((await isOver.count()) > 0) return { x: near.x, y };
  }
  throw new Error('the chart shows no line of an alert');
}
