// Real markets on a chart, from fakes of their venues at true rate limits: what a new user sees after `tickwire serve --live`.
import { afterAll, beforeAll, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@tickwire/engine';
import { LiveVenues } from '../packages/server/testing/feeds/live-venues.fixture.ts';
import { temporaryFolder } from '../packages/server/testing/service.fixture.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const YEAR_MS = 365 * DAY_MS;
/** The hours of a year take most of it, at the venue's limit. */
const WITHIN_MS = 60_000;

describeInBrowser('real markets', () => {
  const browser = new TestBrowser();
  const venues = new LiveVenues();
  const folder = temporaryFolder();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    const config = join(folder, 'tickwire.json');
    writeFileSync(config, JSON.stringify({ venues: venues.settings }));
    service = await Service.start({ config, feeds: 'live', news: 'none', calendar: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(async () => {
    await service.stop();
    await venues[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(['GOLDUSDC.P', 'BTCUSDT'])(
    '%s has a year of daily bars on its chart, without a reload of the page',
    (symbol) =>
      browser.visit(service.url, { as: owner }, async (page) => {
        await page.goto(`/markets/${symbol}/1d`);
        const chart = page.getByRole('region', { name: 'Chart' });
        const time = chart.locator('.chart-legend-time');
        await time.filter({ visible: true }).waitFor();
        const { x, y, width, height } = (await chart.locator('.chart-surface canvas').first().boundingBox())!;
        await page.mouse.move(x + width / 2, y + height / 2);
        const oldest = async (): Promise<number> => {
          await page.mouse.wheel(0, 400);
          await page.mouse.move(x + width * 0.02, y + height / 2);
          await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 500)));
          return Date.parse(await time.innerText());
        };
        const deadline = performance.now() + WITHIN_MS;
        while ((await oldest()) > Date.now() - YEAR_MS)
          if (performance.now() > deadline) throw new Error(`the oldest bar is of ${await time.innerText()}`);
      }),
    TEST_MS,
  );
});
