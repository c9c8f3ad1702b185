// `npm run screenshots` updates the screenshots of the documentation; `npm run screenshots -- FOLDER` takes one of every page, light
// and dark, on a desktop, laptop, tablet and phone, from a service that has been running for a while; `-- FOLDER NAME…` only of pages
// with these names. Files are named page-width-colours.png. Each is reported with the time that it took; those of the documentation
// begin after the minutes that the service needs for signals that have closed.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, PHONE, Visit } from './browser.fixture.ts';
import { compressPng } from './compress-png.ts';
import {
  createSampleAlerts,
  FOLLOW_DIALOG,
  FOUR_CHARTS,
  MARKETS_PAGE,
  OPENED_PANELS,
  publishSampleSignals,
  SETTINGS_PAGES,
  SETUP_PAGE,
  SIGNED_IN_PAGES,
  SIGNED_OUT_PAGES,
  STATES,
  type TerminalPage,
} from './pages.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const [, , wanted, ...names] = process.argv;
const forDocuments = wanted === undefined;
const folder = resolve(wanted ?? join(import.meta.dir, '../docs/pictures'));
/** Screenshots used by the documentation. */
const PICTURED: readonly string[] = [
  'markets-desktop-dark',
  'markets-phone-dark',
  'ticket-desktop-dark',
  'footprint-desktop-dark',
  'replay-desktop-dark',
  'four-charts-desktop-dark',
  'signals-phone-light',
  'signals-desktop-dark',
  'signal-closed-desktop-dark',
  'publish-review-desktop-light',
  'evidence-desktop-light',
  'track-record-desktop-light',
  'news-desktop-light',
  'news-item-desktop-light',
  'calendar-desktop-light',
  'alerts-desktop-dark',
  'settings-snippets-desktop-dark',
];
const isWanted = (name: string): boolean => !forDocuments || PICTURED.includes(name);
const isNamed = ({ name }: TerminalPage): boolean => names.length === 0 || names.includes(name);
/** Time for the example publishers to publish, and for some of their signals to close. */
const RUNNING_MS = forDocuments ? 240_000 : 20_000;
/** Time for the chart and the lists to settle after the page has loaded. */
const SETTLING_MS = forDocuments ? 12_000 : 1_500;

/** A closed signal whose records this browser has verified. */
const EVIDENCE: TerminalPage = {
  name: 'evidence',
  path: () => '/signals?status=closed',
  inside: true,
  ready: async (page) => {
    await page.getByRole('link', { name: /entry/ }).last().click();
    await page.getByRole('button', { name: 'Check it in this browser' }).click();
    await page.getByRole('button', { name: 'Check again' }).waitFor();
    await page.getByRole('heading', { name: 'Evidence' }).evaluate((title) => title.scrollIntoView());
  },
};

/** The order flow of a few bars. */
const FOOTPRINT: TerminalPage = {
  name: 'footprint',
  path: () => '/markets/BTCUSD/1m',
  inside: true,
  ready: async (page) => {
    await page.evaluate(() =>
      localStorage.setItem('tickwire.order-flow', '{"delta":true,"footprint":true,"profile":"view"}'),
    );
    await page.reload();
    // The legend of a phone has it, too, but shows it only if it is opened.
    await page.locator('[data-of="POC"]').waitFor({ state: 'attached' });
    await page.evaluate(() => localStorage.removeItem('tickwire.order-flow'));
  },
};

/** An example publisher, which has published more than the owner. */
const TRACK_RECORD: TerminalPage = {
  name: 'track-record',
  path: () => '/publishers?sort=signals',
  inside: true,
  ready: async (page) => {
    await page
      .getByRole('link', { name: /^House/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'For followers' }).waitFor();
  },
};

const widths = [
  // Documentation shows them small, and they should load fast.
  ['desktop', { viewport: forDocuments ? { width: 1280, height: 800 } : { width: 1920, height: 1080 } }],
  ['laptop', { viewport: { width: 1280, height: 720 } }],
  ['tablet', { viewport: { width: 820, height: 1180 }, hasTouch: true }],
  ['phone', { viewport: PHONE, isMobile: true, hasTouch: true }],
] as const;

let [taken, bytes] = [0, 0];

async function take(browser: Browser, service: Service, view: TerminalPage, owner?: Person): Promise<void> {
  if (!isNamed(view)) return;
  for (const [width, options] of widths) {
    if (options.viewport.width < (view.minWidth ?? 0)) continue;
    const schemes = (['light', 'dark'] as const).filter((each) => isWanted(`${view.name}-${width}-${each}`));
    if (schemes.length === 0) continue;
    const begun = performance.now();
    const visit = await Visit.begin(browser, service.url, { ...options, ...view.visit, ...(owner && { as: owner }) });
    await visit.page.goto(view.path(service));
    await view.ready(visit.page);
    await Bun.sleep(SETTLING_MS);
    for (const colorScheme of schemes) {
      await visit.page.emulateMedia({ colorScheme });
      await shoot(visit.page, join(folder, `${view.name}-${width}-${colorScheme}.png`));
    }
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    report(`${view.name}-${width} (${schemes.join(', ')}): ${seconds} s`);
    await visit.context.close();
  }
}

const report = (line: string): unknown => process.stderr.write(`${line}\n`);

async function shoot(page: Page, path: string): Promise<void> {
  // Colours change with a transition, and the chart in the next frame.
  await Bun.sleep(300);
  writeFileSync(path, compressPng(await page.screenshot({ scale: 'css' })));
  taken++;
  bytes += statSync(path).size;
}

mkdirSync(folder, { recursive: true });
report('starting the service');
const browser = await launchBrowser();
const service = await Service.start({ sim_rate: '200', public_records: 'on', sim_calibration_days: '14' });
try {
  await take(browser, service, SETUP_PAGE);
  const owner = await service.owner();
  await owner.key();
  // Fills the calibration, which takes half a minute.
  await owner.must(200, owner.get('/api/news/calibration'));
  await publishSampleSignals(owner);
  await createSampleAlerts(owner);
  for (const view of SIGNED_OUT_PAGES) await take(browser, service, view);
  report(`waiting ${RUNNING_MS / 1_000} s for signals of the example publishers`);
  await Bun.sleep(RUNNING_MS);
  const onMarkets = [MARKETS_PAGE, ...OPENED_PANELS, FOUR_CHARTS, FOOTPRINT];
  const others = [...SIGNED_IN_PAGES, FOLLOW_DIALOG, EVIDENCE, TRACK_RECORD, ...SETTINGS_PAGES, ...STATES];
  for (const view of [...onMarkets, ...others]) await take(browser, service, view, owner);
  process.stdout.write(`${taken} pictures, ${(bytes / 1e6).toFixed(1)} MB, in ${folder}\n`);
} finally {
  await browser.close();
  await service.stop();
}
