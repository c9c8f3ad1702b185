// Drawing on the chart: every tool, by mouse, finger and keyboard; stored with the account, on every device.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, PHONE, TEST_MS, TestBrowser, TIMEOUT_MS } from './browser.fixture.ts';
import { toolOf } from './market.fixture.ts';
import { type Person, Service } from './service.fixture.ts';

interface StoredDrawing {
  readonly id: string;
  readonly kind: string;
  readonly points: readonly (readonly [time: number, price: number])[];
  readonly color: string;
  readonly width: number;
  readonly text?: string;
}

/** The chart, and a point in it by shares of its width and height. */
class Chart {
  readonly page: Page;
  readonly surface: Locator;

  constructor(page: Page, symbol: string) {
    this.page = page;
    this.surface = page.getByLabel(`${symbol}, 1h bars`);
  }

  static async open(page: Page, symbol: string): Promise<Chart> {
    await page.goto(`/markets/${symbol}/1h`);
    const chart = new Chart(page, symbol);
    await chart.surface.waitFor();
    await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
    return chart;
  }

  async at(left: number, top: number): Promise<{ readonly x: number; readonly y: number }> {
    const { x, y, width, height } = (await this.surface.boundingBox())!;
    return { x: Math.round(x + left * width), y: Math.round(y + top * height) };
  }

  async click(left: number, top: number): Promise<void> {
    const { x, y } = await this.at(left, top);
    await this.page.mouse.click(x, y);
  }

  async drag(from: readonly [number, number], to: readonly [number, number]): Promise<void> {
    const [start, end] = [await this.at(...from), await this.at(...to)];
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move(end.x, end.y, { steps: 6 });
    await this.page.mouse.up();
  }

  get drawButton(): Locator {
    return this.page.getByRole('button', { name: 'Draw', exact: true });
  }

  get panel(): Locator {
    return this.page.getByRole('dialog', { name: 'Draw' });
  }

  get bar(): Locator {
    return this.page.getByRole('toolbar', { name: 'Drawing' });
  }

  /** A button of the bar beside the chart. */
  tool(name: string, options: { readonly pressed?: boolean } = {}): Locator {
    const bar = this.page.getByRole('group', { name: 'Drawing tools' });
    return bar.getByRole('button', { name, exact: true, ...options });
  }

  /** The first tool that is chosen loads the code of all. */
  async choose(name: string): Promise<void> {
    await this.tool(name).click();
    await this.tool(name, { pressed: true }).waitFor();
  }

  /** The row with the largest share of the accent colour, as a horizontal line has it; its height as a share of the chart. */
  accentRow(): Promise<{ readonly share: number; readonly top: number }> {
    return this.surface.evaluate((surface) => {
      const probe = document.createElement('span');
      probe.style.color = 'var(--accent)';
      document.body.append(probe);
      const [red, green, blue] = getComputedStyle(probe).color.match(/\d+/g)!.map(Number) as [number, number, number];
      probe.remove();
      const chart = surface.getBoundingClientRect();
      let most = { share: 0, top: 0 };
      for (const canvas of surface.querySelectorAll('canvas')) {
        const { width, height } = canvas;
        if (width < 200 || height < 100) continue;
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
        for (let y = 0; y < height; y++) {
          let same = 0;
          for (let at = y * width * 4; at < (y + 1) * width * 4; at += 4)
            if (
              Math.abs(data[at]! - red) + Math.abs(data[at + 1]! - green) + Math.abs(data[at + 2]! - blue) < 30 &&
              data[at + 3]! > 200
            )
              same++;
          if (same / width <= most.share) continue;
          const box = canvas.getBoundingClientRect();
          const top = (box.top + ((y + 0.5) / height) * box.height - chart.top) / chart.height;
          most = { share: same / width, top };
        }
      }
      return most;
    });
  }

  /** The same once it has not moved for half a second. */
  async stillAccentRow(): ReturnType<Chart['accentRow']> {
    for (let [last, since] = [await this.accentRow(), Date.now()]; ; await Bun.sleep(100)) {
      const row = await this.accentRow();
      if (row.top !== last.top) [last, since] = [row, Date.now()];
      else if (Date.now() - since > 500) return row;
    }
  }
}

