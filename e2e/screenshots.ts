// `npm run screenshots` takes the pictures of the documents; `npm run screenshots -- FOLDER` one of every page, light and dark,
// wide and narrow. From a service that has run for a while. Files are named page-width-colours.png.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { DESKTOP, launchBrowser, PHONE, Visit } from './browser.fixture.ts';
import { packed } from './pack-picture.ts';
import { enliven, INSIDE, OUTSIDE, type Place, SETTINGS, SETUP } from './places.ts';
import { type Person, Service } from './service.fixture.ts';

const [, , wanted] = process.argv;
const forDocuments = wanted === undefined;
const folder = resolve(wanted ?? join(import.meta.dir, '../docs/pictures'));
/** Those that the documents show. */
const PICTURED: readonly string[] = [
  'markets-desktop-dark',
  'markets-phone-dark',
  'signals-phone-light',
  'signals-desktop-dark',
  'evidence-desktop-light',
  'news-desktop-light',
  'settings-snippets-desktop-dark',
];
const isWanted = (name: string): boolean => !forDocuments || PICTURED.includes(name);
/** So long publishers of the house publish, and some of their signals end. */
const RUNNING_MS = forDocuments ? 240_000 : 20_000;
/** What moves in after the page is there: the chart, the lists. */
const SETTLING_MS = forDocuments ? 12_000 : 1_500;

/** A closed signal whose records this browser has checked. */
const EVIDENCE: Place = {
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

const widths = [
  // In a document they are small, and shall load fast.
  ['desktop', { viewport: forDocuments ? { width: 1280, height: 800 } : DESKTOP }],
  ['phone', { viewport: PHONE, isMobile: true, hasTouch: true }],
] as const;

let [taken, bytes] = [0, 0];

async function take(browser: Browser, service: Service, place: Place, owner?: Person): Promise<void> {
  for (const [width, options] of widths) {
    const schemes = (['light', 'dark'] as const).filter((each) => isWanted(`${place.name}-${width}-${each}`));
    if (schemes.length === 0) continue;
    const visit = await Visit.begin(browser, service.url, { ...options, ...(owner && { as: owner }) });
    await visit.page.goto(place.path(service));
    await place.ready(visit.page);
    await Bun.sleep(SETTLING_MS);
    for (const colorScheme of schemes) {
      await visit.page.emulateMedia({ colorScheme });
      await shoot(visit.page, join(folder, `${place.name}-${width}-${colorScheme}.png`));
    }
    await visit.context.close();
  }
}

async function shoot(page: Page, path: string): Promise<void> {
  // Colours change with a transition, and the chart in the next frame.
  await Bun.sleep(300);
  writeFileSync(path, packed(await page.screenshot({ scale: 'css' })));
  taken++;
  bytes += statSync(path).size;
}

mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();
const service = await Service.start({ sim_rate: '200' });
try {
  await take(browser, service, SETUP);
  const owner = await service.owner();
  await owner.key();
  await enliven(owner);
  for (const place of OUTSIDE) await take(browser, service, place);
  await Bun.sleep(RUNNING_MS);
  for (const place of [...INSIDE, ...SETTINGS, EVIDENCE]) {
    await take(browser, service, place, owner);
    process.stderr.write(`${place.name} `);
  }
  process.stdout.write(`\n${taken} pictures, ${(bytes / 1e6).toFixed(1)} MB, in ${folder}\n`);
} finally {
  await browser.close();
  await service.stop();
}
