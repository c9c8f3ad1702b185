// `npm run recording` makes the short recording of the README: docs/pictures/recording.png, an animated PNG.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { animatedPng, type Frame } from './animated-png.ts';
import { launchBrowser, Visit } from './browser.fixture.ts';
import { pixelsOf } from './compress-png.ts';
import { publishSampleSignals } from './pages.fixture.ts';
import { Service } from './service.fixture.ts';

const FILE = join(import.meta.dir, '../docs/pictures/recording.png');
const SIZE = { width: 1120, height: 700 };
const FRAME_MS = 250;
/** Before the first frame, so that there is something to see. */
const RUNNING_MS = 60_000;
const MAX_BYTES = 4_000_000;

class Recording {
  readonly frames: Frame[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Shows the page as it is for some time. */
  async show(ms: number): Promise<void> {
    for (const end = performance.now() + ms; performance.now() < end; ) {
      const started = performance.now();
      this.frames.push({ pixels: pixelsOf(await this.#page.screenshot({ scale: 'css' })), ms: FRAME_MS });
      await Bun.sleep(Math.max(0, FRAME_MS - (performance.now() - started)));
    }
  }

  /** Moves the pointer there, and clicks. */
  async click(target: Locator): Promise<void> {
    const box = (await target.boundingBox())!;
    await this.clickAt(box.x + box.width / 2, box.y + box.height / 2);
  }

  async clickAt(x: number, y: number): Promise<void> {
    await this.#pointTo(x, y);
    await this.show(500);
    await this.#page.mouse.click(x, y);
    await this.show(750);
  }

  /** A page without a screen has no pointer, so one is drawn. */
  async #pointTo(x: number, y: number): Promise<void> {
    await this.#page.mouse.move(x, y);
    await this.#page.evaluate(
      ([left, top]) => {
        const pointer = document.getElementById('pointer') ?? document.createElement('div');
        pointer.id = 'pointer';
        Object.assign(pointer.style, {
          ...{ position: 'fixed', zIndex: '9999', width: '16px', height: '16px', borderRadius: '50%' },
          ...{ background: '#f5c542cc', border: '2px solid #fff', pointerEvents: 'none' },
          ...{ left: `${left! - 8}px`, top: `${top! - 8}px` },
        });
        document.body.append(pointer);
      },
      [x, y],
    );
  }
}

const browser = await launchBrowser();
const service = await Service.start({ sim_rate: '100' });
try {
  const owner = await service.owner();
  await publishSampleSignals(owner);
  await Bun.sleep(RUNNING_MS);
  const options = { as: owner, viewport: SIZE, colorScheme: 'dark' as const };
  const { page, context } = await Visit.begin(browser, service.url, options);
  await page.goto('/markets/EURUSD/5m');
  await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
  await Bun.sleep(3_000);
  const recording = new Recording(page);
  await recording.show(1_500);

  const chart = page.getByRole('region', { name: 'Chart', exact: true });
  const instruments = page.getByRole('treegrid', { name: 'Instruments' });
  await recording.click(instruments.getByRole('row', { name: /BTCUSD/ }));
  await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
  await recording.click(chart.getByRole('button', { name: 'Indicators', exact: true }));
  const indicators = page.getByRole('dialog', { name: 'Indicators' });
  await indicators.getByLabel('Search indicators').fill('rsi');
  await recording.click(indicators.getByRole('button', { name: /^Add Relative strength/i }).first());
  await page.keyboard.press('Escape');
  await recording.show(1_000);

  const box = (await page.getByLabel('BTCUSD, 5m bars').boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * 0.2, { button: 'right' });
  await recording.show(750);
  await recording.click(page.getByRole('menuitem', { name: /^Alert when BTCUSD crosses/ }));
  await recording.show(750);

  await recording.click(chart.getByRole('button', { name: 'Replay', exact: true }));
  await recording.click(page.getByRole('button', { name: 'Choose a bar on the chart' }));
  await recording.clickAt(box.x + box.width * 0.45, box.y + box.height * 0.3);
  const replay = page.getByRole('region', { name: 'Replay', exact: true });
  await replay.waitFor();
  await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
  await replay.getByLabel('Speed').selectOption('300');
  await recording.show(750);
  await recording.click(replay.getByRole('button', { name: 'Play', exact: true }));
  await recording.show(4_000);
  await recording.click(replay.getByRole('button', { name: 'End replay' }));
  await replay.waitFor({ state: 'detached' });

  await recording.click(page.getByRole('link', { name: 'Signals', exact: true }).first());
  await recording.show(750);
  await recording.click(page.getByRole('link', { name: /entry/ }).first());
  await page.getByRole('heading', { name: 'Evidence' }).waitFor();
  await recording.show(1_500);
  await context.close();

  const file = animatedPng(recording.frames);
  writeFileSync(FILE, file);
  const seconds = (recording.frames.length * FRAME_MS) / 1000;
  process.stdout.write(
    `${recording.frames.length} frames, ${seconds} s, ${(file.length / 1e6).toFixed(2)} MB: ${FILE}\n`,
  );
  if (file.length > MAX_BYTES) throw new Error('the recording is too large to be loaded with a page');
} finally {
  await browser.close();
  await service.stop();
}
