// Every page on narrow screens: nothing reaches beyond the right edge, and everything that can be pressed is large enough.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describeInBrowser, TEST_MS, TestBrowser } from './browser.fixture.ts';
import {
  CHART_MENU,
  createSampleAlerts,
  MARKETS_PAGE,
  openPage,
  PALETTE,
  publishSampleSignals,
  SETTINGS_PAGES,
  SIGNED_IN_PAGES,
  SIGNED_OUT_PAGES,
  type TerminalPage,
} from './pages.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

const WIDTHS = [320, 390] as const;
const HEIGHT = 700;
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff-Wellenreiter';
const REFUSED = /status of (401|403|404)/;

/** Runs in the page; returns a description of each fault. */
function layoutFaults(): string[] {
  const MIN = 24;
  const describe = (element: Element): string =>
    `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`;
  const visible = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('.unseen');
  /** The element is cut off or can be scrolled to. */
  const contained = (element: Element): boolean => {
    for (let above = element.parentElement; above; above = above.parentElement) {
      const style = getComputedStyle(above);
      if (style.overflowX !== 'visible' && above.getBoundingClientRect().right <= innerWidth + 0.5) return true;
    }
    return false;
  };
  const faults: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth)
    faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const element of document.body.querySelectorAll('*')) {
    const { right, width, height } = element.getBoundingClientRect();
    if (width > 0 && height > 0 && right > innerWidth + 0.5 && visible(element) && !contained(element))
      faults.push(`beyond the edge: ${describe(element)} to ${Math.round(right)}`);
  }
  // Text that leaves its cell lies over the next one.
  for (const element of document.body.querySelectorAll(
    '[role="gridcell"], [role="columnheader"], td, th, dd, dt, button, .chip',
  )) {
    if (!visible(element) || getComputedStyle(element).overflowX !== 'visible' || !element.textContent?.trim())
      continue;
    // Text for screen readers is not drawn.
    if (element.querySelector('.unseen')) continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const over = range.getBoundingClientRect().right - element.getBoundingClientRect().right;
    if (over > 1) faults.push(`text beyond its cell: ${describe(element)} by ${Math.round(over)}`);
  }
  // Only code, wide tables and rows of tabs scroll sideways.
  const MEANT = 'pre, .table-box, .wide, .sections, .alerts-tabs';
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    // Cheap, and false for nearly all of them.
    if (element.scrollWidth <= element.clientWidth + 1) continue;
    const { overflowX } = getComputedStyle(element);
    if ((overflowX !== 'auto' && overflowX !== 'scroll') || element.closest(MEANT) || !visible(element)) continue;
    faults.push(`scrolls sideways: ${describe(element)}`);
  }
  for (const element of document.body.querySelectorAll<HTMLElement>(
    'a[href], button, input:not([type="hidden"]), select, summary, [role="button"], [role="option"], [role="menuitem"], [role="tab"]',
  )) {
    if (!visible(element)) continue;
    // A checkbox is pressed with its label.
    const target = element.closest('label') ?? element;
    // Links within sentences and cells of text are as high as their line.
    const inline = element.tagName === 'A' && getComputedStyle(element).display === 'inline';
    const { width, height } = target.getBoundingClientRect();
    if (width === 0 || height === 0 || inline) continue;
    if (width < MIN - 0.5 || height < MIN - 0.5)
      faults.push(`small: ${describe(element)} ${Math.round(width)} × ${Math.round(height)}`);
  }
  return [...new Set(faults)];
}

describeInBrowser('on narrow screens', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ public_records: 'on' });
    owner = await service.owner();
    await publishSampleSignals(owner);
    await createSampleAlerts(owner);
    await service.guest(owner, LONG_NAME);
    await owner.must(201, owner.post('/api/keys', { name: LONG_NAME, scopes: ['read'], expires_days: 1 }));
  }, TEST_MS);
  afterAll(() => service.stop());

  async function examine(page: Page, view: TerminalPage): Promise<string[]> {
    const faults: string[] = [];
    // Complete on a wide screen first: on a narrow one, some pages show other parts of themselves.
    await openPage(page, view, service);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      // The chart follows in the next frames.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      for (const fault of await page.evaluate(layoutFaults)) faults.push(`${view.name}, ${width}: ${fault}`);
    }
    return faults;
  }

  const testOn = (name: string, views: readonly TerminalPage[]): void =>
    test(
      `${name} fit and can be pressed`,
      async () => {
        const inside = views.some((view) => view.inside);
        const options = { ...(inside && { as: owner }), hasTouch: true, isMobile: true, expected: [REFUSED] };
        await browser.visit(service.url, options, async (page) => {
          const faults: string[] = [];
          for (const view of views) faults.push(...(await examine(page, view)));
          expect(faults).toEqual([]);
        });
      },
      TEST_MS,
    );
  testOn('the pages before signing in', SIGNED_OUT_PAGES);
  testOn('the pages of the terminal', [MARKETS_PAGE, ...SIGNED_IN_PAGES, CHART_MENU, PALETTE]);
  testOn('the sections of the settings', SETTINGS_PAGES);
});
