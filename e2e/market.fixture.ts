// What the tests of the terminal do to a running service beside the browser, and what they read off its pages.
import type { Locator, Page } from 'playwright-core';
import { PATIENCE_MS } from './browser.fixture.ts';
import type { Person } from './service.fixture.ts';

/** The row of an instrument in the watchlist. */
export const rowOf = (page: Page, symbol: string): Locator =>
  page.getByRole('treegrid', { name: 'Instruments' }).getByRole('row', { name: new RegExp(`^${symbol}\\b`) });

/** The state of connection and data at the foot of the page. */
export const statusOf = (page: Page): Locator => page.getByRole('contentinfo');

/** Until the text of something is another. */
export async function changed(locator: Locator, before: string): Promise<string> {
  // Looked at where it changes: by the time it was read from here it could have changed back.
  return locator.evaluate(
    (element, { from, patienceMs }) =>
      new Promise<string>((resolve, reject) => {
        const deadline = performance.now() + patienceMs;
        const look = (): void => {
          const text = element.textContent ?? '';
          if (text !== from) resolve(text);
          else if (performance.now() > deadline) reject(new Error(`it still says ${text}`));
          else requestAnimationFrame(look);
        };
        look();
      }),
    { from: before, patienceMs: PATIENCE_MS },
  );
}

/** Prices of a service with the feed `push`, brought by a key of the owner's. */
export class Pushed {
  readonly #url: string;
  readonly #key: string;

  private constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  static async by(owner: Person, url: string): Promise<Pushed> {
    return new Pushed(url, await owner.key(['ingest']));
  }

  async quote(symbol: string, bid: number, ask: number): Promise<void> {
    await this.#post('/ingest/ticks', { symbol, time: Date.now(), bid, ask });
  }

  async headline(title: string, more: object = {}): Promise<void> {
    await this.#post('/ingest/news', { title, category: 'forex', ...more });
  }

  async #post(path: string, line: object): Promise<void> {
    const body = JSON.stringify(line);
    const answer = await fetch(this.#url + path, { method: 'POST', body, headers: { 'X-API-Key': this.#key } });
    const { accepted } = (await answer.json()) as { accepted?: number };
    if (accepted !== 1) throw new Error(`${path} did not take ${body}: ${answer.status}`);
  }
}
