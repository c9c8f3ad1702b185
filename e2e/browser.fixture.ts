// A real browser for a test file, with a new profile for each visit. A visit fails if the page reports a problem: an error in the
// console, an exception, a violation of its content policy, or a request to another host.
import { beforeAll, describe } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { reportSkipped } from '../packages/server/testing/skipped.fixture.ts';
import type { Person } from './service.fixture.ts';

/** Browsers on the PATH. One without windows is a third faster, but has no notifications. */
const WITHOUT_WINDOWS = ['chromium-headless-shell'];
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome'];
const NO_BROWSER = 'no Chromium found (apt-get install chromium, or name one in TICKWIRE_CHROMIUM)';

/** Which browser runs a test: the fastest, one with notifications, or one that optimizes scripts as users have it. */
export type BrowserKind = 'fast' | 'whole' | 'measured';

function executableOf(kind: BrowserKind): string | undefined {
  const names = kind === 'whole' ? WHOLE : [...WITHOUT_WINDOWS, ...WHOLE];
  return process.env.TICKWIRE_CHROMIUM ?? names.map((name) => Bun.which(name)).find((path) => path !== null);
}

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
  // Letters have the same widths in every browser.
  '--font-render-hinting=none',
];

/** Pages of tests live for seconds: compiling their scripts once more takes longer than it saves. */
const BRIEF = [...ARGS, '--js-flags=--no-turbofan'];

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** Timeout of a single step, on a busy machine. */
export const TIMEOUT_MS = 60_000;
/** Timeout of a test. */
export const TEST_MS = 300_000;
/** Folder for screenshots of failures. */
const FAILURES = join(tmpdir(), 'tickwire-e2e-failures');

/** `describe`, skipped without a browser. */
export function describeInBrowser(name: string, tests: () => void, kind: BrowserKind = 'fast'): void {
  const missing = executableOf(kind) === undefined;
  if (missing) reportSkipped('browser tests', NO_BROWSER);
  describe.skipIf(missing)(name, tests);
}

export const launchBrowser = (kind: BrowserKind = 'fast'): Promise<Browser> => {
  const executablePath = executableOf(kind);
  if (!executablePath) throw new Error(NO_BROWSER);
  return chromium.launch({ executablePath, args: kind === 'measured' ? ARGS : BRIEF });
};

export interface VisitOptions extends BrowserContextOptions {
  /** Signs in as this person. */
  readonly as?: Person;
  /** Shows the first steps of a new account. Default: they count as dismissed. */
  readonly firstSteps?: boolean;
  /** Expected problems: an error response that a test provokes also appears in the console. */
  readonly expected?: readonly RegExp[];
}

/** Runs in every document. One without an origin has no storage. */
function dismissFirstSteps(): void {
  if (origin !== 'null') localStorage.setItem('tickwire.first-steps', '{"everyone":true}');
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

  static async begin(
    browser: Browser,
    url: string,
    { as, expected = [], firstSteps = false, ...options }: VisitOptions,
  ): Promise<Visit> {
    // Requests of a page with a service worker cannot be changed by a test; the tests of the worker allow it.
    const defaults = { baseURL: url, viewport: DESKTOP, serviceWorkers: 'block' } as const;
    const context = await browser.newContext({ ...defaults, ...options });
    context.setDefaultTimeout(TIMEOUT_MS);
    if (!firstSteps) await context.addInitScript(dismissFirstSteps);
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

/** Browsers of this process. Test files that share it share them too; they end with it. */
const open = new Map<BrowserKind, Promise<Browser>>();

async function openBrowser(kind: BrowserKind): Promise<Browser> {
  const browser = await open.get(kind);
  if (browser?.isConnected()) return browser;
  const launched = launchBrowser(kind);
  open.set(kind, launched);
  return launched;
}

/** The browser of a test file. */
export class TestBrowser {
  #browser: Browser | null = null;

  constructor(kind: BrowserKind = 'fast') {
    beforeAll(async () => {
      if (executableOf(kind)) this.#browser = await openBrowser(kind);
    }, TEST_MS);
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
