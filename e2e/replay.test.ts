// A replay in the terminal: its start, the bar, and the way back to the present.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { PushedPrices } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const DAY_MS = 86_400_000;
const FIVE_MINUTES = 300_000;
const TITLE = 'EURUSD rises as the euro zone economy beats forecasts';
const chartOf = (page: Page): Locator => page.getByRole('region', { name: 'Chart', exact: true });
const replayOf = (page: Page): Locator => page.getByRole('region', { name: 'Replay', exact: true });
const clockOf = async (page: Page): Promise<number> =>
  Date.parse((await replayOf(page).locator('time').getAttribute('datetime'))!);

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await Bun.sleep(20);
}

async function openMarkets(page: Page, symbol = 'EURUSD'): Promise<void> {
  await page.goto(`/markets/${symbol}/5m`);
  await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
}

/** Start of the bar at a place of the pane, 0 to 1 from its left edge; read as a user does, with the pointer. */
async function barAt(page: Page, share: number): Promise<number> {
  const { x, y, width, height } = (await chartOf(page).locator('.chart-surface canvas').first().boundingBox())!;
  await page.mouse.move(x + width * share, y + height / 2);
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 100)));
  return Date.parse(`${await chartOf(page).locator('.chart-legend-time').innerText()} ${new Date().getFullYear()} UTC`);
}

/** How many bars of five minutes are between two places of the pane. */
const shownBars = async (page: Page): Promise<number> =>
  Math.round(((await barAt(page, 0.8)) - (await barAt(page, 0.2))) / FIVE_MINUTES);

/** Starts a replay at a time, a day ago by default. */
async function startReplay(page: Page, field?: string): Promise<void> {
  const button = chartOf(page).getByRole('button', { name: 'Replay', exact: true });
  if (!(await button.isVisible())) await chartOf(page).getByRole('button', { name: 'More tools' }).click();
  await button.click();
  const panel = page.getByRole('dialog', { name: 'Replay' });
  if (field !== undefined) await panel.getByLabel(/Date and time/).fill(field);
  await panel.getByRole('button', { name: 'Start' }).click();
  await replayOf(page).waitFor();
  await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
}

