// A real browser for the tests of a file, and a fresh profile of it for each visit. A visit fails where the page had
// something to complain of: an error in the console, an exception, a breach of its content policy, a call to another host.
import { afterAll, beforeAll, describe } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Person } from './service.fixture.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const executable = process.env.TICKWIRE_CHROMIUM ?? NAMES.map((name) => Bun.which(name)).find((path) => path !== null);
const NO_BROWSER =
  'SKIPPED: no Chromium found (apt-get install chromium, or name one in TICKWIRE_CHROMIUM); the browser tests were not run';

/** It shall ask for nothing by itself; in a container it may not make a sandbox. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** For whatever a page does, on a machine that has other things to do as well. */
export const PATIENCE_MS = 30_000;
/** For a test of several such things. */
export const TEST_MS = 120_000;
/** Where pictures of failures go. */
const FAILURES = join(tmpdir(), 'tickwire-e2e-failures');

/** `describe`, on machines that have a browser. */
export function inBrowser(name: string, tests: () => void): void {
  if (!executable) console.log(NO_BROWSER);
  describe.skipIf(!executable)(name, tests);
}

export const launchBrowser = (): Promise<Browser> => {
  if (!executable) throw new Error(NO_BROWSER);
  return chromium.launch({ executablePath: executable, args: ARGS });
};

export interface VisitOptions extends BrowserContextOptions {
  /** Whose session the browser has from the start. */
  readonly as?: Person;
  /** What may be complained of: a refusal that a test provokes stands in the console, too. */
  readonly expected?: readonly RegExp[];
}

export class Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly #complaints: string[] = [];
  #expected: readonly RegExp[];

  private constructor(context: BrowserContext, page: Page, expected: readonly RegExp[]) {
    this.context = context;
    this.page = page;
    this.#expected = expected;
  }

  static async begin(browser: Browser, url: string, { as, expected = [], ...options }: VisitOptions): Promise<Visit> {
    const context = await browser.newContext({ baseURL: url, viewport: DESKTOP, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    if (as?.cookie) {
      const [name = '', value = ''] = as.cookie.split(/=(.*)/s);
      await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
    }
    const visit = new Visit(context, await context.newPage(), expected);
    visit.#listen(new URL(url).host);
    return visit;
  }

  /** From here on this may be complained of, too. */
  expect(...complaints: readonly RegExp[]): void {
    this.#expected = [...this.#expected, ...complaints];
  }

  get complaints(): readonly string[] {
    return this.#complaints.filter((each) => !this.#expected.some((expected) => expected.test(each)));
  }

  #listen(host: string): void {
    const { context } = this;
    // Breaches of the content policy are errors in the console as well.
    context.on('console', (message) => {
      if (message.type() === 'error') this.#complaints.push(`console: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#complaints.push(`exception: ${error.error().stack}`));
    context.on('request', (request) => {
      const { protocol, host: called } = new URL(request.url());
      if (protocol !== 'data:' && protocol !== 'blob:' && called !== host)
        this.#complaints.push(`a request to another host: ${request.url()}`);
    });
  }
}

/** The browser of a test file. */
export class BrowserOfFile {
  #browser: Browser | null = null;

  constructor() {
    beforeAll(async () => {
      if (executable) this.#browser = await launchBrowser();
    }, TEST_MS);
    afterAll(async () => {
      await this.#browser?.close();
    });
  }

  get browser(): Browser {
    return this.#browser!;
  }

  /** A visit from its beginning to its end, in a profile that nobody used before. */
  async visit(url: string, options: VisitOptions, tour: (page: Page, visit: Visit) => Promise<void>): Promise<void> {
    const visit = await Visit.begin(this.browser, url, options);
    try {
      await tour(visit.page, visit);
      if (visit.complaints.length > 0) throw new Error(`the page complained:\n${visit.complaints.join('\n')}`);
    } catch (error) {
      if (visit.complaints.length > 0) console.error(visit.complaints.join('\n'));
      await picture(visit.page);
      throw error;
    } finally {
      await visit.context.close();
    }
  }
}

async function picture(page: Page): Promise<void> {
  mkdirSync(FAILURES, { recursive: true });
  const path = join(FAILURES, `${Date.now()}.png`);
  // A page that has crashed cannot be taken a picture of, and is not what the test failed of.
  await page.screenshot({ path, timeout: 5_000 }).then(
    () => console.error(`what it looked like: ${path}`),
    () => {},
  );
}
