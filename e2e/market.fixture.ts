// Actions on a running service besides the browser, and locators of the terminal's pages.
import type { Locator, Page } from 'playwright-core';
import { TIMEOUT_MS } from './browser.fixture.ts';
import type { Person } from './service.fixture.ts';

/** The row of an instrument in the watchlist. */
export const rowOf = (page: Page, symbol: string): Locator =>
  page.getByRole('treegrid', { name: 'Instruments' }).getByRole('row', { name: new RegExp(`^${symbol}\\b`) });

/** A tool of a chart. If it is in the menu of the toolbar, the menu is opened. */
export async function toolOf(chart: Locator, name: string | RegExp): Promise<Locator> {
  const options = { name, exact: typeof name === 'string' };
  const opener = chart.getByRole('button', { name: 'More tools' });
  await opener.waitFor();
  const inRow = chart.getByRole('button', options);
  if ((await inRow.count()) > 0) return inRow;
  const menu = chart.page().getByRole('dialog', { name: 'More tools' });
  if (!(await menu.isVisible())) await opener.click();
  return menu.getByRole('button', options);
}

/** The line of an indicator or a compared instrument in the legend of a chart, or the title of its pane. */
export const lineOf = (chart: Locator, name: string): Locator => chart.getByRole('group', { name, exact: true });

/** The status bar with the state of connection and data. */
export const statusOf = (page: Page): Locator => page.getByRole('contentinfo');

/** Waits until the text of an element changes; returns the new text. */
export async function waitForChange(locator: Locator, before: string): Promise<string> {
  // Evaluated in the page, because the text could change back before it is read from here.
  return locator.evaluate(
    (element, { from, timeoutMs }) =>
      new Promise<string>((resolve, reject) => {
        const deadline = performance.now() + timeoutMs;
        const look = (): void => {
          const text = element.textContent ?? '';
          if (text !== from) resolve(text);
          else if (performance.now() > deadline) reject(new Error(`the text is still ${text}`));
          else requestAnimationFrame(look);
        };
        look();
      }),
    { from: before, timeoutMs: TIMEOUT_MS },
  );
}

/** Removes what the terminal has stored for this person: lists, layouts, indicators, drawings. */
export async function forgetDocuments(person: Person): Promise<void> {
  const { items } = await person.read<{ items: readonly { readonly kind: string; readonly name: string }[] }>(
    '/api/account/documents',
  );
  for (const { kind, name } of items) await person.delete(`/api/account/documents/${kind}/${encodeURIComponent(name)}`);
}

/** Pushes prices to a service with the feed `push`, with a key of the owner. */
export class PushedPrices {
  readonly #url: string;
  readonly #key: string;

  private constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  static async by(owner: Person, url: string): Promise<PushedPrices> {
    return new PushedPrices(url, await owner.key(['ingest']));
  }

  async quote(symbol: string, bid: number, ask: number): Promise<void> {
    await this.#post('/ingest/ticks', { symbol, time: Date.now(), bid, ask });
  }

  async trade(symbol: string, price: number, size: number, side: 'buy' | 'sell' = 'buy'): Promise<void> {
    await this.#post('/ingest/ticks', { symbol, time: Date.now(), price, size, side });
  }

  async headline(title: string, more: object = {}): Promise<void> {
    await this.#post('/ingest/news', { title, category: 'forex', ...more });
  }

  async #post(path: string, line: object): Promise<void> {
    const body = JSON.stringify(line);
    const response = await fetch(this.#url + path, { method: 'POST', body, headers: { 'X-API-Key': this.#key } });
    const { accepted } = (await response.json()) as { accepted?: number };
    if (accepted !== 1) throw new Error(`${path} did not accept ${body}: ${response.status}`);
  }
}
