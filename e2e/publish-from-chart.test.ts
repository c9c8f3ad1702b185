// Publishing from the chart: lines to drag, R presets, position size, then the publish page with the same levels.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const surfaceOf = (page: Page, symbol: string): Locator => page.getByLabel(`${symbol}, 1h bars`);

async function open(page: Page, symbol: string): Promise<Locator> {
  await page.goto(`/markets/${symbol}/1h`);
  await surfaceOf(page, symbol).waitFor();
  await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
  return surfaceOf(page, symbol);
}

const ticketOf = (page: Page, symbol: string): Locator => page.getByRole('region', { name: `Publish ${symbol}` });
const priceIn = async (ticket: Locator, label: string): Promise<number> =>
  Number(await ticket.getByLabel(label, { exact: true }).inputValue());

/** Waits until a field has another value, and returns it. */
async function changed(ticket: Locator, label: string, from: number): Promise<number> {
  for (;;) {
    const value = await priceIn(ticket, label);
    if (value !== from) return value;
    await Bun.sleep(20);
  }
}

describeInBrowser('a signal on the chart', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ sim_rate: '1', news: 'none', house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  test(
    'starts at the market, follows its lines, flips with the stop, has a size, and goes to the publish page',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const surface = await open(page, 'EURUSD');
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
        const ticket = ticketOf(page, 'EURUSD');
        const [entry, stop, target] = [
          await priceIn(ticket, 'Entry'),
          await priceIn(ticket, 'Stop'),
          await priceIn(ticket, 'Target 1'),
        ];
        expect(stop).toBeLessThan(entry);
        expect((target - entry) / (entry - stop)).toBeCloseTo(2, 1);

        await ticket.getByRole('button', { name: '1R' }).click();
        await ticket.getByRole('button', { name: '3R' }).click();
        await ticket.getByText('1.00 R', { exact: true }).waitFor();
        await ticket.getByText('3.00 R', { exact: true }).waitFor();
        expect(await ticket.getByRole('button', { name: '2R' }).getAttribute('aria-pressed')).toBe('true');
        await ticket.getByRole('button', { name: 'Remove Target 3' }).click();
        await ticket.getByLabel('Target 3').waitFor({ state: 'detached' });

        await ticket.getByLabel('Balance').fill('10000');
        await ticket.getByText(/lots: the stop costs .* USD/).waitFor();

        const { x, y, width, height } = (await surface.boundingBox())!;
        const grab = x + width * 0.6;
        let found = false;
        for (let down = 0; down < height && !found; down += 4) {
          await page.mouse.move(grab, y + down);
          found = (await surface.getAttribute('data-publish')) === 'line';
        }
        expect(found).toBe(true);
        // The uppermost line is the second target.
        const second = await priceIn(ticket, 'Target 2');
        await page.mouse.down();
        await page.mouse.move(grab, y + 20, { steps: 4 });
        await page.mouse.up();
        expect(await changed(ticket, 'Target 2', second)).toBeGreaterThan(second);

        await ticket.getByLabel('Stop', { exact: true }).fill((2 * entry - stop).toFixed(5));
        await page.keyboard.press('Enter');
        await ticket.getByRole('button', { name: 'Sell', pressed: true }).waitFor();
        expect(await priceIn(ticket, 'Target 1')).toBeLessThan(entry);
        await ticket.getByRole('button', { name: 'Buy' }).click();
        await ticket.getByRole('button', { name: 'Buy', pressed: true }).waitFor();
        // Its entry was not moved: it is a market order.
        await ticket.getByText('market', { exact: true }).waitFor();
        const fields = ['Stop', 'Target 1', 'Target 2'];
        const levels = await Promise.all(fields.map((label) => priceIn(ticket, label)));
        await ticket.getByRole('button', { name: 'Review' }).click();
        await page.waitForURL('**/signals/new');
        await page.getByRole('heading', { name: 'Publish a signal' }).waitFor();
        const form = page.locator('form').first();
        expect(await Promise.all(fields.map((label) => priceIn(form, label)))).toEqual(levels);
        expect(await form.getByLabel('Order', { exact: true }).inputValue()).toBe('market');
        await page.getByRole('button', { name: 'Review' }).click();
        await page.getByRole('button', { name: 'Publish permanently' }).click();
        await page.waitForURL(/\/signals\/(?!new)/);
        const { items } = await owner.read<{ items: readonly Readonly<Record<string, unknown>>[] }>(
          '/api/signals?symbol=EURUSD&detail=true',
        );
        expect(items).toHaveLength(1);
        expect(items[0]).toMatchObject({ direction: 'buy', order: 'market', stop_loss: levels[0] });
      }),
    TEST_MS,
  );

  test(
    'starts where the menu was opened, and Escape cancels it',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const surface = await open(page, 'GBPUSD');
        const { x, y, width, height } = (await surface.boundingBox())!;
        await page.mouse.click(x + width * 0.6, y + height * 0.2, { button: 'right' });
        const item = page.getByRole('menuitem', { name: /^Publish a signal here…/ });
        const price = Number(/\(([\d.]+)\)/.exec(await item.innerText())![1]);
        await item.click();
        const ticket = ticketOf(page, 'GBPUSD');
        expect(await priceIn(ticket, 'Entry')).toBe(price);
        expect(await ticket.getByText('market', { exact: true }).count()).toBe(0);
        await page.keyboard.press('Escape');
        await ticket.waitFor({ state: 'detached' });
      }),
    TEST_MS,
  );

  test(
    'comes from a position that was drawn',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const surface = await open(page, 'USDJPY');
        await page.getByRole('button', { name: 'Draw', exact: true }).click();
        await page.getByRole('dialog', { name: 'Draw' }).getByRole('button', { name: 'Short position' }).click();
        const { x, y, width, height } = (await surface.boundingBox())!;
        await page.mouse.click(x + width * 0.3, y + height * 0.4);
        const bar = page.getByRole('toolbar', { name: 'Drawing' });
        await bar.getByText('Short position').waitFor();
        await page.mouse.click(x + width * 0.3 + 40, y + height * 0.4, { button: 'right' });
        await page.getByRole('menuitem', { name: 'Publish this…' }).click();
        await page.waitForURL('**/signals/new');
        await page.getByRole('heading', { name: 'Publish a signal' }).waitFor();
        expect(await page.getByLabel('Direction').inputValue()).toBe('sell');
        expect(await page.getByLabel('Instrument').inputValue()).toBe('USDJPY');
        const form = page.locator('form').first();
        expect(await priceIn(form, 'Stop')).toBeGreaterThan(await priceIn(form, 'Entry'));
      }),
    TEST_MS,
  );

  test(
    'is dragged by a finger on a phone',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE, isMobile: true, hasTouch: true }, async (page) => {
        const surface = await open(page, 'AUDUSD');
        await page.getByRole('button', { name: 'Publish', exact: true }).tap();
        const ticket = ticketOf(page, 'AUDUSD');
        await ticket.getByText('Prices and position size').tap();
        const entry = await priceIn(ticket, 'Entry');
        await ticket.getByText('Prices and position size').tap();
        const { x, y, width, height } = (await surface.boundingBox())!;
        const session = await page.context().newCDPSession(page);
        const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
          session.send('Input.dispatchTouchEvent', { type, touchPoints });
        // One of the three lines is within reach somewhere on the way down.
        const levels = () =>
          ticket.locator('input').evaluateAll((inputs) => inputs.map((each) => (each as HTMLInputElement).value));
        const before = await levels();
        let moved = false;
        for (let down = 0.1; down < 0.7 && !moved; down += 0.03) {
          const at = { x: x + width * 0.8, y: y + height * down };
          await touch('touchStart', [at]);
          await touch('touchMove', [{ ...at, y: at.y + 12 }]);
          await touch('touchEnd', []);
          moved = JSON.stringify(await levels()) !== JSON.stringify(before);
        }
        expect([moved, entry > 0]).toEqual([true, true]);
      }),
    TEST_MS,
  );

  test(
    'is offered only to users who may publish',
    async () => {
      const guest = await service.guest(owner, 'Greta Guest', 'free');
      const { scopes } = await guest.read<{ scopes: readonly string[] }>('/api/account');
      await browser.visit(service.url, { as: guest }, async (page) => {
        await open(page, 'EURUSD');
        await page.getByRole('button', { name: 'Draw', exact: true }).waitFor();
        const buttons = await page.getByRole('button', { name: 'Publish', exact: true }).count();
        expect(buttons).toBe(scopes.includes('publish') ? 1 : 0);
      });
    },
    TEST_MS,
  );
});
