// A real browser for a test file, with a new profile for each visit. A visit fails if the page reports a problem: an error in the
// console, an exception, a violation of its content policy, or a request to another host.
import { afterAll, beforeAll, describe } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { reportSkipped } from '../packages/server/testing/skipped.fixture.ts';
import type { Person } from './service.fixture.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const executable = process.env.TICKWIRE_CHROMIUM ?? NAMES.map((name) => Bun.which(name)).find((path) => path !== null);
const NO_BROWSER = 'no Chromium found (apt-get install chromium, or name one in TICKWIRE_CHROMIUM)';

/** No requests by the browser itself; a container may not allow a sandbox. */
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
/** Timeout of a single step, on a busy machine. */
export const TIMEOUT_MS = 30_000;
/** Timeout of a test. */
export const TEST_MS = 120_000;
/** Folder for screenshots of failures. */
const FAILURES = join(tmpdir(), 'tickwire-e2e-failures');

/** `describe`, skipped without a browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (!executable) reportSkipped('browser tests', NO_BROWSER);
  describe.skipIf(!executable)(name, tests);
}

export const launchBrowser = (): Promise<Browser> => {
  if (!executable) throw new Error(NO_BROWSER);
  return chromium.launch({ executablePath: executable, args: ARGS });
};

export interface VisitOptions extends BrowserContextOptions {
  /** Signs in as this person. */
  readonly as?: Person;
  /** Expected problems: an error response that a test provokes also appears in the console. */
  readonly expected?: readonly RegExp[];
}

export class Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly #problems: string[] = [];
  #expected: readonly RegExp[];

  private constructor(context: BrowserContext, page: Page, expected: readonly RegExp[]) {
    this.context = context;
    this.page = page;
    this.#expected = expected;
  }

  static async begin(browser: Browser, url: string, { as, expected = [], ...options }: VisitOptions): Promise<Visit> {
    const context = await browser.newContext({ baseURL: url, viewport: DESKTOP, ...options });
    context.setDefaultTimeout(TIMEOUT_MS);
    if (as?.cookie) {
      const [name = '', value = ''] = as.cookie.split(/=(.*)/s);
      await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
    }
    const visit = new Visit(context, await context.newPage(), expected);
    visit.#listen(new URL(url).host);
    return visit;
  }

  /** Adds expected problems. */
  expect(...problems: readonly RegExp[]): void {
    this.#expected = [...this.#expected, ...problems];
  }

  get problems(): readonly string[] {
    return this.#problems.filter((each) => !this.#expected.some((expected) => expected.test(each)));
  }

  #listen(host: string): void {
    const { context } = this;
    // Violations of the content policy are console errors, too.
    context.on('console', (message) => {
      if (message.type() === 'error') this.#problems.push(`console: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#problems.push(`exception: ${error.error().stack}`));
    context.on('request', (request) => {
      const { protocol, host: called } = new URL(request.url());
      if (protocol !== 'data:' && protocol !== 'blob:' && called !== host)
        this.#problems.push(`a request to another host: ${request.url()}`);
    });
  }
}

/** The browser of a test file. */
export class TestBrowser {
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

  /** Opens a new profile, runs the visit and closes it. */
  async visit(url: string, options: VisitOptions, tour: (page: Page, visit: Visit) => Promise<void>): Promise<void> {
    const visit = await Visit.begin(this.browser, url, options);
    try {
      await tour(visit.page, visit);
      if (visit.problems.length > 0) throw new Error(`the page reported problems:\n${visit.problems.join('\n')}`);
    } catch (error) {
      if (visit.problems.length > 0) console.error(visit.problems.join('\n'));
      await saveScreenshot(visit.page);
      throw error;
    } finally {
      await visit.context.close();
    }
  }
}

async function saveScreenshot(page: Page): Promise<void> {
  mkdirSync(FAILURES, { recursive: true });
  const path = join(FAILURES, `${Date.now()}.png`);
  // A crashed page has no screenshot. Ignore that, so that the test reports its own failure.
  await page.screenshot({ path, timeout: 5_000 }).then(
    () => console.error(`screenshot: ${path}`),
    () => {},
  );
}
