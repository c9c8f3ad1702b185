// Runs axe on every page, light and dark, wide and narrow: no serious and no critical violations.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { DESKTOP, describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import {
  publishSampleSignals,
  SETTINGS_PAGES,
  SETUP_PAGE,
  SIGNED_IN_PAGES,
  SIGNED_OUT_PAGES,
  type TerminalPage,
} from './pages.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const ALL: RunOptions = { runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'] };
/** Rules that depend on colours. */
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

/** Colour transitions must have ended before colours are checked. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))));

async function examine(page: Page, view: TerminalPage, service: Service): Promise<void> {
  await page.goto(view.path(service));
  await view.ready(page);
  // axe stays loaded while only the section changes. The content policy does not apply to code evaluated by the debugger.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  for (const [width, viewport, colorScheme, rules] of [
    ['desktop', DESKTOP, 'light', ALL],
    ['desktop', DESKTOP, 'dark', COLOURS],
    ['phone', PHONE, 'dark', ALL],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await settled(page);
    const where = `${view.name}, ${width}, ${colorScheme}`;
    expect([where, ...(await faultsOf(page, rules))]).toEqual([where]);
  }
}

describeInBrowser('axe finds no serious violation', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person | undefined;
  beforeAll(async () => {
    service = await Service.start({ sim_rate: '100', public_records: 'on' });
  }, TEST_MS);
  afterAll(() => service.stop());

  const testOn = (name: string, views: readonly TerminalPage[]): void =>
    test(
      `on ${name}`,
      async () => {
        const inside = views.some((view) => view.inside);
        if (inside && !owner) {
          owner = await service.owner();
          await publishSampleSignals(owner);
        }
        await browser.visit(service.url, { ...(inside && { as: owner! }), expected: [REFUSED] }, async (page) => {
          for (const view of views) await examine(page, view, service);
        });
      },
      TEST_MS,
    );
  // Setup first, because it is available only without an owner.
  for (const view of [SETUP_PAGE, ...SIGNED_OUT_PAGES, ...SIGNED_IN_PAGES]) testOn(view.name, [view]);
  testOn('every section of the settings', SETTINGS_PAGES);
});
