// Every page of the terminal, for checks that apply to all of them: how to open it, and when it is complete.
import type { Page } from 'playwright-core';
import { eventually } from '../packages/server/testing/process.fixture.ts';
import { DESKTOP, type VisitOptions } from './browser.fixture.ts';
import type { Person, Service } from './service.fixture.ts';

export interface TerminalPage {
  /** Name of its screenshot. */
  readonly name: string;
  readonly path: (service: Service) => string;
  /** Whether it requires a signed-in user. */
  readonly inside: boolean;
  /** Narrower screens do not have it. Pixels. */
  readonly minWidth?: number;
  readonly ready: (page: Page) => Promise<void>;
  /** Selector of what differs from another page, if most of it is the same. */
  readonly part?: string;
  /** Opens that part, which closes when the window changes its size. */
  readonly open?: (page: Page) => Promise<void>;
  /** Closes it. Escape does if this is left out. */
  readonly close?: (page: Page) => Promise<void>;
  readonly visit?: Pick<VisitOptions, 'firstSteps' | 'serviceWorkers'>;
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

/** Goes to a page on a wide screen; to another page of the terminal as a link does, without loading the terminal again. */
export async function openPage(page: Page, view: TerminalPage, service: Service): Promise<void> {
  await page.setViewportSize(DESKTOP);
  const path = view.path(service);
  // A public record is a document of its own. What is open over a page stays open unless it is loaded again.
  const isTerminal = [path, new URL(page.url()).pathname].every((each) => each.startsWith('/') && !/^\/p\//.test(each));
  if (view.inside && !view.part && isTerminal)
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
  else await page.goto(path);
  await view.ready(page);
}

/** Available only while the service has no owner. */
export const SETUP_PAGE: TerminalPage = {
  name: 'setup',
  path: ({ setupUrl }) => setupUrl,
  inside: false,
  ready: (page) => page.getByLabel('Password', { exact: true }).waitFor(),
};

export const SIGNED_OUT_PAGES: readonly TerminalPage[] = [
  outside('sign-in', '/sign-in', 'Sign in'),
  outside('join', '/join?token=x', /You are invited|This invitation is not valid/),
  outside('sign-up', '/sign-up', /Create an account|By invitation/),
  outside('docs', '/docs', /.+/),
  outside('docs-streams', '/docs/streams', 'Streams'),
  outside('docs-errors', '/docs/errors', 'Errors'),
  {
    ...outside('docs-try', '/docs/market', 'Market'),
    ready: async (page) => {
      await page.locator('[id="get-symbols"] .try summary').click();
      await page.locator('[id="get-symbols"] [type=submit]').click();
      await page.locator('[id="get-symbols"] .status').waitFor();
    },
  },
  {
    ...outside('docs-search', '/docs/market', 'Market'),
    ready: async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('quote');
      await page.getByRole('option').first().waitFor();
    },
    part: '.search',
  },
];

const SECTIONS = [
  ...['keys', 'links', 'usage', 'snippets', 'channels', 'following', 'display', 'account'],
  ...['people', 'invitations', 'audit', 'statistics', 'markets', 'feeds', 'streams', 'news-sources', 'models'],
];

const MARKETS_PATH = '/markets/EURUSD/5m';

async function live(page: Page): Promise<void> {
  await page.getByLabel('EURUSD, 5m bars').waitFor();
  await page.getByRole('contentinfo').getByText(/^live/).filter({ visible: true }).first().waitFor();
}

/** Every section that shows remote data has it. */
async function loaded(page: Page): Promise<void> {
  while ((await page.getByText('Loading…').count()) > 0) await Bun.sleep(20);
}

const loadedPage =
  (title: string) =>
  async (page: Page): Promise<void> => {
    await heading(title)(page);
    await loaded(page);
  };

/** A link is shown with its texts only after it was created. */
async function createLink(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Portfolio sheet');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByLabel('For Google Sheets').waitFor();
  await loaded(page);
}

/** The sections of the settings page, for the owner. */
export const SETTINGS_PAGES: readonly TerminalPage[] = SECTIONS.map((section) =>
  inside(`settings-${section}`, `/settings#${section}`, async (page) => {
    await page.locator(`a[href="#${section}"][aria-current]`).waitFor({ state: 'attached' });
    await loaded(page);
    if (section === 'links') await createLink(page);
  }),
);

/** The other panels of this page are in `OPENED_PANELS`. */
export const MARKETS_PAGE = inside('markets', MARKETS_PATH, live);

/** For the owner, with simulated markets, example publishers and public records. */
export const SIGNED_IN_PAGES: readonly TerminalPage[] = [
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
  inside('publish-review', '/signals/new?symbol=EURUSD', async (page) => {
    const quote = page.getByText(/^\d\.\d+ \/ \d\.\d+$/);
    await page.getByLabel('Order', { exact: true }).selectOption('market');
    await page.getByLabel('Max slippage (optional)').fill('0.0003');
    const entry = Number((await quote.innerText()).split(' / ')[1]);
    await page.getByLabel('Stop', { exact: true }).fill((entry * 0.99).toFixed(5));
    await page.getByLabel('Target', { exact: true }).fill((entry * 1.02).toFixed(5));
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Publish permanently' }).waitFor();
  }),
  inside('publishers', '/publishers', heading('Publishers')),
  inside('following', '/publishers?view=following', loadedPage('Following')),
  // The owner has certainly published; the example publishers wait for the market.
  inside('publisher', '/publishers/Olivia%20Owner', async (page) => {
    await heading('For followers')(page);
    await loaded(page);
  }),
  inside('public-record', '/p/Olivia%20Owner', (page) => page.getByText('checked in this browser').waitFor()),
  inside('news', '/news', (page) => page.getByRole('listitem').first().waitFor()),
  inside('news-item', '/news', async (page) => {
    // What the market did is known of headlines that name an instrument.
    await page.locator('.news-item:has(.news-symbol) .news-title').first().click();
    await heading('What the market did')(page);
    await loaded(page);
  }),
  inside('calendar', '/calendar', (page) => page.getByRole('table').first().waitFor()),
  inside('alerts', '/alerts', (page) =>
    page
      .getByRole('row', { name: /crosses/ })
      .first()
      .waitFor(),
  ),
  inside('alerts-new', '/alerts/new?symbol=EURUSD&level=1.2', async (page) => {
    await page.getByText('Add a condition').click();
    await page.getByLabel('Spread above').fill('0.0005');
  }),
  inside('alerts-log', '/alerts/log', loadedPage('Alerts')),
  inside('alerts-deliveries', '/alerts/deliveries', loadedPage('Alerts')),
  inside('alerts-destinations', '/alerts/destinations', loadedPage('Alerts')),
];

const POPOVER = '.popover';
/** Panels that are not named as their buttons. */
const POPOVERS: Readonly<Record<string, string>> = { 'More intervals': 'Intervals' };
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

/** Something that opens on the markets page. */
function opened(name: string, part: string, show: (page: Page) => Promise<void>): TerminalPage {
  const open = async (page: Page): Promise<void> => {
    if ((await page.locator(part).count()) === 0) await show(page);
  };
  const ready = async (page: Page): Promise<void> => {
    await live(page);
    await open(page);
  };
  return { ...inside(name, MARKETS_PATH, ready), part, open };
}

/** A panel of the markets page, opened by its button. */
const panel = (name: string, label: string): TerminalPage =>
  opened(name, POPOVER, async (page) => {
    const opener = page.getByRole('button', { name: label, exact: true }).and(page.locator('[aria-haspopup]'));
    // Without a pointer, which would wait for the button to hold still.
    if (!(await opener.isVisible())) await button(page, 'More tools').dispatchEvent('click');
    // A phone has no layouts.
    if (!(await opener.isVisible())) await page.keyboard.press('Escape');
    else {
      await opener.dispatchEvent('click');
      await page
        .getByRole(label === 'Chart type' ? 'menu' : 'dialog', { name: POPOVERS[label] ?? label, exact: true })
        .waitFor();
    }
  });

export const CHART_MENU = opened('chart-menu', '.chart-stage [role="menu"]', async (page) => {
  await page.getByLabel('EURUSD, 5m bars').focus();
  await page.keyboard.press('a');
  await page.getByRole('menu').waitFor();
});

export const PALETTE = opened('palette', 'dialog[open]', async (page) => {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
});

/** A replay that was started a day ago. */
const REPLAY_OPENED = opened('replay', '.replay-bar', async (page) => {
  if (!(await button(page, 'Replay').isVisible())) await button(page, 'More tools').dispatchEvent('click');
  await button(page, 'Replay').dispatchEvent('click');
  await page.getByRole('dialog', { name: 'Replay' }).getByRole('button', { name: 'Start' }).click();
  await page.locator('.replay-bar').waitFor();
  await page.getByLabel('EURUSD, 5m bars').waitFor();
});
const REPLAY: TerminalPage = {
  ...REPLAY_OPENED,
  close: async (page) => {
    await button(page, 'End replay').dispatchEvent('click');
    await page.locator('.replay-bar').waitFor({ state: 'detached' });
    await page.getByLabel('EURUSD, 5m bars').waitFor();
  },
};

/** A form beside the chart, opened by its button. */
const ticket = (name: string, label: string, isReady: (page: Page) => Promise<void>): TerminalPage =>
  opened(name, '.ticket', async (page) => {
    if (!(await button(page, label).isVisible())) await button(page, 'More tools').dispatchEvent('click');
    await button(page, label).dispatchEvent('click');
    await page.locator('.ticket').waitFor();
    await isReady(page);
  });

/** Parts of the markets page that open over it. */
export const OPENED_PANELS: readonly TerminalPage[] = [
  CHART_MENU,
  PALETTE,
  panel('intervals', 'More intervals'),
  panel('more-tools', 'More tools'),
  panel('chart-type', 'Chart type'),
  panel('indicators', 'Indicators'),
  panel('drawing', 'Draw'),
  panel('order-flow', 'Order flow'),
  panel('compare', 'Compare'),
  panel('replay-start', 'Replay'),
  REPLAY,
  panel('layout', 'Layout'),
  ticket('ticket', 'Publish', async (page) => {
    await page.locator('.ticket').getByText('market order, at the ask').waitFor();
  }),
  ticket('ticket-review', 'Publish', async (page) => {
    await page.locator('.ticket').getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Publish permanently' }).waitFor();
  }),
  ticket('alert-ticket', 'Alert', async (page) => {
    await page.locator('.ticket').getByLabel('Level').waitFor();
  }),
];

/** The markets page with four charts. */
export const FOUR_CHARTS: TerminalPage = {
  ...inside('four-charts', MARKETS_PATH, async (page) => {
    await live(page);
    await button(page, 'Layout').click();
    await page
      .getByRole('dialog', { name: 'Layout' })
      .getByRole('button', { name: /^Swing/ })
      .click();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Chart 4' }).getByText(/^C$/).first().waitFor();
  }),
  minWidth: 861,
  part: '[aria-label="Chart 4"]',
};

/** The markets page with two or three charts. */
const someCharts = (name: string, count: number): TerminalPage => ({
  ...inside(name, MARKETS_PATH, async (page) => {
    await live(page);
    await button(page, 'Layout').click();
    const layout = page.getByRole('dialog', { name: 'Layout' });
    await layout.getByRole('button', { name: String(count), exact: true }).click();
    await page.keyboard.press('Escape');
    await page
      .getByRole('region', { name: `Chart ${count}` })
      .getByText(/^C$/)
      .first()
      .waitFor();
  }),
  minWidth: 861,
});

/** What the terminal shows when something is wrong, and to a new account. */
export const STATES: readonly TerminalPage[] = [
  someCharts('two-charts', 2),
  someCharts('three-charts', 3),
  { ...inside('first-steps', MARKETS_PATH, live), visit: { firstSteps: true } },
  inside('not-found', '/nonsense', heading('Page not found')),
  inside('unknown-instrument', '/markets/EURUSDT/1h', heading('Unknown instrument')),
  inside('signed-out', '/signals', async (page) => {
    await heading('Signals')(page);
    await page.context().clearCookies();
    await heading('You were signed out')(page);
  }),
  {
    ...inside('offline', MARKETS_PATH, async (page) => {
      await live(page);
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.reload();
      await live(page);
      await page.context().setOffline(true);
      await page.goto('/signals');
      await heading(/^Offline/)(page);
    }),
    visit: { serviceWorkers: 'allow' },
  },
];

/** A dialog of a publisher's page. */
export const FOLLOW_DIALOG = inside('follow', '/publishers?sort=signals', async (page) => {
  const house = page.getByRole('link', { name: /^House/ }).first();
  // They publish their first signals a while after the start, and the list is rarely loaded again.
  for (;;) {
    const isListed = await house.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    if (isListed) break;
    await page.reload();
  }
  await house.click();
  await button(page, 'Follow').click();
  await page.getByRole('dialog').waitFor();
});

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
    if (symbol === 'EURUSD') continue;
    await owner.post(`/api/signals/${id}/close`);
    // It closes at the next quote, which may come after the response. The tests need the requests of this minute.
    const isClosed = async () => {
      await Bun.sleep(200);
      return (await owner.read<{ status: string }>(`/api/signals/${id}`)).status === 'closed';
    };
    await eventually('the signal is closed', isClosed);
  }
}

/** Creates alerts of the owner, so that the pages and the chart have some. */
export async function createSampleAlerts(owner: Person): Promise<void> {
  const { bid } = await owner.read<{ bid: number }>('/api/market/EURUSD/quote');
  const price = (factor: number) => ({ type: 'price', cross: 'either', level: Number((bid * factor).toFixed(5)) });
  for (const alert of [
    { symbol: 'EURUSD', condition: price(1.001), note: 'Sell half' },
    { symbol: 'EURUSD', condition: price(0.999), repeat: 'every_time', cooldown_seconds: 600 },
    {
      symbol: 'XAUUSD',
      condition: { type: 'indicator', indicator: 'rsi(14)', interval: '1h', cross: 'above', value: 70 },
    },
    { condition: { type: 'calendar', minutes: 15, impact: 'high', country: 'US' }, repeat: 'every_time' },
  ])
    await owner.must(201, owner.post('/api/alerts', alert));
}
