// The examples that are pages, in a real browser, against a real service with simulated markets.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TickwireClient } from '@tickwire/client';
import type { BunPlugin, Server } from 'bun';
import type { Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser } from '../e2e/browser.fixture.ts';
import { drawnText, recordDrawnText } from '../e2e/drawn-text.fixture.ts';
import { eventually } from '../packages/server/testing/process.fixture.ts';
import { type RunningService, startService } from '../packages/server/testing/service.fixture.ts';
import { ROOT } from './testing/program.fixture.ts';

const CHART = join(import.meta.dir, 'react-chart');

/** React is not installed here; `preact/compat` has its interface. */
const PREACT: BunPlugin = {
  name: 'preact/compat in place of react',
  setup(build) {
    build.onResolve({ filter: /^react(-dom)?(\/|$)/ }, ({ path }) => ({
      path: Bun.resolveSync(path.replace(/^react(-dom)?/, 'preact/compat'), ROOT),
    }));
  },
};

let service: RunningService;
let key: string;
let client: TickwireClient;
beforeAll(async () => {
  service = await startService({ house: 'none', sim_rate: '50' });
  ({ key } = await service.key('premium', ['read', 'publish']));
  client = new TickwireClient({ url: service.url, apiKey: key });
}, TEST_MS);
afterAll(() => service.stop());

const PAGE = '<!doctype html><link rel=icon href=data:,><div id=root></div><script src=/main.js></script>';

/** A site with a page for the script. */
function siteWith(script: string): Server<undefined> {
  const answer = (body: string, type: string) => new Response(body, { headers: { 'Content-Type': type } });
  const fetch = ({ url }: Request) =>
    url.endsWith('/main.js') ? answer(script, 'text/javascript') : answer(PAGE, 'text/html;charset=utf-8');
  return Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
}

/** A number on an axis of a chart that is near a price. */
const axisShows = async (page: Page, price: number): Promise<boolean> =>
  (await drawnText(page)).some(({ text }) => Math.abs(Number(text) / price - 1) < 0.001 && text.includes('.'));

describeInBrowser('the dashboard', () => {
  const browser = new TestBrowser();
  const file = pathToFileURL(join(import.meta.dir, 'dashboard.html')).href;

  async function connect(page: Page, apiKey: string): Promise<void> {
    await page.goto(file);
    await page.getByLabel('Address').fill(service.url);
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Connect' }).click();
  }

  test(
    'opened from disk, shows prices that move, and new signals',
    () =>
      browser.visit(service.url, { viewport: PHONE, expected: [/another host: file:/] }, async (page) => {
        await connect(page, key);
        await page.getByText('Live. Simulated markets.').waitFor();
        const row = page.locator('#prices tr', { hasText: 'EURUSD' });
        await row.waitFor();
        const before = await row.innerText();
        await page.waitForFunction(
          (text) =>
            [...document.querySelectorAll('#prices tr')].some(
              (each) => each.textContent?.startsWith('EURUSD') && (each as HTMLElement).innerText !== text,
            ),
          before,
        );
        const shown = Number(await row.locator('td').nth(1).innerText());
        expect(shown / (await client.quote('EURUSD')).bid).toBeCloseTo(1, 2);
        expect(await page.locator('#prices tr').count()).toBe(6);

        const { ask } = await client.quote('BTCUSD');
        const [stop_loss, take_profit] = [Math.round(ask * 0.98), Math.round(ask * 1.02)];
        await client.publishSignal({ symbol: 'BTCUSD', direction: 'buy', entry: ask, stop_loss, take_profit });
        await page.getByText(`buy BTCUSD at ${ask}, stop ${stop_loss}, target ${take_profit}`).waitFor();
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      }),
    TEST_MS,
  );

  test(
    'says that a key is wrong, and does not try again',
    () =>
      browser.visit(service.url, { expected: [/another host: file:/] }, async (page) => {
        let sockets = 0;
        page.on('websocket', () => sockets++);
        await connect(page, `${key}x`);
        await page.getByRole('status').filter({ hasText: /key/i }).waitFor();
        await page.waitForTimeout(1_500);
        expect(sockets).toBe(1);
        expect(await page.getByRole('status').innerText()).toMatch(/key/i);
      }),
    TEST_MS,
  );
});

test(
  'the React chart is free of type errors',
  () => {
    const checked = Bun.spawnSync(['node', join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', CHART]);
    expect([checked.stdout.toString(), checked.exitCode]).toEqual(['', 0]);
  },
  TEST_MS,
);

describeInBrowser('the React chart', () => {
  const browser = new TestBrowser();

  test(
    'draws the newest bars and follows the price',
    async () => {
      const build = await Bun.build({
        entrypoints: [join(CHART, 'main.tsx')],
        target: 'browser',
        plugins: [PREACT],
        tsconfig: join(CHART, 'tsconfig.json'),
      });
      const script = (await build.outputs[0]!.text())
        .replaceAll('http://127.0.0.1:8080', service.url)
        .replace(/tw_…|tw_\\u2026/, key);
      expect(script).toContain(key);
      await using site = siteWith(script);
      await browser.visit(site.url.href, { expected: [/another host: (http|ws):\/\/127/] }, async (page) => {
        await recordDrawnText(page);
        await page.goto('/');
        await page.getByRole('region', { name: 'EURUSD, 1m' }).waitFor();
        const shows = async () => axisShows(page, (await client.quote('EURUSD')).bid);
        await eventually('the price on the axis', shows, 20_000);
        const before = JSON.stringify(await drawnText(page));
        await eventually('a change', async () => JSON.stringify(await drawnText(page)) !== before, 20_000);
        expect(await page.getByRole('status').innerText()).toBe('');
      });
    },
    TEST_MS,
  );
});
