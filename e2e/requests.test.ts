// The terminal of a free account fits the limits of its tier: requests per minute, and streams in several tabs.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TIERS } from '@tickwire/contract';
import type { Page } from 'playwright-core';
import { folderOfBusyAccounts } from '../packages/server/testing/service.fixture.ts';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { statusOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

/** What a busy person does in two minutes, a step every ten seconds. Links within the terminal. */
const STEPS = [
  '/markets/GBPUSD/5m',
  '/markets/USDJPY/5m',
  '/markets/USDJPY/1h',
  '/news',
  '/markets/XAUUSD/5m',
  '/signals',
  '/calendar',
  '/markets/BTCUSD/1m',
  '/markets/EURUSD/1m',
  '/publishers',
  '/alerts',
  '/markets/EURUSD/5m',
];
const STEPS_PER_MINUTE = 6;
const SETTLE_MS = 1_500;
/** Repeated requests of a page per minute: the forming bars, statistics, events and the day. */
const REPEATED = 6;

describeInBrowser('the terminal of a free account', () => {
  const browser = new TestBrowser();
  let service: Service;
  let guest: Person;
  beforeAll(async () => {
    // The steps are made faster than a person makes them, so requests are counted here and not by the service.
    const config = `${folderOfBusyAccounts(600)}/tickwire.json`;
    service = await Service.start({ sim_rate: '20', house: 'none', news: 'none', config });
    guest = await service.guest(await service.owner(), 'Freya Free', 'free');
  }, TEST_MS);
  afterAll(() => service.stop());
  const live = (page: Page) => statusOf(page).getByText(/^live/).first().waitFor();

  test(
    'sends fewer requests in every minute of ten busy ones than the tier allows',
    () =>
      browser.visit(service.url, { as: guest }, async (page) => {
        let count = 0;
        const refused: string[] = [];
        page.on('request', (request) => {
          if (new URL(request.url()).pathname.startsWith('/api/')) count++;
        });
        page.on('response', (response) => {
          if (response.status() === 429) refused.push(response.url());
        });
        const step = async (run: () => Promise<unknown>): Promise<number> => {
          count = 0;
          await run();
          await Bun.sleep(SETTLE_MS);
          return count;
        };
        const loaded = await step(async () => {
          await page.goto('/markets/EURUSD/5m');
          await live(page);
        });
        const counts: number[] = [];
        for (const path of STEPS)
          counts.push(
            await step(() =>
              page.evaluate((href) => {
                const link = document.body.appendChild(Object.assign(document.createElement('a'), { href }));
                link.click();
                link.remove();
              }, path),
            ),
          );
        // Ten minutes are these steps five times, after the page was loaded.
        const minutes = Array.from({ length: 5 * STEPS.length }, (_, at) => counts[at % STEPS.length]!);
        const sums = [loaded, ...minutes].map((_, at, all) =>
          all.slice(at, at + STEPS_PER_MINUTE).reduce((sum, each) => sum + each, REPEATED),
        );
        console.log(`load ${loaded}; steps ${counts.join(' ')}; at most ${Math.max(...sums)} in a minute`);
        expect(refused).toEqual([]);
        expect(Math.max(...sums)).toBeLessThan(TIERS.free.requests_per_minute);
      }),
    TEST_MS * 2,
  );

  test(
    'any number of tabs is live with the two streams of its tier',
    () =>
      browser.visit(service.url, { as: guest }, async (first, { context }) => {
        const tabs = [first, await context.newPage(), await context.newPage(), await context.newPage()];
        for (const [at, tab] of tabs.entries()) {
          await tab.goto(`/markets/${['EURUSD', 'GBPUSD', 'XAUUSD', 'EURUSD'][at]}/5m`);
          await live(tab);
        }
      }),
    TEST_MS,
  );
});
