// axe looks at every page, light and dark, wide and narrow: nothing serious, nothing critical.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { BrowserOfFile, DESKTOP, inBrowser, PHONE, TEST_MS } from './browser.fixture.ts';
import { enliven, INSIDE, OUTSIDE, type Place, SETTINGS, SETUP } from './places.ts';
import { type Person, Service } from './service.fixture.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const ALL: RunOptions = { runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'] };
/** Of what colours can break. */
const COLOURS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] }, resultTypes: ['violations'] };
const REFUSED = /status of (401|403|404)/;

declare global {
  interface Window {
    readonly axe: { run(options: RunOptions): Promise<AxeResults> };
  }
}

async function faultsOf(page: Page, options: RunOptions): Promise<string[]> {
  const { violations } = await page.evaluate((given) => window.axe.run(given), options);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`));
}

/** Transitions of colours must be over before colours are judged. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))));

async function examine(page: Page, place: Place, service: Service): Promise<void> {
  await page.goto(place.path(service));
  await place.ready(page);
  // It stays while only the section changes. The content policy binds the page's own scripts, not what a debugger evaluates.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  for (const [width, viewport, colorScheme, rules] of [
    ['desktop', DESKTOP, 'light', ALL],
    ['desktop', DESKTOP, 'dark', COLOURS],
    ['phone', PHONE, 'dark', ALL],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await settled(page);
    const where = `${place.name}, ${width}, ${colorScheme}`;
    expect([where, ...(await faultsOf(page, rules))]).toEqual([where]);
  }
}

inBrowser('axe finds nothing serious', () => {
  const browser = new BrowserOfFile();
  let service: Service;
  let owner: Person | undefined;
  beforeAll(async () => {
    service = await Service.start({ sim_rate: '100' });
  }, TEST_MS);
  afterAll(() => service.stop());

  const testOn = (name: string, places: readonly Place[]): void =>
    test(
      `on ${name}`,
      async () => {
        const inside = places.some((place) => place.inside);
        if (inside && !owner) {
          owner = await service.owner();
          await enliven(owner);
        }
        await browser.visit(service.url, { ...(inside && { as: owner! }), expected: [REFUSED] }, async (page) => {
          for (const place of places) await examine(page, place, service);
        });
      },
      TEST_MS,
    );
  // In this order: there is a setup only while there is no owner.
  for (const place of [SETUP, ...OUTSIDE, ...INSIDE]) testOn(place.name, [place]);
  testOn('every section of the settings', SETTINGS);
});