describeInBrowser('a drawing', () => {
  const browser = new TestBrowser();
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await Service.start({ sim_rate: '1', news: 'none', house: 'none' });
    owner = await service.owner();
  }, TEST_MS);
  afterAll(() => service.stop());

  /** What the account has stored, as soon as it is as expected. */
  const stored = async (
    symbol: string,
    expected: (drawings: readonly StoredDrawing[]) => boolean,
    person = owner,
  ): Promise<readonly StoredDrawing[]> => {
    const deadline = Date.now() + TIMEOUT_MS;
    for (;;) {
      const { items } = await person.read<{
        items: readonly { name: string; value: { drawings: readonly StoredDrawing[] } }[];
      }>('/api/account/documents?kind=drawings');
      const drawings = items.find(({ name }) => name === symbol)?.value.drawings ?? [];
      if (expected(drawings)) return drawings;
      if (Date.now() > deadline) throw new Error(`stored: ${JSON.stringify(drawings)}`);
      // The sessions of an account may send 300 requests a minute.
      await Bun.sleep(200);
    }
  };

  test(
    'is made with each tool, and stored with the account',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const chart = await Chart.open(page, 'EURUSD');
        const places = [
          [0.2, 0.2],
          [0.45, 0.35],
          [0.35, 0.5],
        ] as const;
        const tools = [
          ['Trend line', 2, 'line'],
          ['Ray', 2, 'ray'],
          ['Horizontal line', 1, 'horizontal'],
          ['Vertical line', 1, 'vertical'],
          ['Rectangle', 2, 'rectangle'],
          ['Parallel channel', 3, 'channel'],
          ['Fibonacci retracement', 2, 'fibonacci'],
          ['Long position', 1, 'position'],
          ['Short position', 1, 'position'],
        ] as const;
        for (const [tool, clicks] of tools) {
          await chart.choose(tool);
          for (const [left, top] of places.slice(0, clicks)) await chart.click(left, top);
          await chart.bar.getByRole('button', { name: 'Delete' }).waitFor();
        }
        await chart.choose('Text');
        await chart.click(0.3, 0.3);
        await chart.bar.getByLabel('Text').fill('Watch <b>this</b> level');
        await page.keyboard.press('Enter');
        const drawings = await stored('EURUSD', ({ length }) => length === 10);
        expect(drawings.map(({ kind }) => kind)).toEqual([...tools.map(([, , kind]) => kind), 'text']);
        expect(drawings.at(-1)!.text).toBe('Watch <b>this</b> level');
        const [long, short] = drawings.filter(({ kind }) => kind === 'position');
        const levels = ({ points }: StoredDrawing) => points.map(([, price]) => price) as [number, number, number];
        const [entry, stop, target] = levels(long!);
        expect([stop < entry, target > entry]).toEqual([true, true]);
        expect((target - entry) / (entry - stop)).toBeCloseTo(2, 1);
        expect(levels(short!)[1]).toBeGreaterThan(levels(short!)[0]);
        // The second anchor of the trend line is later and lower.
        const [[from, high], [to, low]] = drawings[0]!.points as [[number, number], [number, number]];
        expect([to > from, low < high]).toEqual([true, true]);
      }),
    TEST_MS,
  );

  test(
    'is dragged whole and by a handle, undone and redone, coloured, and kept by a reload',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const chart = await Chart.open(page, 'GBPUSD');
        expect((await chart.accentRow()).share).toBeLessThan(0.5);
        await chart.choose('Horizontal line');
        await chart.click(0.3, 0.3);
        const [[, first]] = (await stored('GBPUSD', ({ length }) => length === 1))[0]!.points as [[number, number]];
        // The legend of another bar, or one with indicators that just arrived, may need another line, which moves the prices.
        const start = await chart.at(0.6, 0.3);
        await page.mouse.move(start.x, start.y);
        const { share, top } = await chart.stillAccentRow();
        expect(share).toBeGreaterThan(0.9);
        const priceIs = (test: (price: number) => boolean) =>
          stored('GBPUSD', ([drawing]) => drawing !== undefined && test(drawing.points[0]![1]));

        await chart.drag([0.6, top], [0.6, top + 0.2]);
        const lower = (await priceIs((price) => price < first))[0]!.points[0]![1];
        await page.keyboard.press('Control+z');
        await priceIs((price) => price === first);
        await page.keyboard.press('Control+y');
        await priceIs((price) => price === lower);
        await page.keyboard.press('ArrowUp');
        await priceIs((price) => price > lower && price < first);

        await chart.bar.getByRole('button', { name: 'Red' }).click();
        await chart.bar.getByRole('button', { name: 'Width 4' }).click();
        await stored('GBPUSD', ([drawing]) => drawing?.color === 'down' && drawing.width === 4);

        await page.reload();
        await page.locator('.chart-veil').first().waitFor({ state: 'hidden' });
        await chart.drawButton.click();
        await chart.panel.getByText('1 of 200 drawings').waitFor();
        await chart.panel.getByRole('button', { name: /^Select Horizontal line/ }).click();
        await chart.surface.focus();
        await page.keyboard.press('Delete');
        await stored('GBPUSD', ({ length }) => length === 0);
        await page.keyboard.press('Control+z');
        await stored('GBPUSD', ({ length }) => length === 1);
      }),
    TEST_MS,
  );

  test(
    'appears in another browser of the same account, and two devices lose nothing',
    () =>
      browser.visit(service.url, { as: owner }, (here) =>
        browser.visit(service.url, { as: owner }, async (there) => {
          const [one, other] = [await Chart.open(here, 'USDJPY'), await Chart.open(there, 'USDJPY')];
          await one.choose('Horizontal line');
          await one.click(0.3, 0.3);
          await other.choose('Vertical line');
          await other.click(0.5, 0.3);
          await stored('USDJPY', ({ length }) => length === 2);
          await here.evaluate(() => window.dispatchEvent(new Event('focus')));
          await one.drawButton.click();
          await one.panel.getByText('2 of 200 drawings').waitFor();
          await one.panel.getByRole('button', { name: /^Delete Vertical line/ }).click();
          await stored('USDJPY', ([drawing, more]) => drawing?.kind === 'horizontal' && more === undefined);
          await there.evaluate(() => window.dispatchEvent(new Event('focus')));
          await other.drawButton.click();
          await other.panel.getByText('1 of 200 drawings').waitFor();
          await other.panel.getByRole('button', { name: /^Select Horizontal line/ }).waitFor();
        }),
      ),
    TEST_MS,
  );

  test(
    'works without a mouse: placed, moved point by point, found in the list, deleted; all of them after a question',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const chart = await Chart.open(page, 'USDCHF');
        await chart.tool('Trend line').focus();
        await page.keyboard.press('Enter');
        await chart.bar.getByText('Trend line: choose point 1 of 2').waitFor();
        expect(await chart.tool('Trend line').getAttribute('aria-pressed')).toBe('true');
        await page.keyboard.press('Enter');
        const before = (await stored('USDCHF', ({ length }) => length === 1))[0]!;
        // The first point alone.
        await page.keyboard.press('Enter');
        await page.keyboard.press('Shift+ArrowDown');
        const [after] = await stored('USDCHF', ([drawing]) => drawing!.points[0]![1] < before.points[0]![1]);
        expect(after!.points[1]).toEqual(before.points[1]!);
        await page.keyboard.press('Escape');
        await chart.bar.waitFor({ state: 'hidden' });

        await chart.drawButton.focus();
        await page.keyboard.press('Enter');
        await chart.panel.getByRole('button', { name: 'Lock all' }).press('Enter');
        await page.keyboard.press('Escape');
        await chart.click(0.65, 0.4);
        expect(await chart.bar.isVisible()).toBe(false);
        await chart.drawButton.focus();
        await page.keyboard.press('Enter');
        await chart.panel.getByRole('button', { name: 'Lock all' }).press('Enter');
        await chart.panel.getByRole('button', { name: 'Delete all…' }).press('Enter');
        const dialog = page.getByRole('dialog', { name: 'Delete all drawings of USDCHF?' });
        await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
        await stored('USDCHF', ({ length }) => length === 1);
        await chart.drawButton.focus();
        await page.keyboard.press('Enter');
        await chart.panel.getByRole('button', { name: 'Delete all…' }).press('Enter');
        await dialog.getByRole('button', { name: 'Delete all' }).press('Enter');
        await stored('USDCHF', ({ length }) => length === 0);
      }),
    TEST_MS,
  );

  test(
    'is placed on a phone with two taps, and a finger drags its end',
    () =>
      browser.visit(service.url, { as: owner, viewport: PHONE, isMobile: true, hasTouch: true }, async (page) => {
        const chart = await Chart.open(page, 'NZDUSD');
        await (await toolOf(page.getByRole('region', { name: 'Chart', exact: true }), 'Draw')).tap();
        await chart.panel.getByRole('button', { name: 'Trend line' }).tap();
        for (const left of [0.2, 0.6]) {
          const { x, y } = await chart.at(left, 0.3);
          await page.touchscreen.tap(x, y);
        }
        const [before] = await stored('NZDUSD', ({ length }) => length === 1);
        const session = await page.context().newCDPSession(page);
        const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
          session.send('Input.dispatchTouchEvent', { type, touchPoints });
        const [from, to] = [await chart.at(0.6, 0.3), await chart.at(0.6, 0.45)];
        // A finger does not hit exactly.
        await touch('touchStart', [{ x: from.x + 10, y: from.y + 6 }]);
        await touch('touchMove', [{ x: to.x, y: (from.y + to.y) / 2 }]);
        await touch('touchMove', [to]);
        await touch('touchEnd', []);
        const [after] = await stored('NZDUSD', ([drawing]) => drawing!.points[1]![1] < before!.points[1]![1]);
        expect(after!.points[0]).toEqual(before!.points[0]!);
      }),
    TEST_MS,
  );

  test(
    'snaps to the prices of a bar with the magnet; a measurement leaves nothing behind',
    () =>
      browser.visit(service.url, { as: owner }, async (page) => {
        const chart = await Chart.open(page, 'USDCAD');
        await chart.drawButton.click();
        await chart.panel.getByRole('button', { name: 'Magnet' }).click();
        await page.keyboard.press('Escape');
        // Somewhere in this column is a bar.
        const tops = Array.from({ length: 12 }, (_, at) => 0.1 + at * 0.04);
        for (const top of tops) {
          await chart.choose('Horizontal line');
          await chart.click(0.5, top);
        }
        const drawings = await stored('USDCAD', ({ length }) => length === tops.length);
        const { items } = await owner.read<{ items: readonly Readonly<Record<string, unknown>>[] }>(
          '/api/bars/USDCAD?interval=1h&limit=300',
        );
        const HOUR = 3_600_000;
        const snapped = drawings.map(({ points: [point] }) => point!).filter(([time]) => time % HOUR === 0);
        expect(snapped.length).toBeGreaterThan(0);
        for (const [time, price] of snapped) {
          const bar = items.find((each) => Date.parse(String(each.time)) === time)!;
          expect([bar.open, bar.high, bar.low, bar.close]).toContain(price);
        }

        await chart.choose('Measure');
        await chart.bar.getByText('Measure: choose point 1 of 2').waitFor();
        await chart.click(0.2, 0.5);
        await chart.bar.getByText('Measure: choose point 2 of 2').waitFor();
        await chart.click(0.4, 0.45);
        await chart.bar.waitFor({ state: 'hidden' });
        await chart.drawButton.click();
        await chart.panel.getByText(`${tops.length} of 200 drawings`).waitFor();
      }),
    TEST_MS,
  );

  test(
    'has alerts: at its price, at one of its levels, and on a sloped line, which counts bars as the chart does',
    async () => {
      const guest = await service.guest(owner, 'Anna Alerts', 'premium');
      await browser.visit(service.url, { as: guest }, async (page) => {
        const chart = await Chart.open(page, 'NZDUSD');
        const ticket = page.getByRole('region', { name: 'Alert on NZDUSD' });
        const level = ticket.getByLabel('Level', { exact: true });
        const create = async (): Promise<object> => {
          await ticket.getByRole('button', { name: 'Create alert' }).click();
          await ticket.waitFor({ state: 'detached' });
          const { items } = await guest.read<{ items: readonly { condition: object }[] }>('/api/alerts?symbol=NZDUSD');
          return items[0]!.condition;
        };
        await chart.choose('Horizontal line');
        await chart.click(0.3, 0.3);
        await chart.bar.getByRole('button', { name: 'Alert…' }).click();
        const [horizontal] = await stored('NZDUSD', ({ length }) => length === 1, guest);
        await level.waitFor();
        const [[, price]] = horizontal!.points as [[number, number]];
        expect(Number(await level.inputValue())).toBeCloseTo(price, 5);
        expect(await create()).toMatchObject({ type: 'price', cross: 'either', level: Number(price.toFixed(5)) });

        await chart.choose('Rectangle');
        for (const [left, top] of [
          [0.2, 0.5],
          [0.4, 0.6],
        ] as const)
          await chart.click(left, top);
        await chart.bar.getByRole('button', { name: 'Alert…' }).click();
        await level.waitFor();
        const high = Number(await level.inputValue());
        await ticket.getByLabel('Level of the drawing').selectOption({ index: 1 });
        const low = Number(await level.inputValue());
        expect(low).toBeLessThan(high);
        expect(await create()).toMatchObject({ type: 'price', level: low });

        await chart.choose('Trend line');
        for (const [left, top] of [
          [0.2, 0.2],
          [0.5, 0.35],
        ] as const)
          await chart.click(left, top);
        const { points } = (await stored('NZDUSD', ({ length }) => length === 3, guest)).at(-1)!;
        const middle = await chart.at(0.35, 0.275);
        await page.mouse.click(middle.x, middle.y, { button: 'right' });
        await page.getByRole('menuitem', { name: 'Alert on trend line…' }).click();
        await ticket.getByLabel('Change per bar').waitFor();
        const condition = (await create()) as { time: string; price: number; per_bar: number };
        expect(condition).toMatchObject({ type: 'trend_line', interval: '1h', cross: 'either' });
        const [[from, start], [to, end]] = points as [[number, number], [number, number]];
        const { items } = await guest.read<{ items: readonly { time: string }[] }>(
          `/api/bars/NZDUSD?interval=1h&limit=1000&from=${new Date(from - 3_600_000).toISOString()}`,
        );
        // Positions are fractions of bars, so each end may be off by one.
        const bars = (since: number, until: number): number =>
          items.filter(({ time }) => Date.parse(time) > since && Date.parse(time) <= until).length;
        const count = bars(from, to);
        const slope = (end - start) / count;
        expect(Math.abs(condition.per_bar / slope - 1)).toBeLessThanOrEqual(2 / (count - 2));
        const expected = start + condition.per_bar * bars(from, Date.parse(condition.time));
        expect(Math.abs(condition.price - expected)).toBeLessThan(2 * Math.abs(condition.per_bar));
      });
    },
    TEST_MS,
  );

  test(
    'of a hostile or old document does not break the chart, and a failed save is said and repeated',
    async () => {
      // The requests of a minute that the owner has left may not be enough.
      const guest = await service.guest(owner, 'Gloria Guest', 'premium');
      await browser.visit(service.url, { as: guest, expected: [/503/] }, async (page) => {
        const value = {
          version: 'x',
          drawings: [null, { kind: 'line' }, { id: 'ok', kind: 'horizontal', points: [[1e300, 1]] }, 7],
          deleted: 'all',
        };
        await guest.must(200, guest.put('/api/account/documents/drawings/EURGBP', { value }));
        const chart = await Chart.open(page, 'EURGBP');
        let broken = true;
        await page.route('**/api/account/documents/drawings/EURGBP', (route) =>
          broken && route.request().method() === 'PUT' ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
        );
        await chart.choose('Vertical line');
        await chart.click(0.4, 0.3);
        await page
          .getByRole('contentinfo')
          .getByText(/Drawings of EURGBP/)
          .waitFor();
        broken = false;
        await stored('EURGBP', ([drawing, more]) => drawing?.kind === 'vertical' && more === undefined, guest);
      });
    },
    TEST_MS,
  );
});
