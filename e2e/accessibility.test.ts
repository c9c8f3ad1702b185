// Runs axe on every page and in what opens on it, light and dark, wide and narrow: no serious and no critical violations. At five
// widths no text is drawn over other text.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { atScale, isFull } from '../packages/server/testing/scale.fixture.ts';
import { DESKTOP, describeInBrowser, PHONE, TEST_MS, TestBrowser } from './browser.fixture.ts';
import { overlapsOf } from './overlap.fixture.ts';
import {
  createSampleAlerts,
  FOLLOW_DIALOG,
  FOUR_CHARTS,
  MARKETS_PAGE,
  OPENED_PANELS,
  openPage,
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
/** Rules whose result depends on colours and sizes, not only on the document. */
const DRAWN: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'target-size'] },
  resultTypes: ['violations'],
};
interface Look {
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
  readonly rules: RunOptions;
  /** In what opens on a page. */
  readonly partRules: RunOptions;
}
const LOOKS: readonly Look[] = [
  { name: 'desktop, light', viewport: DESKTOP, colorScheme: 'light', rules: ALL, partRules: ALL },
  { name: 'desktop, dark', viewport: DESKTOP, colorScheme: 'dark', rules: DRAWN, partRules: DRAWN },
  // A phone has other elements on some pages. What opens has the same everywhere.
  { name: 'phone, dark', viewport: PHONE, colorScheme: 'dark', rules: ALL, partRules: atScale(DRAWN, ALL) },
];
/** Of a whole page. A phone shows its dark colours; in full, a desktop does so too. */
const PAGE_LOOKS = isFull ? LOOKS : LOOKS.filter(({ name }) => name !== 'desktop, dark');
/** From a large desktop to the narrowest phone. Pixels. */
const WIDTHS = atScale([1280, 768, 320], [1920, 1280, 1024, 768, 320]);
/** Where what opens on a page is examined: each opens once per look. */
const NARROWEST = { ...PHONE, width: 320 };
/** Elements of one kind in the reference. */
const SAMPLES = atScale(2, 4);
const REFUSED = /status of (401|403|404)/;

declare global {
  interface Window {
    readonly axe: { run(context: string | Document, options: RunOptions): Promise<AxeResults> };
  }
}

async function faultsOf(page: Page, part: string | null, options: RunOptions): Promise<string[]> {
  const { violations } = await page.evaluate(([of, given]) => window.axe.run(of ?? document, given), [
    part,
    options,
  ] as const);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target.join(' ')} ${any[0]?.message ?? ''}`));
}

/** Colour transitions must have ended before colours are checked. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))));

/** After that, observers of sizes have run and everything is drawn. */
const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Keeps the first few of many elements of one kind: the reference repeats one structure for every endpoint, schema and field. */
const keepSamples = (page: Page): Promise<void> =>
  page.evaluate((most) => {
    for (const parent of document.querySelectorAll('section, article, div, ul, ol, dl, tbody')) {
      const seen = new Map<string, number>();
      for (const child of [...parent.children]) {
        const kind = `${child.tagName}.${child.className}`;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        if (seen.get(kind)! > most) child.remove();
      }
    }
  }, SAMPLES);

/** Runs axe in the whole page or in a part of it, where it is visible. */
async function axeFaults(page: Page, view: TerminalPage, part: string | null, look: Look): Promise<string[]> {
  // It stays loaded while the address changes. The content policy does not apply to code evaluated by the debugger.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  await settled(page);
  const faults = await faultsOf(page, part, part === null ? look.rules : look.partRules);
  return faults.map((fault) => `${view.name}, ${look.name}: ${fault}`);
}

async function overlapFaults(page: Page, { name }: TerminalPage, width: number): Promise<string[]> {
  await twoFrames(page);
  return (await overlapsOf(page)).map((overlap) => `${name}, ${width} px: ${overlap}`);
}

async function show(page: Page, { viewport, colorScheme }: Look): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
}

async function examine(page: Page, view: TerminalPage, service: Service): Promise<string[]> {
  await openPage(page, view, service);
  if (view.name.startsWith('docs')) await keepSamples(page);
  const faults: string[] = [];
  for (const look of PAGE_LOOKS) {
    await show(page, look);
    faults.push(...(await axeFaults(page, view, null, look)));
  }
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    faults.push(...(await overlapFaults(page, view, width)));
  }
  return faults;
}

/** Opens one part of the page after the other, in one look after the other. */
async function examineParts(page: Page, views: readonly TerminalPage[]): Promise<string[]> {
  const faults: string[] = [];
  const openPart = async (view: TerminalPage): Promise<boolean> => {
    await view.open?.(page);
    return page.locator(view.part!).first().isVisible();
  };
  const closePart = (view: TerminalPage) => view.close?.(page) ?? page.keyboard.press('Escape');
  // A part has the same colours on every screen. Its dark ones are checked on a phone, and on a desktop if a phone does not have
  // it; in full, on both.
  const [light, dark, largerPhone] = LOOKS as [Look, Look, Look];
  const phone = { ...largerPhone, viewport: NARROWEST };
  const doneInDark = new Set<TerminalPage>();
  for (const look of [light, phone, dark]) {
    await show(page, look);
    for (const view of views) {
      if (look === dark && doneInDark.has(view)) continue;
      if (await openPart(view)) {
        faults.push(...(await axeFaults(page, view, view.part!, look)));
        faults.push(...(await overlapFaults(page, view, look.viewport.width)));
        if (look === phone && !isFull) doneInDark.add(view);
      }
      await closePart(view);
    }
  }
  return faults;
}

describeInBrowser('axe finds no serious violation', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person | undefined;
  beforeAll(async () => {
    service = await Service.start({ sim_rate: '50', public_records: 'on' });
  }, TEST_MS);
  afterAll(() => service.stop());

  const testIn = (name: string, isInside: boolean, tour: (page: Page) => Promise<readonly string[]>): void =>
    test(
      `on ${name}`,
      async () => {
        if (isInside && !owner) {
          owner = await service.owner();
          await publishSampleSignals(owner);
          await createSampleAlerts(owner);
        }
        const options = { ...(isInside && { as: owner! }), expected: [REFUSED] };
        await browser.visit(service.url, options, async (page) => expect(await tour(page)).toEqual([]));
      },
      TEST_MS,
    );
  const testPages = (name: string, views: readonly TerminalPage[]): void =>
    testIn(
      name,
      views.some(({ inside }) => inside),
      async (page) => {
        const faults: string[] = [];
        for (const view of views) faults.push(...(await examine(page, view, service)));
        return faults;
      },
    );
  // Setup first, because it is available only without an owner.
  testPages('the pages before signing in', [SETUP_PAGE, ...SIGNED_OUT_PAGES]);
  testPages('every page', [...SIGNED_IN_PAGES, FOLLOW_DIALOG]);
  testIn('the markets page, and on what opens over it', true, async (page) => {
    const faults = await examine(page, MARKETS_PAGE, service);
    faults.push(...(await examineParts(page, OPENED_PANELS)));
    await page.setViewportSize(DESKTOP);
    await FOUR_CHARTS.ready(page);
    return [...faults, ...(await examineParts(page, [FOUR_CHARTS]))];
  });
  testPages('every section of the settings', SETTINGS_PAGES);
});