describeInBrowser('a replay in the terminal', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  let announcedAt: number;
  beforeAll(async () => {
    service = await Service.start({ news: 'none', house: 'none' });
    owner = await service.owner();
    announcedAt = Date.now();
    await (await PushedPrices.by(owner, service.url)).headline(TITLE, { id: 'euro' });
  }, TEST_MS);
  afterAll(() => service.stop());

  const replays = async (): Promise<number> =>
    (await owner.must<{ count: number }>(200, owner.get('/api/replays'))).count;

  test(
    'starts at a date, follows its clock, and leads back to the present',
    () =>
      browser.visit(service.url, { as: owner, timezoneId: 'UTC' }, async (page) => {
        await openMarkets(page);
        await startReplay(page);
        expect(await page.title()).toStartWith('REPLAY');
        const started = await clockOf(page);
        expect(Math.abs(Date.now() - DAY_MS - started)).toBeLessThan(5 * 60_000);
        // Only the instrument of the chart, and nothing that could be taken for the present.
        expect(await page.getByRole('row', { name: /BTCUSD/ }).count()).toBe(0);
        for (const name of ['Alert', 'Publish', 'Replay'])
          expect(await chartOf(page).getByRole('button', { name, exact: true }).count()).toBe(0);

        await page.keyboard.press('ArrowRight');
        await until(async () => (await clockOf(page)) > started);
        expect((await clockOf(page)) % (5 * 60_000)).toBe(0);
        await replayOf(page).getByLabel('Speed').selectOption('300');
        await replayOf(page).getByRole('button', { name: 'Play', exact: true }).click();
        await until(async () => (await clockOf(page)) > started + 10 * 60_000);
        await page.keyboard.press('Space');
        await replayOf(page).getByRole('button', { name: 'Play', exact: true }).waitFor();

        await page.getByRole('link', { name: 'Signals', exact: true }).click();
        await replayOf(page).waitFor({ state: 'detached' });
        await page.goBack();
        await replayOf(page).waitFor();
        expect(await replays()).toBe(1);
        await replayOf(page).getByRole('button', { name: 'End replay' }).click();
        await replayOf(page).waitFor({ state: 'detached' });
        await chartOf(page).getByRole('button', { name: 'Alert', exact: true }).waitFor();
        expect(await page.title()).not.toContain('REPLAY');
        await until(async () => (await replays()) === 0);
      }),
    TEST_MS,
  );

  test(
    'starts at a bar of the chart, jumps, and ends with its session alone, not with Escape',
    () =>
      browser.visit(service.url, { as: owner, expected: [/404/, /426/] }, async (page) => {
        await openMarkets(page);
        await chartOf(page).getByRole('button', { name: 'Replay', exact: true }).click();
        await page.getByRole('button', { name: 'Choose a bar on the chart' }).click();
        await chartOf(page).getByText('Click the bar where the replay starts').waitFor();
        const { x, y, width, height } = (await page.getByLabel('EURUSD, 5m bars').boundingBox())!;
        await page.mouse.click(x + width / 2, y + height / 3);
        await replayOf(page).waitFor();
        const started = await clockOf(page);
        expect(started % (5 * 60_000)).toBe(0);
        expect(started).toBeLessThan(Date.now() - 60 * 60_000);

        const slider = replayOf(page).getByRole('slider', { name: 'Time' });
        await slider.fill(String(started + 20 * 60_000));
        await until(async () => (await clockOf(page)) === started + 20 * 60_000);
        // The page was made anew, as of the new clock.
        await chartOf(page).locator('.chart-veil').first().waitFor({ state: 'hidden' });
        await replayOf(page).getByRole('button', { name: '+ tick' }).click();
        await until(async () => (await clockOf(page)) > started + 20 * 60_000);
        await page.keyboard.press('Escape');
        const endReplay = replayOf(page).getByRole('button', { name: 'End replay' });
        await endReplay.click();
        await replayOf(page).waitFor({ state: 'detached' });

        await startReplay(page);
        await page.keyboard.press('Escape');
        const { items } = await owner.must<{ items: { id: string }[] }>(200, owner.get('/api/replays'));
        for (const { id } of items) await owner.delete(`/api/replays/${id}`);
        await replayOf(page).getByRole('button', { name: '+ bar' }).click();
        await page.getByRole('contentinfo').getByText('The replay has ended').waitFor();
        expect(await replayOf(page).count()).toBe(0);
      }),
    TEST_MS,
  );

  test(
    'a seek keeps the zoom of the chart, and shows its newest bar',
    () =>
      browser.visit(service.url, { as: owner, timezoneId: 'UTC' }, async (page) => {
        // Without a weekend between its bars.
        await openMarkets(page, 'BTCUSD');
        await startReplay(page);
        const usual = await shownBars(page);
        for (let times = 0; times < 4; times++) await page.mouse.wheel(0, 400);
        await until(async () => (await shownBars(page)) > usual * 1.3);
        const wide = await shownBars(page);
        const to = Math.floor((await clockOf(page)) / FIVE_MINUTES) * FIVE_MINUTES + 12 * FIVE_MINUTES;
        await replayOf(page).getByRole('slider', { name: 'Time' }).fill(String(to));
        await until(async () => (await clockOf(page)) === to);
        await chartOf(page).locator('.chart-legend-time').filter({ visible: true }).waitFor();
        await until(async () => Math.abs((await shownBars(page)) - wide) <= 1);
        expect(to - (await barAt(page, 0.99))).toBeWithin(0, 2 * FIVE_MINUTES);
        await replayOf(page).getByRole('button', { name: 'End replay' }).click();
        await replayOf(page).waitFor({ state: 'detached' });
      }),
    TEST_MS,
  );

  test(
    'headlines are announced when the clock reaches them',
    () =>
      browser.visit(service.url, { as: owner, timezoneId: 'UTC' }, async (page) => {
        // It can be replayed by then.
        await until(async () => Date.now() > announcedAt + 12_000);
        await openMarkets(page);
        await startReplay(page, new Date(announcedAt - 60_000).toISOString().slice(0, 16));
        const headlines = page.getByRole('region', { name: 'Latest headlines' });
        await headlines.getByText('No news on EURUSD yet.').waitFor();
        let requests = 0;
        page.on('request', (request) => {
          if (request.url().includes('/api/news?')) requests++;
        });
        await replayOf(page).getByLabel('Speed').selectOption('60');
        await page.keyboard.press('Escape');
        await replayOf(page).getByRole('button', { name: 'Play', exact: true }).click();
        await headlines.getByText(TITLE).waitFor();
        expect(requests).toBe(0);
        await replayOf(page).getByRole('button', { name: 'End replay' }).click();
        await replayOf(page).waitFor({ state: 'detached' });
      }),
    TEST_MS,
  );

  test(
    'practice signals are judged by the replay, and are lost only after a question',
    () =>
      browser.visit(service.url, { as: owner, timezoneId: 'UTC' }, async (page) => {
        await openMarkets(page);
        await startReplay(page);
        await chartOf(page).getByRole('button', { name: 'Practice', exact: true }).click();
        const ticket = chartOf(page).getByRole('region', { name: 'Practice EURUSD' });
        await ticket.getByRole('group', { name: 'Stop at' }).getByRole('button', { name: '0.25%' }).click();
        await ticket.getByRole('button', { name: 'Review' }).click();
        await ticket.getByRole('button', { name: 'Publish practice signal' }).click();
        await ticket.getByText('Practice signal: Buy EURUSD. It is drawn on the chart.').waitFor();
        expect(await ticket.getByRole('link').count()).toBe(0);
        await ticket.getByRole('button', { name: 'Done' }).click();
        const { count } = await owner.must<{ count: number }>(200, owner.get('/api/signals?status=all'));
        expect(count).toBe(0);

        const step = replayOf(page).getByRole('button', { name: '+ bar' });
        const record = replayOf(page).getByRole('button', { name: /^Record/ });
        const dialog = page.getByRole('dialog', { name: 'Practice record' });
        // The next price fills it, and the one after the request closes it.
        await step.click();
        await record.filter({ hasText: /[+−]\d/ }).waitFor();
        await record.click();
        await dialog.getByRole('button', { name: 'Close', exact: true }).click();
        await page.getByText('The signal closes at the next price.').waitFor();
        await dialog.getByRole('button', { name: 'Back to the chart' }).click();
        const before = await clockOf(page);
        await step.click();
        await until(async () => (await clockOf(page)) > before);
        await record.click();
        await dialog.getByText('Closed by publisher').waitFor();
        await dialog.getByText(/1 lost|1 won|1 breakeven/).waitFor();
        await page.keyboard.press('Escape');

        const endReplay = replayOf(page).getByRole('button', { name: 'End replay' });
        await endReplay.click();
        const question = page.getByRole('dialog', { name: 'End the replay?' });
        await question.getByText('1 practice signal').waitFor();
        await page.keyboard.press('Escape');
        await question.waitFor({ state: 'detached' });

        await record.click();
        await dialog.getByRole('button', { name: 'Save to your account' }).click();
        await dialog
          .getByRole('table', { name: 'Saved records' })
          .getByText(/^EURUSD, /)
          .waitFor();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        await endReplay.click();
        await replayOf(page).waitFor({ state: 'detached' });
      }),
    TEST_MS,
  );

  test(
    'a limit of the tier is explained, and the oldest replay can make room',
    async () => {
      const guest = await service.guest(owner, 'Gina Guest', 'free');
      const from = new Date(Date.now() - DAY_MS).toISOString();
      const { id } = await guest.must<{ id: string }>(201, guest.post('/api/replays', { symbols: ['EURUSD'], from }));
      await browser.visit(service.url, { as: guest, expected: [/409/] }, async (page) => {
        await openMarkets(page);
        await chartOf(page).getByRole('button', { name: 'Replay', exact: true }).click();
        await page.getByRole('button', { name: 'Start', exact: true }).click();
        await page.getByText('Your tier allows 1 replay').waitFor();
        await page.getByRole('button', { name: 'End the oldest one and start' }).click();
        await replayOf(page).waitFor();
        expect((await guest.get(`/api/replays/${id}`)).status).toBe(404);
      });
    },
    TEST_MS,
  );
});
