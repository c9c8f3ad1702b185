// Every page of the terminal, for checks that apply to all of them: how to open it, and when it is complete.
import type { Page } from 'playwright-core';
import type { Person, Service } from './service.fixture.ts';

export interface TerminalPage {
  /** Name of its screenshot. */
  readonly name: string;
  readonly path: (service: Service) => string;
  /** Whether it requires a signed-in user. */
  readonly inside: boolean;
  readonly ready: (page: Page) => Promise<void>;
}

const heading =
  (name: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByRole('heading', { name }).first().waitFor();

const outside = (name: string, path: string, title: string | RegExp): TerminalPage => ({
  name,
  path: () => path,
  inside: false,
  ready: heading(title),
});
const inside = (name: string, path: string, ready: (page: Page) => Promise<void>): TerminalPage => ({
  name,
  path: () => path,
  inside: true,
  ready,
});

/** Available only while the service has no owner. */
export const SETUP_PAGE: TerminalPage = {
  name: 'setup',
  path: ({ setupUrl }) => setupUrl,
  inside: false,
  ready: (page) => page.getByLabel('Password', { exact: true }).waitFor(),
};

export const SIGNED_OUT_PAGES: readonly TerminalPage[] = [
  outside('sign-in', '/sign-in', 'Sign in'),
  outside('join', '/join?token=x', 'You are invited'),
  outside('sign-up', '/sign-up', /Create an account|By invitation/),
  outside('docs', '/docs', /.+/),
];

const SECTIONS = [
  ...['keys', 'usage', 'snippets', 'display', 'account'],
  ...['people', 'invitations', 'audit', 'statistics', 'feeds', 'streams', 'news-sources', 'models'],
];

async function live(page: Page): Promise<void> {
  await page.getByLabel('EURUSD, 5m bars').waitFor();
  await page.getByRole('contentinfo').getByText(/^live/).filter({ visible: true }).first().waitFor();
}

/** Every section that shows remote data has it. */
async function loaded(page: Page): Promise<void> {
  while ((await page.getByText('Loading…').count()) > 0) await Bun.sleep(20);
}

/** The sections of the settings page, for the owner. */
export const SETTINGS_PAGES: readonly TerminalPage[] = SECTIONS.map((section) =>
  inside(`settings-${section}`, `/settings#${section}`, async (page) => {
    await page.locator(`a[href="#${section}"][aria-current]`).waitFor({ state: 'attached' });
    await loaded(page);
  }),
);

/** For the owner, with simulated markets, example publishers and public records. */
export const SIGNED_IN_PAGES: readonly TerminalPage[] = [
  inside('markets', '/markets/EURUSD/5m', live),
  inside('signals', '/signals', (page) => page.getByRole('link', { name: /entry/ }).first().waitFor()),
  inside('signals-closed', '/signals?status=closed', heading('Signals')),
  inside('signal', '/signals', async (page) => {
    await page.getByRole('link', { name: /entry/ }).first().click();
    await page.getByRole('heading', { name: 'Evidence' }).waitFor();
  }),
  inside('signal-closed', '/signals?status=closed', async (page) => {
    await page.getByRole('link', { name: /entry/ }).first().click();
    await page.getByRole('heading', { name: 'Evidence' }).waitFor();
    await loaded(page);
  }),
  inside('publish', '/signals/new', heading('Publish a signal')),
  inside('publishers', '/publishers', heading('Publishers')),
  // The owner has certainly published; the example publishers wait for the market.
  inside('publisher', '/publishers/Olivia%20Owner', async (page) => {
    await heading('For followers')(page);
    await loaded(page);
  }),
  inside('public-record', '/p/Olivia%20Owner', (page) => page.getByText('recomputed in this browser').waitFor()),
  inside('news', '/news', (page) => page.getByRole('listitem').first().waitFor()),
  inside('palette', '/markets/EURUSD/5m', async (page) => {
    await live(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
  }),
];

/** Publishes two signals of the owner, one of them closed, so that the pages have content. */
export async function publishSampleSignals(owner: Person): Promise<void> {
  for (const [symbol, digits] of [
    ['EURUSD', 5],
    ['XAUUSD', 3],
  ] as const) {
    const { ask } = await owner.read<{ ask: number }>(`/api/market/${symbol}/quote`);
    const at = (factor: number): number => Number((ask * factor).toFixed(digits));
    const levels = { entry: ask, stop_loss: at(0.98), take_profit: at(1.03), note: 'Over the high of the morning' };
    const request = owner.post('/api/signals', { symbol, direction: 'buy', ...levels });
    const { id } = await owner.must<{ id: string }>(201, request);
    if (symbol === 'XAUUSD') await owner.must(200, owner.post(`/api/signals/${id}/close`));
  }
}
