// Publishing from the chart: lines to drag, R presets, position size, and the review, without leaving the chart.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { toolOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const chartOf = (page: Page): Locator => page.getByRole('region', { name: 'Chart', exact: true });
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
    'starts at the market, follows its lines, flips with the stop, has a size, and is published without leaving the chart',
    () =>
      browser.visit(service.url, { as: owner, expected: [/ERR_FAILED/] }, async (page) => {
        const surface = await open(page, 'EURUSD');
        await (await toolOf(chartOf(page), 'Publish')).click();
        const ticket = ticketOf(page, 'EURUSD');
        await ticket.getByText('market order, at the ask').waitFor();
        // From here on the entry stands still.
        await ticket.getByRole('button', { name: 'At a price' }).click();
        const [entry, stop] = [await priceIn(ticket, 'Entry'), await priceIn(ticket, 'Stop')];
        expect(stop).toBeLessThan(entry);

        // The market has moved since the levels were made.
        for (const [label, price] of [
          ['Stop', entry - 0.003],
          ['Target 1', entry + 0.006],
        ] as const) {
          await ticket.getByLabel(label, { exact: true }).fill(price.toFixed(5));
          await page.keyboard.press('Enter');
        }
        await ticket.getByRole('group', { name: 'Stop at' }).getByRole('button', { name: '0.25%' }).click();
        await ticket.getByText(/^−[\d.]+ pips, −0\.25%$/).waitFor();
        const target = (name: string): Locator =>
          ticket.getByRole('group', { name: 'Targets at' }).getByRole('button', { name });
        await target('2R').and(page.locator('[aria-pressed="true"]')).waitFor();
        await target('1R').click();
        await target('3R').click();
        await ticket.getByText(/^\+[\d.]+ pips, \+0\.25%, 1\.00 R$/).waitFor();
        await ticket.getByText(/, 3\.00 R$/).waitFor();
        await ticket.getByRole('button', { name: 'Remove Target 3' }).click();
        await ticket.getByLabel('Target 3').waitFor({ state: 'detached' });
        expect(await page.evaluate(() => document.activeElement?.closest('label')?.textContent)).toBe('Target 2');

        await ticket.getByLabel('Balance').fill('10000');
        await ticket.getByText(/^[\d.]+ USD \([\d.]+ %\)$/).waitFor();

        const { x, y, width, height } = (await surface.boundingBox())!;
        const grab = x + width * 0.6;
        let found = false;
        for (let down = 0; down < height && !found; down += 4) {
          await page.mouse.move(grab, y + down);
          found = (await surface.getAttribute('data-ticket')) === 'line';
        }
        expect(found).toBe(true);
        // The uppermost line is the second target.
        const second = await priceIn(ticket, 'Target 2');
        await page.mouse.down();
        await page.mouse.move(grab, y + 20, { steps: 4 });
        await page.mouse.up();
        expect(await changed(ticket, 'Target 2', second)).toBeGreaterThan(second);

        const risk = entry - (await priceIn(ticket, 'Stop'));
        await ticket.getByLabel('Stop', { exact: true }).fill((entry + risk).toFixed(5));
        await page.keyboard.press('Enter');
        await ticket.getByRole('button', { name: 'Sell', pressed: true }).waitFor();
        expect(await priceIn(ticket, 'Target 1')).toBeLessThan(entry);
        await ticket.getByRole('button', { name: 'Buy' }).click();
        await ticket.getByRole('button', { name: 'Buy', pressed: true }).waitFor();
        await ticket.getByRole('button', { name: 'Market', exact: true }).click();
        await ticket.getByText('market order, at the ask').waitFor();
        const fields = ['Stop', 'Target 1', 'Target 2'];
        const levels = await Promise.all(fields.map((label) => priceIn(ticket, label)));
        await ticket.getByText('Expiry, note and more').click();
        expect(await ticket.getByLabel('Expires').locator('option').first().innerText()).toBe(
          'default (entry 60 s, trade 30 days)',
        );
        await ticket.getByLabel('Note (optional)').fill('From the chart');
        await ticket.getByRole('button', { name: 'Review' }).click();
        const review = ticket.getByRole('region', { name: 'Review', exact: true });
        const recorded = (term: string): Promise<string> =>
          review.locator(`dt:text-is("${term}") + dd`).first().innerText();
        expect(await recorded('Entry')).toBe('market order, at the ask when it is published');
        expect(await recorded('Entry expires')).toBe('60 s after publication');
        expect(await recorded('Trade expires')).toBe('30 days after publication');
        expect(await recorded('Note')).toBe('From the chart');
        expect(Number(await recorded('Stop'))).toBe(levels[0]!);
        // Back in the form nothing is lost.
        await review.getByRole('button', { name: 'Back to the form' }).click();
        expect(await ticket.getByLabel('Note (optional)').inputValue()).toBe('From the chart');
        await ticket.getByLabel('Expires').selectOption('in 4 hours');
        await ticket.getByRole('button', { name: 'Review' }).click();
        const expires = await recorded('Trade expires');
        // The service publishes it, but its response is lost.
        const inFlight = Promise.withResolvers<void>();
        const lost = Promise.withResolvers<void>();
        const isPublishing = (url: URL): boolean => url.pathname === '/api/signals';
        await page.route(isPublishing, async (route) => {
          if (route.request().method() !== 'POST') return route.fallback();
          await route.fetch();
          inFlight.resolve();
          await lost.promise;
          await route.abort();
        });
        const publish = review.getByRole('button', { name: 'Publish permanently' });
        const back = review.getByRole('button', { name: 'Back to the form' });
        await publish.click();
        await inFlight.promise;
        expect(await back.isDisabled()).toBe(true);
        await review.press('Escape');
        expect(await review.isVisible()).toBe(true);
        lost.resolve();
        const failure = review.locator('.message:not(:empty)');
        await failure.waitFor();
        const [said, buttons] = [await failure.boundingBox(), await review.locator('.actions').boundingBox()];
        expect(said!.y + said!.height).toBeLessThanOrEqual(buttons!.y);
        await page.unroute(isPublishing);
        await back.click();
        // Some minutes later, it is still the same signal.
        await page.clock.setFixedTime(Date.now() + 150_000);
        await ticket.getByRole('button', { name: 'Review' }).click();
        expect(await recorded('Trade expires')).toBe(expires);
        await publish.click();
        await ticket.getByText('Published: Buy EURUSD.').waitFor();
        expect(page.url()).toEndWith('/markets/EURUSD/1h');
        const { items } = await owner.read<{ items: readonly Readonly<Record<string, unknown>>[] }>(
          '/api/signals?symbol=EURUSD&detail=true',
        );
        expect(items).toHaveLength(1);
        expect(items[0]).toMatchObject({
          ...{ direction: 'buy', order: 'market', stop_loss: levels[0], note: 'From the chart' },
          targets: [
            { price: levels[1], fraction: 0.5 },
            { price: levels[2], fraction: 0.5 },
          ],
        });
        const link = ticket.getByRole('link', { name: 'Open the page of the signal' });
        expect(await link.getAttribute('href')).toStartWith('/signals/sig_');
        await page.keyboard.press('Escape');
        await ticket.waitFor({ state: 'detached' });
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
        expect(await ticket.getByRole('button', { name: 'At a price', pressed: true }).count()).toBe(1);
        expect(await ticket.getByText(/^market order/).count()).toBe(0);
        // The page of the form has what the ticket has not.
        await ticket.getByText('Expiry, note and more').click();
        await ticket.getByRole('button', { name: 'More targets, shares and breakeven…' }).click();
        await page.getByRole('heading', { name: 'Publish a signal' }).waitFor();
        expect(await priceIn(page.getByRole('main'), 'Entry')).toBe(price);
        await page.goBack();
        await surface.waitFor();
        await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
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
        await chartOf(page).getByRole('button', { name: 'Short position' }).click();
        // The first tool that is chosen loads the code of all.
        await chartOf(page).getByRole('button', { name: 'Short position', pressed: true }).waitFor();
        const { x, y, width, height } = (await surface.boundingBox())!;
        await page.mouse.click(x + width * 0.3, y + height * 0.4);
        const bar = page.getByRole('toolbar', { name: 'Drawing' });
        await bar.getByText('Short position').waitFor();
        // The bar was shown before the position was moved.
        for (let times = 0; times < 4; times += 1) await surface.press('ArrowDown');
        await bar.getByRole('button', { name: 'Publish this…' }).click();
        const ticket = ticketOf(page, 'USDJPY');
        const levels = () => Promise.all(['Entry', 'Stop', 'Target 1'].map((label) => priceIn(ticket, label)));
        const fromBar = await levels();
        await page.keyboard.press('Escape');
        await ticket.waitFor({ state: 'detached' });
        await page.mouse.click(x + width * 0.3 + 40, y + height * 0.4 + 4, { button: 'right' });
        await page.getByRole('menuitem', { name: 'Publish this…' }).click();
        const [entry, stop] = [await priceIn(ticket, 'Entry'), await priceIn(ticket, 'Stop')];
        expect(stop).toBeGreaterThan(entry);
        expect(await levels()).toEqual(fromBar);
        await ticket.getByRole('button', { name: 'Review' }).click();
        const review = ticket.getByRole('region', { name: 'Review', exact: true });
        const recorded = (term: string): Promise<string> =>
          review.locator(`dt:text-is("${term}") + dd`).first().innerText();
        expect(await recorded('Direction')).toContain('Sell');
        expect(Number.parseFloat(await recorded('Entry'))).toBe(entry);
        expect(Number.parseFloat(await recorded('Stop'))).toBe(stop);
        expect(Number.parseFloat(await recorded('Target'))).toBeLessThan(entry);
      }),
    TEST_MS,
  );

  test(
    'is dragged by a finger on a phone',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE, isMobile: true, hasTouch: true }, async (page) => {
        const surface = await open(page, 'AUDUSD');
        await (await toolOf(chartOf(page), 'Publish')).tap();
        const ticket = ticketOf(page, 'AUDUSD');
        const entry = await priceIn(ticket, 'Entry');
        const { x, y, width, height } = (await surface.boundingBox())!;
        const session = await page.context().newCDPSession(page);
        const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
          session.send('Input.dispatchTouchEvent', { type, touchPoints });
        // One of the three lines is within reach somewhere on the way down.
        const levels = () =>
          ticket.locator('input').evaluateAll((inputs) => inputs.map((each) => (each as HTMLInputElement).value));
        const before = await levels();
        let moved = false;
        for (let down = 0.1; down < 0.9 && !moved; down += 0.03) {
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
        const buttons = await (await toolOf(chartOf(page), 'Publish')).count();
        expect(buttons).toBe(scopes.includes('publish') ? 1 : 0);
      });
    },
    TEST_MS,
  );
});
